//! A player who signs two histories: `liar FOLDER CODE TABLE SEAT STEP`. For tests of what the others see then.
//!
//! FOLDER holds the key of somebody who sits at TABLE and does not run now; CODE is the invite of one who does. Both signatures are good,
//! so whoever has the two can prove the lie to anybody.

use std::process::ExitCode;
use std::time::Duration;

use serde::Serialize;
use shamans_core::codec;
use shamans_core::game::Seat;
use shamans_core::log::{Identity, Kind, Mark, Settle, Shape, TableId, digest};
use shamans_core::table::Message;
use shamans_net::store::Store;
use shamans_net::swarm::{Node, NodeConfig, Target, addresses_of, dialable};

/// The one packet that is needed, at its place among the others.
#[derive(Serialize)]
#[expect(dead_code, reason = "the places before it")]
enum Packet {
    Ask,
    Refused,
    AskThere,
    Room,
    GetUp,
    Closed,
    Word(Word),
}

#[derive(Serialize)]
#[expect(dead_code, reason = "the place before it")]
enum Word {
    Seating,
    Table { table: TableId, bytes: Vec<u8> },
}

fn table_id(hex: &str) -> Option<TableId> {
    let byte = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..hex.len()).step_by(2).map(byte).collect();
    codec::decode(&bytes?).ok()
}

/// A history of that step which never was.
fn settle(table: &TableId, step: u64, seat: Seat, which: u8, identity: &Identity) -> Vec<u8> {
    let mark = Mark {
        kind: Kind::Play,
        shape: Shape::default(),
        digest: digest("a lie", &[&[which]]),
    };
    let settle = Settle::sign(table, step, seat, mark, identity);
    let bytes = codec::encode(&Message::Settle(settle));
    codec::encode(&Packet::Word(Word::Table {
        table: *table,
        bytes,
    }))
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, code, table, seat, step] = arguments.as_slice() else {
        eprintln!("liar FOLDER CODE TABLE SEAT STEP");
        return ExitCode::from(2);
    };
    let store =
        Store::open(Some(folder.as_ref())).expect("the folder of somebody who is not there");
    let identity = store.identity().expect("a key");
    let signer = Identity::from_secret(&identity.seed());
    let table = table_id(table).expect("a table's number");
    let (seat, step) = (
        Seat(seat.parse().expect("a seat")),
        step.parse::<u64>().expect("a step"),
    );
    let Ok(Target::Invite(invite)) = dialable(code) else {
        eprintln!("{code} is no invite code");
        return ExitCode::from(2);
    };
    let config = NodeConfig {
        name: "Liar".to_owned(),
        ip: None,
        port: Some(0),
    };
    let (node, mut events) = Node::start(&identity, config).expect("a port");
    for knock in 0..20 {
        node.knock(knock, addresses_of(invite.ip, invite.port, None));
        let until = tokio::time::Instant::now() + Duration::from_millis(500);
        while let Ok(Some(_)) = tokio::time::timeout_at(until, events.recv()).await {
            for peer in node.linked() {
                for which in [1, 2] {
                    node.send(peer, settle(&table, step, seat, which, &signer))
                        .ok();
                }
            }
        }
    }
    node.close();
    ExitCode::SUCCESS
}
