//! `shamans-table`: everything a terminal can do.
fn main() {}
