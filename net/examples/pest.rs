//! Strangers who speak the protocol and abuse it: `pest CODE SECONDS`. For tests of what a game endures.
//!
//! Each has a key of its own, completes the handshake with whoever is behind the code, and then does one thing as often as it is let:
//! announces giant frames, floods with the largest there may be, asks for the whole game again and again and reads nothing, wants to sit
//! down twice at once, says words of the players under signatures of its own. At the end a line of JSON tells how many links and frames
//! each had.

use std::process::ExitCode;
use std::time::Duration;

use futures::StreamExt;
use futures::io::{AsyncReadExt, AsyncWriteExt};
use libp2p::swarm::SwarmEvent;
use libp2p::{Multiaddr, PeerId, Stream, StreamProtocol, Swarm, identity, noise, tcp, yamux};
use shamans_core::codec;
use shamans_core::game::{Seat, SeatSet};
use shamans_core::log::{Entry, Identity, Lane, Shape, TableId, digest};
use shamans_core::table::{Message, Status};
use shamans_net::PROTOCOL_VERSION;
use shamans_net::swarm::{FRAME_LIMIT, Target, addresses_of, dialable};
use shamans_net::wire::{Hello, Packet, Word};
use tokio::time::{Instant, sleep, timeout};

/// What one of them does.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Giant,
    Flood,
    Slow,
    Seats,
    Forger,
}

const KINDS: [Kind; 5] = [
    Kind::Giant,
    Kind::Flood,
    Kind::Slow,
    Kind::Seats,
    Kind::Forger,
];

async fn write(stream: &mut Stream, frame: &[u8]) -> std::io::Result<()> {
    let length = u32::try_from(frame.len()).expect("a short frame");
    stream.write_all(&length.to_be_bytes()).await?;
    stream.write_all(frame).await?;
    stream.flush().await
}

async fn read(stream: &mut Stream) -> std::io::Result<Vec<u8>> {
    let mut head = [0u8; 4];
    stream.read_exact(&mut head).await?;
    let mut frame = vec![0; u32::from_be_bytes(head) as usize];
    stream.read_exact(&mut frame).await?;
    Ok(frame)
}

fn ask(watch: bool) -> Vec<u8> {
    let ask = Packet::Ask {
        table: None,
        watch,
        addresses: vec!["/ip4/10.77.0.99/tcp/1".to_owned(); 12],
        operator: None,
    };
    ask.encode()
}

/// "I am at the first step": whoever hears it tells the whole game.
fn from_the_start(table: TableId) -> Vec<u8> {
    let nothing = digest("nothing", &[]);
    let status = Message::Status(Status {
        step: 1,
        prev: nothing,
        shape: Shape::default(),
        held: nothing,
        signed: SeatSet::EMPTY,
        heard: SeatSet::EMPTY,
        votes: None,
    });
    let bytes = codec::encode(&status);
    Packet::Watching { table, bytes }.encode()
}

fn forged(table: TableId, number: u64) -> Vec<u8> {
    let entry = Entry {
        step: number % 200,
        prev: digest("a lie", &[&number.to_le_bytes()]),
        seat: Seat((number % 3) as u8),
        lane: Lane::Deal,
        body: vec![7; 1000],
    };
    let signed = entry.sign(&table, &Identity::from_secret(&[99; 32]));
    let bytes = codec::encode(&Message::Entry(signed));
    Packet::Word(Word::Table { table, bytes }).encode()
}

/// Abuses one link until it ends; counts what it tries to say.
async fn abuse(kind: Kind, mut stream: Stream, frames: &mut u64) -> std::io::Result<()> {
    let hello = Hello {
        protocol: PROTOCOL_VERSION,
        program: "0".to_owned(),
        name: format!("{kind:?}"),
        port: 1,
    };
    write(&mut stream, &hello.encode()).await?;
    read(&mut stream).await?;
    let mut table = digest("no table", &[]);
    if let Kind::Slow | Kind::Forger = kind {
        write(&mut stream, &ask(true)).await?;
        loop {
            if let Ok(Packet::Genesis(genesis)) = Packet::decode(&read(&mut stream).await?) {
                table = genesis.genesis.table();
                break;
            }
        }
    }
    loop {
        *frames += 1;
        match kind {
            Kind::Giant => {
                stream.write_all(&u32::MAX.to_be_bytes()).await?;
                stream.write_all(&vec![0; FRAME_LIMIT]).await?;
                stream.flush().await?;
            }
            Kind::Flood => write(&mut stream, &vec![0xff; FRAME_LIMIT]).await?,
            Kind::Slow => {
                // As often as a stranger may speak at all.
                write(&mut stream, &from_the_start(table)).await?;
                sleep(Duration::from_millis(60)).await;
            }
            Kind::Seats => write(&mut stream, &ask(false)).await?,
            Kind::Forger => write(&mut stream, &forged(table, *frames)).await?,
        }
    }
}

