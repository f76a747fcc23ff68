//! `shamans-table play`: a person at the table, by typing. Plain lines only, for screen readers, ssh and tests.

use std::io::BufRead;
use std::process::ExitCode;

use shamans_core::game::Seat;
use shamans_core::shamans::{Action, Shamans};
use shamans_core::table::{Line, Notice, Remedy};
use shamans_net::account::{artefact_name, role_name};
use shamans_net::session::{Request, SessionEvent, Snapshot};
use shamans_net::words::{fill, fill_n, mark, tr, tr_n};
use tokio::sync::mpsc;

use super::lan::{self, Stopped};
use super::seat::{Player, Seated, TableArgs};
use super::teller::Teller;

const HELP: &str = mark(
    "Type the number of a choice, or: hand, me, state, say WORDS, wait, on, void, again, leave, quit, help.",
);

/// Arguments of `play`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,
}

/// Plays. 0: the game is over; 1: there was no game, or it was left; 2: it could not be tried.
pub fn run(args: Args) -> ExitCode {
    lan::block_on(play(args))
}

async fn play(args: Args) -> Result<ExitCode, Stopped> {
    let mut person = Person {
        seated: args.table.sit_down(Player::Person)?,
        teller: Teller::new(false),
        now: None,
        choices: Vec::new(),
        proposed: false,
        missing: None,
    };
    let mut typed = keyboard();
    let mut keyboard_open = true;
    let mut stop = std::pin::pin!(tokio::signal::ctrl_c());
    println!("{}", tr(HELP));
    loop {
        tokio::select! {
            event = person.seated.events.recv() => {
                let Some(event) = event else { break };
                // A record is kept before the end of its game is told: whoever hears of the end finds it there.
                let stays = person.seated.hear(&event);
                person.hear(&event);
                if !stays? {
                    break;
                }
            }
            line = typed.recv(), if keyboard_open => match line {
                Some(line) => person.type_in(line.trim()),
                // The keyboard is gone (a pipe that ended): the game is not.
                None => keyboard_open = false,
            },
            _ = &mut stop => person.ask_for(Request::Close),
            () = lan::sleep_until(person.seated.leave_at) => person.seated.leave_if_due(),
        }
    }
    Ok(person.seated.code())
}

/// Lines as they are typed. Reading blocks, so it has a thread of its own, which ends with the program.
fn keyboard() -> mpsc::UnboundedReceiver<String> {
    let (lines, typed) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { break };
            if lines.send(line).is_err() {
                break;
            }
        }
    });
    typed
}

struct Person {
    seated: Seated,
    teller: Teller,
    now: Option<Box<Snapshot<Shamans>>>,
    choices: Vec<Action>,
    proposed: bool,
    missing: Option<shamans_core::game::SeatSet>,
}

impl Person {
    fn ask_for(&self, request: Request<Shamans>) {
        self.seated.session.request(request);
    }

    fn hear(&mut self, event: &SessionEvent<Shamans>) {
        self.teller.tell(event);
        match event {
            SessionEvent::Proposed => {
                self.proposed = true;
                println!("{}", tr("Press Enter when you are ready."));
            }
            SessionEvent::Seated { .. } => self.proposed = false,
            SessionEvent::Now(now) => {
                let asked = now.my_turn;
                self.now = Some(now.clone());
                self.choices.clear();
                if asked {
                    self.ask();
                }
            }
            SessionEvent::Notice(Notice::GraceOver(seats)) => {
                self.missing = Some(*seats);
                println!(
                    "{}",
                    tr(
                        "Type “on” to go on without them (a phantom plays their cards), “void” to deal the round anew, or “wait”."
                    )
                );
            }
            _other => {}
        }
    }

    /// Says whose turn it is and what can be done.
    fn ask(&mut self) {
        let Some(now) = &self.now else { return };
        let view = now.game.view(now.me, &now.known);
        self.choices = view.legal();
        println!();
        self.tell_hand();
        println!("{}", tr("Your turn:"));
        for (number, action) in self.choices.iter().enumerate() {
            println!("  {} {}", number + 1, self.describe(action));
        }
    }

    /// A choice in words; of a card to pass on, its face, which only this player knows.
    fn describe(&self, action: &Action) -> String {
        if let (Action::Give { slot }, Some(now)) = (action, &self.now) {
            let view = now.game.view(now.me, &now.known);
            if let Some((_, card)) = view.hand().find(|(held, _)| held == slot) {
                return fill("pass {card}", &[("card", &self.teller.account.card(card))]);
            }
        }
        self.teller.account.action(action)
    }

