//! A practise game kept on disk so that it can go on another day: how it began and what everyone did since. Everything
//! else follows, because the same seed and the same moves give the same game, and nobody has to think twice.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use gtk::glib;
use shamans_core::{bot::Skill, codec};

use crate::{
    pieces::{Action, Seat},
    words,
};

/// The first word of the file: another version of the format has another one.
const MAGIC: &str = "shamans-practise-2";
/// That of games from before there were phantoms at practise tables.
const MAGIC_1: &str = "shamans-practise-1";

/// How a practise game began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beginning {
    /// Names by seat; the player sits on the first.
    pub names: Vec<String>,
    /// How many of the last seats are phantoms' (PHA-1).
    pub phantoms: usize,
    /// Where the randomness begins; the same gives the same cards.
    pub seed: u64,
    /// How well the others play.
    pub skill: Skill,
}

impl Beginning {
    /// How many seats somebody holds: the player's and those of bots.
    pub fn held(&self) -> usize {
        self.names.len().saturating_sub(self.phantoms)
    }

    /// What the seats are called: a phantom in the language of now.
    pub fn called(&self) -> Vec<String> {
        let held = self.names.iter().take(self.held()).cloned();
        let phantoms = (self.held()..self.names.len()).map(words::phantom);
        held.chain(phantoms).collect()
    }
}

/// The file of the practise game that is under way.
#[derive(Debug, Clone)]
pub struct Kept {
    path: PathBuf,
}

impl Kept {
    /// In the user's folder.
    pub fn here() -> Kept {
        let folder = glib::user_data_dir().join("shamans");
        Kept {
            path: folder.join("practise"),
        }
    }

    /// Begins a game; what was kept before is gone.
    pub fn begin(&self, beginning: &Beginning) -> io::Result<()> {
        self.path.parent().map(fs::create_dir_all).transpose()?;
        let mut text = format!(
            "{MAGIC}\n{}\n{}\n{}\n{}\n",
            beginning.seed,
            beginning.skill.name(),
            beginning.phantoms,
            beginning.names.len()
        );
        for name in &beginning.names {
            text.push_str(&name.replace(['\n', '\r'], " "));
            text.push('\n');
        }
        fs::write(&self.path, text)
    }

    /// This was done.
    pub fn add(&self, seat: Seat, action: &Action) -> io::Result<()> {
        let mut line: String = codec::encode(&(seat, *action))
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        line.push('\n');
        let mut file = fs::OpenOptions::new().append(true).open(&self.path)?;
        file.write_all(line.as_bytes())?;
        file.sync_data()
    }

    /// The game is over, or the player does not want to go on with it.
    pub fn forget(&self) {
        // Nothing there is as good as forgotten.
        let _ = fs::remove_file(&self.path);
    }

    /// The game that was left, if there is one. A last line that was cut off is a move that was not made.
    pub fn load(&self) -> Option<(Beginning, Vec<(Seat, Action)>)> {
        read(&fs::read_to_string(&self.path).ok()?)
    }
}

fn read(text: &str) -> Option<(Beginning, Vec<(Seat, Action)>)> {
    let mut lines = text.split_inclusive('\n');
    // A line is whole when it ends.
    let mut next = || lines.next().and_then(|line| line.strip_suffix('\n'));
    let magic = next()?;
    if ![MAGIC, MAGIC_1].contains(&magic) {
        return None;
    }
    let seed = next()?.parse().ok()?;
    let skill = next()?.parse().ok()?;
    let phantoms = match magic {
        MAGIC => next()?.parse().ok()?,
        _ => 0,
    };
    let seats: usize = next()?.parse().ok()?;
    let names: Option<Vec<String>> = (0..seats.min(6))
        .map(|_| next().map(str::to_owned))
        .collect();
    let names = names.filter(|names| (3..=5).contains(&names.len()) && phantoms < names.len())?;
    let mut actions = Vec::new();
    while let Some(action) = next().and_then(action) {
        actions.push(action);
    }
    let beginning = Beginning {
        names,
        phantoms,
        seed,
        skill,
    };
    Some((beginning, actions))
}

fn action(hex: &str) -> Option<(Seat, Action)> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
    codec::decode(&bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_found_again_up_to_the_last_whole_move() {
        let folder = std::env::temp_dir().join(format!("shamans-kept-{}", std::process::id()));
        let kept = Kept {
            path: folder.join("practise"),
        };
        assert_eq!(kept.load(), None);
        let beginning = Beginning {
            names: ["Eliška", "Petr", "Phantom 3"].map(str::to_owned).to_vec(),
            phantoms: 1,
            seed: 77,
            skill: Skill::Sensible,
        };
        kept.begin(&beginning).unwrap();
        let moves = [
            (Seat(1), Action::MoveBack),
            (Seat(0), Action::Swap { with: Seat(2) }),
        ];
        for (seat, action) in &moves {
            kept.add(*seat, action).unwrap();
        }
        assert_eq!(kept.load(), Some((beginning.clone(), moves.to_vec())));
        let text = fs::read_to_string(folder.join("practise")).unwrap();
        let cut = text.get(..text.len() - 1).unwrap();
        assert_eq!(
            read(cut),
            Some((beginning, moves[..1].to_vec())),
            "a line without its end is no move"
        );
        assert_eq!(read("something else\n"), None);
        let alone = text.replacen("\n1\n3\n", "\n3\n3\n", 1);
        assert_ne!(alone, text);
        assert_eq!(read(&alone), None, "somebody has to sit there");
        let old = "shamans-practise-1\n77\nsensible\n3\nEliška\nPetr\nRuda\n";
        let (beginning, moves) = read(old).unwrap();
        assert_eq!(
            (beginning.phantoms, beginning.held(), moves.len()),
            (0, 3, 0)
        );
        kept.forget();
        assert_eq!(kept.load(), None);
        fs::remove_dir_all(&folder).unwrap();
    }
}
