//! What a player cannot do now is refused, and nothing is lost by having asked.

use shamans_core::shamans::{Action, Shamans};

use super::super::{Request, SessionEvent, Whereto};
use super::player::player;
use crate::swarm::Target;

type Event = SessionEvent<Shamans>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_sits_at_a_table_opens_and_joins_no_other() {
    let mut host = player(21);
    let at = Whereto::At(Target::Invite(host.invite().await));
    let refused = |event: &Event| matches!(event, SessionEvent::Refused(_));
    let again = |event: &Event| matches!(event, SessionEvent::Room(_) | SessionEvent::Refused(_));
    host.open();
    host.until(|event| matches!(event, SessionEvent::Room(_)))
        .await;
    host.open();
    let heard = host.until(again).await;
    assert!(refused(&heard), "another table in its place: {heard:?}");
    let (mut second, mut third) = (player(22), player(23));
    for guest in [&second, &third] {
        let at = at.clone();
        guest.session.request(Request::Join { at, watch: false });
    }
    let begun = |event: &Event| matches!(event, SessionEvent::Now(now) if now.step > 12);
    tokio::join!(host.until(begun), second.until(begun), third.until(begun));
    // In the middle of a game neither: it goes on.
    second.open();
    second.until(refused).await;
    second.session.request(Request::Join { at, watch: false });
    second.until(refused).await;
    let later = |event: &Event| matches!(event, SessionEvent::Now(now) if now.step > 20);
    tokio::join!(host.until(later), second.until(later), third.until(later));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_a_refused_move_it_is_told_how_things_stand() {
    let mut host = player(24);
    let at = Whereto::At(Target::Invite(host.invite().await));
    host.open();
    let (mut second, mut third) = (player(25), player(26));
    for guest in [&second, &third] {
        let at = at.clone();
        guest.session.request(Request::Join { at, watch: false });
    }
    let begun = |event: &Event| matches!(event, SessionEvent::Now(now) if now.step > 12);
    tokio::join!(host.until(begun), second.until(begun), third.until(begun));
    // Nobody is asked for this now.
    host.session.request(Request::Act(Action::Spare));
    host.until(|event| matches!(event, SessionEvent::Refused(_)))
        .await;
    let next = host.until(|_| true).await;
    assert!(matches!(next, SessionEvent::Now(_)), "{next:?}");
}
