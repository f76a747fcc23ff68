//! What `peer` and `play` share: how to come to a table, and when it is over.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use shamans_core::game::{Seat, SeatSet};
use shamans_core::shamans::{Data, Setup, Shamans};
use shamans_core::table::Options;
use shamans_net::identity::clean_name;
use shamans_net::invite::Invite;
use shamans_net::session::{Request, Session, SessionConfig, SessionEvent, Whereto};
use shamans_net::store::{KnownPeers, write_atomically};
use shamans_net::swarm::dialable;
use shamans_net::words::tr;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::lan::{Installation, Stopped, externals, listen_on};

/// Where to sit down.
#[derive(clap::Args)]
pub struct TableArgs {
    #[command(flatten)]
    pub installation: Installation,
    /// Open a table of this name.
    #[arg(long, value_name = "NAME", conflicts_with = "join")]
    create: Option<String>,
    /// Seats of the new table, phantoms included.
    #[arg(long, default_value_t = 3, requires = "create")]
    seats: u8,
    /// How many of the seats are phantoms'.
    #[arg(long, default_value_t = 0, requires = "create")]
    phantoms: u8,
    /// The new table is by invitation only.
    #[arg(long, requires = "create")]
    private: bool,
    /// Seconds to wait for a player who is gone before the others may go on.
    #[arg(long, default_value_t = 60, requires = "create")]
    grace: u32,
    /// Join a table by invite code, by address, by its name on the list, or by the name of somebody who sits there.
    #[arg(long, value_name = "CODE|ADDRESS|NAME")]
    join: Option<String>,
    /// Only watch.
    #[arg(long, requires = "join")]
    watch: bool,
    /// Begin anew even if an unfinished game lies in the data folder.
    #[arg(long)]
    fresh: bool,
    /// Listen here (address, port or both) instead of everywhere.
    #[arg(long, value_name = "ADDRESS[:PORT]|PORT")]
    listen: Option<String>,
    /// Be reachable through this relay (`shamans-table relay`), for players beyond this network.
    #[arg(long, value_name = "CODE|ADDRESS")]
    relay: Option<String>,
    /// The address by which others reach this machine from outside, if a router forwards a port to it.
    #[arg(long, value_name = "ADDRESS[:PORT]")]
    external: Vec<String>,
    /// Neither announce nor look for tables on the network; invite codes and addresses still work.
    #[arg(long)]
    no_mdns: bool,
    /// Keep the record of the game in this file too.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// How many seconds to stay after the game, for those who have not got its end yet.
    #[arg(long, default_value_t = 5, value_name = "SECONDS")]
    stay: u64,
}

/// Who sits down.
pub enum Player {
    /// A person, who is asked.
    Person,
    /// A program that agrees to everything and plays by itself.
    Bot {
        /// Who runs it, as everyone is told.
        operator: String,
    },
}

/// A session on its way to a table, at it, and after the game.
pub struct Seated {
    pub session: Session<Shamans>,
    pub events: mpsc::UnboundedReceiver<SessionEvent<Shamans>>,
    /// When to get up, once the game is over.
    pub leave_at: Option<Instant>,
    record: Option<PathBuf>,
    stay: Duration,
    code: ExitCode,
}

impl Seated {
    /// What an event means for staying: ends a session without a seat, keeps the record of a game. False when all is over.
    pub fn hear(&mut self, event: &SessionEvent<Shamans>) -> Result<bool, Stopped> {
        match event {
            SessionEvent::OtherVersion(_) => self.code = ExitCode::from(2),
            SessionEvent::NoSeat(_) => self.session.request(Request::Close),
            SessionEvent::Over { record, .. } => {
                if let Some(file) = &self.record {
                    write_atomically(file, record)?;
                }
                self.code = ExitCode::SUCCESS;
                self.leave_at = Some(Instant::now() + self.stay);
            }
            SessionEvent::Left { .. } => {
                self.code = ExitCode::SUCCESS;
                self.leave_at = Some(Instant::now() + self.stay);
            }
            SessionEvent::Closed => return Ok(false),
            SessionEvent::Reachable { .. }
            | SessionEvent::Unreachable { .. }
            | SessionEvent::Nearby { .. }
            | SessionEvent::Trouble(_)
            | SessionEvent::Stuck(_)
            | SessionEvent::RelayLost(_)
            | SessionEvent::ChangedKey { .. }
            | SessionEvent::Copy
            | SessionEvent::Said { .. }
            | SessionEvent::Room(_)
            | SessionEvent::Proposed
            | SessionEvent::Ready(_)
            | SessionEvent::Phrase(_)
            | SessionEvent::Seated { .. }
            | SessionEvent::Happened { .. }
            | SessionEvent::Revealed { .. }
            | SessionEvent::Now(_)
            | SessionEvent::Notice(_)
            | SessionEvent::Refused(_)
            | SessionEvent::Link { .. } => {}
        }
        Ok(true)
    }

