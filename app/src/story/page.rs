//! The story of a round on the screen: a bar while it is thought through, then the curve and a button for each turn.

use std::sync::Arc;

use adw::{prelude::*, subclass::prelude::*};
use gtk::glib;

use super::{News, Turn, Turned, tell};
use crate::{
    components::curve,
    pieces::Seat,
    words::{
        self,
        happened::{self, Names},
    },
};

/// The most sentences that tell a turn.
const SENTENCES: usize = 3;

/// Goes to a step of the log.
type GoTo = Box<dyn Fn(u64)>;

mod imp {
    use std::cell::OnceCell;

    use super::*;

    #[derive(Default)]
    pub struct StoryPage {
        pub column: OnceCell<gtk::Box>,
        pub names: OnceCell<(Vec<String>, Seat)>,
        pub go_to: OnceCell<GoTo>,
    }

    #[glib::object_subclass]
    impl ObjectSubclass for StoryPage {
        const NAME: &'static str = "ShamansStoryPage";
        type Type = super::StoryPage;
        type ParentType = adw::Bin;

        fn class_init(class: &mut Self::Class) {
            class.set_css_name("story");
            class.set_accessible_role(gtk::AccessibleRole::Group);
        }
    }

    impl ObjectImpl for StoryPage {}
    impl WidgetImpl for StoryPage {}
    impl BinImpl for StoryPage {}
}

glib::wrapper! {
    /// How a round turned.
    pub struct StoryPage(ObjectSubclass<imp::StoryPage>)
        @extends adw::Bin, gtk::Widget,
        @implements gtk::Accessible, gtk::Buildable, gtk::ConstraintTarget;
}

/// What a reader calls this.
pub fn title() -> String {
    words::tr("How the round turned")
}

fn percent(chance: f32) -> String {
    format!("{:.0}", chance * 100.0)
}

impl StoryPage {
    /// Begins to tell a round of a record; `me` is the reader's seat. A press on a turn calls `go_to` with its step.
    pub fn new(
        record: Arc<Vec<u8>>,
        round: usize,
        (names, me): (Vec<String>, Seat),
        go_to: impl Fn(u64) + 'static,
    ) -> StoryPage {
        let page: StoryPage = glib::Object::new();
        page.update_property(&[gtk::accessible::Property::Label(&title())]);
        let column = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(8)
            .build();
        let heading = gtk::Label::builder()
            .label(title())
            .xalign(0.0)
            .css_classes(["heading"])
            .build();
        let wait = gtk::Label::builder()
            .label(words::tr(
                "The computer plays the round out from every position…",
            ))
            .xalign(0.0)
            .wrap(true)
            .css_classes(["dim-label"])
            .build();
        let bar = gtk::ProgressBar::new();
        bar.update_property(&[gtk::accessible::Property::Label(&wait.label())]);
        column.append(&heading);
        column.append(&wait);
        column.append(&bar);
        page.set_child(Some(&column));
        let imp = page.imp();
        imp.column.set(column).expect("set once, here");
        imp.names.set((names, me)).expect("set once, here");
        // Whoever cannot be set twice is set once.
        let _ = imp.go_to.set(Box::new(go_to));
        let news = tell(record, round);
        let weak = page.downgrade();
        glib::spawn_future_local(async move {
            while let Ok(news) = news.recv().await {
                let Some(page) = weak.upgrade() else { break };
                match news {
                    News::Progress(done) => bar.set_fraction(done),
                    News::Told(story) => {
                        page.clear(&[wait.upcast_ref(), bar.upcast_ref()]);
                        page.show_story(&story);
                        break;
                    }
                    News::Silent => {
                        page.clear(&[bar.upcast_ref()]);
                        wait.set_label(&words::tr("This round was not played to its end with all cards revealed: its story cannot be told."));
                        break;
                    }
                }
            }
        });
        page
    }

    fn column(&self) -> &gtk::Box {
        self.imp().column.get().expect("set in new")
    }

    fn clear(&self, gone: &[&gtk::Widget]) {
        for widget in gone {
            self.column().remove(*widget);
        }
    }

    fn show_story(&self, story: &Turned) {
        let column = self.column();
        let curve: Vec<f64> = story.curve.iter().map(|c| f64::from(*c)).collect();
        let marks = story.turns.iter().map(|turn| turn.at).collect();
        let edge = |text: String| {
            gtk::Label::builder()
                .label(text)
                .xalign(0.0)
                .css_classes(["dim-label", "caption"])
                .accessible_role(gtk::AccessibleRole::Presentation)
                .build()
        };
        column.append(&edge(words::tr("The Shadows win")));
        column.append(&curve::plot(curve, marks, &described(&story.curve)));
        column.append(&edge(words::tr("The Shamans win")));
        if story.turns.is_empty() {
            let calm = gtk::Label::builder()
                .label(words::tr("No single move changed much."))
                .xalign(0.0)
                .wrap(true)
                .build();
            column.append(&calm);
        }
        for turn in &story.turns {
            column.append(&self.button(turn));
        }
    }

    fn button(&self, turn: &Turn) -> gtk::Button {
        let (names, me) = self.imp().names.get().expect("set in new");
        let what = told(turn, Names { names, me: *me });
        let values = [
            ("before", &*percent(turn.before)),
            ("after", &*percent(turn.after)),
        ];
        let change = words::fill("Shadows: {before} % → {after} %", &values);
        let lines = gtk::Box::new(gtk::Orientation::Vertical, 0);
        lines.append(
            &gtk::Label::builder()
                .label(&what)
                .xalign(0.0)
                .wrap(true)
                .build(),
        );
        lines.append(
            &gtk::Label::builder()
                .label(&change)
                .xalign(0.0)
                .css_classes(["caption", "numeric", "dim-label"])
                .build(),
        );
        let button = gtk::Button::builder()
            .child(&lines)
            .tooltip_text(words::tr("Show this moment"))
            .css_classes(["turn"])
            .build();
        let spoken = words::fill(
            "The Shadows' chance goes from {before} % to {after} %.",
            &values,
        );
        button.update_property(&[gtk::accessible::Property::Label(&format!(
            "{what} {spoken}"
        ))]);
        let step = turn.step;
        button.connect_clicked(glib::clone!(
            #[weak(rename_to = page)]
            self,
            move |_| {
                if let Some(go_to) = page.imp().go_to.get() {
                    go_to(step);
                }
            }
        ));
        button
    }
}

/// The moves of a turn in words.
fn told(turn: &Turn, names: Names<'_>) -> String {
    let said = turn
        .events
        .iter()
        .filter_map(|event| happened::event(event, names));
    let (loud, quiet): (Vec<_>, Vec<_>) = said.partition(|(_, kind)| *kind != "quiet");
    let lines = if loud.is_empty() { quiet } else { loud };
    let lines: Vec<String> = lines
        .into_iter()
        .take(SENTENCES)
        .map(|(text, _)| text)
        .collect();
    lines.join(" ")
}

/// The curve for whoever does not see it.
fn described(curve: &[f32]) -> String {
    let first = curve.first().copied().unwrap_or_default();
    let last = curve.last().copied().unwrap_or_default();
    let high = curve.iter().copied().fold(0.0, f32::max);
    let low = curve.iter().copied().fold(1.0, f32::min);
    words::fill(
        "The Shadows' chance to win the round: {first} % at the start, between {low} % and {high} % on the way, {last} % at the end.",
        &[
            ("first", &percent(first)),
            ("low", &percent(low)),
            ("high", &percent(high)),
            ("last", &percent(last)),
        ],
    )
}
