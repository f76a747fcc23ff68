//! Sealed decks between seats in one process, through the public interface only: the peers of a deal, a log of all they sent,
//! a third party that has only the log, and the clear-text dealer that the same cards are compared with.

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use shamans_core::deal::{Deal, DealContext, DealError, DealFault, DealSeed};
use shamans_core::game::{Claim, ClearDealer, DeckOutcome, DeckRequest, Face, Seat, SeatSet, Slot};

/// What happened at a sealed table, in order: all that a third party needs.
#[derive(Debug, Clone)]
pub enum Entry {
    /// The game asked.
    Request(DeckRequest),
    /// A step was settled with these messages.
    Settled(Vec<(Seat, Vec<u8>)>),
    /// A request was answered.
    Outcome(DeckOutcome),
    /// A seat opened a slot of its own.
    Claim(Seat, Claim, Vec<u8>),
    /// A seat went away.
    Away(Seat),
    /// And came back.
    Back(Seat),
}

/// The peers of one deal: one for each person, and a spectator as the last.
#[derive(Debug, Clone)]
pub struct SealedTable {
    /// What the deal is bound to.
    pub context: DealContext,
    /// Each peer's side, with its seat.
    pub peers: Vec<(Option<Seat>, Deal)>,
    /// All that was sent.
    pub log: Vec<Entry>,
    rng: ChaCha20Rng,
}

/// The seed that these tables give to a seat.
pub fn seed_of(context: &DealContext, seat: Seat) -> DealSeed {
    DealSeed::derive(&[seat.0 + 1; 32], &context.table, context.number)
}

/// A context for tests.
pub fn context(seats: u8, people: SeatSet, number: u32) -> DealContext {
    DealContext {
        table: [0x5a; 32],
        number,
        seats,
        people,
        game: String::from("kit/1"),
    }
}

impl SealedTable {
    /// People sit down, and somebody watches.
    pub fn new(context: DealContext) -> SealedTable {
        let mut peers: Vec<(Option<Seat>, Deal)> = context
            .people
            .iter()
            .map(|seat| {
                let me = Some((seat, seed_of(&context, seat)));
                (
                    Some(seat),
                    Deal::new(context.clone(), me).expect("a sound context"),
                )
            })
            .collect();
        peers.push((
            None,
            Deal::new(context.clone(), None).expect("a sound context"),
        ));
        SealedTable {
            rng: ChaCha20Rng::seed_from_u64(u64::from(context.number)),
            context,
            peers,
            log: Vec::new(),
        }
    }

    /// The peer of `seat`.
    pub fn peer(&self, seat: Seat) -> &Deal {
        let found = self.peers.iter().find(|(of, _)| *of == Some(seat));
        &found.expect("a person sits there").1
    }

    /// The spectator.
    pub fn spectator(&self) -> &Deal {
        &self.peers.last().expect("there is one").1
    }

    /// Puts a request to every peer.
    pub fn open(&mut self, request: &DeckRequest) {
        for (_, deal) in &mut self.peers {
            deal.request(request).expect("a request that fits");
        }
        self.log.push(Entry::Request(request.clone()));
    }

    /// The honest messages of the open step.
    pub fn messages(&mut self) -> Vec<(Seat, Vec<u8>)> {
        // Every second peer works ahead.
        for (_, deal) in self.peers.iter_mut().step_by(2) {
            deal.prepare();
        }
        let awaited = self.spectator().awaits();
        let mut messages = Vec::new();
        for (seat, deal) in &mut self.peers {
            assert_eq!(deal.awaits(), awaited, "all peers wait for the same seats");
            if let Some(seat) = seat.filter(|seat| awaited.contains(*seat)) {
                let message = deal.contribute(&mut self.rng).expect("it is awaited");
                deal.made(&message);
                messages.push((seat, message));
            }
        }
        messages
    }

    /// Settles the open step at every peer; every second one has checked the messages before.
    pub fn settle(&mut self, messages: &[(Seat, Vec<u8>)]) -> Option<DeckOutcome> {
        let mut outcomes = Vec::new();
        for (i, (_, deal)) in self.peers.iter_mut().enumerate() {
            if i % 2 == 1 {
                for (seat, bytes) in messages {
                    deal.check(*seat, bytes).expect("an honest message");
                }
            }
            outcomes.push(deal.settle(messages.to_vec()).expect("honest messages"));
        }
        assert!(
            outcomes.windows(2).all(|pair| pair[0] == pair[1]),
            "one outcome for all"
        );
        self.log.push(Entry::Settled(messages.to_vec()));
        let outcome = outcomes.pop().expect("there is a spectator");
        self.log.extend(outcome.clone().map(Entry::Outcome));
        outcome
    }

