//! A designer's data: the files of `data/` read from a folder instead of those the program was built with.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use shamans_core::shamans::{
    Data, DataError,
    data::{MAX_FILE, Texts},
};

/// Why a folder gives no data.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file is missing or cannot be read.
    #[error("{}", crate::words::fill("{file} cannot be read: {why}", &[("file", &.0.display().to_string()), ("why", &.1.to_string())]))]
    Unread(PathBuf, #[source] io::Error),
    /// A file is not text.
    #[error("{}", crate::words::fill("{file} is not UTF-8 text", &[("file", &.0.display().to_string())]))]
    NotText(PathBuf),
    /// A file says something wrong.
    #[error("{}", crate::sentences::spoken(&.0.to_string()))]
    Wrong(#[from] DataError),
}

/// Reads `worlds.toml`, `tiles.toml`, `tables.toml` and `track.toml`.
pub fn read(folder: &Path) -> Result<Data, FolderError> {
    let text = |name: &str| {
        let path = folder.join(name);
        let mut bytes = Vec::new();
        // One byte more than may be, so that a huge file is noticed and not read to its end.
        let read = File::open(&path)
            .and_then(|file| file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes));
        match read {
            Ok(_) => String::from_utf8(bytes).map_err(|_| FolderError::NotText(path)),
            Err(trouble) => Err(FolderError::Unread(path, trouble)),
        }
    };
    let (worlds, tiles) = (text("worlds.toml")?, text("tiles.toml")?);
    let (tables, track) = (text("tables.toml")?, text("track.toml")?);
    let texts = Texts {
        worlds: &worlds,
        tiles: &tiles,
        tables: &tables,
        track: &track,
    };
    Ok(Data::parse(&texts)?)
}
