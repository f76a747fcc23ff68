//! What is kept on disk: identity, tables being played, records of finished games, remembered peers.
//!
//! One folder for each installation, held by a lock while the program runs, so that two copies of one identity are noticed.
//! Small files are replaced whole (written beside, synced, renamed); a table's log only grows ([`Journal`]). `kill -9` at any
//! moment loses nothing that was acknowledged. Not here: what the bytes of a log mean.
//!
//! The identity key is the only secret on disk. Every secret of a round is derived from it, the table and the deal's number, is
//! held in memory alone and overwritten there when the round is over; so there is nothing else to wipe, and a player who comes
//! back with the key alone still has the same cards.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use crate::identity::{Identity, NoRandomness};

mod journal;
pub use journal::{Journal, split};
mod peers;
pub use peers::{KnownPeer, KnownPeers, Trust, read_peers};

/// Why something could not be kept or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is neither `--data-dir` nor a home folder.
    #[error(
        "{}",
        crate::words::tr(
            "there is no home folder to keep your key in; say where with --data-dir FOLDER"
        )
    )]
    NoHome,
    /// Another running program holds the folder.
    #[error("{}", crate::words::fill("another copy of the program (process {pid}) is playing with the identity in {folder}; close it, or give this one its own folder with --data-dir FOLDER", &[("pid", &pid.to_string()), ("folder", &folder.display().to_string())]))]
    InUse {
        /// The data folder.
        folder: PathBuf,
        /// Its process, as it wrote itself; 0 if unknown.
        pid: u32,
    },
    /// No permission.
    #[error("{}", crate::words::fill("{file}: no permission; check who owns it", &[("file", &path.display().to_string())]))]
    Denied {
        /// What was touched.
        path: PathBuf,
        /// What was tried, as a participle.
        doing: &'static str,
    },
    /// No space left.
    #[error("{}", crate::words::fill("the disk is full: {file} could not be written; free some space, nothing acknowledged is lost", &[("file", &path.display().to_string())]))]
    DiskFull {
        /// What was touched.
        path: PathBuf,
        /// What was tried, as a participle.
        doing: &'static str,
    },
    /// The file system is read-only.
    #[error("{}", crate::words::fill("{file} cannot be written: its disk is read-only", &[("file", &path.display().to_string())]))]
    ReadOnly {
        /// What was touched.
        path: PathBuf,
        /// What was tried, as a participle.
        doing: &'static str,
    },
    /// Any other trouble.
    #[error("{}", crate::words::fill("{file} could not be used: {why}", &[("file", &path.display().to_string()), ("why", &source.to_string())]))]
    Io {
        /// What was touched.
        path: PathBuf,
        /// What was tried, as a participle.
        doing: &'static str,
        /// The system's word.
        source: io::Error,
    },
    /// A file is not what it should be.
    #[error("{}", crate::words::fill("{file} is damaged ({what}); move it away to start anew", &[("file", &path.display().to_string()), ("what", what)]))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// In what way.
        what: &'static str,
    },
    /// Others may read the key.
    #[error("{}", crate::words::fill("{file} can be read by others (mode {mode}); anyone who read it can play as you: run `chmod 600` on it, or delete it to get a new identity", &[("file", &path.display().to_string()), ("mode", &format!("{mode:o}"))]))]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its mode.
        mode: u32,
    },
    /// No key could be made.
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
}

impl StoreError {
    fn at(path: &Path, doing: &'static str, source: io::Error) -> StoreError {
        let path = path.to_owned();
        if source.kind() == ErrorKind::PermissionDenied {
            StoreError::Denied { path, doing }
        } else if matches!(
            source.kind(),
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded
        ) {
            StoreError::DiskFull { path, doing }
        } else if source.kind() == ErrorKind::ReadOnlyFilesystem {
            StoreError::ReadOnly { path, doing }
        } else {
            StoreError::Io {
                path,
                doing,
                source,
            }
        }
    }
}

/// The data folder, locked for this process.
#[derive(Debug)]
pub struct Store {
    root: PathBuf,
    // Held for its lock, which goes with the process however it ends.
    _lock: File,
}

impl Store {
    /// The folder that is used when none is named.
    pub fn default_folder() -> Result<PathBuf, StoreError> {
        let dirs = directories::ProjectDirs::from("", "", "shamans").ok_or(StoreError::NoHome)?;
        Ok(dirs.data_dir().to_owned())
    }

