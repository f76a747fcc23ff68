//! libp2p's TCP, and one thing more: link-local IPv6 addresses with their interface (`/ip6zone/eth0/ip6/fe80::1/tcp/47077`),
//! which are all that two machines on a bare cable have.

use std::io;
use std::net::{Ipv6Addr, SocketAddrV6};
use std::pin::Pin;
use std::task::{Context, Poll};

use libp2p::Multiaddr;
use libp2p::core::transport::{DialOpts, ListenerId, Transport, TransportError, TransportEvent};
use libp2p::multiaddr::Protocol;
use libp2p::tcp;

/// TCP with interfaces.
pub(super) struct ScopedTcp {
    inner: tcp::tokio::Transport,
}

impl ScopedTcp {
    pub(super) fn new() -> ScopedTcp {
        ScopedTcp {
            inner: tcp::tokio::Transport::new(tcp::Config::default().nodelay(true)),
        }
    }
}

impl Transport for ScopedTcp {
    type Output = tcp::tokio::TcpStream;
    type Error = io::Error;
    type ListenerUpgrade = <tcp::tokio::Transport as Transport>::ListenerUpgrade;
    type Dial = Pin<Box<dyn Future<Output = io::Result<Self::Output>> + Send>>;

    fn listen_on(
        &mut self,
        id: ListenerId,
        addr: Multiaddr,
    ) -> Result<(), TransportError<io::Error>> {
        self.inner.listen_on(id, addr)
    }

    fn remove_listener(&mut self, id: ListenerId) -> bool {
        self.inner.remove_listener(id)
    }

    fn dial(
        &mut self,
        addr: Multiaddr,
        opts: DialOpts,
    ) -> Result<Self::Dial, TransportError<io::Error>> {
        let Some((zone, ip, port)) = scoped(&addr) else {
            return self.inner.dial(addr, opts);
        };
        Ok(Box::pin(async move {
            let scope = interface_index(&zone)?;
            let stream =
                tokio::net::TcpStream::connect(SocketAddrV6::new(ip, port, 0, scope)).await?;
            stream.set_nodelay(true)?;
            Ok(tcp::tokio::TcpStream(stream))
        }))
    }

    fn poll(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<TransportEvent<Self::ListenerUpgrade, io::Error>> {
        Pin::new(&mut self.inner).poll(cx)
    }
}

fn scoped(address: &Multiaddr) -> Option<(String, Ipv6Addr, u16)> {
    let mut parts = address.iter();
    match (parts.next()?, parts.next()?, parts.next()?) {
        (Protocol::Ip6zone(zone), Protocol::Ip6(ip), Protocol::Tcp(port)) => {
            Some((zone.into_owned(), ip, port))
        }
        _ => None,
    }
}

fn interface_index(name: &str) -> io::Result<u32> {
    if_addrs::get_if_addrs()?
        .into_iter()
        .find(|interface| interface.name == name)
        .and_then(|interface| interface.index)
        .ok_or_else(|| {
            io::Error::new(
                io::ErrorKind::NotFound,
                format!("there is no network interface {name}"),
            )
        })
}
