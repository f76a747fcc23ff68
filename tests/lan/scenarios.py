"""What must work on a real network. Each test gets an empty LAN; its first line says what it shows."""
import json
import os
import random
import time

LONG = 240


def table(lan, hosts, *more, seats=None, names=None):
    """The first host opens a table, the others join it by name; all as sensible bots."""
    first, *others = hosts
    seats = seats or len(hosts)
    peers = [first.peer("--create", "Night", "--seats", str(seats), *more)]
    peers += [host.peer("--join", "night") for host in others]
    return peers


def all_same(peers, seconds=LONG):
    hashes = [peer.finish(seconds) for peer in peers]
    assert len(set(hashes)) == 1, f"records differ: {hashes}"
    phrases = {peer.of("phrase")[-1]["phrase"] for peer in peers}
    assert len(phrases) == 1, f"phrases differ: {phrases}"
    for peer in peers:
        audits = peer.of("audited")
        assert all(audit["fair"] for audit in audits), "a deal does not hold up"
    return hashes[0]


def verified(host):
    """The kept record, checked by the program without the players."""
    folder = os.path.join(host.data, "records")
    record = os.path.join(folder, os.listdir(folder)[0])
    done = host.run("verify", record)
    if "unrecognized subcommand" in done.stderr:
        return "not verified: there is no verify yet"
    assert done.returncode == 0, f"verify: {done.stdout} {done.stderr}"
    return "verified"


def list_of_tables(lan):
    """A table is listed within 3 s, and gone within 10 s of its closing or its death."""
    a, b = lan.up(2)
    watcher = b.peer("--seconds", "60", command="nearby")
    time.sleep(1)

    def listed(event):
        return any(row["name"] == "Night" and row["state"] == "open" for row in event.get("nearby", {}).get("tables", []))

    def gone(event):
        return "nearby" in event and not event["nearby"]["tables"]

    times = []
    for end in ("closed", "killed"):
        start = watcher.count()
        opened = time.monotonic()
        peer = a.peer("--create", "Night", "--fresh")
        row = watcher.wait(listed, 3, start)["nearby"]["tables"][0]
        times.append(time.monotonic() - opened)
        assert (row["who"], row["seats"], row["taken"], row["greyed"]) == (["P1"], 3, 1, None), row
        time.sleep(4)
        start = watcher.count()
        ended = time.monotonic()
        if end == "closed":
            import signal

            peer.kill(signal.SIGINT)
        else:
            peer.kill()
        watcher.wait(gone, 10, start)
        times.append(time.monotonic() - ended)
    return "listed after {:.1f} s, closed: gone after {:.1f} s; listed after {:.1f} s, killed: gone after {:.1f} s".format(*times)


def five_hosts(lan):
    """Five hosts find each other by mDNS alone and finish a game; all records are the same and verify."""
    hosts = lan.up(5)
    all_same(table(lan, hosts))
    return verified(hosts[4])


def ipv6_alone(lan):
    """Nothing but link-local IPv6 addresses, as on a bare cable: by mDNS."""
    hosts = lan.up(3, ip4=False)
    all_same(table(lan, hosts))


def by_code(lan):
    """Multicast is dropped everywhere: joining by invite code, one by IPv4, one by IPv6."""
    hosts = lan.up(3)
    for host in hosts:
        host.iptables("-A", "OUTPUT", "-p", "udp", "--dport", "5353", "-j", "DROP")
        host.iptables("-A", "INPUT", "-p", "udp", "--dport", "5353", "-j", "DROP")
    first = hosts[0].peer("--create", "Night")
    ip4 = first.wait(lambda e: e["event"] == "reachable" and "." in e["ip"], 10)["invite"]
    ip6 = first.wait(lambda e: e["event"] == "reachable" and ":" in e["ip"], 10)["invite"]
    peers = [first, hosts[1].peer("--join", ip4.lower().replace("-", " ")), hosts[2].peer("--join", ip6)]
    all_same(peers)
    typo = ("4" if ip4[0] != "4" else "6") + ip4[1:]
    done = hosts[1].run("peer", "--join", typo, "--data-dir", os.path.join(lan.folder, "typo"))
    assert done.returncode == 2 and "typing mistake" in done.stderr, done.stderr
    return f"codes {ip4} and {ip6}"


