//! Plays a scenario: the game, a dealer that sees all, and what has happened since the last move.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use shamans_core::{
    game::{Awaits, ClearDealer, DeckRequest, Game, Known, Seat, Slot},
    shamans::{Decision, Event, Shamans, View},
};

use super::{
    Finding, Report,
    grammar::{Lexicon, filled},
    happening::sayings,
    line::{Deed, Move, Step},
    parse::Parsed,
    position::Start,
    tell::{self, Reason},
};

mod acts;
mod checks;

/// The table of one scenario.
#[derive(Clone)]
pub(super) struct Stage<'a> {
    pub(super) game: Shamans,
    pub(super) dealer: ClearDealer,
    rng: ChaCha8Rng,
    lexicon: &'a Lexicon,
    /// Since the last move.
    pub(super) events: Vec<Event>,
    /// How many of those a line has already named.
    told: usize,
}

/// Plays all lines, up to a move that is not allowed.
pub(super) fn run(parsed: &Parsed) -> Report {
    let mut report = Report::default();
    let Some(mut stage) = Stage::new(parsed) else {
        report.findings.push(Finding {
            line: 1,
            expected: "a position that was checked".to_string(),
            found: "one that cannot be built".to_string(),
        });
        return report;
    };
    for (line, step) in &parsed.steps {
        let outcome = match step {
            Step::Move(wanted) => {
                report.moves += 1;
                stage.carry_out(wanted)
            }
            Step::Refused(wanted, reason) => {
                report.checks += 1;
                stage.refuses(wanted, reason)
            }
            Step::Holds(check) => {
                report.checks += 1;
                stage.holds(check)
            }
            Step::HoldsNot(check) => {
                report.checks += 1;
                stage.holds_not(check)
            }
        };
        if let Err((expected, found)) = outcome {
            report.findings.push(Finding {
                line: *line,
                expected,
                found,
            });
            if matches!(step, Step::Move(_)) {
                break;
            }
        }
    }
    report
}

/// Expected and found.
pub(super) type Wrong = (String, String);

impl<'a> Stage<'a> {
    pub(super) fn new(parsed: &'a Parsed) -> Option<Stage<'a>> {
        let (game, dealer) = match &parsed.start {
            Start::Dealt(setup) => {
                let game = Shamans::new(setup).ok()?;
                let seats = game.seats();
                (game, ClearDealer::new(seats))
            }
            Start::Position(position) => position.build().ok()?,
        };
        let mut stage = Stage {
            game,
            dealer,
            rng: ChaCha8Rng::seed_from_u64(parsed.seed),
            lexicon: &parsed.lexicon,
            events: Vec::new(),
            told: 0,
        };
        stage.serve(false).ok()?;
        Some(stage)
    }

    /// Answers the decks until seats are asked or the round is over: then the table stops with everything shown,
    /// until it is closed.
    fn serve(&mut self, close: bool) -> Result<(), Wrong> {
        let mut close = close;
        while let Awaits::Decks(request) = self.game.awaits() {
            if *request == DeckRequest::Reveal && !std::mem::take(&mut close) {
                return Ok(());
            }
            let outcome = self.dealer.answer(request, &mut self.rng);
            let outcome = outcome.map_err(|error| broken(error.to_string()))?;
            let events = self.game.supply(outcome);
            self.events
                .extend(events.map_err(|error| broken(error.to_string()))?);
        }
        Ok(())
    }

    /// Everything that lies on the table, face down or not.
    fn all(&self) -> Known {
        let mut known = Known::new();
        for slot in (0..1024).map(Slot) {
            if let Some(face) = self.dealer.face(slot) {
                known.learn(slot, face);
            }
        }
        known
    }

    fn view<'b>(&'b self, seat: Seat, known: &'b Known) -> View<'b> {
        self.game.view(Some(seat), known)
    }

    fn name(&self, seat: Seat) -> String {
        tell::name(seat, self.lexicon)
    }

    /// Carries a move out, or says why it cannot be.
    fn attempt(&mut self, wanted: &Move) -> Result<(), Reason> {
        let before = self.events.len();
        let events = match *wanted {
            Move::Act(seat, deed) => self.act(seat, deed)?,
            Move::GoesAway(seat) => self.game.stand_in(seat).map_err(Reason::Rules)?,
            Move::ComesBack(seat) => self.game.take_back(seat).map_err(Reason::Rules)?,
            Move::Void => self.game.void_round().map_err(Reason::Rules)?,
            Move::EveryoneDeclines => {
                while let Some(&Decision::React {
                    seat,
                    waiting: _,
                    moment: _,
                }) = self.game.decision()
                {
                    let events = self.act(seat, Deed::Decline)?;
                    self.events.extend(events);
                }
                Vec::new()
            }
            Move::Close => Vec::new(),
        };
        self.events.extend(events);
        self.events.drain(..before);
        self.told = 0;
        Ok(())
    }

    pub(super) fn carry_out(&mut self, wanted: &Move) -> Result<(), Wrong> {
        let is_closing = *wanted == Move::Close;
        let ended = matches!(self.game.awaits(), Awaits::Decks(DeckRequest::Reveal));
        if is_closing && !ended {
            return Err(("a round that has ended".to_string(), self.asked()));
        }
        if *wanted == Move::EveryoneDeclines
            && !matches!(self.game.decision(), Some(Decision::React { .. }))
        {
            return Err(("somebody asked for a portal".to_string(), self.asked()));
        }
        match self.attempt(wanted) {
            Ok(()) => self.serve(is_closing),
            Err(reason) => Err((
                "a move that is allowed".to_string(),
                format!(
                    "it refused ({}), with {}",
                    tell::reason(reason),
                    self.asked()
                ),
            )),
        }
    }

    fn refuses(&mut self, wanted: &Move, reason: &str) -> Result<(), Wrong> {
        let mut trial = self.clone();
        let expected = format!("it refused ({reason})");
        match trial.attempt(wanted) {
            Err(found) if tell::reason(found) == reason => {
                if trial.game == self.game {
                    Ok(())
                } else {
                    Err((
                        "a refusal that changes nothing".to_string(),
                        "another position".to_string(),
                    ))
                }
            }
            Err(found) => Err((expected, format!("it refused ({})", tell::reason(found)))),
            Ok(()) => Err((expected, "it allowed".to_string())),
        }
    }

    fn asked(&self) -> String {
        let known = Known::new();
        tell::asked(&self.game, &self.game.view(None, &known), self.lexicon)
    }

    /// What happened since the last move, in the words of the format.
    fn story(&self) -> String {
        let told = self.events.iter().filter_map(|event| {
            let fullest = sayings(event).into_iter().next()?;
            Some(filled(fullest.pattern, &fullest.values, self.lexicon))
        });
        let told: Vec<String> = told.collect();
        if told.is_empty() {
            "that nothing happened".to_string()
        } else {
            told.join("; ")
        }
    }
}

fn broken(error: String) -> Wrong {
    ("decks that answer".to_string(), error)
}