    /// What `seat` finds wrong with these messages together.
    pub fn refused_by(&mut self, seat: Seat, messages: &[(Seat, Vec<u8>)]) -> DealFault {
        let (_, deal) = &mut self.peers[seat.index()];
        match deal.settle(messages.to_vec()) {
            Err(DealError::Fault(fault)) => fault,
            other => panic!("settled: {other:?}"),
        }
    }

    /// Goes on with the open request until it is answered.
    pub fn finish(&mut self) -> DeckOutcome {
        loop {
            let messages = self.messages();
            if let Some(outcome) = self.settle(&messages) {
                return outcome;
            }
        }
    }

    /// Has a request answered.
    pub fn ask(&mut self, request: &DeckRequest) -> DeckOutcome {
        self.open(request);
        self.finish()
    }

    /// `seat` opens a slot of its own; everyone checks it.
    pub fn claim(&mut self, seat: Seat, slot: Slot) -> Claim {
        let mine = self.peers.iter().find(|(of, _)| *of == Some(seat));
        let (_, deal) = mine.expect("a person sits there");
        let (claim, proof) = deal.claim(slot, &mut self.rng).expect("its own slot");
        for (_, deal) in &mut self.peers {
            deal.check_claim(seat, &claim, &proof)
                .expect("a true claim");
            deal.open_claim(seat, &claim, &proof).expect("a true claim");
        }
        self.log.push(Entry::Claim(seat, claim, proof));
        claim
    }

    /// `seat` goes away. `false`: nobody can act for it.
    pub fn away(&mut self, seat: Seat) -> bool {
        let done: Vec<bool> = self
            .peers
            .iter_mut()
            .map(|(_, deal)| deal.absent(seat).is_ok())
            .collect();
        assert!(done.windows(2).all(|pair| pair[0] == pair[1]));
        if done[0] {
            self.log.push(Entry::Away(seat));
        }
        done[0]
    }

    /// `seat` is back. `false`: it has no key in this deal.
    pub fn back(&mut self, seat: Seat) -> bool {
        let done: Vec<bool> = self
            .peers
            .iter_mut()
            .map(|(_, deal)| deal.present(seat).is_ok())
            .collect();
        assert!(done.windows(2).all(|pair| pair[0] == pair[1]));
        if done[0] {
            self.log.push(Entry::Back(seat));
        }
        done[0]
    }

    /// Somebody who was not there and has only the log, at the same point.
    pub fn third_party(&self) -> Deal {
        let mut deal = Deal::new(self.context.clone(), None).expect("a sound context");
        for entry in &self.log {
            match entry {
                Entry::Request(request) => deal.request(request).expect("taken once, taken again"),
                Entry::Settled(messages) => {
                    deal.settle(messages.clone())
                        .expect("taken once, taken again");
                }
                Entry::Outcome(_) => {}
                Entry::Claim(seat, claim, proof) => {
                    deal.open_claim(*seat, claim, proof)
                        .expect("taken once, taken again");
                }
                Entry::Away(seat) => deal.absent(*seat).expect("taken once, taken again"),
                Entry::Back(seat) => deal.present(*seat).expect("taken once, taken again"),
            }
        }
        deal
    }

    /// Every peer but the author refuses the message, and so does the third party; all name the same fault.
    pub fn refused(&mut self, by: Seat, message: &[u8], third: &mut Deal) -> DealFault {
        let fault_of = |deal: &mut Deal| match deal.check(by, message) {
            Err(DealError::Fault(fault)) => fault,
            Err(DealError::Misuse(misuse)) => panic!("misuse: {misuse}"),
            Ok(()) => panic!("a false message of seat {} was taken", by.0),
        };
        let fault = fault_of(third);
        for (seat, deal) in &mut self.peers {
            if *seat != Some(by) {
                assert_eq!(fault_of(deal), fault);
            }
        }
        fault
    }
}

/// A clear-text dealer whose cards are those of a deal that was revealed.
#[derive(Debug)]
pub struct Mirror {
    /// The dealer.
    pub dealer: ClearDealer,
    faces: Vec<Option<Face>>,
    rng: ChaCha20Rng,
}