def by_address(lan):
    """No mDNS at all: joining by plain address."""
    hosts = lan.up(3, ip6=False)
    first = hosts[0].peer("--create", "Night", "--no-mdns")
    first.wait_for("reachable", 10)
    peers = [first] + [host.peer("--join", hosts[0].ip4, "--no-mdns") for host in hosts[1:]]
    all_same(peers)


def two_and_a_phantom(lan):
    """Two people and a phantom."""
    hosts = lan.up(2)
    all_same(table(lan, hosts, "--phantoms", "1", seats=3))


def killed_and_restarted(lan):
    """kill -9 of one peer at many moments of a game, restarted each time: same seat, the game finishes."""
    hosts = lan.up(3, ip6=False)
    peers = table(lan, hosts)
    seat = peers[2].wait_for("seated", 30)["seat"]
    deaths = 0
    pick = random.Random(7)
    while deaths < 20:
        try:
            peers[2].wait(lambda e: e["event"] in ("step", "over"), 40)
        except AssertionError:
            raise AssertionError(f"after death {deaths}: {peers[2].last_words()}")
        time.sleep(pick.uniform(0.0, 0.8))
        if peers[2].of("over"):
            break
        peers[2].kill()
        deaths += 1
        peers[2] = hosts[2].peer("--join", "night")
        again = peers[2].wait_for("seated", 30)
        assert again["seat"] == seat, "another seat"
    all_same(peers)
    return f"{deaths} deaths"


def lost_disk(lan):
    """A player comes back with nothing but the key: same seat, the game finishes."""
    hosts = lan.up(3, ip6=False)
    peers = table(lan, hosts, "--grace", "20")
    seat = peers[2].wait_for("seated", 30)["seat"]
    peers[2].wait(lambda e: e["event"] == "step" and e["step"] > 20, 60)
    peers[2].kill()
    for name in os.listdir(os.path.join(hosts[2].data, "tables")):
        os.remove(os.path.join(hosts[2].data, "tables", name))
    peers[2] = hosts[2].peer("--join", "night")
    assert peers[2].wait_for("seated", 30)["seat"] == seat
    all_same(peers)


def cable_out(lan):
    """A host's cable is out for 30 s: nobody presses anything, play goes on."""
    hosts = lan.up(3, ip6=False)
    peers = table(lan, hosts, "--grace", "120")
    peers[0].wait(lambda e: e["event"] == "step" and e["step"] > 12, 60)
    hosts[2].link("down")
    cut = time.monotonic()
    peers[0].wait(lambda e: e["event"] == "link" and not e["up"], 8)
    noticed = time.monotonic() - cut
    time.sleep(30 - noticed)
    step = peers[0].step()
    hosts[2].link("up")
    healed = time.monotonic()
    peers[0].wait(lambda e: e["event"] == "step" and e["step"] > step, 20, peers[0].count())
    back = time.monotonic() - healed
    all_same(peers)
    return f"noticed after {noticed:.1f} s, going on {back:.1f} s after the cable was in again"


def never_returns(lan):
    """A peer that never returns: the others go on with a phantom and finish."""
    hosts = lan.up(4, ip6=False)
    peers = table(lan, hosts, "--grace", "6")
    peers[0].wait(lambda e: e["event"] == "step" and e["step"] > 25, 60)
    peers[3].kill()
    died = time.monotonic()
    peers[0].wait(lambda e: e["event"] == "table" and "go on without" in e["text"], 30)
    after = time.monotonic() - died
    all_same(peers[:3])
    return f"the others went on after {after:.1f} s (6 s grace)"


