//! A record, read like a book: the table of each step, from any seat or from all, with the verdict on the whole beside it.
//!
//! Without spoilers: it opens on the first page, through everyone's eyes, and rounds not yet read are not listed. Reading and
//! checking run elsewhere ([`book`]); here pages are turned.

pub mod book;
pub mod hands;
mod telling;
mod turning;

use std::{cell::RefCell, rc::Rc, sync::Arc};

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use crate::{
    aloud,
    components::{adaptive::Adaptive, badge::Badge},
    session::{Session, standing::Standing},
    settings::Settings,
    table::TableScreen,
    words,
};
use book::{Eyes, News, Page, Source};
use hands::Hands;

/// Heard when something about the record changes.
type Heard = Rc<RefCell<Option<Box<dyn Fn(&Standing)>>>>;

mod imp {
    use std::cell::{Cell, OnceCell};

    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub session: Session,
        pub screen: TableScreen,
        pub stack: gtk::Stack,
        pub trouble: adw::StatusPage,
        pub hands: Hands,
        pub badge: Badge,
        pub eyes: gtk::DropDown,
        pub place: gtk::MenuButton,
        pub place_words: gtk::Label,
        pub rounds: gtk::Box,
        pub back: gtk::Button,
        pub on: gtk::Button,
        pub round_back: gtk::Button,
        pub round_on: gtk::Button,
        pub play: gtk::ToggleButton,
        pub turns: gtk::MenuButton,
    }

    #[derive(Default)]
    pub struct Viewer {
        pub parts: OnceCell<Parts>,
        pub names: RefCell<Vec<String>>,
        pub bytes: RefCell<Option<Arc<Vec<u8>>>>,
        pub pages: RefCell<Vec<Page>>,
        pub whole: Cell<bool>,
        pub at: Cell<usize>,
        /// The furthest page read: what lies behind it is not given away.
        pub read: Cell<usize>,
        pub looking: Cell<Eyes>,
        /// A step to go to once its page is there.
        pub wanted: Cell<Option<(u64, Option<u32>)>>,
        /// The round whose story is shown.
        pub told: Cell<usize>,
        pub heard: Heard,
        /// Another page, or through other eyes: the foot follows.
        pub moved: OnceCell<Box<dyn Fn()>>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Viewer {
        const NAME: &'static str = "ShamansViewer";
        type Type = super::Viewer;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("viewer");
        }
    }

    impl ObjectImpl for Viewer {}
    impl WidgetImpl for Viewer {}
    impl BinImpl for Viewer {}
}