impl Mirror {
    /// For a table of `seats`, with these faces by slot.
    pub fn new(seats: usize, faces: Vec<Option<Face>>) -> Mirror {
        Mirror {
            dealer: ClearDealer::new(seats),
            faces,
            rng: ChaCha20Rng::seed_from_u64(0),
        }
    }

    fn lay(&mut self, slot: Slot) {
        let face = self.faces.get(usize::from(slot.0)).copied().flatten();
        self.dealer
            .place(slot, face.expect("every slot was revealed"));
    }

    /// Answers as [`ClearDealer::answer`] does, but with chance decided by the revealed faces.
    pub fn answer(&mut self, request: &DeckRequest) -> DeckOutcome {
        if let DeckRequest::Remix { hands } = request {
            for hand in hands {
                let known = self.dealer.known(hand.seat);
                let seen = hand.from.iter().all(|&slot| known.face(slot).is_some());
                let mut before: Vec<_> = hand
                    .from
                    .iter()
                    .map(|&slot| self.dealer.face(slot))
                    .collect();
                for i in 0..hand.from.len() {
                    self.lay(hand.into.after(i));
                    if seen {
                        let shown = self.dealer.show(hand.into.after(i), hand.seat);
                        shown.expect("it was just laid");
                    }
                }
                let mut after: Vec<_> = (0..hand.from.len())
                    .map(|i| self.dealer.face(hand.into.after(i)))
                    .collect();
                before.sort();
                after.sort();
                assert_eq!(before, after, "a mixed hand holds the same cards");
            }
            return DeckOutcome::Remixed;
        }
        let outcome = self
            .dealer
            .answer(request, &mut self.rng)
            .expect("slots of the deal");
        if let DeckRequest::Shuffle { decks, .. } = request {
            for deck in decks {
                for i in 0..usize::from(deck.size) {
                    self.lay(deck.first.after(i));
                }
            }
        }
        outcome
    }

    /// Plays a table's log on these cards: every outcome is the same, every claim true, and every seat knows the same.
    pub fn compare(&mut self, table: &SealedTable) {
        let mut asked = None;
        for entry in &table.log {
            match entry {
                Entry::Request(request) => asked = Some(request),
                Entry::Outcome(DeckOutcome::Revealed(_)) => {}
                Entry::Outcome(outcome) => {
                    let request = asked.take().expect("an outcome answers a request");
                    assert_eq!(self.answer(request), *outcome);
                }
                Entry::Claim(_, claim, _) => self.dealer.check(&[*claim]).expect("a true claim"),
                Entry::Settled(_) | Entry::Away(_) | Entry::Back(_) => {}
            }
        }
        for (seat, deal) in &table.peers {
            // Who was gone before it had keys is a phantom in this deal and sees nothing.
            if let Some(seat) = seat.filter(|seat| deal.has_key(*seat)) {
                assert_eq!(
                    deal.known(),
                    self.dealer.known(seat),
                    "seat {} knows the same",
                    seat.0
                );
            }
        }
    }
}