    /// Opens `folder`, or the default one, making it if it is not there, and locks it.
    pub fn open(folder: Option<&Path>) -> Result<Store, StoreError> {
        let root = match folder {
            Some(folder) => folder.to_owned(),
            None => Store::default_folder()?,
        };
        for part in [root.clone(), root.join("tables"), root.join("records")] {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&part)
                .map_err(|error| StoreError::at(&part, "made", error))?;
        }
        let lock = lock(&root)?;
        Ok(Store { root, _lock: lock })
    }

    /// Where everything lies.
    pub fn folder(&self) -> &Path {
        &self.root
    }

    /// The identity kept here, made now if this is the first time.
    pub fn identity(&self) -> Result<Identity, StoreError> {
        let path = self.root.join("identity.key");
        match fs::metadata(&path) {
            Ok(metadata) => {
                let mode = metadata.permissions().mode() & 0o777;
                if mode & 0o077 != 0 {
                    return Err(StoreError::Exposed { path, mode });
                }
                let bytes = Zeroizing::new(read(&path)?);
                let seed: Zeroizing<[u8; 32]> =
                    Zeroizing::new(bytes.as_slice().try_into().map_err(|_| {
                        StoreError::Damaged {
                            path,
                            what: "a key has 32 bytes",
                        }
                    })?);
                Ok(Identity::from_seed(&seed))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let identity = Identity::generate()?;
                write_atomically(&path, identity.seed().as_slice())?;
                Ok(identity)
            }
            Err(error) => Err(StoreError::at(&path, "read", error)),
        }
    }

    /// The peers met so far.
    pub fn peers(&self) -> Result<KnownPeers, StoreError> {
        KnownPeers::open(self.root.join("peers.json"))
    }

    /// The log of one table, opened to be continued. `name` is the table's own, in hexadecimal.
    pub fn journal(&self, name: &str) -> Result<Journal, StoreError> {
        Journal::open(self.root.join("tables").join(format!("{name}.log")))
    }

    /// The tables that have a log here, newest first. In one that is empty nothing was ever said: whoever made it died at once.
    pub fn tables(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.root.join("tables");
        let mut found = Vec::new();
        for entry in
            fs::read_dir(&folder).map_err(|error| StoreError::at(&folder, "read", error))?
        {
            let entry = entry.map_err(|error| StoreError::at(&folder, "read", error))?;
            let path = entry.path();
            let (Some(stem), Some("log")) = (
                path.file_stem().and_then(|s| s.to_str()),
                path.extension().and_then(|s| s.to_str()),
            ) else {
                continue;
            };
            let (length, changed) = entry
                .metadata()
                .and_then(|about| Ok((about.len(), about.modified()?)))
                .map_err(|error| StoreError::at(&path, "read", error))?;
            if length > 0 {
                found.push((changed, stem.to_owned()));
            }
        }
        found.sort();
        Ok(found.into_iter().rev().map(|(_, name)| name).collect())
    }

    /// Forgets a table's log, once its record is kept.
    pub fn remove_table(&self, name: &str) -> Result<(), StoreError> {
        remove(&self.room_path(name))?;
        remove(&self.root.join("tables").join(format!("{name}.log")))
    }

    /// The port that was listened on last, if any is known.
    pub fn port(&self) -> Option<u16> {
        // What cannot be read is as good as not known: another port will do.
        let text = fs::read_to_string(self.root.join("port")).ok()?;
        text.trim().parse().ok()
    }

    /// Keeps the port, so that those who remember this player, and codes given away, find them there after a restart too.
    pub fn keep_port(&self, port: u16) -> Result<(), StoreError> {
        if self.port() == Some(port) {
            return Ok(());
        }
        write_atomically(&self.root.join("port"), port.to_string().as_bytes())
    }

    /// Keeps how things stood before the game beside its log, so that a restarted player can still ask for a rematch.
    pub fn keep_room(&self, name: &str, room: &[u8]) -> Result<(), StoreError> {
        write_atomically(&self.room_path(name), room)
    }

    /// What [`Store::keep_room`] kept, if anything.
    pub fn room(&self, name: &str) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.room_path(name);
        if !path.exists() {
            return Ok(None);
        }
        read(&path).map(Some)
    }

    fn room_path(&self, name: &str) -> PathBuf {
        self.root.join("tables").join(format!("{name}.room"))
    }

    /// Keeps the record of a finished game; gives back where.
    pub fn keep_record(&self, name: &str, record: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.root.join("records").join(format!("{name}.shamans"));
        write_atomically(&path, record)?;
        Ok(path)
    }
}

fn lock(root: &Path) -> Result<File, StoreError> {
    let path = root.join("lock");
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(&path)
        .map_err(|error| StoreError::at(&path, "opened", error))?;
    match file.try_lock() {
        Ok(()) => {
            // The number is only for the sentence that another copy shows; the lock itself does not depend on it.
            let pid = std::process::id().to_string();
            file.set_len(0)
                .and_then(|()| file.write_all(pid.as_bytes()))
                .map_err(|error| StoreError::at(&path, "written", error))?;
            Ok(file)
        }
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let pid = match file.read_to_string(&mut text) {
                Ok(_) => text.trim().parse().unwrap_or(0),
                Err(_) => 0,
            };
            Err(StoreError::InUse {
                folder: root.to_owned(),
                pid,
            })
        }
        Err(TryLockError::Error(error)) => Err(StoreError::at(&path, "locked", error)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, StoreError> {
    fs::read(path).map_err(|error| StoreError::at(path, "read", error))
}

fn remove(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(StoreError::at(path, "removed", error)),
    }
}

/// Replaces `path` by `bytes` (0600): after a crash either the old or the new content is there, whole.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let mut beside = path.to_owned();
    beside
        .as_mut_os_string()
        .push(format!(".{}.new", std::process::id()));
    let written = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path))
        .and_then(|()| sync_folder(path));
    written.map_err(|error| {
        // What is left beside is of no use to anyone; that it could not be removed changes nothing.
        fs::remove_file(&beside).ok();
        StoreError::at(path, "written", error)
    })
}

/// A new name is only safe on disk once its folder is.
fn sync_folder(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => File::open(folder)?.sync_all(),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
