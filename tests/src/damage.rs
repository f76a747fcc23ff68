//! Records damaged in every way, fast enough to try every byte.
//!
//! A change inside one step leaves all steps before it as they were, so the check goes on from the state before that step instead of
//! from the beginning; whatever that cannot decide is left to the real reader and verifier.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::Settled;
use shamans_core::record::{Finding, Record, verify};
use shamans_core::table::Replica;

/// Bytes before the encoded record: magic and version.
const HEADER: usize = 10;
/// Bytes after it.
const CHECKSUM: usize = 32;

/// The checksum of a record's bytes, as the format has it.
pub fn checksum(bytes: &[u8]) -> [u8; 32] {
    *blake3::hash(bytes).as_bytes()
}

/// The file with a checksum that fits what stands before it.
pub fn fitted(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - CHECKSUM;
    let sum = checksum(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum);
    bytes
}

/// Is this no record, or one that says that something is wrong?
pub fn is_refused<G: Game>(bytes: &[u8]) -> bool {
    match Record::read(bytes) {
        Err(_) => true,
        Ok(record) => match verify::<G>(&record).finding {
            Finding::Unfair { .. } => true,
            Finding::Fair | Finding::Unfinished => false,
        },
    }
}

/// A good record and the table's state before each of its steps.
pub struct Whole<G: Game> {
    /// The file.
    pub bytes: Vec<u8>,
    steps: Vec<(Range<usize>, Replica<G>)>,
}

impl<G: Game> Whole<G> {
    /// Of a file that is in order.
    pub fn new(bytes: Vec<u8>) -> Whole<G> {
        assert!(!is_refused::<G>(&bytes), "a good record to begin with");
        let record = Record::read(&bytes).expect("just read");
        let (mut replica, _) = Replica::<G>::new(&record.genesis, None).expect("just verified");
        let lengths: Vec<usize> = record
            .steps
            .iter()
            .map(|settled| codec::encode(settled).len())
            .collect();
        // Steps are the last thing before the checksum.
        let mut from = bytes.len() - CHECKSUM - lengths.iter().sum::<usize>();
        let mut steps = Vec::new();
        for (settled, length) in record.steps.iter().zip(lengths) {
            steps.push((from..from + length, replica.clone()));
            from += length;
            replica.accept(settled).expect("just verified");
        }
        Whole { bytes, steps }
    }

    /// Is the file refused with the byte at `at` changed by `flip`, as it is and with a fitting checksum?
    pub fn refuses(&self, at: usize, flip: u8) -> bool {
        let mut changed = self.bytes.clone();
        changed[at] ^= flip;
        if Record::read(&changed).is_ok() {
            return false;
        }
        if at >= changed.len() - CHECKSUM {
            return true;
        }
        self.refuses_inside(at, &changed) || is_refused::<G>(&fitted(changed))
    }

    /// Is the change refused by the step that it lies in? Said only where nothing else of the file is read differently.
    fn refuses_inside(&self, at: usize, changed: &[u8]) -> bool {
        let Some((range, before)) = self.steps.iter().find(|(range, _)| range.contains(&at)) else {
            return false;
        };
        // Read to its last byte, the step leaves all after it where it was.
        match codec::decode::<Settled>(&changed[range.clone()]) {
            Ok(settled) => before.clone().accept(&settled).is_err(),
            Err(_) => false,
        }
    }

    /// The first of `places` at which a change is not refused. Uses all processors.
    pub fn first_accepted(&self, places: impl Iterator<Item = (usize, u8)>) -> Option<(usize, u8)>
    where
        Replica<G>: Sync,
    {
        let places: Vec<(usize, u8)> = places.collect();
        find(&places, |&(at, flip)| !self.refuses(at, flip)).copied()
    }

    /// The first of `lengths` to which the file can be cut, with a fitting checksum or without, and still be taken.
    pub fn first_cut_accepted(&self, lengths: impl Iterator<Item = usize>) -> Option<usize>
    where
        Replica<G>: Sync,
    {
        let lengths: Vec<usize> = lengths.collect();
        let taken = |&length: &usize| {
            let cut = &self.bytes[..length];
            let refitted = || {
                let body = &cut[..length.min(self.bytes.len() - CHECKSUM)];
                let mut bytes = body.to_vec();
                bytes.extend(checksum(body));
                length < self.bytes.len() - CHECKSUM && !is_refused::<G>(&bytes)
            };
            !is_refused::<G>(cut) || refitted()
        };
        find(&lengths, taken).copied()
    }

    /// A byte more at the end, inside or outside of the checksum, is refused.
    pub fn refuses_more(&self) -> bool {
        [0, 1, 0x7f, 0xff].into_iter().all(|more: u8| {
            let mut after = self.bytes.clone();
            after.push(more);
            let mut inside = self.bytes.clone();
            inside.insert(inside.len() - CHECKSUM, more);
            is_refused::<G>(&after)
                && is_refused::<G>(&fitted(after))
                && is_refused::<G>(&inside)
                && is_refused::<G>(&fitted(inside))
        })
    }

    /// Where the steps begin: before it stand header and genesis.
    pub fn first_step(&self) -> usize {
        self.steps.first().map_or(HEADER, |(range, _)| range.start)
    }
}

/// One of `items` for which `wrong` holds, looked for on all processors.
fn find<T: Sync>(items: &[T], wrong: impl Fn(&T) -> bool + Sync) -> Option<&T> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let search = || {
        loop {
            let item = items.get(next.fetch_add(1, Ordering::Relaxed))?;
            if wrong(item) {
                return Some(item);
            }
        }
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(search)).collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().expect("a thread that does not panic"))
            .next()
    })
}