/// All operations on one deck of `size` at a table of `seats`, the first `people` of them held by people; then reveal,
/// audit and comparison with the clear-text dealer.
pub fn conform(seats: u8, people: u8, size: u16) {
    use shamans_core::game::{Audience, Deck, DeckId, Remix};
    let persons = SeatSet::first(usize::from(people));
    let everyone = SeatSet::first(usize::from(seats));
    let mut table = SealedTable::new(context(seats, persons, u32::from(size)));
    let deck = |id, size, first| Deck {
        id: DeckId(id),
        size,
        first: Slot(first),
    };
    // A second deck, so that faces and slots of two cannot be mixed up.
    let decks = vec![deck(0, size, 0), deck(9, 4, size)];
    let shuffled = table.ask(&DeckRequest::Shuffle {
        decks,
        sealed: everyone.minus(persons),
    });
    assert_eq!(shuffled, DeckOutcome::Shuffled);

    // Deal to one seat each, two rounds, as far as the deck goes; leave two cards sealed if there are so many.
    let count = (2 * u16::from(seats)).min(size.saturating_sub(2).max(2));
    let owner = |slot: u16| Seat((slot % u16::from(seats)) as u8);
    let slots = (0..count)
        .map(|slot| (Slot(slot), Audience::One(owner(slot))))
        .collect();
    assert_eq!(
        table.ask(&DeckRequest::Open { slots }),
        DeckOutcome::Opened(vec![])
    );
    for slot in 0..count {
        for (seat, deal) in &table.peers {
            let sees = *seat == Some(owner(slot));
            assert_eq!(
                deal.known().face(Slot(slot)).is_some(),
                sees,
                "only its seat sees a card"
            );
        }
    }

    // Open to all: a sealed card of each deck, a card of another's hand, and one that lies open already.
    let last = Slot(size - 1);
    let wanted = vec![(Slot(size), Audience::All), (last, Audience::All)];
    let DeckOutcome::Opened(faces) = table.ask(&DeckRequest::Open {
        slots: wanted.clone(),
    }) else {
        panic!("an opening opens")
    };
    assert_eq!(faces.len(), 2);
    assert_eq!(
        table.ask(&DeckRequest::Open { slots: wanted }),
        DeckOutcome::Opened(faces)
    );

    // The first seat's first card is opened with an action.
    let mut open = vec![last];
    if last != Slot(0) {
        let claim = table.claim(Seat(0), Slot(0));
        assert_eq!(table.peer(Seat(0)).known().face(Slot(0)), Some(claim.face));
        open.push(Slot(0));
    }

    // Everyone passes a card left: between people, to a phantom (back under the joint key), from a phantom.
    let n = usize::from(seats);
    let passed: Vec<u16> = (u16::from(seats)..count)
        .filter(|slot| !open.contains(&Slot(*slot)))
        .collect();
    let slots: Vec<(Slot, Seat)> = passed
        .iter()
        .map(|&slot| (Slot(slot), owner(slot).left(n)))
        .collect();
    assert_eq!(table.ask(&DeckRequest::Pass { slots }), DeckOutcome::Passed);

    // Every hand is mixed: two cards, one, or none.
    let mut into = 1000;
    let mut hands = Vec::new();
    for seat in everyone.iter() {
        let from: Vec<Slot> = (0..count)
            .filter(|slot| {
                let holder = if passed.contains(slot) {
                    owner(*slot).left(n)
                } else {
                    owner(*slot)
                };
                holder == seat && !open.contains(&Slot(*slot))
            })
            .map(Slot)
            .collect();
        let size = from.len() as u16;
        hands.push(Remix {
            seat,
            from,
            into: Slot(into),
        });
        into += size;
    }
    assert_eq!(
        table.ask(&DeckRequest::Remix {
            hands: hands.clone()
        }),
        DeckOutcome::Remixed
    );

    // One goes away in the middle of an opening; the others open one of its cards and mix its hand; it comes back.
    if people >= 3 {
        let gone = Seat(1);
        let hand = &hands[1];
        let cards: Vec<Slot> = (0..hand.from.len()).map(|i| hand.into.after(i)).collect();
        let mut slots = vec![
            (Slot(size + 1), Audience::One(gone)),
            (Slot(size + 2), Audience::All),
        ];
        slots.extend(cards.first().map(|card| (*card, Audience::All)));
        table.open(&DeckRequest::Open { slots });
        let before = table.messages();
        assert!(table.away(gone));
        assert!(!table.away(Seat(2)), "two cannot be away");
        let mut third = table.third_party();
        for (seat, message) in before {
            table.refused(seat, &message, &mut third);
        }
        table.finish();
        let hands = vec![Remix {
            seat: gone,
            from: cards,
            into: Slot(2000),
        }];
        table.ask(&DeckRequest::Remix { hands });
        assert!(table.back(gone));
        table.claim(gone, Slot(size + 1));
    }

    let DeckOutcome::Revealed(faces) = table.ask(&DeckRequest::Reveal) else {
        panic!("a reveal reveals")
    };
    let mut deck: Vec<u8> = faces
        .iter()
        .take(usize::from(size))
        .map(|face| face.expect("revealed").0)
        .collect();
    deck.sort_unstable();
    assert!(
        deck.into_iter().eq((0..=u8::MAX).take(usize::from(size))),
        "every face once"
    );
    for (_, deal) in &table.peers {
        assert!(deal.audit().expect("revealed").is_complete());
    }
    assert!(table.third_party().audit().expect("revealed").is_complete());
    Mirror::new(n, faces).compare(&table);
}

/// A module of conformance tests: one test for each number of people and deck size.
///
/// ```ignore
/// shamans_tests::conformance! { whole_deck: 5 seats, 3 people, sizes [two = 2, many = 56]; }
/// ```
#[macro_export]
macro_rules! conformance {
    ($($name:ident: $seats:literal seats, $people:literal people, sizes [$($size_name:ident = $size:literal),+ $(,)?];)+) => {
        $(mod $name {
            $(#[test]
            fn $size_name() {
                $crate::sealed::conform($seats, $people, $size);
            })+
        })+
    };
}
