//! Arbitrary bytes into the decoder that `DECODER` names. Any panic is a finding.
//!
//! With `VALID=folder` it writes valid bytes there, to begin from, and ends.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use shamans_tests::decoders::{ALL, Decoder};

static DECODER: LazyLock<Decoder> = LazyLock::new(|| {
    let name = std::env::var("DECODER").expect("DECODER names a decoder");
    *ALL.iter()
        .find(|decoder| decoder.name == name)
        .unwrap_or_else(|| panic!("there is no decoder {name}"))
});

fn begin() {
    let decoder = &*DECODER;
    if let Ok(folder) = std::env::var("VALID") {
        for (i, bytes) in (decoder.valid)().iter().enumerate() {
            std::fs::write(format!("{folder}/valid-{i}"), bytes).expect("a folder to write to");
        }
        std::process::exit(0);
    }
}

fuzz_target!(init: begin(), |bytes: &[u8]| {
    (DECODER.feed)(bytes);
});
