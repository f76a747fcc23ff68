//! Another game with the same people.

use shamans_core::shamans::Shamans;

use super::super::{Request, SessionEvent, Whereto};
use super::player::player;
use crate::swarm::Target;

type Event = SessionEvent<Shamans>;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rematch_can_be_asked_for_more_than_once() {
    let mut host = player(31);
    let at = Whereto::At(Target::Invite(host.invite().await));
    host.open();
    let (mut second, mut third) = (player(32), player(33));
    for guest in [&second, &third] {
        let at = at.clone();
        guest.session.request(Request::Join { at, watch: false });
    }
    let over = |event: &Event| matches!(event, SessionEvent::Over { .. });
    tokio::join!(host.until(over), second.until(over), third.until(over));
    second.session.request(Request::Rematch);
    second.session.request(Request::Rematch);
    host.session.request(Request::Rematch);
    let answered =
        |event: &Event| matches!(event, SessionEvent::Room(_) | SessionEvent::Refused(_));
    let heard = tokio::join!(host.until(answered), second.until(answered)).1;
    assert!(matches!(heard, SessionEvent::Room(_)), "{heard:?}");
}
