//! Getting up in the middle of a game: the player is free at once, the others know and play on.

use std::net::Ipv4Addr;
use std::time::Duration;

use shamans_core::bot::Skill;
use shamans_core::shamans::{Setup, Shamans};
use shamans_core::table::{Happening, Options};
use tokio::sync::mpsc::UnboundedReceiver;

use super::super::{Request, Session, SessionConfig, SessionEvent, Whereto};
use crate::identity::Identity;
use crate::swarm::Target;

const PATIENCE: Duration = Duration::from_secs(60);

/// One player, who takes any move that is awaited of them.
struct Player {
    session: Session<Shamans>,
    events: UnboundedReceiver<SessionEvent<Shamans>>,
}

fn player(number: u8) -> Player {
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
    let (session, events) = Session::start(&identity, None, config).expect("loopback");
    Player { session, events }
}

impl Player {
    /// Plays until something has been heard.
    async fn until(
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

    fn open(&self) {
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_a_game_is_free_for_another_table() {
    let mut first = player(1);
    let reachable = |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Reachable { .. });
    let SessionEvent::Reachable { invite, .. } = first.until(reachable).await else {
        unreachable!("that was waited for")
    };
    first.open();
    let (mut second, mut third) = (player(2), player(3));
    for guest in [&second, &third] {
        let at = Whereto::At(Target::Invite(invite));
        guest.session.request(Request::Join { at, watch: false });
    }
    let begun =
        |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Now(now) if now.step > 12);
    tokio::join!(first.until(begun), second.until(begun), third.until(begun));

    third.session.request(Request::Leave);
    // Free at once: what is left of the old table goes on by itself.
    third.open();
    let room = |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Room(room) if room.members.len() == 1);
    third.until(room).await;
    let left =
        |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Left { for_good: true, .. });
    let told = |event: &SessionEvent<Shamans>| {
        matches!(
            event,
            SessionEvent::Happened {
                happening: Happening::Left(_),
                ..
            }
        )
    };
    tokio::join!(first.until(told), second.until(told), third.until(left));
    // And those who stay play on.
    let later =
        |event: &SessionEvent<Shamans>| matches!(event, SessionEvent::Now(now) if now.step > 40);
    tokio::join!(first.until(later), second.until(later));
}
