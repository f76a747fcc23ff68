//! `shamans-table peer`: a headless player that comes to a table and plays whole games by itself.

use std::process::ExitCode;
use std::time::Duration;

use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
use shamans_core::bot::{Manners, Skill, pace};
use shamans_core::shamans::{Action, Shamans};
use shamans_core::table::{Happening, Line};
use shamans_net::identity::NoRandomness;
use shamans_net::session::{Request, SessionEvent, Snapshot};
use tokio::time::Instant;

use super::lan::{self, Stopped};
use super::seat::{Player, TableArgs};
use super::teller::Teller;

/// Arguments of `peer`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
    /// How it plays: easy, sensible or strong (or random).
    #[arg(long, value_name = "LEVEL", default_value = "sensible")]
    bot: Skill,
    /// Who runs it and can see its cards, as everyone at the table is told; the user's name if not given.
    #[arg(long, value_name = "NAME")]
    operator: Option<String>,
    /// Wait this many milliseconds before each move; if not given, it answers by a schedule that tells nothing about what it holds.
    #[arg(long, value_name = "MS")]
    pace: Option<u64>,
    /// Say nothing at the table.
    #[arg(long)]
    mute: bool,
    /// Play this many games one after another with the same people.
    #[arg(long, value_name = "N", default_value_t = 1)]
    games: u32,
    /// In JSON, tell the cards in hand and the identity with every step.
    #[arg(long, requires = "json")]
    show_hand: bool,
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
    let wait = match (pace, view.decision()) {
        (Some(pace), _) => pace,
        (None, Some(decision)) => pace::answer_at(decision, 0, thought),
        (None, None) => 0,
    };
    Some((opened + Duration::from_millis(wait), action))
}

async fn play(args: Args) -> Result<ExitCode, Stopped> {
    let operator = args.operator.unwrap_or_else(lan::user);
    let mut seated = args.table.sit_down(Player::Bot { operator })?;
    let mut manners: Option<Manners> = None;
    let mut teller = Teller::new(args.json);
    teller.hand = args.show_hand;
    let mut rng = ChaCha20Rng::from_seed(seed()?);
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    let mut waiting: Option<(Instant, Action)> = None;
    let mut games = args.games;
    let mut asked: Option<Action> = None;
    loop {
        let due = [waiting.as_ref().map(|(at, _)| *at), seated.leave_at]
            .into_iter()
            .flatten()
            .min();
        tokio::select! {
            event = seated.events.recv() => {
                let Some(event) = event else { break };
                // As in `play`: first the record, then the news of the end.
                let stays = seated.hear(&event);
                teller.tell(&event);
                if !stays? {
                    break;
                }
                if let SessionEvent::Seated { me: Some(me), .. } = &event {
                    manners = (!args.mute).then(|| Manners::new(*me));
                } else if let SessionEvent::Happened { happening: Happening::Event { event, .. }, .. } = &event
                    && let Some(phrase) = manners.as_mut().and_then(|manners| manners.hear(event, &mut rng))
                {
                    seated.session.request(Request::Chat(Line::Phrase(phrase)));
                }
                if matches!(event, SessionEvent::Over { .. }) {
                    games = games.saturating_sub(1);
                    if games > 0 {
                        seated.leave_at = None;
                        seated.session.request(Request::Rematch);
                    }
                } else if matches!(event, SessionEvent::Refused(_)) {
                    // The step was being settled: the same answer again, a moment later.
                    let at = Instant::now() + Duration::from_millis(200);
                    waiting = waiting.or_else(|| asked.take().map(|action| (at, action)));
                } else if let SessionEvent::Now(now) = event {
                    waiting = if now.my_turn {
                        think(args.bot, args.pace, &now, &mut rng)
                    } else {
                        None
                    };
                }
            }
            _ = &mut stop => seated.session.request(Request::Close),
            () = lan::sleep_until(due) => {
                seated.leave_if_due();
                if waiting.as_ref().is_some_and(|(at, _)| *at <= Instant::now())
                    && let Some((_, action)) = waiting.take()
                {
                    seated.session.request(Request::Act(action));
                    asked = Some(action);
                }
            }
        }
    }
    Ok(seated.code())
}

fn seed() -> Result<[u8; 32], NoRandomness> {
    let mut seed = [0u8; 32];
    getrandom::fill(&mut seed).map_err(|_| NoRandomness)?;
    Ok(seed)
}
