//! The table before play: who sits there and who is ready, the options, the code for the others, and talk.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{invite::InviteRow, options::OptionsGroup};
use crate::{
    components::{
        adaptive::Adaptive,
        avatar::{assign, avatar},
        talk::TalkBox,
    },
    session::{
        lan::seen::{RoomSeen, TableOptions},
        models::SeatModel,
        snapshot::Bot,
    },
    settings::Settings,
    words,
};

/// Lines of talk that are kept.
const LINES: usize = 50;

mod imp {
    use std::cell::{Cell, OnceCell};

    use super::*;

    pub struct Parts {
        pub frame: Adaptive,
        pub title: gtk::Label,
        pub seats: gtk::ListBox,
        pub state: gtk::Label,
        pub invite: InviteRow,
        pub far: InviteRow,
        pub options: OptionsGroup,
        pub ready: gtk::Button,
        pub consent: gtk::Label,
        pub said: gtk::ListBox,
        pub said_scroll: gtk::ScrolledWindow,
        pub halves: gtk::Box,
        pub talk: TalkBox,
    }

    #[derive(Default)]
    pub struct Room {
        pub parts: OnceCell<Parts>,
        /// Could the player agree when this was shown last? The button's own state follows its action as well.
        pub may_agree: Cell<bool>,
        pub settings: OnceCell<Settings>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Room {
        const NAME: &'static str = "ShamansRoom";
        type Type = super::Room;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("lobby");
        }
    }

    impl ObjectImpl for Room {}
    impl WidgetImpl for Room {}
    impl BinImpl for Room {}
}

