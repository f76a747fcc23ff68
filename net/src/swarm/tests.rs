//! Nodes on loopback sockets: real TCP, QUIC, noise and time.

use std::net::Ipv4Addr;
use std::time::Duration;

use tokio::time::timeout;

use super::*;

/// How long a test waits for what must come: far more than it takes, for a machine that is busy with others.
const PATIENCE: Duration = Duration::from_secs(30);

struct Peer {
    node: Node,
    events: mpsc::Receiver<NodeEvent>,
}

impl Peer {
    fn start(seed: u8) -> Peer {
        Peer::start_at(seed, 0)
    }

    fn start_at(seed: u8, port: u16) -> Peer {
        let identity = Identity::from_seed(&[seed; 32]);
        let config = NodeConfig {
            name: format!("Peer {seed}"),
            ip: Some(Ipv4Addr::LOCALHOST.into()),
            port: Some(port),
        };
        let (node, events) = Node::start(&identity, config).expect("loopback can be listened on");
        Peer { node, events }
    }

    fn addresses(&self) -> Vec<Multiaddr> {
        addresses_of(Ipv4Addr::LOCALHOST.into(), self.node.port(), None)
    }

    fn want(&self, other: &Peer) {
        self.node.want(other.node.local(), other.addresses());
    }

    async fn next(&mut self, what: &str) -> NodeEvent {
        loop {
            match timeout(PATIENCE, self.events.recv()).await {
                Ok(Some(NodeEvent::Listening { .. } | NodeEvent::NotListening { .. })) => {}
                Ok(Some(event)) => return event,
                Ok(None) | Err(_) => panic!("waited for {what}"),
            }
        }
    }

    async fn up(&mut self, other: PublicId) -> Hello {
        match self.next("a link").await {
            NodeEvent::Up { peer, hello, .. } if peer == other => hello,
            event => panic!("not up: {event:?}"),
        }
    }

    async fn frame(&mut self) -> Vec<u8> {
        match self.next("a frame").await {
            NodeEvent::Frame { bytes, .. } => bytes,
            event => panic!("not a frame: {event:?}"),
        }
    }
}

#[tokio::test]
async fn a_pair_links_and_frames_arrive_whole_and_in_order() {
    let (mut a, mut b) = (Peer::start(1), Peer::start(2));
    a.want(&b);
    b.want(&a);
    assert_eq!(a.up(b.node.local()).await.name, "Peer 2");
    assert_eq!(b.up(a.node.local()).await.name, "Peer 1");
    let frames: Vec<Vec<u8>> = (1..200usize).map(|n| vec![n as u8; n * n]).collect();
    for frame in &frames {
        a.node
            .send(b.node.local(), frame.clone())
            .expect("is linked");
        b.node
            .send(a.node.local(), frame.clone())
            .expect("is linked");
    }
    for frame in &frames {
        assert_eq!(&b.frame().await, frame);
        assert_eq!(&a.frame().await, frame);
    }
}

#[tokio::test]
async fn one_who_is_wanted_by_one_side_only_is_linked_too() {
    let (mut a, mut b) = (Peer::start(3), Peer::start(4));
    a.want(&b);
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
    let (mut a, mut b) = (Peer::start(3), Peer::start(4));
    b.want(&a);
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
}

#[tokio::test]
async fn a_knock_tells_who_lives_there_or_why_nobody_does() {
    let (mut a, mut b) = (Peer::start(5), Peer::start(6));
    a.node.knock(7, b.addresses());
    assert_eq!(
        a.next("an answer").await,
        NodeEvent::Answered {
            knock: 7,
            peer: b.node.local()
        }
    );
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
    let port = free_tcp_port();
    a.node
        .knock(8, vec![with_tcp(Ipv4Addr::LOCALHOST.into(), port)]);
    match a.next("a refusal").await {
        NodeEvent::Unanswered { knock: 8, why } => {
            assert!(why.starts_with("nothing listens there"), "{why}")
        }
        event => panic!("{event:?}"),
    }
}

/// Three, as if each had the port that the next one has now; the last begins to look around, the others so much later.
async fn change_places(seed: u8, pause: Duration) {
    let mut peers = [0, 1, 2].map(|n| Peer::start(seed + n));
    let ids: Vec<PublicId> = peers.iter().map(|peer| peer.node.local()).collect();
    let places: Vec<_> = peers.iter().map(Peer::addresses).collect();
    for peer in peers.iter().rev() {
        for (id, place) in ids.iter().zip(places.iter().cycle().skip(1)) {
            peer.node.want(*id, place.clone());
        }
        tokio::time::sleep(pause).await;
    }
    for (at, peer) in peers.iter_mut().enumerate() {
        let mut linked = vec![peer.node.local()];
        while linked.len() < 3 {
            match peer.next("a link").await {
                NodeEvent::Up { peer, .. } => linked.push(peer),
                NodeEvent::Down { peer, .. } => linked.retain(|known| *known != peer),
                event => panic!("peer {at}: {event:?}"),
            }
        }
    }
}

