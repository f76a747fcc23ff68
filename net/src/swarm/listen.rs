//! The swarm itself: transports, limits, and the port to listen on.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};
use std::time::Duration;

use libp2p::core::muxing::StreamMuxerBox;
use libp2p::core::transport::{Boxed, ListenerId};
use libp2p::core::{Transport as _, upgrade};
use libp2p::swarm::{DialError, NetworkBehaviour};
use libp2p::{PeerId, StreamProtocol, Swarm, dcutr, identify, noise, quic, relay, swarm, yamux};

use super::scoped::ScopedTcp;
use super::slots::Slots;
use super::{NodeConfig, keypair, with_quic, with_tcp};
use crate::PROTOCOL_VERSION;
use crate::identity::Identity;
use crate::invite::{FIRST_PORT, PORTS};
use crate::words::tr;

/// Why listening failed.
#[derive(Debug, thiserror::Error)]
pub enum ListenError {
    /// The port is taken.
    #[error("{}", crate::words::fill("port {port} is taken by another program; choose another with --listen", &[("port", &.0.to_string())]))]
    Taken(u16),
    /// All of the program's own ports are taken, and the system gave no other.
    #[error("{}", crate::words::fill("no free port was found: {why}", &[("why", &.0.to_string())]))]
    NoPort(io::Error),
    /// The address is not this machine's, or the network is off.
    #[error("{}", crate::words::fill("cannot listen on {ip} port {port}: {why}", &[("ip", &ip.to_string()), ("port", &port.to_string()), ("why", why)]))]
    Refused {
        /// The address.
        ip: IpAddr,
        /// The port.
        port: u16,
        /// The network's word.
        why: String,
    },
}

#[derive(NetworkBehaviour)]
pub(super) struct Behaviour {
    pub(super) slots: Slots,
    identify: identify::Behaviour,
    relay: relay::client::Behaviour,
    dcutr: dcutr::Behaviour,
    pub(super) streams: libp2p_stream::Behaviour,
}

pub(super) fn link_protocol() -> StreamProtocol {
    StreamProtocol::try_from_owned(format!("/shamans/link/{PROTOCOL_VERSION}"))
        .expect("begins with a slash")
}

pub(super) fn protocol_version() -> String {
    format!("shamans/{PROTOCOL_VERSION}")
}

/// TCP and QUIC.
pub(super) fn transport(identity: &Identity) -> Boxed<(PeerId, StreamMuxerBox)> {
    let keys = keypair(identity);
    let tcp = ScopedTcp::new()
        .upgrade(upgrade::Version::V1)
        .authenticate(noise::Config::new(&keys).expect("noise takes every ed25519 key"))
        .multiplex(yamux::Config::default())
        .timeout(Duration::from_secs(5));
    let mut quic = quic::Config::new(&keys);
    quic.max_idle_timeout = 4000;
    quic.keep_alive_interval = Duration::from_secs(1);
    quic.handshake_timeout = Duration::from_secs(4);
    let quic = quic::tokio::Transport::new(quic);
    tcp.or_transport(quic.map(|(peer, connection), _| (peer, StreamMuxerBox::new(connection))))
        .map(|either, _| match either {
            futures::future::Either::Left((peer, muxer)) => (peer, StreamMuxerBox::new(muxer)),
            futures::future::Either::Right((peer, muxer)) => (peer, muxer),
        })
        .boxed()
}

/// The same, and ways through relays.
fn with_relays(
    identity: &Identity,
    relayed: relay::client::Transport,
) -> Boxed<(PeerId, StreamMuxerBox)> {
    let keys = keypair(identity);
    relayed
        .upgrade(upgrade::Version::V1)
        .authenticate(noise::Config::new(&keys).expect("noise takes every ed25519 key"))
        .multiplex(yamux::Config::default())
        .timeout(Duration::from_secs(10))
        .map(|(peer, muxer), _| (peer, StreamMuxerBox::new(muxer)))
        .boxed()
        // First: whatever does not lead through a relay is left to the others.
        .or_transport(transport(identity))
        .map(|either, _| either.into_inner())
        .boxed()
}