glib::wrapper! {
    /// The table before play.
    pub struct Room(ObjectSubclass<imp::Room>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn column(spacing: i32) -> gtk::Box {
    gtk::Box::builder()
        .orientation(gtk::Orientation::Vertical)
        .spacing(spacing)
        .hexpand(true)
        .build()
}

fn wrapped(class: &str) -> gtk::Label {
    gtk::Label::builder()
        .wrap(true)
        .xalign(0.0)
        .css_classes([class])
        .build()
}

impl Room {
    /// An empty room; `changed` hears what the player chooses of the options.
    pub fn new(settings: &Settings, changed: impl Fn(TableOptions) + 'static) -> Room {
        let room: Room = glib::Object::new();
        room.imp()
            .settings
            .set(settings.clone())
            .expect("set once, here");
        let left = column(14);
        let title = wrapped("title-1");
        left.append(&title);
        let state = wrapped("tagline");
        state.set_accessible_role(gtk::AccessibleRole::Status);
        left.append(&state);
        let seats = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["boxed-list"])
            .build();
        seats.update_property(&[gtk::accessible::Property::Label(&words::tr("Seats"))]);
        left.append(&seats);
        let ready = gtk::Button::builder()
            .label(words::tr("I am ready"))
            .halign(gtk::Align::Center)
            .sensitive(false)
            .css_classes(["pill", "suggested-action"])
            .action_name("win.ready")
            .build();
        let consent = wrapped("consent");
        consent.set_visible(false);
        left.append(&consent);
        left.append(&ready);
        let phrase = wrapped("dim-label");
        phrase.set_label(&words::tr("When all are ready, four words appear on every screen. Read them aloud: if they are the same for everyone, nobody stands between you."));
        phrase.add_css_class("caption");
        left.append(&phrase);

        let right = column(14);
        let invite = InviteRow::new(&words::tr("Invite code"));
        right.append(&invite);
        let far = InviteRow::new(&words::tr("Invite code from anywhere, through a relay"));
        far.set_visible(false);
        right.append(&far);
        let options = OptionsGroup::new(changed);
        right.append(&options);
        let said = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["said"])
            .build();
        said.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What was said",
        ))]);
        let said_scroll = gtk::ScrolledWindow::builder()
            .child(&said)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .propagate_natural_height(true)
            .max_content_height(140)
            .visible(false)
            .build();
        let talk = column(6);
        talk.append(&said_scroll);
        let entry = TalkBox::new();
        talk.append(&entry);
        left.append(&talk);

        let halves = gtk::Box::builder()
            .spacing(28)
            .homogeneous(true)
            .valign(gtk::Align::Center)
            .css_classes(["start"])
            .build();
        halves.append(&left);
        halves.append(&right);
        let clamp = adw::Clamp::builder()
            .maximum_size(920)
            .child(&halves)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .vexpand(true)
            .build();
        let frame = Adaptive::new(&scroll);
        room.set_child(Some(&frame));
        let parts = imp::Parts {
            frame,
            title,
            seats,
            state,
            invite,
            far,
            options,
            ready,
            consent,
            said,
            said_scroll,
            halves,
            talk: entry,
        };
        assert!(room.imp().parts.set(parts).is_ok(), "set once, here");
        room.parts().frame.connect_narrow_notify(glib::clone!(
            #[weak]
            room,
            move |_| room.lay_out()
        ));
        room.lay_out();
        room
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    fn lay_out(&self) {
        let parts = self.parts();
        let narrow = parts.frame.narrow();
        parts.halves.set_homogeneous(!narrow);
        parts.halves.set_orientation(if narrow {
            gtk::Orientation::Vertical
        } else {
            gtk::Orientation::Horizontal
        });
    }

    /// The codes for the others: of this network, and of any.
    pub fn show_codes(&self, near: &str, far: &str) {
        let parts = self.parts();
        parts.invite.show_code(near);
        parts.far.show_code(far);
        parts.far.set_visible(!far.is_empty());
    }

    /// How things stand.
    pub fn show(&self, seen: &RoomSeen) {
        let parts = self.parts();
        parts.title.set_label(&seen.name);
        let agreed = seen.members.iter().any(|member| member.me && member.ready);
        let ready = seen.members.iter().filter(|member| member.ready).count();
        let state = match seen.free() {
            0 if agreed => words::fill(
                "{ready} of {all} are ready.",
                &[
                    ("ready", &ready.to_string()),
                    ("all", &seen.members.len().to_string()),
                ],
            ),
            0 => words::tr("Everyone is here. Begin?"),
            free => words::tr_n(
                "Waiting for 1 more player.",
                "Waiting for {n} more players.",
                free,
            ),
        };
        parts.state.set_label(&state);
        let may = seen.asked && !agreed;
        let newly = !self.imp().may_agree.replace(may) && may;
        parts.ready.set_sensitive(may);
        parts.ready.set_label(&if agreed {
            words::tr("Waiting for the others…")
        } else {
            words::tr("I am ready")
        });
        let bots: Vec<String> = seen
            .bots()
            .map(|(bot, operator)| {
                words::fill("{bot} (run by {name})", &[("bot", bot), ("name", operator)])
            })
            .collect();
        parts.consent.set_visible(!bots.is_empty());
        parts.consent.set_label(&words::fill(
            "Bots play here: {bots}. Whoever runs a bot can see its cards. If you are ready, you agree to that.",
            &[("bots", &bots.join(", "))],
        ));
        let focus = self.root().and_then(|root| root.focus());
        let typing = focus.is_some_and(|widget| widget.is::<gtk::Text>());
        if newly && !typing {
            parts.ready.grab_focus();
        }
        parts.options.show(seen.options, seen.mine());
        while let Some(row) = parts.seats.first_child() {
            parts.seats.remove(&row);
        }
        let animal = self.imp().settings.get().expect("set in new").avatar();
        let animals = animals(seen, animal as usize);
        for place in 0..usize::from(seen.options.seats) {
            let animal = animals.get(place).copied().unwrap_or_default();
            parts.seats.append(&seat(seen, place, animal));
        }
    }

    /// Puts the focus where words are typed.
    pub fn focus_talk(&self) {
        self.parts().talk.focus();
    }

    /// Puts the focus back from the talk: on the button that all wait for, or on whatever comes next.
    pub fn end_talk(&self) {
        if !self.parts().ready.grab_focus() {
            self.child_focus(gtk::DirectionType::TabForward);
        }
    }

    /// What was said here.
    pub fn said(&self) -> Vec<String> {
        let rows = (0..).map_while(|at| self.parts().said.row_at_index(at));
        rows.filter_map(|row| row.child().and_downcast::<gtk::Label>())
            .map(|label| label.text().into())
            .collect()
    }

    /// Something was said.
    pub fn tell(&self, text: &str) {
        let parts = self.parts();
        let label = wrapped("line");
        label.set_label(text);
        label.set_wrap_mode(gtk::pango::WrapMode::WordChar);
        let row = gtk::ListBoxRow::builder()
            .activatable(false)
            .child(&label)
            .build();
        row.update_property(&[gtk::accessible::Property::Label(text)]);
        parts.said.append(&row);
        if parts.said.row_at_index(LINES as i32).is_some()
            && let Some(first) = parts.said.row_at_index(0)
        {
            parts.said.remove(&first);
        }
        parts.said_scroll.set_visible(true);
        let adjustment = parts.said_scroll.vadjustment();
        // The row gets its height after it is added.
        glib::timeout_add_local_once(std::time::Duration::from_millis(60), move || {
            adjustment.set_value(adjustment.upper());
        });
    }
}

