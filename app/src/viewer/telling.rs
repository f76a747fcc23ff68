//! How the round that is being read turned, and the way to each turn.

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{Viewer, book::Page};
use crate::{
    session::snapshot::NOBODY,
    story::page::{self, StoryPage},
};

impl Viewer {
    /// The button whose popover tells. What it tells is thought through when it is opened, not before: it gives the end away.
    pub(super) fn turns_button(&self) -> gtk::MenuButton {
        let scroll = gtk::ScrolledWindow::builder()
            .hscrollbar_policy(gtk::PolicyType::Never)
            .propagate_natural_height(true)
            .max_content_height(460)
            .width_request(320)
            .build();
        let popover = gtk::Popover::builder().child(&scroll).build();
        let button = gtk::MenuButton::builder()
            .icon_name("utilities-system-monitor-symbolic")
            .tooltip_text(page::title())
            .popover(&popover)
            .direction(gtk::ArrowType::Up)
            .build();
        button.update_property(&[gtk::accessible::Property::Label(&page::title())]);
        popover.connect_show(glib::clone!(
            #[weak(rename_to = viewer)]
            self,
            #[weak]
            scroll,
            move |_| viewer.tell_round(&scroll)
        ));
        button
    }

    fn tell_round(&self, into: &gtk::ScrolledWindow) {
        let imp = self.imp();
        let round = imp.pages.borrow().get(imp.at.get()).map(Page::round);
        let (Some(round), Some(bytes)) = (round, self.bytes()) else {
            return;
        };
        if imp.told.replace(round) == round {
            return;
        }
        let story = StoryPage::new(
            bytes,
            round,
            (self.names(), NOBODY),
            glib::clone!(
                #[weak(rename_to = viewer)]
                self,
                move |step| {
                    viewer.parts().turns.popdown();
                    viewer.go_to(step);
                }
            ),
        );
        into.set_child(Some(&story));
    }

    /// Lays open the page on which this step is told, with all hands open, as soon as it is there.
    pub fn go_to(&self, step: u64) {
        self.imp().wanted.set(Some((step, None)));
        self.go_to_wanted();
    }

    /// The step that is told on the page laid open, and through whose eyes.
    pub fn place(&self) -> Option<(u64, u32)> {
        let pages = self.imp().pages.borrow();
        let page = pages.get(self.imp().at.get())?;
        Some((page.step, self.parts().eyes.selected()))
    }

    /// Lays open a place of the same record again, as soon as it is there.
    pub fn return_to(&self, (step, eyes): (u64, u32)) {
        self.imp().wanted.set(Some((step, Some(eyes))));
        self.go_to_wanted();
    }

    pub(super) fn go_to_wanted(&self) {
        let Some((wanted, eyes)) = self.imp().wanted.get() else {
            return;
        };
        let at = {
            let pages = self.imp().pages.borrow();
            pages.iter().position(|page| page.step >= wanted)
        };
        if let Some(at) = at {
            self.imp().wanted.set(None);
            let all = self.imp().names.borrow().len() + 1;
            self.parts().eyes.set_selected(eyes.unwrap_or(all as u32));
            self.parts().play.set_active(false);
            self.turn_to(at);
        }
    }
}
