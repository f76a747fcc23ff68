//! Past games: a window with the kept records, or any file, each to be checked and read again ([`crate::viewer`]).
//!
//! The list gives nothing away: who played and when, not who won.

pub mod shelf;

use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
    path::{Path, PathBuf},
};

use adw::{prelude::*, subclass::prelude::*};
use gtk::{gio, glib};

use crate::{
    aloud,
    art::Art,
    components::{header::header, sky},
    letters,
    session::standing::Standing,
    settings::Settings,
    viewer::{Viewer, book::Source},
    words,
};
use shelf::Kept;

thread_local! {
    /// What checks of this run of the program have found, by file.
    static FOUND: RefCell<HashMap<PathBuf, Standing>> = RefCell::default();
}

mod imp {
    use super::*;

    #[derive(Debug)]
    pub struct Parts {
        pub stack: gtk::Stack,
        pub list: gtk::ListBox,
        pub shelf: gtk::Stack,
        pub title: adw::WindowTitle,
        pub back: gtk::Button,
        pub open: gtk::Button,
        pub save: gtk::Button,
        pub log: gtk::ToggleButton,
        pub toasts: adw::ToastOverlay,
    }

    #[derive(Default)]
    pub struct PastGames {
        pub parts: OnceCell<Parts>,
        pub settings: OnceCell<Settings>,
        pub viewer: RefCell<Option<Viewer>>,
        pub bound: RefCell<Option<glib::Binding>>,
        pub chooser: RefCell<Option<gtk::FileChooserNative>>,
        /// The window was opened for one file: there is no list to go back to.
        pub alone: Cell<bool>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for PastGames {
        const NAME: &'static str = "ShamansPastGames";
        type Type = super::PastGames;
        type ParentType = adw::ApplicationWindow;
    }

    impl ObjectImpl for PastGames {}
    impl WidgetImpl for PastGames {}
    impl WindowImpl for PastGames {}
    impl ApplicationWindowImpl for PastGames {}
    impl AdwApplicationWindowImpl for PastGames {}
}

glib::wrapper! {
    /// The window of past games.
    pub struct PastGames(ObjectSubclass<imp::PastGames>)
        @extends adw::ApplicationWindow, gtk::ApplicationWindow, gtk::Window, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget, gtk::Native, gtk::Root, gtk::ShortcutManager,
            gio::ActionGroup, gio::ActionMap;
}

/// Opens the list of past games, or shows it again.
pub fn present(app: &impl IsA<gtk::Application>, settings: &Settings) {
    let open = app
        .as_ref()
        .windows()
        .into_iter()
        .find_map(|window| window.downcast::<PastGames>().ok());
    let window = open.unwrap_or_else(|| PastGames::new(app, settings));
    window.show_shelf();
    window.present();
}

/// Opens every window of past games again, where it was: in the language of the moment.
pub fn speak_again(app: &impl IsA<gtk::Application>, settings: &Settings) {
    let windows = app.as_ref().windows().into_iter();
    for old in windows.filter_map(|window| window.downcast::<PastGames>().ok()) {
        let window = PastGames::new(app, settings);
        window.imp().alone.set(old.imp().alone.get());
        let viewer = old.imp().viewer.borrow().clone();
        match viewer.and_then(|viewer| Some((viewer.bytes()?, viewer.place()))) {
            Some((bytes, place)) => {
                let name = old.parts().title.subtitle();
                let viewer = window.show_viewer(Source::Memory(bytes), &name);
                place.into_iter().for_each(|place| viewer.return_to(place));
            }
            None => window.show_shelf(),
        }
        window.present();
        old.destroy();
    }
}

/// Opens the record of a game that may still go on, at a step of its log.
pub fn open_at(
    app: &impl IsA<gtk::Application>,
    settings: &Settings,
    bytes: std::sync::Arc<Vec<u8>>,
    step: u64,
) {
    let window = PastGames::new(app, settings);
    window.imp().alone.set(true);
    let viewer = window.show_viewer(Source::Memory(bytes), "");
    viewer.go_to(step);
    window.present();
}

/// Opens one record.
pub fn open(app: &impl IsA<gtk::Application>, settings: &Settings, path: &Path) {
    let window = PastGames::new(app, settings);
    window.imp().alone.set(true);
    window.read(path);
    window.present();
    letters::prepare(&window);
}

fn icon_button(icon: &str, name: &str) -> gtk::Button {
    let button = gtk::Button::builder()
        .icon_name(icon)
        .tooltip_text(name)
        .build();
    button.update_property(&[gtk::accessible::Property::Label(name)]);
    button
}

impl PastGames {
    fn new(app: &impl IsA<gtk::Application>, settings: &Settings) -> PastGames {
        let window: PastGames = glib::Object::builder()
            .property("application", app.as_ref())
            .property("default-width", 1100)
            .property("default-height", 760)
            .build();
        window.set_size_request(360, 480);
        window.add_css_class("night");
        window
            .imp()
            .settings
            .set(settings.clone())
            .expect("set once, here");
        window.build();
        crate::watchdog::start(&window);
        window
    }

