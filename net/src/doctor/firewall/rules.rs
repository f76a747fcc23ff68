//! What the packet filter's own rules say of the game's ports, as far as this user may read them.
//!
//! Only rules that are fully understood count: one with a condition that is not (an interface, a source, a state) is passed
//! over, and a filter that sends packets on to chains of its own has no verdict here. Pure but for [`read`].

use std::process::{Command, Stdio};

use crate::invite::{FIRST_PORT, PORTS};

/// The port of mDNS.
const MDNS: u16 = 5353;

/// What is kept out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::doctor) enum Kept {
    /// The game, over TCP or QUIC.
    Game,
    /// Hearing of tables nearby.
    Mdns,
}

/// A rule that keeps something out, and the line that lets it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::doctor) struct Blocked {
    pub(in crate::doctor) what: Kept,
    /// As the filter tells it.
    pub(in crate::doctor) rule: String,
    pub(in crate::doctor) mend: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transport {
    Tcp,
    Udp,
}

impl Transport {
    fn name(self) -> &'static str {
        match self {
            Transport::Tcp => "tcp",
            Transport::Udp => "udp",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Accept,
    Drop,
}

/// One rule: for whom, and what becomes of it.
struct Rule {
    transport: Option<Transport>,
    /// First and last ports; none for all.
    ports: Option<Vec<(u16, u16)>>,
    verdict: Verdict,
    text: String,
}

impl Rule {
    fn is_for(&self, transport: Transport, port: u16) -> bool {
        let fits = |ports: &Vec<(u16, u16)>| ports.iter().any(|(a, b)| (*a..=*b).contains(&port));
        self.transport.is_none_or(|own| own == transport) && self.ports.as_ref().is_none_or(fits)
    }
}

/// A chain through which everything comes in.
struct Chain {
    /// How a rule is put first: `{transport}` and `{ports}` are filled in.
    insert: String,
    /// How a range of ports is written.
    dash: char,
    /// The chain's own word on what no rule is for, as the filter tells it; none if it lets that in, or sends it elsewhere.
    strict: Option<String>,
    rules: Vec<Rule>,
}

impl Chain {
    fn blocked(&self) -> Vec<Blocked> {
        let last = FIRST_PORT + PORTS - 1;
        let asked = [
            (Kept::Game, Transport::Tcp, FIRST_PORT, last),
            (Kept::Game, Transport::Udp, FIRST_PORT, last),
            (Kept::Mdns, Transport::Udp, MDNS, MDNS),
        ];
        let mut found = Vec::new();
        for (what, transport, first, last) in asked {
            let rule = self.rules.iter().find(|rule| rule.is_for(transport, first));
            let by = match rule {
                Some(rule) if rule.verdict == Verdict::Drop => Some(&rule.text),
                Some(_) => None,
                None => self.strict.as_ref(),
            };
            if let Some(by) = by {
                let ports = if first == last {
                    first.to_string()
                } else {
                    format!("{first}{}{last}", self.dash)
                };
                let line = self.insert.replace("{transport}", transport.name());
                found.push(Blocked {
                    what,
                    rule: by.clone(),
                    mend: line.replace("{ports}", &ports),
                });
            }
        }
        found
    }
}

/// What the filters of this machine keep out. Nothing if they may not be read.
pub(in crate::doctor) fn read() -> Vec<Blocked> {
    // Old iptables keeps its rules where nft does not see them; the new one's are seen by both, and named once.
    let found = run("nft", &["list", "ruleset"]).map(|text| nftables(&text));
    if let Some(found) = found.filter(|found| !found.is_empty()) {
        return found;
    }
    let v4 = run("iptables-save", &[]).map(|text| iptables(&text, "iptables"));
    let v6 = run("ip6tables-save", &[]).map(|text| iptables(&text, "ip6tables"));
    v4.into_iter().chain(v6).flatten().collect()
}

/// What a command prints, if it is there and allowed.
pub(in crate::doctor) fn run(program: &str, args: &[&str]) -> Option<String> {
    // Where these live is not on everybody's path.
    let path = std::env::var("PATH").unwrap_or_default();
    let done = Command::new(program)
        .args(args)
        .env("PATH", format!("{path}:/usr/sbin:/sbin"))
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    done.status
        .success()
        .then(|| String::from_utf8_lossy(&done.stdout).into_owned())
}

/// May this program read the packet filter's rules?
pub(super) fn are_readable() -> bool {
    run("nft", &["list", "ruleset"]).is_some() || run("iptables-save", &[]).is_some()
}

fn range(text: &str, dash: char) -> Option<(u16, u16)> {
    match text.split_once(dash) {
        Some((first, last)) => Some((first.parse().ok()?, last.parse().ok()?)),
        None => text.parse().ok().map(|port| (port, port)),
    }
}

fn transport(word: &str) -> Option<Transport> {
    match word {
        "tcp" => Some(Transport::Tcp),
        "udp" => Some(Transport::Udp),
        _ => None,
    }
}

fn verdict(word: &str) -> Option<Verdict> {
    match word.to_ascii_lowercase().as_str() {
        "accept" => Some(Verdict::Accept),
        "drop" | "reject" => Some(Verdict::Drop),
        _ => None,
    }
}

/// The output of `iptables-save`.
fn iptables(text: &str, program: &str) -> Vec<Blocked> {
    let mut chain = Chain {
        insert: format!("sudo {program} -I INPUT -p {{transport}} --dport {{ports}} -j ACCEPT"),
        dash: ':',
        strict: None,
        rules: Vec::new(),
    };
    let mut filter = false;
    let mut elsewhere = false;
    for line in text.lines() {
        if let Some(table) = line.strip_prefix('*') {
            filter = table == "filter";
        } else if filter && line.starts_with(":INPUT DROP") {
            chain.strict = Some(format!("{program} -P INPUT DROP"));
        } else if filter && let Some(rest) = line.strip_prefix("-A INPUT ") {
            match iptables_rule(rest) {
                Parsed::Rule(mut rule) => {
                    rule.text = format!("{program} {line}");
                    chain.rules.push(rule);
                }
                Parsed::Elsewhere => elsewhere = true,
                Parsed::Unclear => {}
            }
        }
    }
    if elsewhere {
        return Vec::new();
    }
    chain.blocked()
}

enum Parsed {
    Rule(Rule),
    /// Goes on in another chain.
    Elsewhere,
    /// Has a condition that is not understood.
    Unclear,
}

fn iptables_rule(text: &str) -> Parsed {
    let mut rule = Rule {
        transport: None,
        ports: None,
        verdict: Verdict::Accept,
        text: String::new(),
    };
    let mut words = text.split_whitespace();
    let mut decided = false;
    let mut clear = true;
    while let Some(word) = words.next() {
        match word {
            "-p" => match words.next().and_then(transport) {
                Some(transport) => rule.transport = Some(transport),
                None => clear = false,
            },
            "-m" => clear &= matches!(words.next(), Some("tcp" | "udp" | "multiport")),
            "--dport" | "--dports" => {
                let list = words.next().unwrap_or_default();
                let ports: Option<Vec<(u16, u16)>> =
                    list.split(',').map(|text| range(text, ':')).collect();
                clear &= ports.is_some();
                rule.ports = ports;
            }
            "--reject-with" => {
                words.next();
            }
            "-j" | "-g" => match words.next() {
                Some("LOG" | "RETURN") | None => clear = false,
                Some(target) => match verdict(target) {
                    Some(verdict) => (rule.verdict, decided) = (verdict, true),
                    None => return Parsed::Elsewhere,
                },
            },
            _ => clear = false,
        }
    }
    if clear && decided {
        Parsed::Rule(rule)
    } else {
        Parsed::Unclear
    }
}

/// The output of `nft list ruleset`.
fn nftables(text: &str) -> Vec<Blocked> {
    let mut found = Vec::new();
    let (mut table, mut name) = (String::new(), String::new());
    let mut chain: Option<Chain> = None;
    let mut elsewhere = false;
    for line in text.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("table ") {
            table = rest.trim_end_matches(" {").to_owned();
        } else if let Some(rest) = line.strip_prefix("chain ") {
            name = rest.trim_end_matches(" {").to_owned();
        } else if line.starts_with("type filter hook input") {
            let strict = line
                .contains("policy drop")
                .then(|| format!("nft chain {table} {name}: policy drop"));
            elsewhere = false;
            chain = Some(Chain {
                insert: format!(
                    "sudo nft insert rule {table} {name} {{transport}} dport {{ports}} accept"
                ),
                dash: '-',
                strict,
                rules: Vec::new(),
            });
        } else if line == "}" {
            if let Some(chain) = chain.take()
                && !elsewhere
            {
                found.extend(chain.blocked());
            }
        } else if let Some(chain) = &mut chain {
            match nft_rule(line) {
                Parsed::Rule(mut rule) => {
                    rule.text = format!("nft rule {table} {name}: {line}");
                    chain.rules.push(rule);
                }
                Parsed::Elsewhere => elsewhere = true,
                Parsed::Unclear => {}
            }
        }
    }
    found
}