/// An animal for each who sits here: the same as at the table, where the phantoms have theirs too.
fn animals(seen: &RoomSeen, own: usize) -> Vec<&'static str> {
    let mine = seen.members.iter().position(|member| member.me);
    let members = seen.members.iter().map(|member| member.name.clone());
    let people = usize::from(seen.options.seats.saturating_sub(seen.options.phantoms));
    let phantoms = (people..usize::from(seen.options.seats)).map(words::phantom);
    let names: Vec<String> = members.chain(phantoms).collect();
    assign(&names, mine.map(|at| (at, own)))
}

/// One place: colour, shape, letter, name, and whether its player is ready.
fn seat(seen: &RoomSeen, place: usize, animal: &str) -> gtk::ListBoxRow {
    let people = usize::from(seen.options.seats.saturating_sub(seen.options.phantoms));
    let member = seen.members.get(place);
    let (name, class) = match member {
        Some(member) => (member.name.clone(), "name"),
        None if place < people => (words::tr("free"), "dim-label"),
        None => (words::tr("Phantom"), "dim-label"),
    };
    let operator = member.and_then(|member| member.operator.clone());
    let bot = operator.map(|operator| words::bot(&Bot::RunBy(operator)));
    let state = match member {
        Some(member) if member.ready => words::tr("ready"),
        Some(member) if member.opener => words::tr("opened the table"),
        Some(_) | None => String::new(),
    };
    let way = member.and_then(|member| member.way.words());
    let state = match way {
        Some(way) if state.is_empty() => way,
        Some(way) => format!("{state}, {way}"),
        None => state,
    };
    let model = SeatModel::new(place);
    if member.is_some() {
        model.set_name(name.clone());
        model.set_avatar(animal);
    }
    let line = gtk::Box::builder()
        .spacing(12)
        .css_classes(["place"])
        .build();
    let face = avatar(&model, 34);
    if member.is_none() {
        face.add_css_class("empty");
    }
    line.append(&face);
    let label = gtk::Label::builder()
        .label(&name)
        .xalign(0.0)
        .hexpand(true)
        .css_classes([class])
        .build();
    label.set_ellipsize(gtk::pango::EllipsizeMode::End);
    let names = column(0);
    names.set_valign(gtk::Align::Center);
    names.append(&label);
    if let Some(bot) = &bot {
        let mark = wrapped("caption");
        mark.set_label(bot);
        names.append(&mark);
    }
    line.append(&names);
    line.append(
        &gtk::Label::builder()
            .label(&state)
            .css_classes(["dim-label", "caption"])
            .build(),
    );
    if member.is_some_and(|member| member.ready) {
        line.append(
            &gtk::Image::builder()
                .icon_name("emblem-ok-symbolic")
                .accessible_role(gtk::AccessibleRole::Presentation)
                .build(),
        );
    }
    let row = gtk::ListBoxRow::builder()
        .activatable(false)
        .child(&line)
        .build();
    let mut said = words::fill(
        "Seat {n}: {name}",
        &[("n", &(place + 1).to_string()), ("name", &name)],
    );
    if let Some(bot) = &bot {
        said = format!("{said}, {bot}");
    }
    if !state.is_empty() {
        said = format!("{said}, {state}");
    }
    row.update_property(&[gtk::accessible::Property::Label(&said)]);
    row
}
