//! What a peer announces of itself and of the table it sits at.

/// Whether one can sit down at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    /// Free seats, everyone welcome.
    Open,
    /// A game is going on; one can watch.
    Playing,
    /// By invitation only.
    Private,
}

/// A table as its people announce it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableAdvert {
    /// Tells tables apart: given by whoever opened it.
    pub id: u64,
    /// Its name.
    pub name: String,
    /// Names of those who sit there.
    pub who: Vec<String>,
    /// Places for people.
    pub seats: u8,
    /// Whether one can sit down.
    pub state: TableState,
}

/// What one peer announces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// The player's name.
    pub name: String,
    /// The table it sits at.
    pub table: Option<TableAdvert>,
}
