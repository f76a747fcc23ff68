//! What a package brings beside a program and the program itself knows best: its manual pages and shell completions, from the
//! definition of its command line, and firewall profiles, from the ports it listens on.
//!
//! Nothing here is installed or switched on. Driven by `shamans-table papers` and `shamans --papers`, which packaging calls.

use std::fs;
use std::io;
use std::path::Path;

use clap::Command;
use clap_complete::Shell;

use crate::invite::{FIRST_PORT, PORTS};

/// The port of mDNS, over UDP.
pub const MDNS_PORT: u16 = 5353;

/// Writes the papers of the program with this command line into `folder`:
///
/// - `man/*.1`, one for the program and one for each subcommand;
/// - `completions/bash`, `completions/zsh`, `completions/fish`;
/// - `firewall/ufw`, `firewall/firewalld.xml`, with `title` as the name that people read.
pub fn write(mut command: Command, title: &str, folder: &Path) -> io::Result<()> {
    let (man, completions, firewall) = (
        folder.join("man"),
        folder.join("completions"),
        folder.join("firewall"),
    );
    for part in [&man, &completions, &firewall] {
        fs::create_dir_all(part)?;
    }
    // Before the completions: they teach the command a `help` that needs no pages of its own.
    clap_mangen::generate_to(command.clone(), &man)?;
    let name = command.get_name().to_owned();
    for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
        let mut text = Vec::new();
        clap_complete::generate(shell, &mut command, &name, &mut text);
        fs::write(completions.join(shell.to_string()), text)?;
    }
    fs::write(firewall.join("ufw"), ufw(title))?;
    fs::write(firewall.join("firewalld.xml"), firewalld(title))
}

/// An application profile: `ufw allow TITLE` switches it on.
fn ufw(title: &str) -> String {
    let (first, last) = (FIRST_PORT, FIRST_PORT + PORTS - 1);
    format!(
        "[{title}]
title={title}
description=A card game with people on the local network
ports={first}:{last}/tcp|{first}:{last}/udp|{MDNS_PORT}/udp
"
    )
}

/// A service: `firewall-cmd --add-service=NAME` switches it on.
fn firewalld(title: &str) -> String {
    let (first, last) = (FIRST_PORT, FIRST_PORT + PORTS - 1);
    format!(
        r#"<?xml version="1.0" encoding="utf-8"?>
<service>
  <short>{title}</short>
  <description>A card game with people on the local network.</description>
  <include service="mdns"/>
  <port protocol="tcp" port="{first}-{last}"/>
  <port protocol="udp" port="{first}-{last}"/>
</service>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn papers_tell_of_options_subcommands_and_ports_and_of_nothing_hidden() {
        let command = Command::new("toy")
            .arg(clap::Arg::new("listen").long("listen").help("Hear well"))
            .subcommand(Command::new("play"))
            .subcommand(Command::new("papers").hide(true));
        let folder = std::env::temp_dir().join(format!("shamans-papers-{}", std::process::id()));
        write(command, "Toy", &folder).expect("the folder for temporary files can be written");
        let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap_or_default();
        assert!(read("man/toy.1").contains("Hear well"));
        assert!(read("man/toy-play.1").contains("toy\\-play"));
        let pages = fs::read_dir(folder.join("man")).expect("just written");
        assert_eq!(pages.count(), 2);
        for shell in ["bash", "zsh", "fish"] {
            assert!(read(&format!("completions/{shell}")).contains("listen"));
        }
        assert!(read("firewall/ufw").starts_with("[Toy]\n"));
        for profile in ["firewall/ufw", "firewall/firewalld.xml"] {
            let text = read(profile);
            assert!(text.contains(&FIRST_PORT.to_string()));
            assert!(text.contains(&(FIRST_PORT + PORTS - 1).to_string()));
        }
        fs::remove_dir_all(&folder).expect("just written");
    }
}