    /// Time has passed: gets up if that is due.
    pub fn leave_if_due(&mut self) {
        if self.leave_at.is_some_and(|at| at <= Instant::now()) {
            self.leave_at = None;
            self.session.request(Request::Close);
        }
    }

    /// 0: a game is over; 1: there was none; 2: it could not be tried.
    pub fn code(&self) -> ExitCode {
        self.code
    }
}

impl TableArgs {
    /// Starts a session and asks for the table.
    pub fn sit_down(self, player: Player) -> Result<Seated, Stopped> {
        let (ip, port) = listen_on(self.listen.as_deref())?;
        let name = clean_name(&self.installation.name())?;
        let (store, identity) = self.installation.open()?;
        let request = self.request(&store.peers()?)?;
        let unfinished = if self.fresh {
            None
        } else {
            store.tables()?.into_iter().next()
        };
        let (auto, operator) = match player {
            Player::Person => (false, None),
            Player::Bot { operator } => (true, Some(clean_name(&operator)?)),
        };
        let config = SessionConfig {
            name,
            operator,
            ip,
            port,
            external: externals(&self.external)?,
            mdns: !self.no_mdns,
            auto_ready: auto,
            auto_go_on: auto,
            lot: None,
            accepts,
        };
        let (session, events) = Session::start(&identity, Some(store), config)?;
        if let Some(relay) = self.relay {
            session.request(Request::Relay(relay));
        }
        match (unfinished, request) {
            (Some(table), _) => session.request(Request::Resume { table }),
            (None, Some(request)) => session.request(request),
            (None, None) => return Err(Stopped::NothingToDo),
        }
        Ok(Seated {
            session,
            events,
            leave_at: None,
            record: self.record,
            stay: Duration::from_secs(self.stay),
            code: ExitCode::from(1),
        })
    }

    fn request(&self, met: &KnownPeers) -> Result<Option<Request<Shamans>>, Stopped> {
        if let Some(name) = &self.create {
            if !(3..=5).contains(&self.seats) || self.phantoms >= self.seats {
                return Err(Stopped::BadSeats);
            }
            let people = self.seats - self.phantoms;
            let phantoms: SeatSet = (people..self.seats).map(Seat).collect();
            return Ok(Some(Request::Open {
                name: clean_name(name)?,
                setup: Setup::new(self.seats).with_phantoms(phantoms),
                phantoms: (0..self.seats).map(|seat| seat >= people).collect(),
                options: Options {
                    grace_ms: self.grace.saturating_mul(1000),
                    ..Options::default()
                },
                private: self.private,
            }));
        }
        let Some(text) = &self.join else {
            return Ok(None);
        };
        let by_name = met
            .iter()
            .any(|known| known.name.to_lowercase() == text.to_lowercase());
        let at = match dialable(text) {
            Ok(target) => Whereto::At(target),
            // Whoever was met before can be asked even where nobody is heard.
            Err(_) if by_name => Whereto::Named(text.clone()),
            // Not an address and no code: then it is a name, unless it could only have been meant as a code.
            Err(error) if Invite::looks_like(text) && text.chars().any(|c| c.is_ascii_digit()) => {
                return Err(error.into());
            }
            Err(error) if self.no_mdns => return Err(error.into()),
            Err(_) => Whereto::Named(text.clone()),
        };
        Ok(Some(Request::Join {
            at,
            watch: self.watch,
        }))
    }
}

/// The same numbers and names, or none.
fn accepts(setup: &Setup) -> Result<(), String> {
    if setup.data == Data::shipped() {
        Ok(())
    } else {
        Err(tr(
            "the table plays with other numbers or names than this installation has",
        ))
    }
}