#[tokio::test]
async fn those_who_have_changed_places_find_each_other() {
    change_places(61, Duration::ZERO).await;
}

#[tokio::test]
async fn who_is_found_before_looking_finds_the_third_all_the_same() {
    change_places(64, Duration::from_millis(300)).await;
}

fn free_tcp_port() -> u16 {
    std::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .and_then(|l| l.local_addr())
        .expect("loopback")
        .port()
}

#[tokio::test]
async fn one_who_goes_and_comes_back_is_linked_again() {
    let (mut a, mut b) = (Peer::start(9), Peer::start(8));
    a.want(&b);
    b.want(&a);
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
    let (id, port) = (b.node.local(), b.node.port());
    b.node.close();
    drop(b);
    match a.next("the end of the link").await {
        NodeEvent::Down { peer, .. } => assert_eq!(peer, id),
        event => panic!("{event:?}"),
    }
    assert_eq!(a.node.send(id, vec![1]), Err(NotLinked(id)));
    while std::net::UdpSocket::bind((Ipv4Addr::LOCALHOST, port)).is_err() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let mut b = Peer::start_at(8, port);
    a.up(id).await;
    b.up(a.node.local()).await;
    a.node.send(id, vec![1, 2]).expect("is linked");
    assert_eq!(b.frame().await, [1, 2]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_that_start_at_once_all_find_each_other() {
    for round in 0..4u8 {
        let mut peers: Vec<Peer> = (0..5).map(|n| Peer::start(20 + 5 * round + n)).collect();
        for a in &peers {
            for b in &peers {
                a.want(b);
            }
        }
        for peer in &mut peers {
            let mut ups = 0;
            while ups < 4 {
                if let NodeEvent::Up { .. } = peer.next("four links").await {
                    ups += 1;
                }
            }
        }
        for peer in &peers {
            assert_eq!(peer.node.linked().len(), 4);
        }
    }
}

#[tokio::test]
async fn a_frame_above_the_limit_never_goes_out_and_ends_the_link() {
    let (mut a, mut b) = (Peer::start(50), Peer::start(51));
    a.want(&b);
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
    a.node
        .send(b.node.local(), vec![0; FRAME_LIMIT + 1])
        .expect("is linked");
    match a.next("the end").await {
        NodeEvent::Down { why, .. } => assert_eq!(why, DownReason::Giant),
        event => panic!("{event:?}"),
    }
}

#[tokio::test]
async fn who_does_not_read_costs_bounded_memory() {
    let (mut a, mut b) = (Peer::start(52), Peer::start(53));
    a.want(&b);
    a.up(b.node.local()).await;
    b.up(a.node.local()).await;
    // B's events are not taken any more. A goes on sending until it is told that this is too slow.
    let mut sent = 0usize;
    let why = loop {
        match a.node.send(b.node.local(), vec![7; 100_000]) {
            Ok(()) => sent += 100_000,
            Err(NotLinked(_)) => break None,
        }
        match a.events.try_recv() {
            Ok(NodeEvent::Down { why, .. }) => break Some(why),
            Ok(_) | Err(_) => tokio::task::yield_now().await,
        }
        assert!(sent < 40 * QUEUE_LIMIT, "nothing stops the sender");
    };
    if let Some(why) = why {
        assert_eq!(why, DownReason::TooSlow);
    }
}

#[tokio::test]
async fn a_taken_port_is_a_sentence_and_the_default_ports_give_way() {
    let a = Peer::start(60);
    let config = NodeConfig {
        name: "B".to_owned(),
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: Some(a.node.port()),
    };
    let error = Node::start(&Identity::from_seed(&[61; 32]), config)
        .err()
        .expect("the port is taken");
    assert!(error.to_string().contains("is taken"), "{error}");
    let config = NodeConfig {
        name: "C".to_owned(),
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: None,
    };
    let (first, _events) =
        Node::start(&Identity::from_seed(&[62; 32]), config.clone()).expect("a port is free");
    let (second, _events) =
        Node::start(&Identity::from_seed(&[63; 32]), config).expect("another port is free");
    assert_ne!(first.port(), second.port());
}

#[tokio::test]
async fn half_a_port_is_none() {
    let other = std::net::UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).expect("a port is free");
    let port = other.local_addr().expect("bound").port();
    let config = NodeConfig {
        name: "Half".to_owned(),
        ip: None,
        port: Some(port),
    };
    let started = Node::start(&Identity::from_seed(&[64; 32]), config);
    assert!(matches!(started, Err(ListenError::Taken(taken)) if taken == port));
}

#[test]
fn names_of_peers_are_their_keys() {
    let id = Identity::from_seed(&[70; 32]);
    let peer = peer_id(&id.public()).expect("a key");
    assert_eq!(peer, keypair(&id).public().to_peer_id());
    assert_eq!(public_id(&peer), Some(id.public()));
    assert_eq!(
        public_id(&PeerId::random()).map(|id| id.verifying_key().is_ok()),
        None
    );
}

async fn relay(seed: u8) -> (Vec<Multiaddr>, Identity, mpsc::Receiver<RelayEvent>) {
    let identity = Identity::from_seed(&[seed; 32]);
    let config = RelayConfig {
        ip: Some(Ipv4Addr::LOCALHOST.into()),
        port: Some(0),
        external: Vec::new(),
    };
    let (port, events) = start_relay(&identity, config).expect("loopback can be listened on");
    let addresses = addresses_of(Ipv4Addr::LOCALHOST.into(), port, None);
    (addresses, identity, events)
}

#[tokio::test]
async fn who_waits_at_a_relay_is_found_by_code_and_linked() {
    let (_, _, mut used) = relay(80).await;
    let place = loop {
        match timeout(PATIENCE, used.recv()).await {
            Ok(Some(RelayEvent::Reachable { ip, port })) => break (ip, port),
            Ok(Some(RelayEvent::Used { .. })) => {}
            Ok(None) | Err(_) => panic!("the relay did not start"),
        }
    };
    let (mut a, mut b) = (Peer::start(81), Peer::start(82));
    a.node.relay(format!("{}:{}", place.0, place.1));
    // Which is told first is the network's choice.
    let mut told = a.next("a place").await;
    if matches!(told, NodeEvent::IsRelay { .. }) {
        told = a.next("a place").await;
    }
    match told {
        NodeEvent::Relayed {
            ip,
            port,
            addresses,
        } => {
            assert_eq!((ip, port), place);
            assert!(
                addresses
                    .iter()
                    .all(|way| way.to_string().contains("p2p-circuit"))
            );
        }
        event => panic!("{event:?}"),
    }
    let stranger = Identity::from_seed(&[90; 32]).public();
    b.node
        .seek(1, Invite::through_relay(place.0, place.1, &stranger));
    let code = Invite::through_relay(place.0, place.1, &a.node.local());
    b.node.seek(2, code);
    let (mut found, mut not) = (None, false);
    while found.is_none() || !not {
        match b.next("an answer").await {
            NodeEvent::Found {
                knock: 2,
                peer,
                address,
            } => found = Some((peer, address)),
            NodeEvent::Unanswered { knock: 1, why } => {
                assert!(why.contains("not at the relay"), "{why}");
                not = true;
            }
            NodeEvent::Relayed { .. } | NodeEvent::IsRelay { .. } => {}
            event => panic!("{event:?}"),
        }
    }
    let (peer, address) = found.expect("just seen");
    assert_eq!(peer, a.node.local());
    b.node.want(peer, vec![address]);
    let up = |event: &NodeEvent| matches!(event, NodeEvent::Up { .. });
    while !up(&b.next("a link").await) {}
    while !up(&a.next("a link").await) {}
    a.node.send(b.node.local(), vec![5; 5]).expect("is linked");
}

#[tokio::test]
async fn a_relay_that_is_none_is_told_and_a_relay_is_no_player() {
    let (addresses, _, _used) = relay(83).await;
    let (mut a, b) = (Peer::start(84), Peer::start(85));
    a.node
        .relay(format!("{}:{}", Ipv4Addr::LOCALHOST, b.node.port()));
    match a.next("a refusal").await {
        NodeEvent::RelayLost { why } => assert!(why.contains("no relay"), "{why}"),
        event => panic!("{event:?}"),
    }
    let mut c = Peer::start(86);
    c.node.knock(3, addresses);
    let mut told = Vec::new();
    while told.len() < 2 {
        match c.next("an answer").await {
            NodeEvent::Answered { .. } => told.push("answered"),
            NodeEvent::IsRelay { .. } => told.push("relay"),
            event => panic!("{event:?}"),
        }
    }
    assert_eq!(told, ["answered", "relay"]);
}

#[tokio::test]
async fn who_meets_its_own_key_elsewhere_is_told_and_who_meets_itself_is_not() {
    let mut first = Peer::start(41);
    first.node.knock(1, first.addresses());
    match first.next("the end of a knock").await {
        NodeEvent::Unanswered { knock: 1, .. } => {}
        event => panic!("that was itself: {event:?}"),
    }
    let mut copy = Peer::start(41);
    copy.node.knock(2, first.addresses());
    match copy.next("a copy").await {
        NodeEvent::Copy => {}
        event => panic!("not told: {event:?}"),
    }
}
