//! The window with the sums and the curve.

use adw::prelude::*;
use gtk::glib;

use super::{Line, Score, What, plot};
use crate::{components::curve, pieces::Role, settings::Settings, words};

/// Opens the statistics over `parent`.
pub fn present(settings: &Settings, parent: Option<&gtk::Window>) {
    let window = adw::PreferencesWindow::builder()
        .title(words::tr("Statistics"))
        .modal(true)
        .search_enabled(false)
        .default_width(460)
        .default_height(620)
        .build();
    window.set_transient_for(parent);
    window.add(&sums(settings, &window));
    window.present();
}

fn sums(settings: &Settings, window: &adw::PreferencesWindow) -> adw::PreferencesPage {
    let page = adw::PreferencesPage::new();
    let lines = super::load();
    page.add(&rounds(&lines));
    page.add(&by_players(&lines));

    let privacy = adw::PreferencesGroup::builder()
        .title(words::tr("On this computer only"))
        .description(words::tr("Statistics are never sent to anybody."))
        .build();
    let keep = gtk::Switch::builder().valign(gtk::Align::Center).build();
    settings
        .bind_property("statistics", &keep, "active")
        .bidirectional()
        .sync_create()
        .build();
    let row = adw::ActionRow::builder()
        .title(words::tr("Keep statistics"))
        .activatable_widget(&keep)
        .build();
    row.add_suffix(&keep);
    privacy.add(&row);
    let erase = gtk::Button::builder()
        .label(words::tr("Erase all"))
        .halign(gtk::Align::Center)
        .margin_top(12)
        .sensitive(!lines.is_empty())
        .css_classes(["pill", "destructive-action"])
        .build();
    erase.connect_clicked(glib::clone!(
        #[weak]
        settings,
        #[weak]
        window,
        #[weak]
        page,
        move |_| ask_to_erase(&settings, &window, &page)
    ));
    privacy.add(&erase);
    page.add(&privacy);
    page
}

fn ask_to_erase(settings: &Settings, window: &adw::PreferencesWindow, page: &adw::PreferencesPage) {
    let dialog = adw::MessageDialog::new(
        Some(window),
        Some(&words::tr("Erase all statistics?")),
        Some(&words::tr(
            "They cannot be brought back. Records of games stay.",
        )),
    );
    dialog.add_responses(&[
        ("keep", &words::answer(&words::tr("_Keep"))),
        ("erase", &words::answer(&words::tr("_Erase"))),
    ]);
    dialog.set_response_appearance("erase", adw::ResponseAppearance::Destructive);
    dialog.set_default_response(Some("keep"));
    dialog.set_close_response("keep");
    dialog.connect_response(
        Some("erase"),
        glib::clone!(
            #[weak]
            settings,
            #[weak]
            window,
            #[weak]
            page,
            move |_, _| match super::erase() {
                Ok(()) => {
                    window.remove(&page);
                    window.add(&sums(&settings, &window));
                }
                Err(error) => {
                    let text = words::fill(
                        "The statistics could not be erased: {error}",
                        &[("error", &error.to_string())],
                    );
                    window.add_toast(adw::Toast::new(&glib::markup_escape_text(&text)));
                }
            }
        ),
    );
    dialog.present();
}

fn row(title: String, score: Score) -> adw::ActionRow {
    let said = match score.played {
        0 => words::tr("none yet"),
        played => words::fill(
            "{won} of {played} won, {share} %",
            &[
                ("won", &score.won.to_string()),
                ("played", &played.to_string()),
                ("share", &(score.won * 100 / played).to_string()),
            ],
        ),
    };
    let row = adw::ActionRow::builder().title(title).build();
    row.add_suffix(
        &gtk::Label::builder()
            .label(said)
            .css_classes(["numeric", "dim-label"])
            .build(),
    );
    row
}

fn round_won(line: &Line) -> Option<bool> {
    match line.what {
        What::Round { won, .. } => Some(won),
        What::Game { .. } | What::Void => None,
    }
}

fn rounds(lines: &[Line]) -> adw::PreferencesGroup {
    let group = adw::PreferencesGroup::builder()
        .title(words::tr("Games and rounds"))
        .build();
    let games = Score::of(lines, |line| match line.what {
        What::Game { won } => Some(won),
        What::Round { .. } | What::Void => None,
    });
    group.add(&row(words::tr("Games"), games));
    let rounds = Score::of(lines, round_won);
    group.add(&row(words::tr("Rounds"), rounds));
    for (title, wanted) in [
        (words::tr("As a Shaman"), Role::Shaman),
        (words::tr("As a Shadow"), Role::Shadow),
    ] {
        let score = Score::of(lines, |line| match line.what {
            What::Round { role, won } if role == wanted => Some(won),
            What::Round { .. } | What::Game { .. } | What::Void => None,
        });
        group.add(&row(title, score));
    }
    let voids = lines.iter().filter(|line| line.what == What::Void).count();
    let void = adw::ActionRow::builder()
        .title(words::tr("Rounds made void"))
        .build();
    void.add_suffix(
        &gtk::Label::builder()
            .label(voids.to_string())
            .css_classes(["numeric", "dim-label"])
            .build(),
    );
    group.add(&void);
    if rounds.played >= 2 {
        let won: Vec<bool> = lines.iter().filter_map(round_won).collect();
        let label = words::tr("Share of rounds won, each point over the last ten rounds");
        let curve = curve::plot(plot::shares(&won), Vec::new(), &label);
        curve.set_tooltip_text(Some(&label));
        curve.set_margin_top(12);
        group.add(&curve);
        group.add(
            &gtk::Label::builder()
                .label(&label)
                .wrap(true)
                .css_classes(["caption", "dim-label"])
                .build(),
        );
    }
    group
}

fn by_players(lines: &[Line]) -> adw::PreferencesGroup {
    let group = adw::PreferencesGroup::builder()
        .title(words::tr("Rounds by table"))
        .build();
    for players in 3..=5usize {
        let title = words::fill("Table of {n}", &[("n", &players.to_string())]);
        let score = Score::of(lines, |line| {
            round_won(line).filter(|_| line.players == players)
        });
        group.add(&row(title, score));
    }
    let with = |title, people| {
        let score = Score::of(lines, |line| {
            round_won(line).filter(|_| line.people == people)
        });
        row(title, score)
    };
    group.add(&with(words::tr("With people"), true));
    group.add(&with(words::tr("Practise"), false));
    group
}