    fn build(&self) {
        let title = adw::WindowTitle::new(&words::tr("Past games"), "");
        let header = header(&title);
        let back = icon_button("go-previous-symbolic", &words::tr("Back to the list"));
        header.pack_start(&back);
        let open = gtk::Button::builder()
            .label(words::answer(&words::tr("_Open…")))
            .build();
        open.set_tooltip_text(Some(&words::tr("Open a record from a file")));
        header.pack_start(&open);
        let log = gtk::ToggleButton::builder()
            .icon_name("view-list-symbolic")
            .tooltip_text(words::tr("What happened"))
            .active(true)
            .build();
        log.update_property(&[gtk::accessible::Property::Label(&words::tr(
            "What happened",
        ))]);
        header.pack_end(&log);
        let save = icon_button("document-save-symbolic", &words::tr("Save the record"));
        header.pack_end(&save);

        let list = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["boxed-list"])
            .valign(gtk::Align::Start)
            .build();
        list.update_property(&[gtk::accessible::Property::Label(&words::tr("Past games"))]);
        let clamp = adw::Clamp::builder()
            .maximum_size(640)
            .child(&list)
            .margin_top(12)
            .margin_bottom(24)
            .margin_start(12)
            .margin_end(12)
            .build();
        let scroll = gtk::ScrolledWindow::builder()
            .child(&clamp)
            .hscrollbar_policy(gtk::PolicyType::Never)
            .build();
        let empty = adw::StatusPage::builder()
            .icon_name("document-open-recent-symbolic")
            .title(words::tr("No past games yet"))
            .description(words::tr(
                "Games that you finish are kept here. A record that somebody sent you can be opened from its file.",
            ))
            .build();
        let shelf = gtk::Stack::new();
        shelf.add_named(&empty, Some("empty"));
        shelf.add_named(&scroll, Some("list"));
        let stack = gtk::Stack::builder().vexpand(true).build();
        stack.add_named(&shelf, Some("shelf"));
        aloud::quiet(&shelf);
        aloud::quiet(&stack);
        let toasts = adw::ToastOverlay::new();
        toasts.set_child(Some(&stack));
        let column = gtk::Box::new(gtk::Orientation::Vertical, 0);
        column.append(&header);
        column.append(&toasts);
        self.set_content(Some(&sky::behind(&column)));
        back.connect_clicked(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |_| window.show_shelf()
        ));
        open.connect_clicked(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |_| window.choose_file()
        ));
        save.connect_clicked(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |_| window.save()
        ));
        list.connect_row_activated(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |_, row| {
                // The path stands in the row's name: one place less to keep in step.
                window.read(Path::new(row.widget_name().as_str()));
            }
        ));
        let parts = imp::Parts {
            stack,
            list,
            shelf,
            title,
            back,
            open,
            save,
            log,
            toasts,
        };
        self.imp().parts.set(parts).expect("set once, here");
        let shortcuts = gio::ActionEntry::builder("shortcuts")
            .activate(|window: &PastGames, _, _| {
                let keys = crate::preferences::shortcuts();
                keys.set_transient_for(Some(window));
                keys.present();
            })
            .build();
        let toggle_log = gio::ActionEntry::builder("toggle-log")
            .activate(|window: &PastGames, _, _| {
                let button = &window.parts().log;
                button.set_active(!button.is_active());
            })
            .build();
        self.add_action_entries([shortcuts, toggle_log]);
    }

    fn parts(&self) -> &imp::Parts {
        self.imp().parts.get().expect("set in new")
    }

    fn toast(&self, text: &str) {
        let title = glib::markup_escape_text(text);
        self.parts()
            .toasts
            .add_toast(adw::Toast::builder().title(title).timeout(6).build());
    }

    fn close_viewer(&self) {
        if let Some(bound) = self.imp().bound.take() {
            bound.unbind();
        }
        if let Some(viewer) = self.imp().viewer.take() {
            self.parts().stack.remove(&viewer);
        }
    }

    /// The list, read anew.
    fn show_shelf(&self) {
        self.close_viewer();
        let parts = self.parts();
        parts.title.set_title(&words::tr("Past games"));
        parts.title.set_subtitle("");
        self.set_title(Some(&words::tr("Past games")));
        parts.back.set_visible(false);
        parts.save.set_visible(false);
        parts.log.set_visible(false);
        parts.open.set_visible(true);
        parts.stack.set_visible_child_name("shelf");
        let weak = self.downgrade();
        glib::spawn_future_local(async move {
            let kept = gio::spawn_blocking(|| shelf::kept(&shelf::folder())).await;
            let Some(window) = weak.upgrade() else { return };
            match kept {
                Ok(Ok(kept)) => window.list(&kept),
                Ok(Err(error)) => window.toast(&words::fill(
                    "The folder of past games cannot be read: {why}",
                    &[("why", &error.to_string())],
                )),
                // The reading thread has panicked; it has said so itself.
                Err(_) => window.list(&[]),
            }
        });
    }

    fn list(&self, kept: &[Kept]) {
        let parts = self.parts();
        while let Some(row) = parts.list.first_child() {
            parts.list.remove(&row);
        }
        for game in kept {
            parts.list.append(&row(game));
        }
        parts
            .shelf
            .set_visible_child_name(if kept.is_empty() { "empty" } else { "list" });
        if let Some(first) = parts.list.first_child() {
            first.grab_focus();
        }
    }

    /// Opens a record in this window.
    fn read(&self, path: &Path) {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        // A kept game is called by its table's number, of which nobody wants to read all; others by what a person chose.
        let number = name.len() >= 32 && name.chars().all(|c| c.is_ascii_hexdigit());
        let name: String = name
            .chars()
            .take(if number { 12 } else { usize::MAX })
            .collect();
        let viewer = self.show_viewer(Source::File(path.to_owned()), &name);
        let kept = path.to_owned();
        viewer.connect_checked(move |standing| {
            FOUND.with_borrow_mut(|found| found.insert(kept.clone(), standing.clone()));
        });
    }

    fn show_viewer(&self, source: Source, name: &str) -> Viewer {
        self.close_viewer();
        let parts = self.parts();
        let viewer = Viewer::open(source, self.imp().settings.get().expect("set in new"));
        let bound = parts
            .log
            .bind_property("active", viewer.screen(), "log-shown")
            .bidirectional()
            .sync_create()
            .build();
        self.imp().bound.replace(Some(bound));
        parts.title.set_title(&words::tr("Past game"));
        self.set_title(Some(&words::tr("Past game")));
        parts.title.set_subtitle(name);
        parts.back.set_visible(!self.imp().alone.get());
        parts.open.set_visible(false);
        parts.save.set_visible(true);
        parts.log.set_visible(true);
        parts.stack.add_named(&viewer, Some("viewer"));
        aloud::quiet(&parts.stack);
        parts.stack.set_visible_child_name("viewer");
        viewer.grab_focus();
        self.imp().viewer.replace(Some(viewer.clone()));
        viewer
    }

    fn chooser(
        &self,
        title: &str,
        action: gtk::FileChooserAction,
        accept: &str,
    ) -> gtk::FileChooserNative {
        let chooser =
            gtk::FileChooserNative::new(Some(title), Some(self), action, Some(accept), None);
        chooser.set_modal(true);
        let filter = gtk::FileFilter::new();
        filter.set_name(Some(&words::tr("Records of games")));
        filter.add_pattern(&format!("*.{}", shelf::ENDING));
        filter.add_pattern("*.record");
        chooser.add_filter(&filter);
        self.imp().chooser.replace(Some(chooser.clone()));
        chooser
    }

    fn choose_file(&self) {
        let chooser = self.chooser(
            &words::tr("Open a record"),
            gtk::FileChooserAction::Open,
            &words::tr("_Open"),
        );
        chooser.connect_response(glib::clone!(
            #[weak(rename_to = window)]
            self,
            move |chooser, response| {
                let path = chooser.file().and_then(|file| file.path());
                window.imp().chooser.take();
                if let Some(path) = path.filter(|_| response == gtk::ResponseType::Accept) {
                    window.read(&path);
                }
            }
        ));
        chooser.show();
    }

    fn save(&self) {
        let bytes = self.imp().viewer.borrow().as_ref().and_then(Viewer::bytes);
        let Some(bytes) = bytes else {
            self.toast(&words::tr("The record is still being read."));
            return;
        };
        save_as(
            self,
            bytes,
            glib::clone!(
                #[weak(rename_to = window)]
                self,
                move |text| window.toast(text)
            ),
        );
    }
}

