//! `shamans-table peer`: a headless player that comes to a table and plays whole games by itself.

use std::process::ExitCode;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use shamans_core::bot::{Skill, pace};
use shamans_core::shamans::{Action, Shamans};
use shamans_net::identity::NoRandomness;
use shamans_net::session::{Request, SessionEvent, Snapshot};
use tokio::time::Instant;

use super::lan::{self, Stopped};
use super::seat::{Seated, TableArgs, Teller, keep_record};

/// Arguments of `peer`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// How it plays: easy, sensible or strong (or random).
    #[arg(long, value_name = "LEVEL", default_value = "sensible")]
    bot: Skill,
    /// Wait this many milliseconds before each move; if not given, a strong bot answers by a schedule that tells nothing about what
    /// it holds, and others at once.
    #[arg(long, value_name = "MS")]
    pace: Option<u64>,
    /// Play this many games one after another with the same people.
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u32,
    /// Print events as JSON lines.
    #[arg(long)]
    json: bool,
}

/// Plays. 0: the game is over; 1: there was no game; 2: it could not be tried.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(play(args))
}

/// Thinks at once, and says when to answer: by what everyone sees, whatever the thinking took.
fn think(
    bot: Skill,
    pace: Option<u64>,
    now: &Snapshot<Shamans>,
    rng: &mut ChaCha20Rng,
) -> Option<(Instant, Action)> {
    let opened = Instant::now();
    let view = now.game.view(now.me, &now.known);
    let action = bot.bot().choose(&view, rng)?;
    let thought = opened.elapsed().as_millis() as u64;
    let wait = match (pace, bot, view.decision()) {
        (Some(pace), _, _) => pace,
        (None, Skill::Strong, Some(decision)) => pace::answer_at(decision, 0, thought),
        (None, Skill::Random | Skill::Easy | Skill::Sensible | Skill::Strong, _) => 0,
    };
    Some((opened + Duration::from_millis(wait), action))
}

async fn play(args: Args) -> Result<ExitCode, Stopped> {
    let Seated {
        session,
        mut events,
        record,
        stay,
    } = args.table.sit_down(true)?;
    let mut teller = Teller::new(args.json);
    let mut rng = ChaCha20Rng::from_seed(seed()?);
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    let mut waiting: Option<(Instant, Action)> = None;
    let mut games = args.games;
    let mut asked: Option<Action> = None;
    let mut over: Option<Instant> = None;
    let mut code = ExitCode::from(1);
    loop {
        let due = [waiting.as_ref().map(|(at, _)| *at), over]
            .into_iter()
            .flatten()
            .min();
        tokio::select! {
            event = events.recv() => {
                let Some(event) = event else { break };
                teller.tell(&event);
                match event {
                    SessionEvent::Now(now) => {
                        waiting = if now.my_turn { think(args.bot, args.pace, &now, &mut rng) } else { None };
                    }
                    // The step was being settled: the same answer again, a moment later.
                    SessionEvent::Refused(_) => {
                        let at = Instant::now() + Duration::from_millis(200);
                        waiting = waiting.or_else(|| asked.take().map(|action| (at, action)));
                    }
                    SessionEvent::NoSeat(_) => session.request(Request::Close),
                    SessionEvent::Over { record: bytes, .. } => {
                        keep_record(record.as_ref(), &bytes)?;
                        code = ExitCode::SUCCESS;
                        games = games.saturating_sub(1);
                        if games == 0 {
                            over = Some(Instant::now() + stay);
                        } else {
                            session.request(Request::Rematch);
                        }
                    }
                    SessionEvent::Closed => break,
                    SessionEvent::Reachable { .. }
                    | SessionEvent::Nearby { .. }
                    | SessionEvent::Trouble(_)
                    | SessionEvent::ChangedKey { .. }
                    | SessionEvent::Copy
                | SessionEvent::Said { .. }
                    | SessionEvent::Room(_)
                    | SessionEvent::Proposed
                    | SessionEvent::Ready(_)
                    | SessionEvent::Phrase(_)
                    | SessionEvent::Seated { .. }
                    | SessionEvent::Happened { .. }
                    | SessionEvent::Notice(_)
                    | SessionEvent::Link { .. } => {}
                }
            }
            _ = &mut stop => session.request(Request::Close),
            () = lan::sleep_until(due) => {
                let now = Instant::now();
                if over.is_some_and(|at| at <= now) {
                    session.request(Request::Close);
                    over = None;
                }
                if waiting.as_ref().is_some_and(|(at, _)| *at <= now)
                    && let Some((_, action)) = waiting.take()
                {
                    session.request(Request::Act(action));
                    asked = Some(action);
                }
            }
        }
    }
    Ok(code)
}

fn seed() -> Result<[u8; 32], NoRandomness> {
    let mut seed = [0u8; 32];
    getrandom::fill(&mut seed).map_err(|_| NoRandomness)?;
    Ok(seed)
}
