//! The own identity card: masked, shown while it is held, or for a moment when it is pressed by key.

use std::time::Duration;

use gtk::{glib, prelude::*, subclass::prelude::*};

use super::face::CardFace;
use crate::{session::Session, words};

mod imp {
    use std::cell::{Cell, OnceCell, RefCell};

    use super::*;

    #[derive(Debug, Default)]
    pub struct Identity {
        pub face: OnceCell<CardFace>,
        pub session: OnceCell<Session>,
        pub open: Cell<bool>,
        pub timer: RefCell<Option<glib::SourceId>>,
        pub said: RefCell<String>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for Identity {
        const NAME: &'static str = "ShamansIdentity";
        type Type = super::Identity;
        type ParentType = gtk::Button;
    }

    impl ObjectImpl for Identity {
        fn dispose(&self) {
            if let Some(timer) = self.timer.take() {
                timer.remove();
            }
        }
    }
    impl WidgetImpl for Identity {}
    impl ButtonImpl for Identity {}
}

glib::wrapper! {
    /// The own identity.
    pub struct Identity(ObjectSubclass<imp::Identity>)
        @extends gtk::Button, gtk::Widget,
        @implements gtk::Accessible, gtk::Actionable, gtk::Buildable, gtk::ConstraintTarget;
}

impl Identity {
    /// Follows `session`.
    pub fn new(session: &Session) -> Identity {
        let identity: Identity = glib::Object::new();
        identity.add_css_class("flat");
        identity.add_css_class("card-button");
        identity.add_css_class("identity");
        identity.set_valign(gtk::Align::End);
        let face = CardFace::new("identity-back", "", &words::tr("hold to peek"), 84);
        identity.set_child(Some(&face));
        identity.imp().face.set(face).expect("set once, here");
        identity
            .imp()
            .session
            .set(session.clone())
            .expect("set once, here");
        let hold = gtk::GestureClick::new();
        hold.set_propagation_phase(gtk::PropagationPhase::Capture);
        hold.connect_pressed(glib::clone!(
            #[weak]
            identity,
            move |_, _, _, _| identity.peek(true)
        ));
        for end in ["released", "cancel", "stopped"] {
            hold.connect_local(
                end,
                false,
                glib::clone!(
                    #[weak]
                    identity,
                    #[upgrade_or]
                    None,
                    move |_| {
                        identity.peek(false);
                        None
                    }
                ),
            );
        }
        identity.add_controller(hold);
        // From the keyboard or a screen reader: a short look.
        identity.connect_clicked(|identity| {
            if identity.has_visible_focus() || !identity.imp().open.get() {
                identity.glance();
            }
        });
        session.connect_changed(glib::clone!(
            #[weak]
            identity,
            move |_| identity.refresh()
        ));
        identity.refresh();
        identity
    }

    /// Sets the width of the card.
    pub fn set_wide(&self, wide: i32) {
        self.imp().face.get().expect("set in new").set_wide(wide);
    }

    /// Shows the identity while `on`.
    pub fn peek(&self, on: bool) {
        if let Some(timer) = self.imp().timer.take() {
            timer.remove();
        }
        self.imp().open.set(on);
        self.refresh();
    }

    fn glance(&self) {
        self.peek(true);
        let timer = glib::timeout_add_local_once(
            Duration::from_millis(1800),
            glib::clone!(
                #[weak(rename_to = identity)]
                self,
                move || {
                    identity.imp().timer.take();
                    identity.imp().open.set(false);
                    identity.refresh();
                }
            ),
        );
        self.imp().timer.replace(Some(timer));
    }

    fn refresh(&self) {
        let imp = self.imp();
        let face = imp.face.get().expect("set in new");
        let session = imp.session.get().expect("set in new");
        let (role, shown) = session
            .with_table(|table| {
                (
                    table.role,
                    table
                        .seats
                        .get(table.me.index())
                        .and_then(|seat| seat.role)
                        .is_some(),
                )
            })
            .unwrap_or((None, false));
        let (picture, caption, name) = match role {
            Some(role) if imp.open.get() || shown => (
                words::role_key(role),
                words::role(role),
                words::fill("Your identity: {role}", &[("role", &words::role(role))]),
            ),
            Some(_) | None => (
                "identity-back",
                words::tr("hold to peek"),
                words::tr("Your identity, hidden"),
            ),
        };
        if face.picture() != picture {
            face.set_picture(picture);
        }
        if face.caption() != caption {
            face.set_caption(caption);
        }
        let before = imp.said.replace(name.clone());
        if before == name {
            return;
        }
        let help = words::tr("Hold to see your identity, or press I. Nobody else can.");
        self.set_tooltip_text(Some(&help));
        self.update_property(&[
            gtk::accessible::Property::Label(&name),
            gtk::accessible::Property::Description(&help),
        ]);
    }
}