/// Asks where to keep a record, writes it there, and tells how that went.
pub fn save_as(
    parent: &impl IsA<gtk::Window>,
    bytes: std::sync::Arc<Vec<u8>>,
    tell: impl Fn(&str) + 'static,
) {
    let chooser = gtk::FileChooserNative::new(
        Some(&words::tr("Save the record")),
        Some(parent),
        gtk::FileChooserAction::Save,
        Some(&words::tr("_Save")),
        None,
    );
    chooser.set_modal(true);
    let today = glib::DateTime::now_local().and_then(|now| now.format("%Y-%m-%d"));
    let today = today.map(|date| date.to_string()).unwrap_or_default();
    chooser.set_current_name(&format!("shamans-{today}.{}", shelf::ENDING));
    // Held by its own closure until it is answered.
    let held = RefCell::new(Some(chooser.clone()));
    chooser.connect_response(move |chooser, response| {
        held.take();
        let Some(file) = chooser
            .file()
            .filter(|_| response == gtk::ResponseType::Accept)
        else {
            return;
        };
        let written = file.replace_contents(
            &bytes,
            None,
            false,
            gio::FileCreateFlags::NONE,
            gio::Cancellable::NONE,
        );
        match written {
            Ok(_) => tell(&words::tr("The record is saved.")),
            Err(error) => tell(&words::fill(
                "The record could not be saved: {why}",
                &[("why", error.message())],
            )),
        }
    });
    chooser.show();
}

