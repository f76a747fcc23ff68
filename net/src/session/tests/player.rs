//! A player at a real table on loopback, who takes any move that is awaited of them.

use std::net::Ipv4Addr;
use std::time::Duration;

use shamans_core::bot::Skill;
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::Options;
use tokio::sync::mpsc::UnboundedReceiver;

use super::super::{Request, Session, SessionConfig, SessionEvent};
use crate::identity::Identity;
use crate::invite::Invite;
use crate::store::Store;

const PATIENCE: Duration = Duration::from_secs(60);

/// One player.
pub(super) struct Player {
    pub(super) session: Session<Shamans>,
    events: UnboundedReceiver<SessionEvent<Shamans>>,
}

pub(super) fn player(number: u8) -> Player {
    player_with(number, None)
}

/// One who keeps things on disk.
pub(super) fn player_with(number: u8, store: Option<Store>) -> Player {
    let config = SessionConfig {
        operator: None,
        name: format!("Player {number}"),
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
        mdns: false,
        external: Vec::new(),
        auto_ready: true,
        auto_go_on: true,
        lot: Some([number; 32]),
        accepts: |_| Ok(()),
    };
    let identity = Identity::from_seed(&[number; 32]);
    let (session, events) = Session::start(&identity, store, config).expect("loopback");
    Player { session, events }
}

impl Player {
    /// The code by which others find this player.
    pub(super) async fn invite(&mut self) -> Invite {
        let reachable =
            |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Reachable { .. });
        let SessionEvent::Reachable { invite, .. } = self.until(reachable).await else {
            unreachable!("that was waited for")
        };
        invite
    }

    /// Plays until something has been heard.
    pub(super) async fn until(
        &mut self,
        heard: impl Fn(&SessionEvent<Shamans>) -> bool,
    ) -> SessionEvent<Shamans> {
        let mut rng = rand::rng();
        loop {
            let event = tokio::time::timeout(PATIENCE, self.events.recv()).await;
            let event = event.expect("not for ever").expect("goes on");
            if let SessionEvent::Now(now) = &event
                && now.my_turn
                && let Some(action) = Skill::Random
                    .bot()
                    .choose(&now.game.view(now.me, &now.known), &mut rng)
            {
                self.session.request(Request::Act(action));
            }
            if heard(&event) {
                return event;
            }
        }
    }

    pub(super) fn open(&self) {
        self.session.request(Request::Open {
            name: "Night".to_owned(),
            setup: Setup::new(3),
            phantoms: vec![false; 3],
            options: Options {
                draw_seats: false,
                ..Options::default()
            },
            private: false,
        });
    }
}
