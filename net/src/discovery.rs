//! Who is nearby: mDNS on IPv4 and IPv6 under a service name of our own, so that no stranger ever shows.
//!
//! Every running peer announces itself, and the table it sits at, in one TXT record that is said again every few seconds with a
//! counter in it; what is not heard for a while is gone, whether it said goodbye or not. [`Lobby`] makes rows of that.
//! Being announced proves nothing: who somebody is shows when a link stands.

use std::collections::HashMap;
use std::time::Duration;

use libp2p::Multiaddr;
use mdns_sd::{DaemonEvent, ResolvedService, ScopedIp, ServiceDaemon, ServiceEvent, ServiceInfo};
use tokio::sync::{mpsc, watch};
use tokio::time::{Instant, sleep_until};

use crate::identity::PublicId;
use crate::swarm::addresses_of;
use crate::wire::txt;

mod lobby;

pub use crate::wire::presence::{Presence, TableAdvert, TableState};
pub use lobby::{Lobby, Row};

const SERVICE: &str = "_shamans._tcp.local.";
/// How often a presence is said again.
const AGAIN: Duration = Duration::from_secs(3);
const EVENTS: usize = 256;

/// A peer as heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Neighbour {
    /// The key it claims.
    pub id: PublicId,
    /// Which start of the program: two at once are two copies of one identity.
    pub run: u64,
    /// The protocol version it speaks.
    pub protocol: u16,
    /// What it announces.
    pub presence: Presence,
    /// Where it says it can be reached.
    pub addresses: Vec<Multiaddr>,
}

/// What is heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiscoveryEvent {
    /// A peer is there, or says something new, or the same again.
    Seen(Neighbour),
    /// A peer said goodbye.
    Gone(PublicId),
    /// Another program announces this very identity.
    Copy {
        /// Where it is.
        addresses: Vec<Multiaddr>,
    },
    /// mDNS does not work as it should; play by invite code is still possible.
    Trouble(String),
}

/// mDNS could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", crate::words::fill("tables nearby cannot be found ({why}); joining by invite code still works", &[("why", &.0.to_string())]))]
pub struct NoDiscovery(String);

/// This peer's ears and voice. Dropping it says goodbye.
pub struct Discovery {
    presence: watch::Sender<Presence>,
    close: mpsc::Sender<()>,
    closed: Option<tokio::task::JoinHandle<()>>,
}

impl Discovery {
    /// Begins to listen and to announce `presence` of the peer that listens on `port`.
    pub fn start(
        local: PublicId,
        port: u16,
        presence: Presence,
    ) -> Result<(Discovery, mpsc::Receiver<DiscoveryEvent>), NoDiscovery> {
        let failed = |error: mdns_sd::Error| NoDiscovery(error.to_string());
        let daemon = ServiceDaemon::new().map_err(failed)?;
        let heard = daemon.browse(SERVICE).map_err(failed)?;
        let monitor = daemon.monitor().map_err(failed)?;
        let (presence, changes) = watch::channel(presence);
        let (events, receiver) = mpsc::channel(EVENTS);
        let (close, closing) = mpsc::channel(1);
        let run =
            getrandom::u64().map_err(|_| NoDiscovery(crate::words::tr("no random numbers")))?;
        let voice = Voice {
            daemon,
            local,
            port,
            run,
            beat: 0,
            instances: Instances::default(),
        };
        let task = tokio::spawn(voice.run(heard, monitor, changes, closing, events));
        Ok((
            Discovery {
                presence,
                close,
                closed: Some(task),
            },
            receiver,
        ))
    }

    /// Announces something new.
    pub fn announce(&self, presence: Presence) {
        self.presence.send_if_modified(|old| {
            let changed = *old != presence;
            *old = presence;
            changed
        });
    }

    /// Says goodbye and waits until it is said.
    pub async fn close(mut self) {
        // Full means that it is closing already.
        self.close.try_send(()).ok();
        if let Some(task) = self.closed.take() {
            tokio::time::timeout(Duration::from_secs(2), task)
                .await
                .ok();
        }
    }
}

struct Voice {
    daemon: ServiceDaemon,
    local: PublicId,
    port: u16,
    run: u64,
    beat: u32,
    instances: Instances,
}

/// Whose goodbye an instance's is. After a restart somebody has two for a while: what is left of the old one expires later.
#[derive(Default)]
struct Instances(HashMap<String, PublicId>);

impl Instances {
    fn seen(&mut self, fullname: &str, id: PublicId) {
        if self.0.len() < lobby::MOST {
            self.0.insert(fullname.to_owned(), id);
        }
    }

    /// Who is gone with this instance: nobody if they have another.
    fn gone(&mut self, fullname: &str) -> Option<PublicId> {
        let id = self.0.remove(fullname)?;
        (!self.0.values().any(|other| *other == id)).then_some(id)
    }
}

