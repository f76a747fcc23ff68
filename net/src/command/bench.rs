//! `shamans-table bench`: what a round's sealed deal costs on this machine.
//!
//! Plays the first deal of a real game between seats in one thread and measures every seat's work apart. Times are CPU times of
//! this thread where the system tells them (so that a busy machine does not blur them), else wall times; each is the
//! median over the repetitions.

use std::process::ExitCode;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use serde::Serialize;
use shamans_core::deal::{Deal, DealContext, DealError, DealSeed, Misuse, StepKind, measure};
use shamans_core::game::{
    Audience, Awaits, Deck, DeckOutcome, DeckRequest, Game, Seat, SeatSet, Slot,
};
use shamans_core::shamans::{Setup, Shamans};
use shamans_net::{
    sentences::spoken,
    words::{fill, tr, tr_n},
};

use super::columns;

#[cfg(feature = "lan")]
mod net;
mod table;

/// How to measure.
#[derive(clap::Args)]
pub struct Args {
    /// Players at the table, 3 to 5.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u8).range(3..=5))]
    players: u8,
    /// How often to deal; the medians are printed.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: u32,
    /// Also play whole games among peers over loopback sockets, and measure that.
    #[cfg(feature = "lan")]
    #[arg(long)]
    net: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

/// Measured times and sizes, and their ratios.
#[derive(Serialize)]
struct Figures {
    players: u8,
    cards: usize,
    /// One seat permutes and masks all decks, without proof.
    mask_ms: f64,
    /// One seat makes its whole message of the chain with nothing done ahead: mask, prove, encode.
    prove_ms: f64,
    /// What a seat can do of it while others have their turn.
    prepare_ms: f64,
    /// One peer decodes and verifies one such message and takes it in.
    verify_ms: f64,
    /// The whole shuffle as players wait for it: for every step the slowest maker and then the slowest checker, seats
    /// working at the same time on machines of their own; the seats of the chain one after another, each with what it
    /// could prepare while it waited.
    deal_ms: f64,
    /// All messages of the shuffle.
    bytes: usize,
    /// Dealing the hands and identities, likewise.
    hands_ms: f64,
    hands_bytes: usize,
    /// One play: its holder opens a card with proof, and one peer checks it.
    play_ms: f64,
    /// One peer's audit of the deal from the revealed seeds.
    audit_ms: f64,
    /// One multiplication of a point by a scalar.
    mul_us: f64,
    /// `deal_ms` over `players × mask_ms`.
    deal_over_masks: f64,
    /// `play_ms` over `mul_us`, in the same unit.
    play_over_mul: f64,
    /// `audit_ms` over `deal_ms`.
    audit_over_deal: f64,
    #[serde(flatten)]
    table: table::TableFigures,
    #[cfg(feature = "lan")]
    #[serde(flatten)]
    net: Option<net::NetFigures>,
}

/// The times of one repetition, in milliseconds.
#[derive(Default)]
struct Times {
    mask: Vec<f64>,
    prove: Vec<f64>,
    prepare: Vec<f64>,
    verify: Vec<f64>,
    deal: f64,
    hands: f64,
    play: Vec<f64>,
    audit: f64,
    mul: f64,
    bytes: usize,
    hands_bytes: usize,
}

#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("{}", tr("the game deals no decks at its start"))]
    NoDecks,
    #[error("{}", spoken(&.0.to_string()))]
    Deal(#[from] DealError),
    #[error("{}", fill("a seat made no use of the deal: {why}", &[("why", &spoken(&.0.to_string()))]))]
    Misuse(#[from] Misuse),
    #[error("{}", tr("the deal did not end as it should"))]
    Unexpected,
    #[cfg(feature = "lan")]
    #[error(transparent)]
    Net(#[from] net::NetError),
}

/// Measures and prints.
pub fn run(args: Args) -> ExitCode {
    match measure_all(&args) {
        Ok(figures) if args.json => match serde_json::to_string(&figures) {
            Ok(json) => {
                println!("{json}");
                ExitCode::SUCCESS
            }
            Err(error) => {
                eprintln!("{error}");
                ExitCode::from(2)
            }
        },
        Ok(figures) => {
            print_table(&figures);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn print_table(f: &Figures) {
    let ms = |value: f64| format!("{value:9.3} ms");
    let ratio = |value: f64| format!("{value:9.2}");
    let with_bytes = |value: f64, bytes: usize| format!("{value:9.3} ms, {bytes} B");
    let steps = tr_n("1 step", "{n} steps", f.table.steps as usize);
    let record = format!("{:9} B, {steps}", f.table.record_bytes);
    let mut rows = vec![
        (tr("players"), format!("{:9}", f.players)),
        (tr("cards in all decks"), format!("{:9}", f.cards)),
        (tr("mask one seat's turn, bare"), ms(f.mask_ms)),
        (tr("mask and prove it"), ms(f.prove_ms)),
        (tr("of this hidden in others' turns"), ms(f.prepare_ms)),
        (tr("verify it"), ms(f.verify_ms)),
        (
            tr("the whole shuffle, as one waits"),
            with_bytes(f.deal_ms, f.bytes),
        ),
        (
            tr("dealing the hands, as one waits"),
            with_bytes(f.hands_ms, f.hands_bytes),
        ),
        (tr("one play, made and checked"), ms(f.play_ms)),
        (tr("audit of the deal"), ms(f.audit_ms)),
        (
            tr("one scalar multiplication"),
            format!("{:9.3} µs", f.mul_us),
        ),
        (
            tr("shuffle : bare maskings of all"),
            ratio(f.deal_over_masks),
        ),
        (tr("play : scalar multiplication"), ratio(f.play_over_mul)),
        (tr("audit : shuffle"), ratio(f.audit_over_deal)),
        (tr("a settled move, one peer's work"), ms(f.table.step_ms)),
        (tr("a whole game's record"), record),
        (tr("checking the record"), ms(f.table.record_verify_ms)),
    ];
    if let Some(memory) = f.table.memory_mb {
        let memory = format!("{memory:9.1} MB");
        rows.push((tr("memory, all peers in one process"), memory));
    }
    #[cfg(feature = "lan")]
    if let Some(net) = &f.net {
        rows.push((tr("all ready to cards in hand"), ms(net.ready_to_hand_ms)));
        rows.push((tr("a move settled on all peers"), ms(net.settle_ms)));
    }
    for line in columns::lines(&rows) {
        println!("{line}");
    }
}

fn measure_all(args: &Args) -> Result<Figures, BenchError> {
    let game = Shamans::new(&Setup::new(args.players)).map_err(|_| BenchError::NoDecks)?;
    let Awaits::Decks(DeckRequest::Shuffle { decks, sealed }) = game.awaits() else {
        return Err(BenchError::NoDecks);
    };
    let mut runs = Vec::new();
    for number in 0..args.repeat {
        runs.push(one_deal(args.players, number, decks, *sealed)?);
    }
    // Before the games over sockets, whose memory is not this one's.
    let table = table::whole_game(args.players)?;
    #[cfg(feature = "lan")]
    let net = args
        .net
        .then(|| {
            let mut number = args.repeat;
            net::whole_games(args.players, || {
                runs.push(one_deal(args.players, number, decks, *sealed)?);
                number += 1;
                Ok::<(), BenchError>(())
            })
        })
        .transpose()?;
    let of = |pick: fn(&Times) -> Vec<f64>| median(runs.iter().flat_map(pick).collect());
    let (mask_ms, deal_ms) = (of(|t| t.mask.clone()), of(|t| vec![t.deal]));
    let (play_ms, audit_ms) = (of(|t| t.play.clone()), of(|t| vec![t.audit]));
    let mul_us = of(|t| vec![t.mul]) * 1000.0;
    Ok(Figures {
        players: args.players,
        cards: decks.iter().map(|deck| usize::from(deck.size)).sum(),
        mask_ms,
        prove_ms: of(|t| t.prove.clone()),
        prepare_ms: of(|t| t.prepare.clone()),
        verify_ms: of(|t| t.verify.clone()),
        deal_ms,
        bytes: runs.iter().map(|t| t.bytes).max().unwrap_or_default(),
        hands_ms: of(|t| vec![t.hands]),
        hands_bytes: runs.iter().map(|t| t.hands_bytes).max().unwrap_or_default(),
        play_ms,
        audit_ms,
        mul_us,
        deal_over_masks: deal_ms / (f64::from(args.players) * mask_ms),
        play_over_mul: play_ms * 1000.0 / mul_us,
        audit_over_deal: audit_ms / deal_ms,
        table,
        #[cfg(feature = "lan")]
        net,
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// The CPU time that this thread has used.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        u64::try_from(time.tv_sec).unwrap_or_default(),
        u32::try_from(time.tv_nsec).unwrap_or_default(),
    )
}

#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = now();
    let done = work();
    (done, (now().saturating_sub(start)).as_secs_f64() * 1000.0)
}

/// The seats of one deal.
struct Peers {
    deals: Vec<(Seat, Deal)>,
    rng: ChaCha20Rng,
    /// Who has prepared its turn.
    waited: SeatSet,
}

/// What one request cost.
struct Cost {
    outcome: DeckOutcome,
    wait: f64,
    bytes: usize,
}

impl Peers {
    /// Asks every seat and waits for the outcome.
    fn ask(&mut self, request: &DeckRequest, times: &mut Times) -> Result<Cost, BenchError> {
        let mut slowest = 0.0f64;
        for (_, deal) in &mut self.deals {
            let (done, ms) = timed(|| deal.request(request));
            done?;
            slowest = slowest.max(ms);
        }
        let (mut wait, mut bytes) = (slowest, 0);
        loop {
            let (mut messages, mut slowest) = (Vec::new(), 0.0f64);
            let mut mixing = false;
            for (seat, deal) in &mut self.deals {
                if !deal.awaits().contains(*seat) {
                    continue;
                }
                mixing = deal.step() == Some(StepKind::Mix);
                let (message, ms) = timed(|| deal.contribute(&mut self.rng));
                let message = message?;
                bytes += message.len();
                messages.push((*seat, message));
                slowest = slowest.max(ms);
                if mixing {
                    let (bare, ms) = timed(|| deal.mask_alone());
                    std::hint::black_box(bare?);
                    times.mask.push(ms);
                    // The first of a chain has had no time to prepare.
                    if !self.waited.contains(*seat) {
                        times.prove.push(slowest);
                    }
                }
            }
            for (seat, deal) in &mut self.deals {
                if mixing && !deal.awaits().contains(*seat) && !self.waited.contains(*seat) {
                    let ((), ms) = timed(|| deal.prepare());
                    times.prepare.push(ms);
                    self.waited = self.waited.with(*seat);
                }
            }
            wait += slowest;
            let mut slowest = 0.0f64;
            let mut outcome = None;
            for (seat, deal) in &mut self.deals {
                let own = deal.awaits().contains(*seat);
                let (settled, ms) = timed(|| deal.settle(messages.clone()));
                outcome = settled?;
                slowest = slowest.max(ms);
                if mixing && !own {
                    times.verify.push(ms);
                }
            }
            wait += slowest;
            if let Some(outcome) = outcome {
                return Ok(Cost {
                    outcome,
                    wait,
                    bytes,
                });
            }
        }
    }
}

fn one_deal(
    players: u8,
    number: u32,
    decks: &[Deck],
    sealed: SeatSet,
) -> Result<Times, BenchError> {
    let mut times = Times::default();
    let table = [17; 32];
    let context = DealContext {
        table,
        number,
        seats: players,
        people: SeatSet::first(usize::from(players)),
        game: Shamans::NAME.into(),
    };
    let mut peers = Peers {
        deals: Vec::new(),
        rng: ChaCha20Rng::seed_from_u64(u64::from(number)),
        waited: SeatSet::EMPTY,
    };
    for seat in context.people.iter() {
        let seed = DealSeed::derive(&[seat.0; 32], &table, number);
        peers
            .deals
            .push((seat, Deal::new(context.clone(), Some((seat, seed)))?));
    }
    let shuffle = DeckRequest::Shuffle {
        decks: decks.to_vec(),
        sealed,
    };
    let cost = peers.ask(&shuffle, &mut times)?;
    (times.deal, times.bytes) = (cost.wait, cost.bytes);

    // The largest deck is dealt out evenly, as the hands are; one card of the second to each seat, as the identities.
    let mut slots = Vec::new();
    let largest = decks
        .iter()
        .max_by_key(|deck| deck.size)
        .ok_or(BenchError::NoDecks)?;
    let each = largest.size / u16::from(players);
    for seat in context.people.iter() {
        for i in 0..each {
            let slot = Slot(largest.first.0 + u16::from(seat.0) * each + i);
            slots.push((slot, Audience::One(seat)));
        }
        if let Some(deck) = decks.iter().find(|deck| deck.size == u16::from(players)) {
            slots.push((deck.first.after(seat.index()), Audience::One(seat)));
        }
    }
    let cost = peers.ask(&DeckRequest::Open { slots }, &mut times)?;
    (times.hands, times.hands_bytes) = (cost.wait, cost.bytes);

    for i in 0..each {
        let slot = Slot(largest.first.0 + i);
        let Peers { deals, rng, .. } = &mut peers;
        let [(holder, first), (_, second), ..] = deals.as_mut_slice() else {
            return Err(BenchError::Unexpected);
        };
        let (made, make) = timed(|| first.claim(slot, rng));
        let (claim, proof) = made?;
        let (checked, check) = timed(|| second.check_claim(*holder, &claim, &proof));
        checked.map_err(DealError::from)?;
        times.play.push(make + check);
        for (_, deal) in deals {
            deal.open_claim(Seat(0), &claim, &proof)
                .map_err(DealError::from)?;
        }
    }

    let cost = peers.ask(&DeckRequest::Reveal, &mut times)?;
    let DeckOutcome::Revealed(_) = cost.outcome else {
        return Err(BenchError::Unexpected);
    };
    let (_, deal) = peers.deals.first().ok_or(BenchError::Unexpected)?;
    let (verdict, ms) = timed(|| deal.audit());
    if !verdict?.is_complete() {
        return Err(BenchError::Unexpected);
    }
    times.audit = ms;

    const MULTIPLICATIONS: u32 = 200;
    let (byte, ms) = timed(|| measure::multiply(MULTIPLICATIONS, [9; 32]));
    std::hint::black_box(byte);
    times.mul = ms / f64::from(MULTIPLICATIONS);
    Ok(times)
}