fn row(game: &Kept) -> adw::ActionRow {
    let when =
        glib::DateTime::from_unix_local(seconds(game)).and_then(|time| time.format("%x, %H:%M"));
    let when = when.map(|text| text.to_string()).unwrap_or_default();
    let (title, standing) = match &game.names {
        Ok(names) => (
            names.join(", "),
            FOUND.with_borrow(|found| found.get(&game.path).cloned().unwrap_or_default()),
        ),
        Err(why) => (
            words::tr("A damaged record"),
            Standing::Failed {
                step: None,
                who: None,
                what: why.clone(),
            },
        ),
    };
    let state = match &game.names {
        Ok(_) => standing.words(),
        Err(why) => why.clone(),
    };
    let row = adw::ActionRow::builder()
        .title(glib::markup_escape_text(&title))
        .subtitle(glib::markup_escape_text(&format!("{when} · {state}")))
        .activatable(true)
        .name(game.path.to_string_lossy())
        .build();
    let art = Art::new(standing.glyph(), 22, 22);
    art.add_css_class(standing.class());
    row.add_prefix(&art);
    row.add_suffix(&gtk::Image::from_icon_name("go-next-symbolic"));
    let plain = row.upcast_ref::<gtk::ListBoxRow>();
    plain.update_property(&[gtk::accessible::Property::Label(&format!(
        "{title}, {when}, {state}"
    ))]);
    row
}

fn seconds(game: &Kept) -> i64 {
    let since = game.when.duration_since(std::time::SystemTime::UNIX_EPOCH);
    since.map_or(0, |time| time.as_secs() as i64)
}
