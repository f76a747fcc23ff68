//! The records kept on this computer: finished games lie in one folder, a file each. Reading them is slow enough for a thread.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use gtk::glib;
use shamans_core::record::Record;
use shamans_net::sentences::spoken;

use crate::viewer::book;

/// How a record's file ends.
pub const ENDING: &str = "shamans";

/// One kept game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// Its file.
    pub path: PathBuf,
    /// Who played; why it cannot be read otherwise.
    pub names: Result<Vec<String>, String>,
    /// When it ended.
    pub when: SystemTime,
}

/// Where games are kept: the same folder as the table's own store.
pub fn folder() -> PathBuf {
    glib::user_data_dir().join("shamans").join("records")
}

/// All kept games, newest first. A folder that is not there holds none.
pub fn kept(folder: &Path) -> io::Result<Vec<Kept>> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let when = fs::metadata(&path)?.modified()?;
            found.push(Kept {
                names: names(&path),
                path,
                when,
            });
        }
    }
    found.sort_by(|a, b| (b.when, &b.path).cmp(&(a.when, &a.path)));
    Ok(found)
}

fn names(path: &Path) -> Result<Vec<String>, String> {
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    let record = Record::read(&bytes).map_err(|error| spoken(&error.to_string()))?;
    Ok(book::names(&record))
}

/// Keeps the record of a practise game beside those of the network. Written beside and renamed, so that it is there whole or not.
pub fn keep(folder: &Path, record: &Record) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name: String = record
        .genesis
        .genesis
        .table()
        .0
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let path = folder.join(name).with_extension(ENDING);
    let beside = path.with_extension("new");
    fs::write(&beside, record.write())?;
    fs::rename(&beside, &path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_games_are_found_again_newest_first_and_a_damaged_one_says_so() {
        let folder = std::env::temp_dir().join(format!("shamans-shelf-{}", std::process::id()));
        assert_eq!(kept(&folder.join("none")).unwrap(), Vec::new());
        let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/records/voided.record");
        let record = Record::read(&fs::read(shipped).unwrap()).unwrap();
        let path = keep(&folder, &record).unwrap();
        fs::write(folder.join("cut.shamans"), b"SHAMANS\n").unwrap();
        fs::write(folder.join("notes.txt"), b"").unwrap();
        let found = kept(&folder).unwrap();
        assert_eq!(found.len(), 2);
        let whole = found.iter().find(|kept| kept.path == path).unwrap();
        assert_eq!(whole.names, Ok(book::names(&record)));
        assert!(found.iter().any(|kept| kept.names.is_err()));
        fs::remove_dir_all(folder).unwrap();
    }
}