def split(lan):
    """Split three and two for 15 s: nobody goes on alone with a false history; healed, the game finishes."""
    hosts = lan.up(5, ip6=False)
    peers = table(lan, hosts, "--grace", "120")
    peers[0].wait(lambda e: e["event"] == "step" and e["step"] > 20, 90)
    for host in hosts[3:]:
        host.cut()
    time.sleep(6)
    before = [peer.step() for peer in peers]
    time.sleep(9)
    after = [peer.step() for peer in peers]
    assert before == after, f"somebody went on alone: {before} {after}"
    for host in hosts[3:]:
        host.heal()
    all_same(peers)
    return f"all stood still at steps {before}"


def slow_and_lossy(lan):
    """5 % loss and 80 ms delay each way: the game finishes."""
    hosts = lan.up(3, ip6=False, delay_ms=80, jitter_ms=10, loss=0.05)
    all_same(table(lan, hosts), 2 * LONG)
    return f"{lan.switch.lost} frames lost of {lan.switch.lost + lan.switch.passed}"


def watched(lan):
    """A spectator sees the game to its end and has the same record."""
    hosts = lan.up(4, ip6=False)
    peers = table(lan, hosts[:3])
    peers[0].wait(lambda e: e["event"] == "step" and e["step"] > 15, 60)
    spectator = hosts[3].peer("--join", "night", "--watch")
    assert spectator.wait_for("seated", 20)["seat"] is None
    record = all_same(peers)
    assert spectator.finish(30) == record


def two_copies(lan):
    """Two copies of one identity on one machine, and on two: noticed and explained."""
    a, b = lan.up(2)
    first = a.peer("--create", "Night")
    first.wait_for("room", 10)
    done = a.run("peer", "--join", "night", "--data-dir", a.data)
    assert done.returncode == 2 and "another copy of the program" in done.stderr, done.stderr
    os.makedirs(b.data, mode=0o700)
    with open(os.path.join(a.data, "identity.key"), "rb") as key:
        with open(os.open(os.path.join(b.data, "identity.key"), os.O_WRONLY | os.O_CREAT, 0o600), "wb") as copy:
            copy.write(key.read())
    second = b.peer("--create", "Day")
    second.wait_for("copy", 10)
    first.wait_for("copy", 10)


def no_space(lan):
    """A full disk is a sentence, and the game goes on when there is space again."""
    import subprocess

    hosts = lan.up(3, ip6=False)
    os.makedirs(hosts[2].data)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "none", hosts[2].data], check=True)
    try:
        peers = table(lan, hosts, "--grace", "120")
        peers[2].wait(lambda e: e["event"] == "step" and e["step"] > 10, 60)
        ballast = os.path.join(hosts[2].data, "ballast")
        file = os.open(ballast, os.O_WRONLY | os.O_CREAT)
        try:
            while True:
                os.write(file, bytes(4096))
        except OSError:
            os.close(file)
        peers[2].wait(lambda e: e["event"] == "trouble" and "the disk is full" in e["text"], 40)
        os.remove(ballast)
        subprocess.run(["mount", "-o", "remount,size=64m", hosts[2].data], check=True)
        all_same(peers)
    finally:
        lan.close()
        subprocess.run(["umount", "-l", hosts[2].data])


def unwritable(lan):
    """A folder that cannot be written is a sentence and exit code 2."""
    (host,) = lan.up(1, ip6=False)
    done = host.run("peer", "--create", "Night", "--data-dir", "/proc/nothing")
    assert done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr


