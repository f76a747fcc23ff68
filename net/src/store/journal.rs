//! A file that only grows: one frame after another, each synced before [`Journal::append`] returns.
//!
//! A frame is its length (u32, little-endian), the first eight bytes of its blake3 hash, and its bytes. A frame that the end of
//! the file cuts off was never acknowledged: it is dropped when the file is opened. A wrong hash anywhere else is damage.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use super::{StoreError, read, sync_folder};

const HEAD: usize = 12;
/// The largest frame.
const FRAME_LIMIT: usize = 16 * 1024 * 1024;

/// An append-only log on disk.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    length: u64,
    frames: Vec<Vec<u8>>,
}

impl Journal {
    pub(super) fn open(path: PathBuf) -> Result<Journal, StoreError> {
        let new = !path.exists();
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .map_err(|error| StoreError::at(&path, "opened", error))?;
        if new {
            sync_folder(&path).map_err(|error| StoreError::at(&path, "made", error))?;
        }
        let bytes = read(&path)?;
        let (frames, length) = split(&bytes).map_err(|what| StoreError::Damaged {
            path: path.clone(),
            what,
        })?;
        if length < bytes.len() as u64 {
            file.set_len(length)
                .and_then(|()| file.sync_all())
                .map_err(|error| StoreError::at(&path, "repaired", error))?;
        }
        file.seek(SeekFrom::End(0))
            .map_err(|error| StoreError::at(&path, "opened", error))?;
        Ok(Journal {
            path,
            file,
            length,
            frames,
        })
    }

    /// What was there when the file was opened, in order. Taken once: a second call gives nothing.
    pub fn take_frames(&mut self) -> Vec<Vec<u8>> {
        std::mem::take(&mut self.frames)
    }

    /// Adds frames; when this returns, they are on disk. On an error the file is as before.
    pub fn append<'a>(
        &mut self,
        frames: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<(), StoreError> {
        let mut bytes = Vec::new();
        for frame in frames {
            if frame.len() > FRAME_LIMIT {
                return Err(StoreError::Damaged {
                    path: self.path.clone(),
                    what: "a frame is too large",
                });
            }
            let length = u32::try_from(frame.len()).expect("the frame limit fits into 32 bits");
            bytes.extend_from_slice(&length.to_le_bytes());
            bytes.extend_from_slice(&checksum(frame));
            bytes.extend_from_slice(frame);
        }
        if bytes.is_empty() {
            return Ok(());
        }
        let written = self
            .file
            .write_all(&bytes)
            .and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // Half a frame must not stay in the middle of the file. If even that fails, opening repairs it.
                self.file
                    .set_len(self.length)
                    .and_then(|()| self.file.seek(SeekFrom::End(0)).map(|_| ()))
                    .ok();
                Err(StoreError::at(&self.path, "written", error))
            }
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes it has.
    pub fn length(&self) -> u64 {
        self.length
    }
}

fn checksum(frame: &[u8]) -> [u8; 8] {
    let mut sum = [0u8; 8];
    let hash = blake3::hash(frame);
    for (to, from) in sum.iter_mut().zip(hash.as_bytes()) {
        *to = *from;
    }
    sum
}

/// The frames of a journal's bytes, and the length up to which they are sound; or in what way they are damaged.
pub fn split(bytes: &[u8]) -> Result<(Vec<Vec<u8>>, u64), &'static str> {
    let mut frames = Vec::new();
    let mut rest = bytes;
    while let Some((head, body)) = rest.split_at_checked(HEAD) {
        let (length, sum) = head.split_at(4);
        let length: [u8; 4] = length.try_into().expect("split at four");
        let length = u32::from_le_bytes(length) as usize;
        if length > FRAME_LIMIT {
            return Err("a length is impossible");
        }
        let Some((frame, next)) = body.split_at_checked(length) else {
            break;
        };
        if checksum(frame) != sum {
            // After a power cut the last frame's space may be there without its content.
            if next.is_empty() {
                break;
            }
            return Err("a checksum is wrong");
        }
        frames.push(frame.to_vec());
        rest = next;
    }
    Ok((frames, (bytes.len() - rest.len()) as u64))
}
