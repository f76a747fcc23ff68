//! The whole-round vector, read as a second implementation would read it: from the file alone, through the public interface.

use std::convert::Infallible;

use rand::{TryCryptoRng, TryRng};
use serde_json::Value;
use shamans_core::deal::{Deal, DealContext, DealSeed};
use shamans_core::game::{Claim, DeckOutcome, DeckRequest, Face, Seat, SeatSet, Slot};

struct Fixed(Vec<u8>);

impl TryRng for Fixed {
    type Error = Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.try_next_u32()?))
    }
    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        for (to, from) in to.iter_mut().zip(self.0.iter().cycle()) {
            *to = *from;
        }
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

fn bytes(value: &Value) -> Vec<u8> {
    let text = value.as_str().expect("hex");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hex"))
        .collect()
}

fn array(value: &Value) -> [u8; 32] {
    bytes(value).try_into().expect("32 bytes")
}

fn number(value: &Value) -> u8 {
    value
        .as_u64()
        .and_then(|number| number.try_into().ok())
        .expect("a small number")
}

#[test]
fn the_round_of_the_file() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/deal-round.json");
    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the file")).expect("JSON");
    let context = DealContext {
        table: array(&file["context"]["table"]),
        number: u32::from(number(&file["context"]["number"])),
        seats: number(&file["context"]["seats"]),
        people: file["context"]["people"]
            .as_array()
            .expect("seats")
            .iter()
            .map(|seat| Seat(number(seat)))
            .collect(),
        game: file["context"]["game"].as_str().expect("a name").into(),
    };
    let fresh = bytes(&file["fresh"]);
    let mut deals: Vec<Deal> = Vec::new();
    for (seat, identity) in (0..)
        .map(Seat)
        .zip(file["identities"].as_array().expect("identities"))
    {
        let seed = DealSeed::derive(&array(identity), &context.table, context.number);
        assert_eq!(
            seed,
            DealSeed::from_bytes(array(&file["seeds"][seat.index()]))
        );
        deals.push(Deal::new(context.clone(), Some((seat, seed))).expect("a sound context"));
    }
    deals.push(Deal::new(context, None).expect("a sound context"));
    let mut outcome = None;
    let mut outcomes = 0;
    for entry in file["entries"].as_array().expect("entries") {
        let entry = entry.as_object().expect("an entry");
        if let Some(request) = entry.get("request") {
            let request: DeckRequest = serde_json::from_value(request.clone()).expect("a request");
            deals
                .iter_mut()
                .for_each(|deal| deal.request(&request).expect("it fits"));
        } else if let Some(messages) = entry.get("messages") {
            let messages: Vec<(Seat, Vec<u8>)> = messages
                .as_array()
                .expect("messages")
                .iter()
                .map(|message| (Seat(number(&message["seat"])), bytes(&message["bytes"])))
                .collect();
            let awaits: SeatSet = messages.iter().map(|(seat, _)| *seat).collect();
            for (seat, message) in &messages {
                let own = deals[seat.index()]
                    .contribute(&mut Fixed(fresh.clone()))
                    .expect("awaited");
                assert_eq!(
                    own, *message,
                    "the same secrets and nonces make the same message"
                );
            }
            for deal in &mut deals {
                assert_eq!(deal.awaits(), awaits);
                assert_eq!(
                    format!("{:?}", deal.step().expect("open")),
                    entry["step"].as_str().expect("a name")
                );
                outcome = deal.settle(messages.clone()).expect("right messages");
            }
        } else if let Some(expected) = entry.get("outcome") {
            let expected: DeckOutcome =
                serde_json::from_value(expected.clone()).expect("an outcome");
            assert_eq!(outcome.take(), Some(expected));
            outcomes += 1;
        } else if let Some(claim) = entry.get("claim") {
            let by = Seat(number(&claim["by"]));
            let proof = bytes(&claim["proof"]);
            let claim = Claim {
                slot: Slot(u16::from(number(&claim["slot"]))),
                face: Face(number(&claim["face"])),
            };
            deals
                .iter_mut()
                .for_each(|deal| deal.open_claim(by, &claim, &proof).expect("a true claim"));
        } else if let Some(seat) = entry.get("away") {
            deals
                .iter_mut()
                .for_each(|deal| deal.absent(Seat(number(seat))).expect("the others can act"));
        } else if let Some(seat) = entry.get("back") {
            deals
                .iter_mut()
                .for_each(|deal| deal.present(Seat(number(seat))).expect("it has a key"));
        } else {
            panic!("an entry of no kind");
        }
    }
    assert_eq!(outcomes, 7);
    assert!(
        deals
            .iter()
            .all(|deal| deal.audit().expect("revealed").is_complete())
    );
}
