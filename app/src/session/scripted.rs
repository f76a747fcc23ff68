//! The table of a scenario file: what its lines say happens, and the player makes the moves of one seat. For tests and pictures, which
//! come so to any position that the rules know.

use std::time::Instant;

use shamans_net::scenario::{Scenario, Walk};

use super::{look::look, snapshot::Update, worker::Command};
use crate::pieces::{Event, Seat};

/// A scenario, and whose eyes to see it with.
#[derive(Debug, Clone)]
pub struct Script {
    scenario: Scenario,
    me: Seat,
    names: Vec<String>,
}

impl Script {
    /// Reads a scenario; `name` is the player's in it, or else the first.
    pub fn read(bytes: &[u8], name: Option<&str>) -> Result<Script, String> {
        let scenario = Scenario::read(bytes).map_err(|flaw| flaw.to_string())?;
        let names = scenario.players().to_vec();
        let at = names.iter().position(|one| Some(one.as_str()) == name);
        Ok(Script {
            scenario,
            me: Seat(at.unwrap_or(0) as u8),
            names,
        })
    }

    /// Plays it, move by move, as the window keeps up; ends when the window is gone.
    pub async fn play(
        self,
        commands: async_channel::Receiver<Command>,
        updates: async_channel::Sender<Update>,
    ) -> Result<(), async_channel::RecvError> {
        let mut walk = self.scenario.walk().ok_or(async_channel::RecvError)?;
        let mut events = Vec::new();
        loop {
            let update = self.seen(&walk, std::mem::take(&mut events));
            updates
                .send(update)
                .await
                .map_err(|_| async_channel::RecvError)?;
            let next = walk.next_move();
            if let Some((seat, action)) = next.and_then(|next| next.by)
                && seat == self.me
                && commands.recv().await? != Command::Act(action)
            {
                // Only what stands in the file goes on; the table as it is comes back otherwise.
                continue;
            }
            match walk.advance() {
                Ok(happened) if next.is_some() => events = happened,
                // The end of the file, or a line that cannot be played: the table stands as it is.
                Ok(_) | Err(_) => commands.recv().await.map(drop)?,
            }
        }
    }

    fn seen(&self, walk: &Walk<'_>, events: Vec<Event>) -> Update {
        Update {
            events,
            check: None,
            record: None,
            advice: None,
            said: Vec::new(),
            table: walk.look(self.me, |view| look(view, self.me, &self.names)),
            settled: Instant::now(),
        }
    }
}
