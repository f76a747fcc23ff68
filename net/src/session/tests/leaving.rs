//! Getting up in the middle of a game: the player is free at once, the others know and play on.

use shamans_core::shamans::Shamans;
use shamans_core::table::Happening;

use super::super::{Request, SessionEvent, Whereto};
use super::player::player;
use crate::swarm::Target;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_leaves_a_game_is_free_for_another_table() {
    let mut first = player(1);
    let invite = first.invite().await;
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
