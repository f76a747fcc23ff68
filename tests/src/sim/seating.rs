//! Sitting down in memory, before the weather begins: who plays, and the genesis that all have signed.

use shamans_core::codec;
use shamans_core::game::Game;
use shamans_core::log::Identity;
use shamans_core::table::{
    Holder, Options, PROTOCOL, Proposal, Seating, SeatingOutput, SignedGenesis,
};

/// The identity of the `i`th person of a simulation.
pub fn identity(i: usize) -> Identity {
    Identity::from_secret(&[i as u8 + 1; 32])
}

/// Sits everyone down in memory. `people` says which seats are held.
pub fn sit_down<G: Game>(setup: &G::Setup, people: &[bool], options: Options) -> SignedGenesis {
    sit_down_with::<G>(setup, people, options, 0)
}

/// The same with other lots: another table, other cards.
pub fn sit_down_with<G: Game>(
    setup: &G::Setup,
    people: &[bool],
    options: Options,
    lots: u8,
) -> SignedGenesis {
    let holders = people
        .iter()
        .enumerate()
        .map(|(i, person)| match person {
            true => Holder::Person {
                key: identity(i).public(),
                name: format!("P{i}"),
            },
            false => Holder::Phantom,
        })
        .collect();
    let proposal = Proposal {
        protocol: PROTOCOL,
        game: G::NAME.into(),
        setup: codec::encode(setup),
        options,
        holders,
        previous: None,
    };
    let mut seatings: Vec<Seating> = (0..people.len())
        .filter(|&i| people[i])
        .map(|i| {
            let mut seating =
                Seating::new::<G>(proposal.clone(), identity(i), [i as u8 + lots; 32], 0).unwrap();
            seating.be_ready();
            seating
        })
        .collect();
    let keys: Vec<_> = proposal.keys().copied().collect();
    let mut seated: Vec<SignedGenesis> = Vec::new();
    for round in 0..10 {
        for i in 0..seatings.len() {
            while let Some(output) = seatings[i].poll() {
                match output {
                    SeatingOutput::Send(bytes) => {
                        for (j, other) in seatings.iter_mut().enumerate() {
                            if i != j {
                                other.receive(&keys[i], &bytes).unwrap();
                            }
                        }
                    }
                    SeatingOutput::Seated(genesis) => seated.push(genesis),
                    SeatingOutput::Ready(_) | SeatingOutput::Drawn(_) => {}
                }
            }
            seatings[i].handle_timeout(round * 1000);
        }
    }
    assert_eq!(seated.len(), seatings.len(), "all are seated");
    assert!(seated.windows(2).all(|pair| pair[0] == pair[1]));
    seated.swap_remove(0)
}
