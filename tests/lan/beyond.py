"""Beyond one network: address translation, forwarded ports, relays. Each test gets an empty LAN, as in `scenarios`."""
from scenarios import all_same, verified


def relay_on(host, *more):
    relay = host.peer(*more, command="relay")
    return relay, relay.wait_for("reachable", 10)


def links(peer):
    """How each link stands: name to relayed or not."""
    return {event["name"]: event["relayed"] for event in peer.of("link") if event["up"]}


def code_through_relay(peer, seconds=20):
    return peer.wait(lambda e: e["event"] == "reachable" and e["relay"], seconds)["invite"]


def through_relay(lan):
    """Three homes behind routers that draw ports anew: nobody reaches anybody; a whole game through a relay, by code alone."""
    public, (_, (a,)), (_, (b,)), (_, (c,)) = lan.world(1, 1, 1, keep_ports=False)
    relay, place = relay_on(public)
    first = a.peer("--create", "Night", "--relay", place["relay"])
    code = code_through_relay(first)
    peers = [first] + [host.peer("--join", code.lower(), "--no-mdns") for host in (b, c)]
    all_same(peers)
    for peer in peers:
        known = links(peer)
        assert len(known) == 2 and all(known.values()), f"{peer.name}: {known}"
    used = max(event["circuits"] for event in relay.of("used"))
    return f"{verified(b)}; code {code}; {used} circuits at once"


def hole_punched(lan):
    """Three homes behind routers that keep ports: they meet at a relay, end up linked directly, and a game finishes without it."""
    public, (_, (a,)), (_, (b,)), (_, (c,)) = lan.world(1, 1, 1)
    relay, _ = relay_on(public)
    first = a.peer("--create", "Night", "--relay", public.ip4)
    code = code_through_relay(first)
    peers = [first] + [host.peer("--join", code, "--no-mdns") for host in (b, c)]
    for peer in peers:
        peer.wait(lambda e: e["event"] == "step" and e["step"] > 5, 60)
    known = {peer.name: links(peer) for peer in peers}
    assert not any(relayed for links_of in known.values() for relayed in links_of.values()), known
    relay.kill()
    all_same(peers)
    return verified(c)


def relay_restarts(lan):
    """The relay dies in the middle of a game and comes back: the game goes on by itself."""
    public, (_, (a,)), (_, (b,)), (_, (c,)) = lan.world(1, 1, 1, keep_ports=False)
    relay, _ = relay_on(public)
    first = a.peer("--create", "Night", "--relay", public.ip4, "--pace", "50")
    code = code_through_relay(first)
    peers = [first] + [host.peer("--join", code, "--no-mdns", "--pace", "50") for host in (b, c)]
    first.wait(lambda e: e["event"] == "step" and e["step"] > 30, 90)
    start = first.count()
    relay.kill()
    first.wait(lambda e: e["event"] == "link" and not e["up"], 20, start)
    relay_on(public)
    all_same(peers)
    assert first.of("relay_lost"), "it was not told that the relay is gone"


def forwarded_port(lan):
    """A router forwards a port to the one who opens a table: two others, in other networks, join by code and by address."""
    _, (router, (a,)), (_, (b,)), (_, (c,)) = lan.world(1, 1, 1, keep_ports=False)
    router.forward(40123, a, 47077)
    outside = f"{router.ip4}:40123"
    first = a.peer("--create", "Night", "--external", outside)
    code = first.wait(lambda e: e["event"] == "reachable" and e["ip"] == router.ip4, 10)["invite"]
    peers = [first, b.peer("--join", code), c.peer("--join", outside)]
    # Those two do not reach each other: what they say goes through the one who opened the table.
    all_same(peers)
    assert not any(links(first).values()), links(first)
    return f"{verified(c)}; code {code}"


def relay_refused(lan):
    """What is wrong with a relay is told: none there, a player there, a code whose player is gone, a relay taken for a player."""
    public, (_, (a,)), (_, (b,)) = lan.world(1, 1, keep_ports=False)
    first = a.peer("--create", "Night", "--relay", public.ip4)
    first.wait(lambda e: e["event"] == "relay_lost" and "nothing listens there" in e["text"], 20)
    relay, place = relay_on(public)
    # Found as soon as it is there.
    code = code_through_relay(first, 40)
    first.kill()
    guest = b.peer("--join", code)
    guest.wait(lambda e: e["event"] == "no_seat" and "not at the relay" in e["text"], 60)
    guest.kill()
    guest = b.peer("--join", place["relay"])
    guest.wait(lambda e: e["event"] == "no_seat" and "a relay answers" in e["text"], 40)
    guest.kill()
    relay.kill()
    player = public.peer("--create", "Day", "--no-mdns", "--fresh")
    player.wait_for("reachable", 10)
    guest = b.peer("--create", "Noon", "--relay", public.ip4, "--fresh")
    guest.wait(lambda e: e["event"] == "relay_lost" and "no relay at that address" in e["text"], 20)


ALL = [through_relay, hole_punched, relay_restarts, forwarded_port, relay_refused]
