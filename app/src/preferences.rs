//! The preferences window: rows bound to the [`Settings`].

use adw::prelude::*;
use gtk::glib;

use crate::{
    components::avatar,
    settings::{LONGEST_HOLD, SHORTEST_HOLD, Settings},
    words::{self, Language, mark},
};

fn switch(settings: &Settings, property: &str, title: String, subtitle: String) -> adw::ActionRow {
    let toggle = gtk::Switch::builder().valign(gtk::Align::Center).build();
    settings
        .bind_property(property, &toggle, "active")
        .bidirectional()
        .sync_create()
        .build();
    let row = adw::ActionRow::builder()
        .title(title)
        .subtitle(subtitle)
        .activatable_widget(&toggle)
        .build();
    row.add_suffix(&toggle);
    row
}

fn choice(settings: &Settings, property: &str, title: String, names: &[String]) -> adw::ComboRow {
    let list = gtk::StringList::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let row = adw::ComboRow::builder().title(title).model(&list).build();
    settings
        .bind_property(property, &row, "selected")
        .bidirectional()
        .sync_create()
        .build();
    row
}

/// The language of every window, at once: those that are open say everything again.
fn language(settings: &Settings) -> adw::ComboRow {
    let offered: Vec<Language> = Language::offered().collect();
    let mut names = vec![words::tr("Like the system")];
    names.extend(offered.iter().map(|language| language.name().to_owned()));
    let list = gtk::StringList::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let row = adw::ComboRow::builder()
        .title(words::tr("Language"))
        .model(&list)
        .build();
    let chosen = Language::from_code(&settings.language());
    let at = offered.iter().position(|one| Some(*one) == chosen);
    row.set_selected(at.map_or(0, |at| at as u32 + 1));
    row.connect_selected_notify(glib::clone!(
        #[weak]
        settings,
        move |row| {
            let at = (row.selected() as usize).checked_sub(1);
            let language = at.and_then(|at| offered.get(at));
            settings.set_language(language.map_or("", |language| language.code()));
        }
    ));
    row
}

/// Opens the preferences over `parent`.
pub fn present(settings: &Settings, parent: Option<&gtk::Window>) {
    let window = adw::PreferencesWindow::builder()
        .title(words::tr("Preferences"))
        .modal(true)
        .search_enabled(false)
        .default_width(480)
        .default_height(560)
        .build();
    window.set_transient_for(parent);
    let page = adw::PreferencesPage::new();

    // First: who cannot read the rest finds it.
    let speech = adw::PreferencesGroup::new();
    speech.add(&language(settings));
    page.add(&speech);

    let you = adw::PreferencesGroup::builder()
        .title(words::tr("You"))
        .build();
    let name = adw::EntryRow::builder()
        .title(words::tr("Your name"))
        .build();
    settings
        .bind_property("player", &name, "text")
        .bidirectional()
        .sync_create()
        .build();
    you.add(&name);
    let animals = avatar::chooser(settings);
    let row = adw::PreferencesRow::builder()
        .title(words::tr("Your animal"))
        .activatable(false)
        .focusable(false)
        .child(&animals)
        .build();
    you.add(&row);
    page.add(&you);

    let play = adw::PreferencesGroup::builder()
        .title(words::tr("Play"))
        .build();
    play.add(&switch(
        settings,
        "single-click",
        words::tr("Single click plays"),
        words::tr("A click on a card, a tile or a player is not asked about again"),
    ));
    play.add(&switch(
        settings,
        "sort-by-value",
        words::tr("Sort the hand by value"),
        words::tr("Otherwise by world"),
    ));
    let hold = gtk::SpinButton::with_range(
        f64::from(SHORTEST_HOLD) / 10.0,
        f64::from(LONGEST_HOLD) / 10.0,
        0.5,
    );
    hold.update_property(&[gtk::accessible::Property::Label(&words::tr(
        "Hold a finished trick",
    ))]);
    hold.set_valign(gtk::Align::Center);
    settings
        .bind_property("trick-hold", &hold, "value")
        .transform_to(|_, tenths: u32| Some(f64::from(tenths) / 10.0))
        .transform_from(|_, seconds: f64| Some((seconds * 10.0).round() as u32))
        .bidirectional()
        .sync_create()
        .build();
    let row = adw::ActionRow::builder()
        .title(words::tr("Hold a finished trick"))
        .subtitle(words::tr("Seconds"))
        .activatable_widget(&hold)
        .build();
    row.add_suffix(&hold);
    play.add(&row);
    page.add(&play);

    let look = adw::PreferencesGroup::builder()
        .title(words::tr("Look and sound"))
        .build();
    let paces = [mark("Off"), mark("Slow"), mark("Normal"), mark("Fast")].map(words::tr);
    look.add(&choice(settings, "pace", words::tr("Animation"), &paces));
    let schemes = [mark("Like the system"), mark("Light"), mark("Dark")].map(words::tr);
    look.add(&choice(settings, "scheme", words::tr("Sky"), &schemes));
    look.add(&switch(
        settings,
        "sound",
        words::tr("Sound"),
        words::tr("Cards, turns and great moments can be heard"),
    ));
    page.add(&look);

    let beyond = adw::PreferencesGroup::builder()
        .title(words::tr("Beyond this network"))
        .description(words::tr("For players elsewhere. A relay is a computer that everyone reaches; any player can run one with “shamans-table relay”. Taken up at the next table."))
        .build();
    let entries = [
        ("relay", words::tr("Relay: its code, address or name")),
        (
            "external",
            words::tr("Forwarded port: your address and port outside"),
        ),
    ];
    for (property, title) in entries {
        let row = adw::EntryRow::builder().title(title).build();
        settings
            .bind_property(property, &row, "text")
            .bidirectional()
            .sync_create()
            .build();
        beyond.add(&row);
    }
    page.add(&beyond);
    window.add(&page);
    // In another language they open again, over the window that took the old one's place; the old one takes these along.
    let again = std::cell::Cell::new(Some(settings.connect_language_notify(glib::clone!(
        #[weak]
        window,
        move |settings| {
            let (settings, before) = (settings.clone(), window.downgrade());
            // Not from within the row that is being chosen in.
            glib::idle_add_local_once(move || {
                before
                    .upgrade()
                    .into_iter()
                    .for_each(|before| before.close());
                let over = crate::window::Window::current();
                present(&settings, over.as_ref().map(|over| over.upcast_ref()));
            });
        }
    ))));
    window.connect_destroy(glib::clone!(
        #[weak]
        settings,
        move |_| {
            again
                .take()
                .into_iter()
                .for_each(|handler| settings.disconnect(handler));
        }
    ));
    window.present();
}