def doctor(lan):
    """The doctor: all well; game port dropped; multicast dropped; no network; another player heard and reached."""
    a, b, c, d = lan.up(4, ip6=False)

    def ask(host):
        done = host.run("doctor", "--json", "--seconds", "3", "--name", "Doc")
        report = json.loads(done.stdout)
        assert done.returncode == (0 if report["can_play"] else 1)
        return report

    b.peer("--create", "Night").wait_for("room", 10)
    well = ask(a)
    assert well["can_play"] and well["heard"] == ["P2"] and well["reached"] == ["P2"], well
    lan_card = next(i for i in well["interfaces"] if i["name"] == "eth0")
    assert lan_card["up"] and lan_card["multicast4"] and len(lan_card["invites"]) == 1, lan_card
    c.iptables("-A", "INPUT", "-p", "tcp", "--dport", "47077:47084", "-j", "DROP")
    c.iptables("-A", "OUTPUT", "-p", "tcp", "--dport", "47077:47084", "-j", "DROP")
    c.iptables("-A", "INPUT", "-p", "udp", "--dport", "47077:47084", "-j", "DROP")
    c.iptables("-A", "OUTPUT", "-p", "udp", "--dport", "47077:47084", "-j", "DROP")
    blocked = ask(c)
    words = " ".join(f["what"] + (f["mend"] or "") for f in blocked["findings"])
    assert not blocked["can_play"] and "port 47077 is blocked" in words and "47077" in words, blocked
    from hosts import sh

    sh("ip", "netns", "exec", d.name, "iptables", "-A", "INPUT", "-d", "224.0.0.0/4", "-j", "DROP")
    deaf = ask(d)
    assert deaf["can_play"] and any("multicast" in f["what"] for f in deaf["findings"]), deaf
    sh("ip", "-n", d.name, "link", "set", "eth0", "down")
    nowhere = ask(d)
    assert not nowhere["can_play"] and any("on no network" in f["what"] for f in nowhere["findings"]), nowhere


def typing(lan):
    """A person plays a whole game by typing, with two bots."""
    hosts = lan.up(3, ip6=False)
    record = os.path.join(lan.folder, "typed.shamans")
    bots = [hosts[0].peer("--create", "Night"), hosts[1].peer("--join", "night")]
    person = hosts[2].peer("--join", "night", "--record", record, command="play")
    person.wait(lambda e: e["text"].startswith("Press Enter"), 20)
    person.type("")
    seen, turns = 0, 0
    until = time.monotonic() + LONG
    while time.monotonic() < until:
        event = person.wait(lambda e: e["text"].startswith(("Your turn", "The game is over")), 60, seen)
        seen = person.events.index(event) + 1
        if event["text"].startswith("The game is over"):
            break
        turns += 1
        if turns == 2:
            for word in ("hand", "me", "state", "say hello", "99", "nonsense"):
                person.type(word)
        person.type("1")
    all_same(bots)
    assert os.path.getsize(record) > 1000
    bots[0].wait(lambda e: e["event"] == "chat" and "hello" in e["text"], 5)
    assert any("means nothing here" in e["text"] for e in person.events)
    return f"{turns} turns"


def rematch(lan):
    """Three games one after another with the same people."""
    hosts = lan.up(3, ip6=False)
    peers = [hosts[0].peer("--create", "Night", "--games", "3")]
    peers += [host.peer("--join", "night", "--games", "3") for host in hosts[1:]]
    for game in range(3):
        for peer in peers:
            seen = 0
            for _ in range(game + 1):
                event = peer.wait_for("over", LONG, seen)
                seen = peer.events.index(event) + 1
    games = [[over["record_hash"] for over in peer.of("over")] for peer in peers]
    assert games[0] == games[1] == games[2] and len(set(games[0])) == 3, games


def usage(peer):
    """CPU seconds and resident megabytes of a peer, and how many files it has open."""
    (pid,) = [int(p) for p in open(f"/proc/{peer.process.pid}/task/{peer.process.pid}/children").read().split()] or [peer.process.pid]
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    ticks = int(fields[11]) + int(fields[12])
    memory = next(int(line.split()[1]) for line in open(f"/proc/{pid}/status") if line.startswith("VmRSS"))
    return ticks / os.sysconf("SC_CLK_TCK"), memory / 1024, len(os.listdir(f"/proc/{pid}/fd"))


