//! How the player has fared: rounds and games, kept in one file on this computer, never sent. Can be switched off and erased.
//!
//! [`Line`]s are only ever appended; a line that cannot be read is passed over. [`page`] shows the sums.

pub mod page;
mod plot;

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use gtk::{glib, prelude::*};

use crate::{
    pieces::{Event, Role, Seat},
    session::Session,
    settings::Settings,
    words,
};

/// What is remembered of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A round, in this identity.
    Round {
        /// The player's at its end.
        role: Role,
        /// Did that team win?
        won: bool,
    },
    /// A whole game.
    Game {
        /// Did the player win it?
        won: bool,
    },
    /// A round that everyone agreed to void.
    Void,
}

/// One fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    /// Seconds since 1970.
    pub when: i64,
    /// Seats at the table.
    pub players: usize,
    /// There were people at it.
    pub people: bool,
    /// What happened.
    pub what: What,
}

impl Line {
    fn write(&self) -> String {
        let (what, won) = match self.what {
            What::Round { role, won } => match role {
                Role::Shaman => ("shaman", won),
                Role::Shadow => ("shadow", won),
            },
            What::Game { won } => ("game", won),
            What::Void => ("void", false),
        };
        let people = if self.people { "people" } else { "practise" };
        format!(
            "{}\t{}\t{people}\t{what}\t{}\n",
            self.when,
            self.players,
            u8::from(won)
        )
    }

    fn read(text: &str) -> Option<Line> {
        let mut parts = text.split('\t');
        let mut next = || parts.next();
        let when = next()?.parse().ok()?;
        let players = next()?
            .parse()
            .ok()
            .filter(|players| (3..=5).contains(players))?;
        let people = match next()? {
            "people" => true,
            "practise" => false,
            _ => return None,
        };
        let what = next()?;
        let won = match next()? {
            "0" => false,
            "1" => true,
            _ => return None,
        };
        let what = match what {
            "shaman" => What::Round {
                role: Role::Shaman,
                won,
            },
            "shadow" => What::Round {
                role: Role::Shadow,
                won,
            },
            "game" => What::Game { won },
            "void" => What::Void,
            _ => return None,
        };
        Some(Line {
            when,
            players,
            people,
            what,
        })
    }
}

/// Where the lines are.
fn path() -> PathBuf {
    glib::user_data_dir().join("shamans").join("statistics.tsv")
}

/// Everything kept so far.
pub fn load() -> Vec<Line> {
    load_from(&path())
}

fn load_from(path: &Path) -> Vec<Line> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(Line::read).collect()
}

fn append_to(path: &Path, line: &Line) -> io::Result<()> {
    path.parent().map(fs::create_dir_all).transpose()?;
    let mut file = fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(path)?;
    file.write_all(line.write().as_bytes())
}

/// Forgets everything.
pub fn erase() -> io::Result<()> {
    match fs::remove_file(path()) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Won out of played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Score {
    /// How many.
    pub played: usize,
    /// Of these.
    pub won: usize,
}

impl Score {
    /// Of all lines that `pick` says something of.
    pub fn of(lines: &[Line], pick: impl Fn(&Line) -> Option<bool>) -> Score {
        let mut score = Score::default();
        for won in lines.iter().filter_map(pick) {
            score.played += 1;
            score.won += usize::from(won);
        }
        score
    }
}

/// Remembers what is shown at `session`, as long as the player wants it.
pub fn follow(session: &Session, settings: &Settings, people: bool) {
    let keep = glib::clone!(
        #[strong]
        settings,
        move |session: &Session, what: What| {
            if !settings.statistics() {
                return;
            }
            let line = Line {
                when: glib::real_time() / 1_000_000,
                players: session.seats().n_items() as usize,
                people,
                what,
            };
            if let Err(error) = append_to(&path(), &line) {
                session.note(
                    &words::fill(
                        "The statistics could not be kept: {error}",
                        &[("error", &error.to_string())],
                    ),
                    "",
                );
            }
        }
    );
    session.connect_heard(glib::clone!(
        #[strong]
        keep,
        move |session, event| if *event == Event::RoundVoided {
            keep(session, What::Void);
        }
    ));
    session.connect_resting_notify(move |session| {
        let me = session.with_table(|table| table.me);
        let (true, Some(me)) = (session.resting(), me) else {
            return;
        };
        for event in session.round_events() {
            match event {
                Event::RoundEnded { winner, .. } => {
                    if let Some(role) = role_at_end(session, me) {
                        let won = role == winner;
                        keep(session, What::Round { role, won });
                    }
                }
                Event::GameEnded { winner, .. } => {
                    keep(session, What::Game { won: winner == me });
                }
                _ => {}
            }
        }
    });
}

/// What the screen after the round says of the player's own seat.
fn role_at_end(session: &Session, me: Seat) -> Option<Role> {
    let art = session.seat_end(me.index()).role_art;
    [Role::Shaman, Role::Shadow]
        .into_iter()
        .find(|role| words::role_key(*role) == art)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(what: What) -> Line {
        Line {
            when: 1_700_000_000,
            players: 4,
            people: true,
            what,
        }
    }

    #[test]
    fn what_is_written_is_read_again_and_damage_costs_one_line() {
        let folder =
            std::env::temp_dir().join(format!("shamans-statistics-{}", std::process::id()));
        let file = folder.join("deep").join("statistics.tsv");
        let lines = [
            line(What::Round {
                role: Role::Shaman,
                won: true,
            }),
            line(What::Round {
                role: Role::Shadow,
                won: false,
            }),
            line(What::Game { won: true }),
            line(What::Void),
        ];
        for line in &lines {
            append_to(&file, line).unwrap();
        }
        assert_eq!(load_from(&file), lines);
        let damaged = fs::read_to_string(&file)
            .unwrap()
            .replace("shadow", "moose");
        fs::write(&file, damaged).unwrap();
        assert_eq!(load_from(&file).len(), 3);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(load_from(&file), [], "nothing there is nothing kept");
    }

    #[test]
    fn a_score_counts_what_is_picked() {
        let lines = [
            line(What::Game { won: true }),
            line(What::Game { won: false }),
            line(What::Void),
        ];
        let games = Score::of(&lines, |line| match line.what {
            What::Game { won } => Some(won),
            What::Round { .. } | What::Void => None,
        });
        assert_eq!(games, Score { played: 2, won: 1 });
    }
}