    fn type_in(&mut self, line: &str) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if let Ok(number) = word.parse::<usize>() {
            self.choose(number);
            return;
        }
        match word {
            "" if self.proposed => {
                self.proposed = false;
                self.ask_for(Request::Ready);
                println!("{}", tr("You are ready; waiting for the others."));
            }
            "" => {}
            "hand" => self.tell_hand(),
            "me" => self.tell_role(),
            "state" => self.tell_state(),
            "say" => self.ask_for(Request::Chat(Line::Words(rest.to_owned()))),
            "wait" => self.ask_for(Request::KeepWaiting),
            "on" => self.go_on(Remedy::StandIn),
            "void" => self.go_on(Remedy::Void),
            "again" => {
                self.seated.leave_at = None;
                self.ask_for(Request::Rematch);
            }
            "leave" => self.ask_for(Request::Leave),
            "quit" => self.ask_for(Request::Close),
            "help" | "?" => println!("{}", tr(HELP)),
            other => {
                let nothing = fill("“{word}” means nothing here.", &[("word", other)]);
                println!("{nothing} {}", tr(HELP));
            }
        }
    }

    fn go_on(&self, remedy: Remedy) {
        match self.missing {
            Some(seats) => self.ask_for(Request::GoOnWithout(seats, remedy)),
            None => println!("{}", tr("Nobody is missing for long enough.")),
        }
    }

    fn choose(&mut self, number: usize) {
        let Some(action) = number
            .checked_sub(1)
            .and_then(|at| self.choices.get(at))
            .copied()
        else {
            // A Portal may be used when nobody asks.
            let now = self.now.as_ref();
            let extra = now
                .map(|now| now.game.view(now.me, &now.known).legal())
                .unwrap_or_default();
            if self.choices.is_empty() && !extra.is_empty() {
                self.ask();
            } else if self.choices.is_empty() {
                println!("{}", tr("It is not your turn."));
            } else {
                let last = self.choices.len().to_string();
                println!(
                    "{}",
                    fill("There are choices 1 to {last}.", &[("last", &last)])
                );
            }
            return;
        };
        let choice = self.describe(&action);
        println!("{}", fill("You choose: {choice}.", &[("choice", &choice)]));
        self.choices.clear();
        self.ask_for(Request::Act(action));
    }

    fn tell_hand(&self) {
        let Some(now) = &self.now else {
            println!("{}", tr("There is no game yet."));
            return;
        };
        let view = now.game.view(now.me, &now.known);
        let cards: Vec<String> = view
            .hand()
            .map(|(_, card)| self.teller.account.card(card))
            .collect();
        if cards.is_empty() {
            println!("{}", tr("Your hand is empty."));
        } else {
            println!(
                "{}",
                fill("Your hand: {list}.", &[("list", &cards.join(", "))])
            );
        }
    }

    fn tell_role(&self) {
        let Some((now, me)) = self.now.as_ref().and_then(|now| Some((now, now.me?))) else {
            println!("{}", tr("You have no seat."));
            return;
        };
        match now.game.view(now.me, &now.known).role(me) {
            Some(role) => println!(
                "{}",
                fill("Your identity: {role}", &[("role", &role_name(role))])
            ),
            None => println!("{}", tr("You do not know yet what you are.")),
        }
    }

    fn tell_state(&self) {
        let Some(now) = &self.now else {
            println!("{}", tr("There is no game yet."));
            return;
        };
        let view = now.game.view(now.me, &now.known);
        let round = view.round().to_string();
        let pawn = view.pawn().to_string();
        println!(
            "{}",
            fill_n(
                "Round {round}. The pawn is on space {pawn}, 1 step from the Moon.",
                "Round {round}. The pawn is on space {pawn}, {n} steps from the Moon.",
                usize::from(view.steps_to_moon()),
                &[("round", &round), ("pawn", &pawn)],
            )
        );
        let offer: Vec<String> = view.offer().flatten().map(artefact_name).collect();
        let offer = if offer.is_empty() {
            tr("nothing")
        } else {
            offer.join(", ")
        };
        let pile = view.pile().to_string();
        println!(
            "{}",
            fill(
                "To be taken: {list}; in the pile: {pile}.",
                &[("list", &offer), ("pile", &pile)]
            )
        );
        for number in 0..view.rules().players {
            let seat = Seat(number);
            let mut parts = vec![
                tr_n("1 point", "{n} points", usize::from(view.points(seat))),
                tr_n("1 card", "{n} cards", view.hand_size(seat)),
            ];
            parts.extend(view.shown_role(seat).map(role_name));
            if view.is_eliminated(seat) {
                parts.push(tr("eliminated"));
            }
            for tile in view.tiles(seat) {
                parts.push(
                    tile.artefact
                        .map_or_else(|| tr("a face-down tile"), artefact_name),
                );
            }
            println!("{}: {}.", self.teller.account.seat(seat), parts.join(", "));
        }
        let awaited: Vec<&str> = view
            .awaited()
            .iter()
            .map(|seat| self.teller.account.seat(seat))
            .collect();
        if !awaited.is_empty() {
            println!(
                "{}",
                fill("Waiting for: {names}.", &[("names", &awaited.join(", "))])
            );
        }
    }
}
