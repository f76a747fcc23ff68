//! Two verifiers that share no code, `shamans-table verify`'s and `tests/verify.py`, say the same of good and bad records.

use std::process::Command;

use shamans_core::codec;
use shamans_core::log::{Lane, Settle, Signature};
use shamans_core::record::{Finding, Record, verify};
use shamans_core::shamans::{Action, Setup, Shamans};
use shamans_core::table::{Move, Options};
use shamans_tests::house::root;
use shamans_tests::sim::{Anything, Sim, Weather, checksum, identity, sit_down};

/// The exit code of `shamans-table verify` for these bytes.
fn ours(bytes: &[u8]) -> i32 {
    match Record::read(bytes).map(|record| verify::<Shamans>(&record).finding) {
        Ok(Finding::Fair) => 0,
        Ok(Finding::Unfair { .. }) => 1,
        Err(_) => 2,
        Ok(Finding::Unfinished) => 3,
    }
}

fn theirs(name: &str, bytes: &[u8]) -> i32 {
    let folder = root().join("target/records");
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, bytes).unwrap();
    let python = Command::new("python3")
        .arg(root().join("tests/verify.py"))
        .arg(&file)
        .output()
        .expect("python3 is there");
    println!("{}", String::from_utf8_lossy(&python.stdout).trim());
    python.status.code().unwrap_or(-1)
}

fn refit(mut bytes: Vec<u8>) -> Vec<u8> {
    let body = bytes.len() - 32;
    let sum = checksum(&bytes[..body]);
    bytes[body..].copy_from_slice(&sum);
    bytes
}

#[test]
fn both_say_the_same() {
    let genesis = sit_down::<Shamans>(&Setup::new(3), &[true; 3], Options::default());
    let mut sim = Sim::<Shamans>::new(genesis, 3, Weather::CALM, |seat| {
        Box::new(Anything::new(u64::from(seat.0), 1000))
    });
    // A dozen moves of the first round: enough of everything, and short enough for plain Python.
    let moves = |sim: &Sim<Shamans>| {
        let entries = sim.table(0).log().iter().flat_map(|s| &s.step.entries);
        entries.filter(|s| s.entry.lane == Lane::Game).count()
    };
    assert!(sim.run(100_000, |sim| moves(sim) >= 12));
    let record = Record::new(&sim.genesis, sim.table(0).log());
    let good = record.write();
    let mut cases = vec![("good", good.clone(), 3)];

    // One byte inside, with a fitting checksum, at a few places.
    for at in [60, good.len() / 3, good.len() / 2, good.len() - 120] {
        let mut bytes = good.clone();
        bytes[at] ^= 4;
        cases.push(("flipped", refit(bytes), 1));
    }
    cases.push(("cut", good[..good.len() - 9].to_vec(), 2));
    let mut bytes = good.clone();
    bytes[8] = 9;
    cases.push(("version", refit(bytes), 2));

    // A card that is not in the hand, signed by everyone all the same.
    let mut forged = record.clone();
    let at = forged
        .steps
        .iter()
        .position(|s| s.step.entries[0].entry.lane == Lane::Game)
        .unwrap();
    forged.steps.truncate(at + 1);
    let table = forged.genesis.genesis.table();
    let step = &mut forged.steps[at];
    let mut entry = step.step.entries[0].entry.clone();
    let mut made: Move<Action> = codec::decode(&entry.body).unwrap();
    if let Action::Play { slot, .. } = &mut made.action {
        slot.0 = (slot.0 + 9) % 27;
    }
    entry.body = codec::encode(&made);
    let by = identity(entry.seat.index());
    step.step.entries[0] = entry.sign(&table, &by);
    let mark = step.step.mark(&table);
    let number = step.step.number;
    let sign = |seat| -> Signature {
        Settle::sign(&table, number, seat, mark, &identity(seat.index())).signature
    };
    for (seat, signature) in &mut step.signatures {
        *signature = sign(*seat);
    }
    cases.push(("conspiracy", forged.write(), 1));

    for (i, (name, bytes, least)) in cases.into_iter().enumerate() {
        let (ours, theirs) = (ours(&bytes), theirs(&format!("{i}-{name}.record"), &bytes));
        assert_eq!(ours, theirs, "case {i}: {name}");
        // A flipped byte may make the file unreadable rather than wrong.
        assert!(
            ours == least || (least == 1 && ours == 2),
            "case {i}: {name}: {ours}"
        );
    }
}
