"""Hosts in network namespaces, and peers on them."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from switch import Switch

HERE = os.path.dirname(os.path.abspath(__file__))


class Skip(Exception):
    """This cannot be tried here, and why."""


def sh(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True)
    if check and done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip()}")
    return done.stdout


def prepare():
    """Names of namespaces live in /run: here in one of our own, gone with this process."""
    sh("mount", "-t", "tmpfs", "none", "/run")
    os.makedirs("/run/netns")
    sh("ip", "link", "set", "lo", "up")


class Peer:
    """A running shamans-table; its JSON lines are kept as they come."""

    def __init__(self, host, args, name):
        self.name = name
        self.events = []
        self.changed = threading.Condition()
        self.started = time.monotonic()
        command = ["ip", "netns", "exec", host.name, host.lan.program] + args
        # A process group of its own: killing means the program, not only the one that started it.
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            try:
                event = json.loads(line)
            except ValueError:
                event = {"event": "words", "text": line.strip()}
            event["at"] = round(time.monotonic() - self.started, 3)
            event["clock"] = round(time.time() % 10000, 3)
            with self.changed:
                self.events.append(event)
                self.changed.notify_all()
        with self.changed:
            self.changed.notify_all()

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def wait(self, what, seconds, start=0):
        """The first event from number `start` on for which `what` holds."""
        until = time.monotonic() + seconds
        with self.changed:
            seen = start
            while True:
                while seen < len(self.events):
                    if what(self.events[seen]):
                        return self.events[seen]
                    seen += 1
                left = until - time.monotonic()
                if left <= 0:
                    raise AssertionError(f"{self.name} waited {seconds} s in vain; its last words: {self.last_words()}")
                if self.process.poll() is not None and not self.reader.is_alive():
                    raise AssertionError(f"{self.name} ended with {self.process.returncode}; its last words: {self.last_words()}")
                self.changed.wait(min(left, 1))

    def wait_for(self, kind, seconds, start=0):
        return self.wait(lambda event: event["event"] == kind, seconds, start)

    def count(self):
        with self.changed:
            return len(self.events)

    def of(self, kind):
        with self.changed:
            return [event for event in self.events if event["event"] == kind]

    def step(self):
        steps = self.of("step")
        return steps[-1]["step"] if steps else 0

    def last_words(self):
        return [str(event.get("text") or event)[:300] for event in self.events[-4:]]

    def kill(self, how=signal.SIGKILL):
        if self.process.poll() is None:
            os.killpg(self.process.pid, how)
        self.process.wait(10)

    def finish(self, seconds):
        """Waits until the game is over; gives back the hash of its record."""
        return self.wait_for("over", seconds)["record_hash"]


class Host:
    def __init__(self, lan, number):
        self.lan, self.number = lan, number
        self.name = f"h{number}"
        self.ip4 = f"10.77.0.{number}"
        self.data = os.path.join(lan.folder, self.name)

    def peer(self, *args, name=None, command="peer"):
        name = name or f"P{self.number}"
        args = [command, *args, "--name", name, "--data-dir", self.data]
        if command != "play":
            args.append("--json")
        if command == "peer" and "--pace" not in args:
            args += ["--pace", "0"]  # at once: nobody watches
        peer = Peer(self, args, f"{name} on {self.name}")
        self.lan.peers.append(peer)
        return peer

    def run(self, *args):
        """A command of the program, to its end."""
        return subprocess.run(["ip", "netns", "exec", self.name, self.lan.program, *args], capture_output=True, text=True, timeout=120)

    def script(self, name, *args):
        """One of the scripts beside this file, on this host, until the LAN is closed."""
        command = ["ip", "netns", "exec", self.name, sys.executable, os.path.join(HERE, name), *map(str, args)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT, start_new_session=True)
        self.lan.scripts.append(process)
        return process

    def example(self, name, *args):
        """One of the programs of net/examples, on this host, until the LAN is closed. What it says is kept."""
        path = os.path.join(os.path.dirname(self.lan.program), "examples", name)
        if not os.path.exists(path):
            raise Skip(f"{name} is not built: cargo build --workspace --examples")
        command = ["ip", "netns", "exec", self.name, path, *map(str, args)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True)
        self.lan.scripts.append(process)
        return process

    def iptables(self, *rule):
        for tool in ("iptables", "ip6tables"):
            if not shutil.which(tool):
                raise Skip(f"{tool} is not installed")
            sh("ip", "netns", "exec", self.name, tool, *rule)

    def link(self, state):
        sh("ip", "link", "set", f"v{self.number}", state)

    def cut(self):
        """Silent: the host still believes that its cable is in."""
        self.lan.unplug(self)

    def heal(self):
        self.lan.plug(self)


class Router(Host):
    """Between the public network (eth0) and a private one behind it (eth1), with address translation; nobody comes in unasked."""

    def __init__(self, lan, number, ip4):
        super().__init__(lan, number)
        self.name, self.ip4 = f"r{number}", ip4

    def only4(self, *rule):
        sh("ip", "netns", "exec", self.name, "iptables", *rule)

    def translate(self, keep_ports):
        """Everyone behind it has one address outside. Ports stay as they are, or are drawn anew for each connection."""
        if not shutil.which("iptables"):
            raise Skip("iptables is not installed")
        sh("ip", "netns", "exec", self.name, "sysctl", "-qw", "net.ipv4.ip_forward=1")
        how = [] if keep_ports else ["--random-fully"]
        self.only4("-t", "nat", "-A", "POSTROUTING", "-o", "eth0", "-j", "MASQUERADE", *how)
        self.only4("-A", "FORWARD", "-m", "conntrack", "--ctstate", "RELATED,ESTABLISHED", "-j", "ACCEPT")
        self.only4("-A", "FORWARD", "-i", "eth0", "-j", "DROP")
        # A router does not say that it drops something.
        self.only4("-A", "INPUT", "-i", "eth0", "-j", "DROP")

    def forward(self, port, to, to_port):
        """Whoever knocks at this port outside comes to a host inside."""
        for kind in ("tcp", "udp"):
            self.only4("-t", "nat", "-A", "PREROUTING", "-i", "eth0", "-p", kind, "--dport", str(port), "-j", "DNAT", "--to-destination", f"{to.ip4}:{to_port}")
            self.only4("-I", "FORWARD", "-i", "eth0", "-p", kind, "-d", to.ip4, "--dport", str(to_port), "-j", "ACCEPT")


class Lan:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="shamans-lan-")
        self.hosts, self.peers, self.scripts = [], [], []
        self.routers, self.bridges = [], []
        self.switch = None

    def up(self, count, ip4=True, ip6=True, delay_ms=0, jitter_ms=0, loss=0.0):
        """So many hosts on one bridge; on a switch of our own if there is delay or loss."""
        slow = delay_ms or loss
        if slow and not shutil.which("ethtool"):
            raise Skip("ethtool is not installed")
        if not slow:
            sh("ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0")
            sh("ip", "link", "set", "br0", "up")
        for number in range(1, count + 1):
            host = Host(self, number)
            sh("ip", "netns", "add", host.name)
            sh("ip", "link", "add", f"v{number}", "type", "veth", "peer", "name", "eth0", "netns", host.name)
            if slow:
                sh("ethtool", "-K", f"v{number}", "tx", "off", "tso", "off", "gso", "off", "gro", "off")
                sh("ip", "netns", "exec", host.name, "ethtool", "-K", "eth0", "tx", "off", "tso", "off", "gso", "off", "gro", "off")
            else:
                self.plug(host)
            sh("ip", "link", "set", f"v{number}", "up")
            sh("ip", "-n", host.name, "link", "set", "lo", "up")
            if not ip6:
                sh("ip", "-n", host.name, "link", "set", "eth0", "addrgenmode", "none")
            if ip4:
                sh("ip", "-n", host.name, "addr", "add", f"{host.ip4}/24", "dev", "eth0")
            sh("ip", "-n", host.name, "link", "set", "eth0", "up")
            self.hosts.append(host)
        if slow:
            self.switch = Switch([f"v{host.number}" for host in self.hosts], delay_ms, jitter_ms, loss)
            self.switch.start()
        # Link-local addresses are checked for being nobody else's before they can be used.
        time.sleep(2.2 if ip6 else 0.3)
        return self.hosts

    def world(self, *homes, keep_ports=True):
        """A host on a public network, and private networks of so many hosts behind routers, all with the same addresses inside.

        Gives the public host, and for each home its router and its hosts.
        """
        public = Host(self, 1)
        public.ip4 = "203.0.113.1"
        self.hosts.append(public)
        self.bridge("br0")
        sh("ip", "netns", "add", public.name)
        sh("ip", "-n", public.name, "link", "set", "lo", "up")
        self.wire(public, "v1", "eth0", "br0", f"{public.ip4}/24")
        places, number = [], 1
        for at, count in enumerate(homes, 1):
            router = Router(self, at, f"203.0.113.{100 + at}")
            self.routers.append(router)
            sh("ip", "netns", "add", router.name)
            self.bridge(f"home{at}")
            self.wire(router, f"o{at}", "eth0", "br0", f"{router.ip4}/24")
            self.wire(router, f"i{at}", "eth1", f"home{at}", "192.168.1.1/24")
            router.translate(keep_ports)
            inside = []
            for place in range(count):
                number += 1
                host = Host(self, number)
                host.ip4 = f"192.168.1.{10 + place}"
                sh("ip", "netns", "add", host.name)
                sh("ip", "-n", host.name, "link", "set", "lo", "up")
                self.wire(host, f"v{number}", "eth0", f"home{at}", f"{host.ip4}/24")
                sh("ip", "-n", host.name, "route", "add", "default", "via", "192.168.1.1")
                self.hosts.append(host)
                inside.append(host)
            places.append((router, inside))
        time.sleep(0.3)
        return public, *places

    def bridge(self, name):
        sh("ip", "link", "add", name, "type", "bridge", "mcast_snooping", "0")
        sh("ip", "link", "set", name, "up")
        self.bridges.append(name)

    def wire(self, host, outside, inside, bridge, address):
        """A cable from a bridge to a host, IPv4 only."""
        sh("ip", "link", "add", outside, "type", "veth", "peer", "name", inside, "netns", host.name)
        sh("ip", "link", "set", outside, "master", bridge, "up")
        sh("ip", "-n", host.name, "link", "set", inside, "addrgenmode", "none")
        sh("ip", "-n", host.name, "addr", "add", address, "dev", inside)
        sh("ip", "-n", host.name, "link", "set", inside, "up")

    def second_bridge(self, hosts, instead=()):
        """Another network, 10.78.0.0/24, as eth1 of these hosts; those in `instead` leave the first one."""
        sh("ip", "link", "add", "br1", "type", "bridge", "mcast_snooping", "0")
        sh("ip", "link", "set", "br1", "up")
        for host in hosts:
            sh("ip", "link", "add", f"w{host.number}", "type", "veth", "peer", "name", "eth1", "netns", host.name)
            sh("ip", "link", "set", f"w{host.number}", "master", "br1", "up")
            sh("ip", "-n", host.name, "addr", "add", f"10.78.0.{host.number}/24", "dev", "eth1")
            sh("ip", "-n", host.name, "link", "set", "eth1", "up")
        for host in instead:
            sh("ip", "-n", host.name, "link", "del", "eth0")
        time.sleep(2.2)

    def plug(self, host):
        sh("ip", "link", "set", f"v{host.number}", "master", "br0")

    def unplug(self, host):
        sh("ip", "link", "set", f"v{host.number}", "nomaster")

    def tell_last_words(self):
        """Of every peer; all that it said goes into $SHAMANS_LAN_LOGS, if that names a folder."""
        folder = os.environ.get("SHAMANS_LAN_LOGS")
        for number, peer in enumerate(self.peers):
            print(f"      {peer.name}: {peer.last_words()}")
            if folder:
                with open(os.path.join(folder, f"{number:03} {peer.name}.jsonl"), "w") as log:
                    log.writelines(json.dumps(event) + "\n" for event in peer.events)

    def close(self):
        for peer in self.peers:
            try:
                peer.kill()
            except Exception as error:
                print("      not ended:", peer.name, error)
        for script in self.scripts:
            script.kill()
            script.wait(10)
        if self.switch:
            self.switch.stop()
        for host in self.hosts:
            sh("ip", "link", "del", f"v{host.number}", check=False)
            sh("ip", "link", "del", f"w{host.number}", check=False)
            sh("ip", "netns", "del", host.name, check=False)
        for router in self.routers:
            sh("ip", "link", "del", f"o{router.number}", check=False)
            sh("ip", "link", "del", f"i{router.number}", check=False)
            sh("ip", "netns", "del", router.name, check=False)
        for bridge in ["br0", "br1", *self.bridges]:
            sh("ip", "link", "del", bridge, check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
