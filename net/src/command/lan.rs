//! What the subcommands that use the network share: whose installation it is, the runtime, and what stops them.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;

use shamans_net::discovery::NoDiscovery;
use shamans_net::identity::{BadName, Identity, NoRandomness};
use shamans_net::invite::FIRST_PORT;
use shamans_net::store::{Store, StoreError};
use shamans_net::swarm::{BadAddress, ListenError};
use shamans_net::words::{fill, tr};

/// Whose installation.
#[derive(clap::Args, Clone)]
pub struct Installation {
    /// The name others see (default: the login name).
    #[arg(long = "name", value_name = "NAME")]
    name: Option<String>,
    /// Keep identity, tables and records in this folder.
    #[arg(long, value_name = "FOLDER")]
    data_dir: Option<PathBuf>,
}

/// The user of this computer.
pub fn user() -> String {
    std::env::var("USER")
        .ok()
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| tr("Player"))
}

impl Installation {
    /// The name others see.
    pub fn name(&self) -> String {
        let given = self.name.clone().filter(|name| !name.is_empty());
        given.unwrap_or_else(user)
    }

    /// Opens the folder and reads or makes the key.
    pub fn open(&self) -> Result<(Store, Identity), StoreError> {
        let store = Store::open(self.data_dir.as_deref())?;
        let identity = store.identity()?;
        Ok((store, identity))
    }
}

/// Where to listen: an address, a port, or both.
pub fn listen_on(text: Option<&str>) -> Result<(Option<IpAddr>, Option<u16>), Stopped> {
    let Some(text) = text else {
        return Ok((None, None));
    };
    if let Ok(port) = text.parse() {
        return Ok((None, Some(port)));
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Ok((Some(address.ip()), Some(address.port())));
    }
    match text.parse() {
        Ok(ip) => Ok((Some(ip), None)),
        Err(_) => Err(Stopped::BadListen(text.to_owned())),
    }
}

/// Where others come from outside: addresses, with a port or with the program's own.
pub fn externals(texts: &[String]) -> Result<Vec<SocketAddr>, Stopped> {
    let read = |text: &String| {
        let with_port = text.parse::<SocketAddr>().ok();
        let bare = || text.parse::<IpAddr>().ok();
        with_port
            .or_else(|| bare().map(|ip| SocketAddr::new(ip, FIRST_PORT)))
            .ok_or_else(|| Stopped::BadExternal(text.clone()))
    };
    texts.iter().map(read).collect()
}

/// What stops a subcommand before it can answer.
#[derive(Debug, thiserror::Error)]
pub enum Stopped {
    /// Disk.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A name.
    #[error(transparent)]
    Name(#[from] BadName),
    /// mDNS.
    #[error(transparent)]
    Discovery(#[from] NoDiscovery),
    /// A port.
    #[error(transparent)]
    Listen(#[from] ListenError),
    /// Where to go.
    #[error(transparent)]
    Address(#[from] BadAddress),
    /// Neither a table to open nor one to join.
    #[error(
        "{}",
        tr(
            "nothing to do: open a table with --create NAME, or join one with --join CODE, ADDRESS or NAME"
        )
    )]
    NothingToDo,
    /// Not a place to listen on.
    #[error("{}", fill("“{text}” is no address or port to listen on", &[("text", .0)]))]
    BadListen(String),
    /// Not an address to be reached at.
    #[error("{}", fill("“{text}” is no address at which others could reach this machine: write 203.0.113.5 or 203.0.113.5:47077", &[("text", .0)]))]
    BadExternal(String),
    /// Too few or too many.
    #[error("{}", tr("a table has 3 to 5 seats, at least one of them a person's"))]
    BadSeats,
    /// Randomness.
    #[error(transparent)]
    Randomness(#[from] NoRandomness),
}

/// Runs a subcommand on a runtime of its own; what stops it becomes a sentence and exit code 2.
pub fn block_on(work: impl Future<Output = Result<ExitCode, Stopped>>) -> ExitCode {
    let runtime = match tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
    {
        Ok(runtime) => runtime,
        Err(error) => {
            let error = error.to_string();
            eprintln!(
                "{}",
                fill(
                    "the program cannot start its threads: {error}",
                    &[("error", &error)]
                )
            );
            return ExitCode::from(2);
        }
    };
    match runtime.block_on(work) {
        Ok(code) => code,
        Err(stopped) => {
            eprintln!("{stopped}");
            ExitCode::from(2)
        }
    }
}

/// Sleeps until then, or for ever.
pub async fn sleep_until(due: Option<tokio::time::Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