glib::wrapper! {
    /// The reader of one record.
    pub struct Viewer(ObjectSubclass<imp::Viewer>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

fn button(icon: &str, name: &str) -> gtk::Button {
    let button = gtk::Button::builder()
        .icon_name(icon)
        .tooltip_text(name)
        .css_classes(["circular"])
        .build();
    button.update_property(&[gtk::accessible::Property::Label(name)]);
    button
}

impl Viewer {
    /// Opens a record.
    pub fn open(source: Source, settings: &Settings) -> Viewer {
        let viewer: Viewer = glib::Object::new();
        viewer.build(settings);
        viewer.add_keys();
        let news = book::open(source);
        let weak = viewer.downgrade();
        glib::spawn_future_local(async move {
            while let Ok(news) = news.recv().await {
                let Some(viewer) = weak.upgrade() else { break };
                viewer.hear(news);
            }
        });
        viewer
    }

    fn build(&self, settings: &Settings) {
        let session = Session::of_record(settings);
        session.set_banner(words::tr("Opening the record…"));
        let screen = TableScreen::new(&session);
        screen.watch_only();
        screen.set_vexpand(true);
        let hands = Hands::new();
        let badge = Badge::new(&Standing::Checking);
        badge.set_halign(gtk::Align::Center);

        let round_back = button(
            "media-skip-backward-symbolic",
            &words::tr("To the beginning of the round"),
        );
        let back = button("go-previous-symbolic", &words::tr("Step back"));
        let on = button("go-next-symbolic", &words::tr("Step forward"));
        let round_on = button(
            "media-skip-forward-symbolic",
            &words::tr("To the next round"),
        );
        let play = gtk::ToggleButton::builder()
            .icon_name("media-playback-start-symbolic")
            .tooltip_text(words::tr("Play"))
            .css_classes(["circular"])
            .build();
        play.update_property(&[gtk::accessible::Property::Label(&words::tr("Play"))]);
        let transport = gtk::Box::builder()
            .spacing(6)
            .halign(gtk::Align::Center)
            .build();
        transport.append(&round_back);
        transport.append(&back);
        transport.append(&play);
        transport.append(&on);
        transport.append(&round_on);

        let rounds = gtk::Box::new(gtk::Orientation::Vertical, 0);
        // In a narrow window and a language of long words it takes two lines.
        let place_words = gtk::Label::builder()
            .label(words::tr("Round 1"))
            .wrap(true)
            .lines(2)
            .justify(gtk::Justification::Center)
            .ellipsize(gtk::pango::EllipsizeMode::End)
            .build();
        let place = gtk::MenuButton::builder()
            .child(&place_words)
            .always_show_arrow(true)
            .popover(
                &gtk::Popover::builder()
                    .child(&rounds)
                    .css_classes(["menu"])
                    .build(),
            )
            .tooltip_text(words::tr("To a round"))
            .direction(gtk::ArrowType::Up)
            .build();
        let eyes = gtk::DropDown::from_strings(&[&words::tr("Everyone's eyes")]);
        let say = words::tr("Through whose eyes");
        eyes.set_tooltip_text(Some(&say));
        eyes.update_property(&[gtk::accessible::Property::Label(&say)]);
        let choosing = gtk::Box::builder()
            .spacing(6)
            .halign(gtk::Align::Center)
            .build();
        choosing.append(&eyes);
        choosing.append(&place);
        let turns = self.turns_button();
        choosing.append(&turns);

        let controls = gtk::Box::builder()
            .spacing(12)
            .css_classes(["controls"])
            .build();
        choosing.set_hexpand(true);
        choosing.set_halign(gtk::Align::Start);
        controls.append(&choosing);
        controls.append(&transport);
        let end = adw::Bin::builder()
            .hexpand(true)
            .halign(gtk::Align::End)
            .child(&badge)
            .build();
        controls.append(&end);

        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&screen);
        column.append(&hands);
        column.append(&controls);
        let frame = Adaptive::new(&column);
        frame.connect_narrow_notify(glib::clone!(
            #[weak]
            controls,
            #[weak]
            choosing,
            #[weak]
            end,
            #[weak]
            hands,
            #[weak]
            transport,
            #[weak]
            turns,
            move |frame| {
                let narrow = frame.narrow();
                hands.set_narrow(narrow);
                // Beside the way through the steps there is room for it in a narrow window.
                let (from, to) = if narrow {
                    (&choosing, &transport)
                } else {
                    (&transport, &choosing)
                };
                if turns.parent().as_ref() == Some(from.upcast_ref()) {
                    from.remove(&turns);
                    to.append(&turns);
                }
                controls.set_orientation(if narrow {
                    gtk::Orientation::Vertical
                } else {
                    gtk::Orientation::Horizontal
                });
                controls.set_spacing(if narrow { 4 } else { 12 });
                choosing.set_halign(if narrow {
                    gtk::Align::Center
                } else {
                    gtk::Align::Start
                });
                end.set_halign(if narrow {
                    gtk::Align::Center
                } else {
                    gtk::Align::End
                });
            }
        ));
        let trouble = adw::StatusPage::builder()
            .icon_name("dialog-warning-symbolic")
            .title(words::tr("This record cannot be read"))
            .build();
        let stack = gtk::Stack::new();
        stack.add_named(&frame, Some("book"));
        stack.add_named(&trouble, Some("trouble"));
        aloud::quiet(&stack);
        self.set_child(Some(&stack));
        let parts = imp::Parts {
            session,
            screen,
            stack,
            trouble,
            hands,
            badge,
            eyes,
            place,
            place_words,
            rounds,
            back,
            on,
            round_back,
            round_on,
            play,
            turns,
        };
        self.imp().parts.set(parts).expect("set once, here");
        self.connect_controls();
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in open")
    }

    /// Called when the check has an outcome.
    pub fn connect_checked(&self, heard: impl Fn(&Standing) + 'static) {
        self.imp().heard.replace(Some(Box::new(heard)));
    }

    /// Who played.
    pub fn names(&self) -> Vec<String> {
        self.imp().names.borrow().clone()
    }

    /// The file, once it is read.
    pub fn bytes(&self) -> Option<Arc<Vec<u8>>> {
        self.imp().bytes.borrow().clone()
    }

    /// The log beside the table is shown or not.
    pub fn screen(&self) -> &TableScreen {
        &self.parts().screen
    }

    fn hear(&self, news: News) {
        let parts = self.parts();
        match news {
            News::Cover { names, bytes } => {
                let all = words::tr("All hands open");
                let everyone = words::tr("Everyone's eyes");
                let mut list = vec![everyone.as_str()];
                list.extend(names.iter().map(String::as_str));
                list.push(&all);
                parts.eyes.set_model(Some(&gtk::StringList::new(&list)));
                self.imp().names.replace(names);
                self.imp().bytes.replace(Some(bytes));
                self.notify_names();
            }
            News::Page(page) => {
                self.imp().pages.borrow_mut().push(*page);
                match self.imp().pages.borrow().len() {
                    1 => self.turn_to(0),
                    2 => {
                        // What cannot be pressed yet takes no focus.
                        parts.on.set_sensitive(true);
                        parts.on.grab_focus();
                    }
                    _ => {}
                }
                self.refresh_controls();
                self.go_to_wanted();
            }
            News::End => {
                self.imp().whole.set(true);
                if self.imp().pages.borrow().is_empty() {
                    let none = words::tr("No step of this record can be shown.");
                    parts.session.set_banner(none);
                }
                self.refresh_controls();
            }
            News::Checked(standing) => {
                parts.badge.show_standing(&standing);
                self.tell(&standing);
            }
            News::Unreadable(why) => {
                let failed = Standing::Failed {
                    step: None,
                    who: None,
                    what: why.clone(),
                };
                parts.trouble.set_description(Some(&glib::markup_escape_text(&words::fill(
                    "{why}. Nothing can be said about this game; ask the others for their copy of it.",
                    &[("why", &why)],
                ))));
                parts.stack.set_visible_child_name("trouble");
                self.tell(&failed);
            }
        }
    }

    fn tell(&self, standing: &Standing) {
        if let Some(heard) = self.imp().heard.borrow().as_ref() {
            heard(standing);
        }
    }

    fn notify_names(&self) {
        if let Some(window) = self.root().and_downcast::<gtk::Window>() {
            window.set_title(Some(&self.names().join(", ")));
        }
    }
}