impl Voice {
    async fn run(
        mut self,
        heard: mdns_sd::Receiver<ServiceEvent>,
        monitor: mdns_sd::Receiver<DaemonEvent>,
        mut changes: watch::Receiver<Presence>,
        mut closing: mpsc::Receiver<()>,
        events: mpsc::Sender<DiscoveryEvent>,
    ) {
        let mut again = Instant::now();
        loop {
            tokio::select! {
                () = sleep_until(again) => {
                    again = Instant::now() + AGAIN;
                    let presence = changes.borrow_and_update().clone();
                    self.say(&presence, &events).await;
                }
                changed = changes.changed() => match changed {
                    Ok(()) => again = Instant::now(),
                    Err(_) => break,
                },
                event = heard.recv_async() => match event {
                    Ok(event) => self.hear(event, &events).await,
                    Err(_) => {
                        events.send(DiscoveryEvent::Trouble(crate::words::tr("listening for tables nearby has stopped"))).await.ok();
                        break;
                    }
                },
                Ok(event) = monitor.recv_async() => {
                    if let DaemonEvent::Error(error) = event {
                        events.send(DiscoveryEvent::Trouble(error.to_string())).await.ok();
                    }
                }
                _ = closing.recv() => break,
            }
        }
        self.goodbye().await;
    }

    fn instance(&self) -> String {
        // Unique to this start, so that two copies of an identity are heard as two and not as one that contradicts itself.
        format!("{:.16}-{:08x}", self.local.to_hex(), self.run as u32)
    }

    async fn say(&mut self, presence: &Presence, events: &mpsc::Sender<DiscoveryEvent>) {
        self.beat = self.beat.wrapping_add(1);
        let instance = self.instance();
        let host = format!("{instance}.local.");
        let txt = txt::write(&self.local, self.run, self.beat, presence);
        let said = ServiceInfo::new(SERVICE, &instance, &host, "", self.port, txt.as_slice())
            .map(ServiceInfo::enable_addr_auto)
            .and_then(|mut info| {
                // The name is made of a key and a random number: nobody else has it.
                info.set_requires_probe(false);
                self.daemon.register(info)
            });
        if let Err(error) = said {
            events
                .send(DiscoveryEvent::Trouble(error.to_string()))
                .await
                .ok();
        }
    }

    async fn hear(&mut self, event: ServiceEvent, events: &mpsc::Sender<DiscoveryEvent>) {
        match event {
            ServiceEvent::ServiceResolved(service) => {
                let Some(neighbour) = neighbour(&service) else {
                    return;
                };
                self.instances.seen(service.get_fullname(), neighbour.id);
                let event = if neighbour.id != self.local {
                    DiscoveryEvent::Seen(neighbour)
                } else if neighbour.run != self.run {
                    DiscoveryEvent::Copy {
                        addresses: neighbour.addresses,
                    }
                } else {
                    return;
                };
                events.send(event).await.ok();
            }
            ServiceEvent::ServiceRemoved(_, fullname) => {
                if let Some(id) = self.instances.gone(&fullname) {
                    events.send(DiscoveryEvent::Gone(id)).await.ok();
                }
            }
            other => tracing::trace!(?other, "mdns"),
        }
    }

    async fn goodbye(&self) {
        let fullname = format!("{}.{SERVICE}", self.instance());
        if let Ok(done) = self.daemon.unregister(&fullname) {
            tokio::time::timeout(Duration::from_millis(500), done.recv_async())
                .await
                .ok();
        }
        if let Ok(done) = self.daemon.shutdown() {
            tokio::time::timeout(Duration::from_millis(500), done.recv_async())
                .await
                .ok();
        }
    }
}

fn neighbour(service: &ResolvedService) -> Option<Neighbour> {
    let pairs = service
        .get_properties()
        .iter()
        .map(|property| (property.key(), property.val_str()));
    let heard = txt::read(pairs)?;
    let mut addresses = Vec::new();
    for ip in service.get_addresses() {
        let zone = match ip {
            ScopedIp::V6(v6) => Some(v6.scope_id().name.clone()),
            _ => None,
        };
        addresses.extend(addresses_of(
            ip.to_ip_addr(),
            service.get_port(),
            zone.as_deref(),
        ));
    }
    addresses.sort_by_key(Multiaddr::to_string);
    addresses.dedup();
    addresses.truncate(16);
    Some(Neighbour {
        id: heard.id,
        run: heard.run,
        protocol: heard.protocol,
        presence: heard.presence,
        addresses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Identity;

    #[test]
    fn who_has_restarted_is_not_gone_with_what_is_left_of_before() {
        let eva = Identity::from_seed(&[1; 32]).public();
        let mut instances = Instances::default();
        instances.seen("eva-1", eva);
        instances.seen("eva-2", eva);
        assert_eq!(instances.gone("eva-1"), None);
        assert_eq!(instances.gone("eva-2"), Some(eva));
        assert_eq!(instances.gone("eva-2"), None);
    }
}