/// A swarm that listens, and the port it listens on.
pub(super) fn swarm(
    identity: &Identity,
    config: &NodeConfig,
) -> Result<(Swarm<Behaviour>, u16), ListenError> {
    let keys = keypair(identity);
    let local = keys.public().to_peer_id();
    let (relayed, relay) = relay::client::new(local);
    let behaviour = Behaviour {
        slots: Slots::default(),
        identify: identify::Behaviour::new(
            identify::Config::new(protocol_version(), keys.public())
                .with_hide_listen_addrs(true)
                .with_cache_size(0),
        ),
        relay,
        dcutr: dcutr::Behaviour::new(local),
        streams: libp2p_stream::Behaviour::new(),
    };
    let swarm_config =
        swarm::Config::with_tokio_executor().with_idle_connection_timeout(Duration::from_secs(20));
    let mut swarm = Swarm::new(
        with_relays(identity, relayed),
        behaviour,
        local,
        swarm_config,
    );
    let port = listen(&mut swarm, config)?;
    Ok((swarm, port))
}

/// Listens everywhere asked for, on one port. QUIC first: its port cannot be shared, so two peers on one machine never end up
/// with the same (libp2p's TCP listeners would share one silently).
pub(super) fn listen<B: NetworkBehaviour>(
    swarm: &mut Swarm<B>,
    config: &NodeConfig,
) -> Result<u16, ListenError> {
    let ips: Vec<IpAddr> = match config.ip {
        Some(ip) => vec![ip],
        None => vec![Ipv4Addr::UNSPECIFIED.into(), Ipv6Addr::UNSPECIFIED.into()],
    };
    let ports = match config.port {
        Some(0) | None => {
            let system = free_port().map_err(ListenError::NoPort)?;
            let own = if config.port.is_none() {
                FIRST_PORT..FIRST_PORT + PORTS
            } else {
                0..0
            };
            own.chain([system]).collect()
        }
        Some(port) => vec![port],
    };
    let mut last = ListenError::Taken(config.port.unwrap_or(FIRST_PORT));
    for port in ports {
        let mut any = None;
        let mut made = Vec::new();
        for ip in &ips {
            match listen_at(swarm, *ip, port) {
                Ok(both) => {
                    any = Some(port);
                    made.extend(both);
                }
                Err(why) if why.contains("AddrInUse") => {
                    // Half a port is none: of two programs that start at once, one would get it for IPv4 and one for IPv6.
                    last = ListenError::Taken(port);
                    any = None;
                    for id in made {
                        swarm.remove_listener(id);
                    }
                    break;
                }
                Err(why) => last = ListenError::Refused { ip: *ip, port, why },
            }
        }
        // A machine without IPv6 (or without IPv4) still plays on the other.
        if let Some(port) = any {
            return Ok(port);
        }
    }
    Err(last)
}

fn listen_at<B: NetworkBehaviour>(
    swarm: &mut Swarm<B>,
    ip: IpAddr,
    port: u16,
) -> Result<[ListenerId; 2], String> {
    let mut listen = |address| {
        let listening = swarm.listen_on(address);
        listening.map_err(|error| format!("{error:?}"))
    };
    let quic = listen(with_quic(ip, port))?;
    match listen(with_tcp(ip, port)) {
        Ok(tcp) => Ok([quic, tcp]),
        Err(why) => {
            swarm.remove_listener(quic);
            Err(why)
        }
    }
}

fn free_port() -> io::Result<u16> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))
        .or_else(|_| UdpSocket::bind((Ipv6Addr::UNSPECIFIED, 0)))?;
    Ok(socket.local_addr()?.port())
}

/// What a failed dial means to a person.
pub(super) fn sentence(error: &DialError) -> String {
    match error {
        DialError::LocalPeerId { .. } | DialError::WrongPeerId { .. } => {
            tr("it is this very program, or another than expected, that answers there")
        }
        DialError::Transport(errors) => {
            let all: Vec<String> = errors
                .iter()
                .map(|(_, error)| format!("{error:?}"))
                .collect();
            let text = all.join(" ");
            if text.contains("ConnectionRefused") {
                tr("nothing listens there: is the program running, is the port right?")
            } else if text.contains("NetworkUnreachable") || text.contains("HostUnreachable") {
                tr("there is no way to that address from this machine")
            } else if text.contains("Timeout") || text.contains("TimedOut") {
                tr("no answer: a firewall may be in the way")
            } else {
                errors
                    .first()
                    .map_or_else(|| tr("no answer"), |(_, error)| error.to_string())
            }
        }
        DialError::NoAddresses => tr("there was no address to try"),
        DialError::Aborted | DialError::DialPeerConditionFalse(_) | DialError::Denied { .. } => {
            tr("too many connections at once")
        }
    }
}
