//! Who this installation is: one ed25519 key, made once and kept. The same key signs at the table and names the peer on the
//! network, so that whoever sits in a seat is whoever answers on the wire.
//!
//! Not here: where the key lies (`store`), whom others believe it to belong to (`store::peers`).

use std::fmt;

use ed25519_dalek::{SigningKey, VerifyingKey};
use zeroize::Zeroizing;

/// The key of this installation. `Debug` shows the public half only.
#[derive(Clone)]
pub struct Identity {
    key: SigningKey,
}

/// The operating system gave no randomness.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}",
    crate::words::tr("this computer gives no random numbers, so no key can be made")
)]
pub struct NoRandomness;

impl Identity {
    /// A fresh one.
    pub fn generate() -> Result<Identity, NoRandomness> {
        let mut seed = Zeroizing::new([0u8; 32]);
        getrandom::fill(seed.as_mut()).map_err(|_| NoRandomness)?;
        Ok(Identity::from_seed(&seed))
    }

    /// The one that this seed stands for.
    pub fn from_seed(seed: &[u8; 32]) -> Identity {
        Identity {
            key: SigningKey::from_bytes(seed),
        }
    }

    /// The seed, to be kept on disk.
    pub fn seed(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.key.to_bytes())
    }

    /// Signs at the table.
    pub fn signing_key(&self) -> &SigningKey {
        &self.key
    }

    /// What others know this installation by.
    pub fn public(&self) -> PublicId {
        PublicId(self.key.verifying_key().to_bytes())
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.public())
    }
}

/// The public half of an [`Identity`]. Shown as its fingerprint.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct PublicId(pub [u8; 32]);

/// Thirty-two bytes that are no ed25519 key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::words::tr("this is not a player's key"))]
pub struct NotAKey;

impl PublicId {
    /// The key to check signatures with.
    pub fn verifying_key(&self) -> Result<VerifyingKey, NotAKey> {
        VerifyingKey::from_bytes(&self.0).map_err(|_| NotAKey)
    }

    /// Sixteen characters for people to compare.
    pub fn fingerprint(&self) -> String {
        let hash = blake3::derive_key("shamans 2026 fingerprint v1", &self.0);
        let hex: Vec<String> = hash
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        hex.chunks(2)
            .map(<[String]>::concat)
            .collect::<Vec<_>>()
            .join("-")
    }

    /// All 64 hexadecimal digits.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Reads what [`PublicId::to_hex`] writes.
    pub fn from_hex(text: &str) -> Result<PublicId, NotAKey> {
        if text.len() != 64 || !text.is_ascii() {
            return Err(NotAKey);
        }
        let mut bytes = [0u8; 32];
        for (i, byte) in bytes.iter_mut().enumerate() {
            let pair = text.get(2 * i..2 * i + 2).ok_or(NotAKey)?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| NotAKey)?;
        }
        let id = PublicId(bytes);
        id.verifying_key()?;
        Ok(id)
    }
}

impl fmt::Display for PublicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fingerprint())
    }
}

impl fmt::Debug for PublicId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicId({self})")
    }
}

/// The longest player's or table's name, in characters.
pub const NAME_LENGTH: usize = 24;

/// The longest name in bytes, as the table has it.
const NAME_BYTES: usize = 64;

/// Why a name was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadName {
    /// Nothing but blanks.
    #[error("{}", crate::words::tr("a name needs at least one letter or digit"))]
    Empty,
    /// More than [`NAME_LENGTH`] characters.
    #[error(
        "{}",
        crate::words::tr_n(
            "a name has at most 1 character",
            "a name has at most {n} characters",
            NAME_LENGTH
        )
    )]
    TooLong,
    /// Characters that are invisible or change how others are read.
    #[error(
        "{}",
        crate::words::tr("a name must not contain invisible or control characters")
    )]
    Invisible,
}

/// A name as others will see it: trimmed, blanks single, nothing invisible.
pub fn clean_name(text: &str) -> Result<String, BadName> {
    let name = text
        .split(' ')
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    if name.chars().any(is_invisible) {
        return Err(BadName::Invisible);
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(BadName::Empty);
    }
    if name.chars().count() > NAME_LENGTH || name.len() > NAME_BYTES {
        return Err(BadName::TooLong);
    }
    Ok(name)
}

/// Control characters, other blanks, joiners and direction marks: with them two names could look the same.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_secret_never_shows() {
        let identity = Identity::from_seed(&[7; 32]);
        let shown = format!("{identity:?}");
        assert!(shown.contains(&identity.public().fingerprint()), "{shown}");
        assert!(!shown.contains("0707"), "{shown}");
        assert!(!shown.contains("7, 7"), "{shown}");
    }

    #[test]
    fn public_ids_survive_hexadecimal() {
        let id = Identity::from_seed(&[9; 32]).public();
        assert_eq!(PublicId::from_hex(&id.to_hex()), Ok(id));
        assert_eq!(PublicId::from_hex("zz"), Err(NotAKey));
        assert_eq!(PublicId::from_hex(&"é".repeat(32)), Err(NotAKey));
    }

    #[test]
    fn two_generated_identities_differ() {
        let a = Identity::generate().expect("the test machine has randomness");
        let b = Identity::generate().expect("the test machine has randomness");
        assert_ne!(a.public(), b.public());
    }

    #[test]
    fn names_are_cleaned_or_refused() {
        assert_eq!(clean_name("  Eva   Nová "), Ok("Eva Nová".to_owned()));
        assert_eq!(clean_name("   "), Err(BadName::Empty));
        assert_eq!(clean_name("--"), Err(BadName::Empty));
        assert_eq!(clean_name("a\u{202e}b"), Err(BadName::Invisible));
        assert_eq!(clean_name("a\nb"), Err(BadName::Invisible));
        assert_eq!(clean_name(&"x".repeat(25)), Err(BadName::TooLong));
        assert_eq!(clean_name(&"ř".repeat(24)), Ok("ř".repeat(24)));
    }
}
