//! Keys, signatures and digests: the few cryptographic words of the log.

use core::fmt;

use ed25519_dalek::{Signer, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

/// 32 bytes of blake3.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

/// The name of a table: the digest of its genesis.
pub type TableId = Digest;

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Eight bytes tell digests apart on a screen; comparisons use all 32.
        for byte in self.0.iter().take(8) {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

/// Hashes `parts`, each preceded by its length as eight bytes little-endian, in blake3's key-derivation mode under `context`.
pub fn digest(context: &str, parts: &[&[u8]]) -> Digest {
    let mut hasher = blake3::Hasher::new_derive_key(context);
    for part in parts {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    Digest(*hasher.finalize().as_bytes())
}

/// An ed25519 signature.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    r: [u8; 32],
    s: [u8; 32],
}

impl fmt::Debug for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signature(..)")
    }
}

impl Signature {
    /// From its 64 bytes.
    pub fn from_bytes(bytes: &[u8; 64]) -> Signature {
        let mut r = [0; 32];
        let mut s = [0; 32];
        let (left, right) = bytes.split_at(32);
        r.copy_from_slice(left);
        s.copy_from_slice(right);
        Signature { r, s }
    }

    /// Its 64 bytes.
    pub fn to_bytes(self) -> [u8; 64] {
        let mut bytes = [0; 64];
        let (left, right) = bytes.split_at_mut(32);
        left.copy_from_slice(&self.r);
        right.copy_from_slice(&self.s);
        bytes
    }
}

/// A player's public key: an installation's name for itself.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PlayerKey(pub [u8; 32]);

impl fmt::Debug for PlayerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Digest(self.0), f)
    }
}

impl PlayerKey {
    /// Did this key sign `digest`? Strict: small-order keys and second forms of a signature are refused.
    pub fn verifies(&self, digest: &Digest, signature: &Signature) -> bool {
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| {
            let signature = ed25519_dalek::Signature::from_bytes(&signature.to_bytes());
            key.verify_strict(&digest.0, &signature).is_ok()
        })
    }

    /// Is this a point of the curve that can stand for a person?
    pub fn is_usable(&self) -> bool {
        VerifyingKey::from_bytes(&self.0).is_ok_and(|key| !key.is_weak())
    }
}

/// The secret half of a [`PlayerKey`]: signs, and is the root of every secret its player has at a table.
#[derive(Clone)]
pub struct Identity {
    key: SigningKey,
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identity").field(&self.public()).finish()
    }
}

impl Identity {
    /// From 32 secret bytes.
    pub fn from_secret(secret: &[u8; 32]) -> Identity {
        Identity {
            key: SigningKey::from_bytes(secret),
        }
    }

    /// The public half.
    pub fn public(&self) -> PlayerKey {
        PlayerKey(self.key.verifying_key().to_bytes())
    }

    /// Signs a digest. The digest's context says what is being signed.
    pub fn sign(&self, digest: &Digest) -> Signature {
        Signature::from_bytes(&self.key.sign(&digest.0).to_bytes())
    }

    /// The secret itself, for those who derive from it; wiped when dropped.
    pub(crate) fn secret(&self) -> Zeroizing<[u8; 32]> {
        Zeroizing::new(self.key.to_bytes())
    }

    /// 32 secret bytes that only this identity can make, for one purpose and place.
    pub fn derive(&self, context: &str, parts: &[&[u8]]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(context);
        hasher.update(self.secret().as_slice());
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        *hasher.finalize().as_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn signatures_bind_key_and_digest() {
        let ada = Identity::from_secret(&[1; 32]);
        let bob = Identity::from_secret(&[2; 32]);
        let one = digest("test", &[b"one"]);
        let signature = ada.sign(&one);
        assert!(ada.public().verifies(&one, &signature));
        assert!(!bob.public().verifies(&one, &signature));
        assert!(
            !ada.public()
                .verifies(&digest("test", &[b"two"]), &signature)
        );
        assert!(
            !ada.public()
                .verifies(&digest("other", &[b"one"]), &signature)
        );
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(digest("t", &[b"ab", b"c"]), digest("t", &[b"a", b"bc"]));
    }

    #[test]
    fn debug_shows_no_secret() {
        let text = format!("{:?}", Identity::from_secret(&[0xab; 32]));
        assert!(!text.contains("abab") && !text.contains("171"));
    }
}
