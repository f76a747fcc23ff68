//! A table nearby, as it stands in the list: who sits there, and the way in, or why there is none. It changes in place, so that nobody
//! loses the focus or a press while others come and go.

use adw::prelude::*;
use gtk::glib;

use super::nearby::{button, call};
use crate::{session::lan::seen::TableRow, words};

#[derive(Debug)]
pub struct Listed {
    pub row: adw::ActionRow,
    pub table: TableRow,
    way_in: gtk::Button,
}

impl Listed {
    /// A table that has just come.
    pub fn new(table: &TableRow) -> Listed {
        let row = adw::ActionRow::new();
        let way_in = button("", "");
        row.add_suffix(&way_in);
        let listed = Listed {
            row,
            table: table.clone(),
            way_in,
        };
        listed.tell();
        listed
    }

    /// What is known of it now.
    pub fn follow(&mut self, table: &TableRow) {
        if self.table != *table {
            self.table = table.clone();
            self.tell();
        }
    }

    fn tell(&self) {
        let table = &self.table;
        let (taken, seats) = table.seats;
        let mut about = table.who.join(", ");
        if !about.is_empty() {
            about.push_str(" · ");
        }
        about.push_str(&words::fill(
            "{taken} of {seats}",
            &[("taken", &taken.to_string()), ("seats", &seats.to_string())],
        ));
        if let Some(why) = &table.closed {
            about = format!("{about} · {why}");
        }
        self.row.set_title(&glib::markup_escape_text(&table.name));
        self.row.set_subtitle(&glib::markup_escape_text(&about));
        let (label, name, action) = if table.watch {
            (
                words::tr("Watch"),
                words::fill("Watch {table}", &[("table", &table.name)]),
                "win.watch-table",
            )
        } else {
            (
                words::tr("Join"),
                words::fill("Join {table}", &[("table", &table.name)]),
                "win.join-table",
            )
        };
        self.way_in.set_label(&label);
        call(&self.way_in, &name);
        self.way_in
            .set_action_target_value(Some(&table.id.to_variant()));
        self.way_in.set_action_name(Some(action));
        // Whoever is at the way in stays there, or at the row while there is none.
        if table.watch || table.closed.is_none() {
            self.row.remove_css_class("closed");
            self.way_in.set_visible(true);
            if self.row.is_focus() {
                self.way_in.grab_focus();
            }
        } else {
            self.row.add_css_class("closed");
            if self.way_in.is_focus() {
                self.row.grab_focus();
            }
            self.way_in.set_visible(false);
        }
    }
}