fn nft_rule(line: &str) -> Parsed {
    // A set in braces is one word.
    let line = line
        .replace(", ", ",")
        .replace("{ ", "{")
        .replace(" }", "}");
    let mut rule = Rule {
        transport: None,
        ports: None,
        verdict: Verdict::Accept,
        text: String::new(),
    };
    let mut words = line.split_whitespace();
    let mut decided = false;
    while let Some(word) = words.next() {
        match word {
            "tcp" | "udp" | "th" => {
                rule.transport = transport(word).or(rule.transport);
                if words.next() != Some("dport") {
                    return Parsed::Unclear;
                }
                let set = words.next().unwrap_or_default();
                let set = set.trim_start_matches('{').trim_end_matches('}');
                let ports: Option<Vec<(u16, u16)>> =
                    set.split(',').map(|text| range(text, '-')).collect();
                match ports {
                    Some(ports) => rule.ports = Some(ports),
                    None => return Parsed::Unclear,
                }
            }
            "meta" => match (words.next(), words.next()) {
                (Some("l4proto"), Some("{tcp,udp}" | "{udp,tcp}")) => {}
                (Some("l4proto"), Some(word)) if transport(word).is_some() => {
                    rule.transport = transport(word);
                }
                (_, _) => return Parsed::Unclear,
            },
            // `counter packets N bytes N`, as listed.
            "counter" => {
                words.by_ref().take(4).for_each(drop);
            }
            "with" => words.by_ref().for_each(drop),
            "jump" | "goto" => return Parsed::Elsewhere,
            _ => match verdict(word) {
                Some(verdict) => (rule.verdict, decided) = (verdict, true),
                None => return Parsed::Unclear,
            },
        }
    }
    if decided {
        Parsed::Rule(rule)
    } else {
        Parsed::Unclear
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(blocked: &[Blocked]) -> Vec<(Kept, &str)> {
        blocked
            .iter()
            .map(|blocked| (blocked.what, blocked.rule.as_str()))
            .collect()
    }

    #[test]
    fn iptables_rules_are_named_and_mended() {
        let text = "*nat\n:INPUT DROP [0:0]\nCOMMIT\n*filter\n:INPUT ACCEPT [0:0]\n\
            -A INPUT -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT\n\
            -A INPUT -p tcp -m tcp --dport 47077:47084 -j DROP\nCOMMIT\n";
        let blocked = iptables(text, "iptables");
        let rule = "iptables -A INPUT -p tcp -m tcp --dport 47077:47084 -j DROP";
        assert_eq!(told(&blocked), [(Kept::Game, rule)]);
        assert_eq!(
            blocked.first().map(|blocked| blocked.mend.as_str()),
            Some("sudo iptables -I INPUT -p tcp --dport 47077:47084 -j ACCEPT")
        );
    }

    #[test]
    fn the_first_rule_that_fits_decides() {
        let text = "*filter\n:INPUT DROP [0:0]\n\
            -A INPUT -p udp -m multiport --dports 53,5353 -j ACCEPT\n\
            -A INPUT -p tcp -m tcp --dport 47077 -j ACCEPT\n\
            -A INPUT -p tcp -j REJECT --reject-with tcp-reset\nCOMMIT\n";
        let blocked = iptables(text, "iptables");
        assert_eq!(told(&blocked), [(Kept::Game, "iptables -P INPUT DROP")]);
        assert!(
            blocked
                .iter()
                .all(|blocked| blocked.mend.contains("-p udp"))
        );
    }

    #[test]
    fn chains_of_others_are_not_judged() {
        let text = "*filter\n:INPUT DROP [0:0]\n-A INPUT -j ufw-before-input\nCOMMIT\n";
        assert_eq!(iptables(text, "iptables"), []);
    }

    #[test]
    fn nftables_policies_and_rules_are_named() {
        let text = "table inet filter {\n\tchain input {\n\t\ttype filter hook input priority filter; policy drop;\n\
            \t\tiifname \"lo\" accept\n\t\tct state established,related accept\n\
            \t\tudp dport { 5353, 47077-47084 } accept\n\t}\n\
            \tchain output {\n\t\ttype filter hook output priority filter; policy drop;\n\t}\n}\n";
        let blocked = nftables(text);
        assert_eq!(
            told(&blocked),
            [(Kept::Game, "nft chain inet filter input: policy drop")]
        );
        assert_eq!(
            blocked.first().map(|blocked| blocked.mend.as_str()),
            Some("sudo nft insert rule inet filter input tcp dport 47077-47084 accept")
        );
        let text = "table ip filter {\n chain INPUT {\n type filter hook input priority filter; policy accept;\n\
            meta l4proto { tcp, udp } th dport 47077-47084 counter packets 0 bytes 0 drop\n }\n}\n";
        let rule = "nft rule ip filter INPUT: meta l4proto { tcp, udp } th dport 47077-47084 counter packets 0 bytes 0 drop";
        assert_eq!(
            told(&nftables(text)),
            [(Kept::Game, rule), (Kept::Game, rule)]
        );
    }

    #[test]
    fn nonsense_says_nothing() {
        for text in [
            "",
            "}",
            "table",
            "chain x {\n}\n",
            "*filter\n-A INPUT\n-A INPUT -p\n-A INPUT -j",
        ] {
            assert_eq!(nftables(text), []);
            assert_eq!(iptables(text, "iptables"), []);
        }
    }
}
