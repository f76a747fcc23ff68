//! Arbitrary bytes as a scenario: read, and played if they are one. Any panic is a finding.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shamans_net::scenario::Scenario;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(scenario) = Scenario::read(bytes) {
        scenario.run();
    }
});
