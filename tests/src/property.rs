//! How hard property tests try.
//!
//! Every run tries a few cases; `tests/run fuzz` tries many on the tests whose names begin with `arbitrary`, those that
//! feed bytes nobody chose.

/// How many cases to try: `usual`, unless `PROPTEST_CASES` asks for another number.
pub fn cases(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|number| number.parse().ok())
        .unwrap_or(usual)
}