def idle(lan):
    """Waiting at an open table, with four neighbours, costs under 1 % of a core."""
    hosts = lan.up(5)
    peers = [host.peer("--create", f"Table {host.number}") for host in hosts]
    for peer in peers:
        peer.wait(lambda e: e["event"] == "nearby" and len(e["tables"]) == 4, 10)
    time.sleep(2)
    before = [usage(peer)[0] for peer in peers]
    time.sleep(20)
    used = [(usage(peer)[0] - start) / 20 * 100 for peer, start in zip(peers, before)]
    assert max(used) < 1, used
    return "at most {:.2f} % of a core, {:.0f} MB".format(max(used), max(usage(peer)[1] for peer in peers))


def soak(lan):
    """Games one after another ($SHAMANS_SOAK, default 10): memory and open files stay flat."""
    games = int(os.environ.get("SHAMANS_SOAK", "10"))
    hosts = lan.up(3, ip6=False)
    peers = [hosts[0].peer("--create", "Night", "--games", str(games), "--bot", "random")]
    peers += [host.peer("--join", "night", "--games", str(games), "--bot", "random") for host in hosts[1:]]
    seen, marks = 0, []
    for game in range(games):
        event = peers[0].wait_for("over", LONG, seen)
        seen = peers[0].events.index(event) + 1
        marks.append(usage(peers[0])[1:])
    third = marks[min(2, games - 1)]
    last = marks[-1]
    assert last[0] < third[0] + 12 and last[1] <= third[1] + 8, marks
    return "memory {:.0f} MB after game 3, {:.0f} MB after game {}; files {} and {}".format(third[0], last[0], games, third[1], last[1])


def twenty_tables(lan):
    """Twenty tables of five on one bridge ($SHAMANS_TABLES to change the number): all finish."""
    tables = int(os.environ.get("SHAMANS_TABLES", "20"))
    hosts = lan.up(5 * tables, ip6=False)
    groups = []
    for number in range(tables):
        group = hosts[5 * number : 5 * number + 5]
        peers = [group[0].peer("--create", f"Table {number}", "--seats", "5", "--bot", "random")]
        peers += [host.peer("--join", f"Table {number}", "--bot", "random") for host in group[1:]]
        groups.append(peers)
    for peers in groups:
        all_same(peers, 60 * tables)


def changed_key(lan):
    """A known name with another key is not let in before the player has decided."""
    import shutil

    a, b = lan.up(2, ip6=False)
    first = a.peer("--create", "Night", "--fresh")
    guest = b.peer("--join", "night", name="Eva")
    first.wait(lambda e: e["event"] == "room" and e["who"] == ["P1", "Eva"], 20)
    guest.kill()
    first.kill()
    shutil.rmtree(b.data)
    first = a.peer("--create", "Night", "--fresh")
    guest = b.peer("--join", "night", name="Eva")
    first.wait_for("changed_key", 20)
    guest.wait(lambda e: e["event"] == "no_seat" and "somebody else by your name" in e["text"], 40)
    assert all(e["who"] == ["P1"] for e in first.of("room"))
    first.kill()
    guest.kill()
    done = a.run("people", "--forget", "eva", "--data-dir", a.data)
    assert done.returncode == 0, done.stderr
    first = a.peer("--create", "Night", "--fresh")
    guest = b.peer("--join", "night", name="Eva")
    first.wait(lambda e: e["event"] == "room" and e["who"] == ["P1", "Eva"], 20)


# Long ones, run only when named.
MORE = [soak, twenty_tables]
ALL = [
    list_of_tables,
    five_hosts,
    ipv6_alone,
    by_code,
    by_address,
    two_and_a_phantom,
    killed_and_restarted,
    lost_disk,
    cable_out,
    never_returns,
    split,
    slow_and_lossy,
    watched,
    two_copies,
    changed_key,
    no_space,
    unwritable,
    doctor,
    typing,
    rematch,
    idle,
]
