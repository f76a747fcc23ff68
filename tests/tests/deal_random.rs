//! Random scripts on sealed decks: any order of openings, passes, mixings and claims, with seats that go and come back at any
//! step, the shuffle's too. All peers stay of one mind, and the clear-text dealer agrees with every outcome.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shamans_core::game::{
    Audience, Deck, DeckId, DeckOutcome, DeckRequest, Remix, Seat, SeatSet, Slot,
};
use shamans_tests::sealed::{Mirror, SealedTable, context};

/// Where a card of the script lies.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Pile,
    Held(Seat),
    Open,
    /// Its card went to another slot.
    Left,
}

struct Script {
    table: SealedTable,
    rng: ChaCha8Rng,
    places: Vec<(Slot, DeckId, Place)>,
    next: u16,
    away: SeatSet,
    /// Absences and returns in the middle of a request.
    moved: usize,
}

impl Script {
    fn new(seed: u64) -> Script {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let seats = rng.random_range(1..=5);
        let people = rng.random_range(1..=seats);
        let table = SealedTable::new(context(
            seats,
            SeatSet::first(usize::from(people)),
            seed as u32,
        ));
        Script {
            table,
            rng,
            places: Vec::new(),
            next: 100,
            away: SeatSet::EMPTY,
            moved: 0,
        }
    }

    fn seats(&self) -> u8 {
        self.table.context.seats
    }

    fn seat(&mut self) -> Seat {
        let seats = self.seats();
        Seat(self.rng.random_range(0..seats))
    }

    /// Somebody may go or come back.
    fn unrest(&mut self) -> bool {
        if !self.rng.random_ratio(1, 2) {
            return false;
        }
        let seat = self.seat();
        if self.away.contains(seat) {
            if self.table.back(seat) {
                self.away = self.away.without(seat);
                return true;
            }
        } else if self.table.context.people.contains(seat) && self.table.away(seat) {
            self.away = self.away.with(seat);
            return true;
        }
        false
    }

    fn ask(&mut self, request: &DeckRequest) -> DeckOutcome {
        self.table.open(request);
        loop {
            if self.unrest() {
                self.moved += 1;
            }
            let messages = self.table.messages();
            if self.rng.random_ratio(1, 4) && self.unrest() {
                // The messages were made for a plan that is no more.
                self.moved += 1;
                continue;
            }
            if let Some(outcome) = self.table.settle(&messages) {
                return outcome;
            }
        }
    }

    fn shuffle(&mut self) {
        let size = self.rng.random_range(4..12);
        let decks = vec![
            Deck {
                id: DeckId(1),
                size,
                first: Slot(0),
            },
            Deck {
                id: DeckId(2),
                size: 3,
                first: Slot(size),
            },
        ];
        for deck in &decks {
            for i in 0..usize::from(deck.size) {
                self.places
                    .push((deck.first.after(i), deck.id, Place::Pile));
            }
        }
        let all = SeatSet::first(usize::from(self.seats()));
        let sealed = all.minus(self.table.context.people);
        assert_eq!(
            self.ask(&DeckRequest::Shuffle { decks, sealed }),
            DeckOutcome::Shuffled
        );
    }

    fn open(&mut self) {
        let mut slots = Vec::new();
        for i in 0..self.places.len() {
            let (slot, _, place) = self.places[i];
            if place == Place::Left || !self.rng.random_ratio(1, 4) {
                continue;
            }
            if self.rng.random_ratio(1, 3) {
                slots.push((slot, Audience::All));
                self.places[i].2 = Place::Open;
            } else if place == Place::Pile {
                let seat = self.seat();
                slots.push((slot, Audience::One(seat)));
                self.places[i].2 = Place::Held(seat);
            }
        }
        self.ask(&DeckRequest::Open { slots });
    }

    fn pass(&mut self) {
        let mut slots = Vec::new();
        for i in 0..self.places.len() {
            let (slot, _, place) = self.places[i];
            if let Place::Held(_) = place
                && self.rng.random_ratio(1, 3)
            {
                let seat = self.seat();
                slots.push((slot, seat));
                self.places[i].2 = Place::Held(seat);
            }
        }
        self.ask(&DeckRequest::Pass { slots });
    }

    fn remix(&mut self) {
        let mut hands = Vec::new();
        for seat in SeatSet::first(usize::from(self.seats())).iter() {
            for deck in [DeckId(1), DeckId(2)] {
                if !self.rng.random_ratio(1, 2) {
                    continue;
                }
                let mut from = Vec::new();
                for (slot, of, place) in &mut self.places {
                    if *of == deck && *place == Place::Held(seat) {
                        from.push(*slot);
                        *place = Place::Left;
                    }
                }
                let into = Slot(self.next);
                for i in 0..from.len() {
                    self.places.push((into.after(i), deck, Place::Held(seat)));
                }
                self.next += from.len() as u16;
                hands.push(Remix { seat, from, into });
            }
        }
        self.ask(&DeckRequest::Remix { hands });
    }

    fn claim(&mut self) {
        let held: Vec<usize> = (0..self.places.len())
            .filter(|&i| match self.places[i].2 {
                Place::Held(seat) => {
                    self.table.spectator().has_key(seat) && !self.away.contains(seat)
                }
                Place::Pile | Place::Open | Place::Left => false,
            })
            .collect();
        if let Some(&i) = held.first()
            && let Place::Held(seat) = self.places[i].2
        {
            self.table.claim(seat, self.places[i].0);
            self.places[i].2 = Place::Open;
        }
    }
}

#[test]
fn any_script() {
    let (mut moved, mut complete) = (0, 0);
    for seed in 0..60 {
        let mut script = Script::new(seed);
        script.shuffle();
        for _ in 0..8 {
            script.unrest();
            match script.rng.random_range(0..4) {
                0 => script.open(),
                1 => script.pass(),
                2 => script.remix(),
                _ => script.claim(),
            }
        }
        let DeckOutcome::Revealed(faces) = script.ask(&DeckRequest::Reveal) else {
            panic!("a reveal reveals")
        };
        assert!(
            script
                .places
                .iter()
                .all(|(slot, ..)| faces[usize::from(slot.0)].is_some())
        );
        let verdict = script.table.spectator().audit().expect("revealed");
        assert!(verdict.is_fair(), "script {seed}: {verdict:?}");
        complete += usize::from(verdict.is_complete());
        let seats = usize::from(script.seats());
        Mirror::new(seats, faces).compare(&script.table);
        assert_eq!(script.table.third_party().audit(), Ok(verdict));
        moved += script.moved;
    }
    assert!(moved > 40 && complete > 10, "{moved} {complete}");
}
