//! The one question that a relay answers beside passing on: who of those waiting there is meant by an invite code?
//!
//! A code has room for a few bits of a player's key, a circuit needs all of it. Five bytes go there (how many bits, and which), and
//! back come the number of those who fit and their keys. Nobody is told of who does not know the bits; that is little, and is all
//! that a code is: no secret.

use std::io;
use std::time::Duration;

use futures::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use libp2p::StreamProtocol;
use tokio::time::timeout;

use crate::identity::PublicId;
use crate::invite::peer_bits;

/// How long a question and its answer may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// How many are named at most.
const MOST: usize = 4;
/// With fewer bits one would ask for everybody.
const FEWEST_BITS: u8 = 12;

pub(super) fn protocol() -> StreamProtocol {
    StreamProtocol::new("/shamans/whois/1")
}

/// Asks a relay who has these bits.
pub(super) async fn ask<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    (value, bits): (u32, u8),
) -> io::Result<Vec<PublicId>> {
    let both = async {
        let mut question = vec![bits];
        question.extend(value.to_be_bytes());
        stream.write_all(&question).await?;
        stream.flush().await?;
        let mut count = [0u8; 1];
        stream.read_exact(&mut count).await?;
        let mut found = Vec::new();
        for _ in 0..usize::from(u8::from_be_bytes(count)).min(MOST) {
            let mut key = [0u8; 32];
            stream.read_exact(&mut key).await?;
            found.push(PublicId(key));
        }
        Ok(found)
    };
    timeout(PATIENCE, both)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

/// Answers one question about those who wait.
pub(super) async fn answer<S: AsyncRead + AsyncWrite + Unpin>(
    mut stream: S,
    waiting: &[PublicId],
) -> io::Result<()> {
    let both = async {
        let mut question = [0u8; 5];
        stream.read_exact(&mut question).await?;
        let [bits, a, b, c, d] = question;
        let value = u32::from_be_bytes([a, b, c, d]);
        let fits = |who: &&PublicId| {
            bits >= FEWEST_BITS && peer_bits(who, u32::from(bits.min(32))) == value
        };
        let found: Vec<&PublicId> = waiting.iter().filter(fits).take(MOST).collect();
        let mut reply = vec![found.len() as u8];
        for who in found {
            reply.extend(who.0);
        }
        stream.write_all(&reply).await?;
        stream.flush().await?;
        stream.close().await
    };
    timeout(PATIENCE, both)
        .await
        .unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}

#[cfg(test)]
mod tests {
    use tokio_util::compat::TokioAsyncReadCompatExt;

    use super::*;
    use crate::identity::Identity;
    use crate::invite::Invite;

    #[tokio::test]
    async fn whoever_is_meant_is_named_and_nobody_else() {
        let people: Vec<PublicId> = (1..40)
            .map(|n| Identity::from_seed(&[n; 32]).public())
            .collect();
        let eva = people.get(7).expect("there are some");
        let code = Invite::through_relay([203, 0, 113, 9].into(), 47077, eva);
        for (bits, expected) in [
            (code.bits(), vec![*eva]),
            ((0, 0), vec![]),
            ((0, 11), vec![]),
        ] {
            let (here, there) = tokio::io::duplex(64);
            let (asked, answered) =
                tokio::join!(ask(here.compat(), bits), answer(there.compat(), &people));
            answered.expect("the pipe holds");
            assert_eq!(asked.expect("the pipe holds"), expected);
        }
    }
}