/// The card with all keys.
pub fn shortcuts() -> adw::PreferencesWindow {
    let groups: [(String, Vec<(&str, String)>); 4] = [
        (
            words::tr("At the table"),
            vec![
                ("1...9", words::tr("Choose a card, tile or answer")),
                ("Left Right", words::tr("Move between cards")),
                ("Return", words::tr("Confirm what is chosen")),
                ("Escape", words::tr("Let go what is chosen")),
                ("A", words::tr("Advice, while practising")),
            ],
        ),
        (
            words::tr("Looking"),
            vec![
                ("I", words::tr("Your identity, while held")),
                ("L", words::tr("The last trick, while held")),
                ("H", words::tr("Cover or show your hand")),
                ("F9", words::tr("What happened")),
                (
                    "N",
                    words::tr("The news since your last move, for screen readers"),
                ),
            ],
        ),
        (
            words::tr("Past games"),
            vec![
                ("Left Right", words::tr("A step back or on")),
                ("Page_Up Page_Down", words::tr("A round back or on")),
                ("Home End", words::tr("To the beginning or the end")),
                ("1...5", words::tr("Through the eyes of this seat")),
                ("0", words::tr("Everyone's eyes")),
                ("A", words::tr("All hands open")),
            ],
        ),
        (
            words::tr("Program"),
            vec![
                ("<Control>n", words::tr("New table")),
                ("<Control>j", words::tr("Join by code or address")),
                ("<Control>t", words::tr("Say something")),
                ("<Alt>Left", words::tr("Back, or leave the table")),
                ("F1", words::tr("Rules")),
                ("<Control>comma", words::tr("Preferences")),
                ("<Control>question", words::tr("Keyboard shortcuts")),
                ("F10", words::tr("Main menu")),
                ("<Control>w", words::tr("Close the window")),
                ("<Control>q", words::tr("Quit")),
            ],
        ),
    ];
    let page = adw::PreferencesPage::new();
    for (title, keys) in groups {
        let group = adw::PreferencesGroup::builder().title(title).build();
        for (keys, what) in keys {
            let row = adw::ActionRow::builder().title(&what).build();
            let label = gtk::ShortcutLabel::builder()
                .accelerator(keys)
                .valign(gtk::Align::Center)
                .build();
            row.add_suffix(&label);
            let read_as: &gtk::Widget = row.upcast_ref();
            read_as.update_property(&[gtk::accessible::Property::Label(&format!(
                "{what}: {}",
                spoken(keys)
            ))]);
            group.add(&row);
        }
        page.add(&group);
    }
    let window = adw::PreferencesWindow::builder()
        .title(words::tr("Keyboard shortcuts"))
        .modal(true)
        .default_width(480)
        .default_height(680)
        .search_enabled(false)
        .build();
    window.add(&page);
    window
}

/// Keys as they are read aloud: "Ctrl+N".
fn spoken(keys: &str) -> String {
    let label = |key: &str| match gtk::accelerator_parse(key) {
        Some((key, state)) => gtk::accelerator_get_label(key, state).to_string(),
        None => key.to_owned(),
    };
    let keys: Vec<String> = keys.split_whitespace().map(label).collect();
    keys.join(", ")
}
