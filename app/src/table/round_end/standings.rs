//! Everyone's line after a round: who they were, their points and what for, and the cards left in hand.

use gtk::prelude::*;

use crate::{
    art::Art,
    components::{avatar::avatar, face::CardFace, soon::in_turn},
    pieces::{Card, Event, Seat},
    session::{Session, models::SeatModel},
    words,
};

/// The list of them, the most points first.
pub struct Standings {
    pub list: gtk::ListBox,
    lines: Vec<(gtk::ListBoxRow, Line)>,
}

impl Standings {
    /// All lines can be read aloud; there is nothing to be seen in them yet.
    pub fn new(session: &Session, events: &[Event], names: &[String]) -> Standings {
        let list = gtk::ListBox::builder()
            .selection_mode(gtk::SelectionMode::None)
            .css_classes(["boxed-list", "standings"])
            .build();
        list.update_property(&[gtk::accessible::Property::Label(&words::tr("Standings"))]);
        let mut models: Vec<SeatModel> = session.seats().iter::<SeatModel>().flatten().collect();
        models.sort_by_key(|model| std::cmp::Reverse(model.points()));
        let line = |model: SeatModel| {
            let name = names.get(model.index() as usize).cloned();
            let line = Line::new(session, model, events, name.unwrap_or_default());
            (line.row(), line)
        };
        let lines: Vec<_> = models.into_iter().map(line).collect();
        // All rows at once: one that has to give up being the last is painted anew for a while.
        lines.iter().for_each(|(row, _)| list.append(row));
        Standings { list, lines }
    }

    /// Puts what is to be seen into one row a frame; `filled` is called when all have it.
    pub fn fill(self, filled: impl FnOnce() + 'static) {
        fill(&self.list, self.lines.into_iter(), filled);
    }
}

fn fill(
    list: &gtk::ListBox,
    mut lines: impl Iterator<Item = (gtk::ListBoxRow, Line)> + 'static,
    filled: impl FnOnce() + 'static,
) {
    in_turn(list, move |list| match lines.next() {
        Some((row, line)) => {
            row.set_child(Some(&line.show()));
            fill(list, lines, filled);
        }
        None => filled(),
    });
}

/// One player's line: identity, points, what for, and what was left in hand.
struct Line {
    model: SeatModel,
    name: String,
    role_art: String,
    why: String,
    left: Vec<Card>,
}

impl Line {
    fn new(session: &Session, model: SeatModel, events: &[Event], name: String) -> Line {
        let seat = Seat(model.index() as u8);
        let end = session.seat_end(seat.index());
        let mut why: Vec<String> = Vec::new();
        if !end.role_name.is_empty() {
            why.push(end.role_name.clone());
        }
        if end.eliminated {
            why.push(words::tr("eliminated"));
        }
        for event in session.scored() {
            if let Event::Scored {
                seat: who,
                points,
                cause,
            } = event
                && who == seat
            {
                why.push(format!("+{points} {}", words::happened::point_cause(cause)));
            }
        }
        let opened = events.iter().filter_map(|event| match event {
            Event::HandOpened { seat: who, cards } if *who == seat => Some(cards),
            _ => None,
        });
        Line {
            model,
            name,
            role_art: end.role_art,
            why: why.join(" · "),
            left: opened.flatten().copied().collect(),
        }
    }

    /// A row that says all of it, with nothing in it yet.
    fn row(&self) -> gtk::ListBoxRow {
        let mut said = vec![
            self.name.clone(),
            self.why.clone(),
            words::points(self.model.points() as usize),
        ];
        if !self.left.is_empty() {
            let cards: Vec<String> = self.left.iter().map(|card| words::card(*card)).collect();
            said.push(words::fill("held {cards}", &[("cards", &cards.join(", "))]));
        }
        let row = gtk::ListBoxRow::builder().activatable(false).build();
        row.update_property(&[gtk::accessible::Property::Label(&said.join(", "))]);
        row
    }

    /// What stands in it.
    fn show(&self) -> gtk::Box {
        let line = gtk::Box::builder()
            .spacing(12)
            .css_classes(["standing"])
            .build();
        line.append(&avatar(&self.model, 34));
        let text = gtk::Box::builder()
            .orientation(gtk::Orientation::Vertical)
            .spacing(2)
            .hexpand(true)
            .valign(gtk::Align::Center)
            .build();
        text.append(
            &gtk::Label::builder()
                .label(&self.name)
                .xalign(0.0)
                .css_classes(["name"])
                .build(),
        );
        text.append(
            &gtk::Label::builder()
                .label(&self.why)
                .xalign(0.0)
                .wrap(true)
                .css_classes(["dim-label", "caption"])
                .build(),
        );
        if !self.left.is_empty() {
            text.append(&open_hand(&self.left));
        }
        line.append(&text);
        if !self.role_art.is_empty() {
            line.append(&Art::new(&self.role_art, 32, 45));
        }
        let points = gtk::Label::builder()
            .label(self.model.points().to_string())
            .css_classes(["title-2", "numeric"])
            .build();
        line.append(&Art::new("point", 22, 22));
        line.append(&points);
        line
    }
}

fn open_hand(left: &[Card]) -> gtk::FlowBox {
    let cards = gtk::FlowBox::builder()
        .selection_mode(gtk::SelectionMode::None)
        .max_children_per_line(12)
        .min_children_per_line(4)
        .column_spacing(3)
        .row_spacing(3)
        .halign(gtk::Align::Start)
        .build();
    for card in left {
        let picture = format!("world-{}", words::world_key(card.world));
        let face = CardFace::new(&picture, &card.value.to_string(), "", 28);
        face.set_tooltip_text(Some(&words::card(*card)));
        cards.append(
            &gtk::FlowBoxChild::builder()
                .child(&face)
                .focusable(false)
                .build(),
        );
    }
    cards
}
