//! What stands in the way at a table of people, in words: who is missing, for how long, what the others say.

use std::time::Instant;

use super::{fill, tr};
use crate::{
    pieces::SeatSet,
    session::lan::seen::{Absence, Said},
};

/// What a notice looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Good to know.
    Info,
    /// Wait a moment.
    Wait,
    /// Something is to be decided.
    Ask,
    /// Something is wrong.
    Danger,
}

/// What can be pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A phantom is to play on.
    StandIn,
    /// The round is to be dealt anew.
    Void,
    /// Rather wait.
    Wait,
    /// What is wrong here?
    Doctor,
    /// Keep the proof.
    SaveProof,
    /// Read.
    Seen,
}

impl Answer {
    /// On the button.
    pub fn label(self) -> String {
        match self {
            Answer::StandIn => tr("A phantom plays on"),
            Answer::Void => tr("Deal the round anew"),
            Answer::Wait => tr("Keep waiting"),
            Answer::Doctor => tr("What is wrong?"),
            Answer::SaveProof => tr("Save the proof"),
            Answer::Seen => tr("Understood"),
        }
    }
}

/// A notice above the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    /// What it looks like.
    pub kind: Kind,
    /// In bold.
    pub title: String,
    /// Below.
    pub text: String,
    /// Counts down to this.
    pub until: Option<Instant>,
    /// To be pressed.
    pub answers: Vec<Answer>,
}

/// The four words, once.
pub fn phrase(words: &str) -> Bar {
    Bar {
        kind: Kind::Info,
        title: words.to_owned(),
        text: tr(
            "Read these four words aloud. If everyone sees the same, you all sit at one table and nobody stands between you.",
        ),
        until: None,
        answers: vec![Answer::Seen],
    }
}

/// Somebody was caught.
pub fn caught(name: &str, what: &str) -> Bar {
    Bar {
        kind: Kind::Danger,
        title: fill(
            "{name}'s program broke the rules, and this can be proved",
            &[("name", name)],
        ),
        text: fill(
            "{what}. The proof is signed with {name}'s own key: anyone can check it. The others may go on without {name}.",
            &[("what", what), ("name", name)],
        ),
        until: None,
        answers: vec![Answer::SaveProof, Answer::Seen],
    }
}

/// The disk is full, or something like it. Goes by itself when it is mended.
pub fn disk(what: &str) -> Bar {
    Bar {
        kind: Kind::Danger,
        title: tr("The game stands still on this computer"),
        text: what.to_owned(),
        until: None,
        answers: Vec::new(),
    }
}

fn names(absence: &Absence, seats: SeatSet) -> String {
    let names: Vec<String> = seats
        .iter()
        .filter_map(|seat| absence.names.get(seat.index()).cloned())
        .collect();
    names.join(", ")
}

/// Not heard any more.
pub fn lost(names: &str) -> String {
    fill("{names}: connection lost", &[("names", names)])
}

fn said(said: Said) -> String {
    match said {
        Said::StandIn => tr("a phantom plays on"),
        Said::Void => tr("deal anew"),
        Said::Wait => tr("keep waiting"),
    }
}

/// Who is missing; `mine` is what the player has said to that.
pub fn absence(absence: &Absence, mine: Option<Said>) -> Option<Bar> {
    let silent: SeatSet = absence.silent.iter().map(|(seat, _)| *seat).collect();
    let alone = absence.people > 2 && silent.len() + 1 >= absence.people;
    if alone {
        return Some(Bar {
            kind: Kind::Wait,
            title: tr("Nobody else at the table is heard"),
            text: tr(
                "Probably your own network is gone. Your cards are safe; the game goes on as soon as you are connected again.",
            ),
            until: None,
            answers: vec![Answer::Doctor],
        });
    }
    if !absence.overdue.is_empty() {
        return Some(vote(absence, mine));
    }
    if silent.is_empty() {
        return None;
    }
    let who = names(absence, silent);
    Some(Bar {
        kind: Kind::Wait,
        title: lost(&who),
        text: tr("Waiting for them to come back. After that the others decide how to go on."),
        until: absence.silent.iter().map(|(_, until)| *until).min(),
        answers: Vec::new(),
    })
}

fn vote(absence: &Absence, mine: Option<Said>) -> Bar {
    let who = names(absence, absence.overdue);
    let mut votes: Vec<String> = absence
        .votes
        .iter()
        .map(|(seat, vote)| {
            let name = absence.names.get(seat.index()).cloned().unwrap_or_default();
            format!("{name}: {}", said(*vote))
        })
        .collect();
    if let Some(mine) = mine {
        votes.push(fill("You: {vote}", &[("vote", &said(mine))]));
    }
    let others = |mine: Said| absence.votes.iter().any(|(_, said)| *said != mine);
    let ask = if absence.failed || mine.is_some_and(others) {
        tr("The answers differed, so nothing is decided. All who are here must give the same one.")
    } else {
        tr("All who are here must give the same answer.")
    };
    Bar {
        kind: Kind::Ask,
        title: fill(
            "{names} did not come back. How to go on?",
            &[("names", &who)],
        ),
        text: if votes.is_empty() {
            ask
        } else {
            format!("{ask} {}", votes.join(" · "))
        },
        until: None,
        answers: vec![Answer::StandIn, Answer::Void, Answer::Wait],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pieces::Seat;

    fn table() -> Absence {
        Absence {
            names: vec!["Ada".into(), "Bruno".into(), "Cyril".into()],
            people: 3,
            ..Absence::default()
        }
    }

    #[test]
    fn one_missing_is_waited_for_and_all_missing_means_oneself() {
        let mut absence_now = table();
        assert_eq!(absence(&absence_now, None), None);
        absence_now.silent.push((Seat(1), Instant::now()));
        let bar = absence(&absence_now, None).unwrap();
        assert_eq!(bar.kind, Kind::Wait);
        assert!(bar.title.starts_with("Bruno") && bar.until.is_some());
        absence_now.silent.push((Seat(2), Instant::now()));
        let bar = absence(&absence_now, None).unwrap();
        assert_eq!(bar.answers, [Answer::Doctor]);
    }

    #[test]
    fn the_vote_tells_who_said_what() {
        let mut absence_now = table();
        absence_now.silent.push((Seat(2), Instant::now()));
        absence_now.overdue = [Seat(2)].into_iter().collect();
        absence_now.votes.push((Seat(1), Said::Wait));
        let bar = absence(&absence_now, Some(Said::StandIn)).unwrap();
        assert_eq!(bar.kind, Kind::Ask);
        assert!(bar.text.contains("Bruno: keep waiting"));
        assert!(bar.text.contains("You: a phantom plays on"));
        assert!(bar.text.contains("differed"), "whoever answered last");
    }
}
