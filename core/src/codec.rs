//! The one place where values become bytes and bytes become values.
//!
//! bincode in its standard configuration, with a size limit. Decoding is canonical: trailing bytes are refused,
//! and what was read must encode to the very same bytes, so that one value has one encoding and a signature
//! or hash over bytes is one over the value.

use alloc::vec::Vec;

use bincode::config::{self, Config};
use serde::{Serialize, de::DeserializeOwned};

/// The largest encoding that [`decode`] takes: a whole record is below it, and so is every message.
pub const LIMIT: usize = 16 * 1024 * 1024;

/// Why bytes were refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CodecError {
    /// More than [`LIMIT`] bytes.
    #[error("the data is larger than {LIMIT} bytes")]
    TooLarge,
    /// Not an encoding of the expected type, or cut off.
    #[error("the data is damaged or cut off")]
    Malformed,
    /// A whole value was read and bytes were left over.
    #[error("{0} bytes too many follow the data")]
    Trailing(usize),
    /// The value has another, shorter encoding.
    #[error("the data is not in its canonical form")]
    NotCanonical,
}

fn config() -> impl Config {
    config::standard().with_limit::<LIMIT>()
}

/// Encodes a value. Never fails for the plain data types of this crate.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    bincode::serde::encode_to_vec(value, config())
        .expect("plain data without maps of unknown length always encodes")
}

/// Decodes a value and refuses every encoding but the canonical one.
pub fn decode<T: Serialize + DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    if bytes.len() > LIMIT {
        return Err(CodecError::TooLarge);
    }
    let (value, read) = bincode::serde::decode_from_slice::<T, _>(bytes, config())
        .map_err(|_| CodecError::Malformed)?;
    if read != bytes.len() {
        return Err(CodecError::Trailing(bytes.len() - read));
    }
    if encode(&value) != bytes {
        return Err(CodecError::NotCanonical);
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::String, vec};

    #[test]
    fn round_trip() {
        let value = (7u32, String::from("Moon"), vec![1u8, 2, 3]);
        assert_eq!(decode::<(u32, String, Vec<u8>)>(&encode(&value)), Ok(value));
    }

    #[test]
    fn refuses_trailing_cut_and_second_forms() {
        let bytes = encode(&(300u32, 5u8));
        assert_eq!(
            decode::<(u32, u8)>(bytes.get(..bytes.len() - 1).unwrap_or_default()),
            Err(CodecError::Malformed)
        );
        let mut longer = bytes.clone();
        longer.push(0);
        assert_eq!(decode::<(u32, u8)>(&longer), Err(CodecError::Trailing(1)));
        // 251 announces a two-byte integer: five written so is a second form of the one byte 5.
        assert_eq!(decode::<u32>(&[251, 5, 0]), Err(CodecError::NotCanonical));
    }

    #[test]
    fn refuses_a_length_that_would_eat_the_memory() {
        // 253 announces an eight-byte length.
        let bytes = [253, 255, 255, 255, 255, 255, 255, 255, 127, 1];
        assert_eq!(decode::<Vec<u8>>(&bytes), Err(CodecError::Malformed));
    }
}