/// The key at the end of an id: of two peers the one with the smaller key opens the stream.
fn key(id: &PeerId) -> Vec<u8> {
    let mut bytes = id.to_bytes();
    bytes.split_off(bytes.len().saturating_sub(32))
}

/// Comes again and again. Gives back how many links it had and how much it said.
async fn plague(kind: Kind, seed: u8, place: Multiaddr, until: Instant) -> (u64, u64) {
    let (mut links, mut frames) = (0, 0);
    while Instant::now() < until {
        let keys = identity::Keypair::ed25519_from_bytes([seed; 32]).expect("32 bytes");
        let mut swarm: Swarm<libp2p_stream::Behaviour> =
            libp2p::SwarmBuilder::with_existing_identity(keys)
                .with_tokio()
                .with_tcp(
                    tcp::Config::default(),
                    noise::Config::new,
                    yamux::Config::default,
                )
                .expect("noise takes every key")
                .with_behaviour(|_| libp2p_stream::Behaviour::new())
                .expect("a behaviour")
                .build();
        let mut control = swarm.behaviour().new_control();
        let protocol = StreamProtocol::try_from_owned(format!("/shamans/link/{PROTOCOL_VERSION}"))
            .expect("begins with a slash");
        let mut incoming = control.accept(protocol.clone()).expect("a new swarm");
        let local = *swarm.local_peer_id();
        let (told, mut linked) = tokio::sync::mpsc::channel(1);
        swarm.dial(place.clone()).ok();
        let driver = tokio::spawn(async move {
            loop {
                match swarm.select_next_some().await {
                    SwarmEvent::ConnectionEstablished { peer_id, .. } => {
                        told.try_send(peer_id).ok();
                    }
                    SwarmEvent::ConnectionClosed { .. }
                    | SwarmEvent::OutgoingConnectionError { .. } => return,
                    _other => {}
                }
            }
        });
        let one = async {
            let peer = linked.recv().await?;
            let stream = match key(&local) < key(&peer) {
                true => control.open_stream(peer, protocol).await.ok()?,
                false => incoming.next().await?.1,
            };
            links += 1;
            abuse(kind, stream, &mut frames).await.ok()
        };
        let left = until.saturating_duration_since(Instant::now());
        timeout(left.min(Duration::from_secs(20)), one).await.ok();
        driver.abort();
        sleep(Duration::from_millis(100)).await;
    }
    (links, frames)
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [code, seconds] = arguments.as_slice() else {
        eprintln!("pest CODE SECONDS");
        return ExitCode::from(2);
    };
    let Ok(Target::Invite(invite)) = dialable(code) else {
        eprintln!("{code} is no invite code");
        return ExitCode::from(2);
    };
    let seconds: u64 = seconds.parse().expect("a number of seconds");
    let until = Instant::now() + Duration::from_secs(seconds);
    let places = addresses_of(invite.ip, invite.port, None);
    let place = places.first().expect("TCP comes first").clone();
    let mut running = Vec::new();
    for (seed, kind) in (100..).zip(KINDS) {
        // Two with one key: they take each other's place.
        for _ in 0..2 {
            running.push((kind, tokio::spawn(plague(kind, seed, place.clone(), until))));
        }
    }
    let mut told = serde_json::Map::new();
    for (kind, pest) in running {
        let (links, frames) = pest.await.expect("a pest does not panic");
        let kind = format!("{kind:?}").to_lowercase();
        let before = told.get(&kind).map_or((0, 0), |told| {
            let number = |at: usize| told[at].as_u64().unwrap_or(0);
            (number(0), number(1))
        });
        told.insert(
            kind,
            serde_json::json!([links + before.0, frames + before.1]),
        );
    }
    println!("{}", serde_json::Value::Object(told));
    ExitCode::SUCCESS
}
