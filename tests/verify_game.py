"""The rules of Shamans for tests/verify.py, written from core/docs/rules.md and core/docs/protocol.md ("The game: Shamans").

The game is a generator: it yields ("decks", request) and is sent the faces opened to all, or it yields ("seats", awaited) and is
sent (seat, action). An action that is refused raises Illegal in the sender and leaves the game where it was. Phantoms are
permanent ones only: tables that someone left are not followed here.
"""
STABILISATION, PERMUTATION, ILLUMINATION, NEUTRALISATION = range(4)
DAGGER, PORTAL, MOONSTONE, MASK = "dagger", "portal", "moonstone", "mask"
ACTIONS = "play take back instead swap strike spare portal decline give perform name".split()


class Illegal(Exception):
    pass


class RoundOver(Exception):
    """Who won: True for the Shamans."""

    def __init__(self, shamans):
        self.shamans = shamans


def read_setup(r):
    worlds = r.many(lambda: {"names": [r.blob().decode() for _ in range(3)], "ritual": r.choice(4), "from": r.byte()})
    tiles = dict(zip((DAGGER, PORTAL, MOONSTONE, MASK, "up"), r.raw(5)))
    tables = r.many(lambda: dict(zip(("players", "shamans", "shadows", "values", "hand"), r.raw(5)), steps=list(r.blob())))
    track = dict(zip(("moon", "back", "last", "goal", "shaman", "shadow", "stones", "set", "light"), r.raw(9)))
    players, phantoms = r.byte(), r.byte()
    r.end()
    return worlds, tiles, tables, track, players, {s for s in range(8) if phantoms >> s & 1}


def read_action(r):
    kind = ACTIONS[r.choice(len(ACTIONS))]
    if kind == "play":
        return kind, r.number(), r.byte(), r.byte()
    if kind == "take":
        return (kind, r.byte()) if r.choice(2) == 0 else (kind, None)
    if kind == "strike":
        return kind, r.number(), r.option(r.byte), r.byte()
    if kind == "portal":
        return kind, r.number(), r.option(r.byte), r.choice(2)
    if kind == "give":
        return kind, r.number()
    if kind in ("swap", "perform", "name"):
        return kind, r.byte()
    return (kind,)


class Game:
    def __init__(self, setup):
        worlds, self.tiles, tables, self.track, self.n, self.phantoms = setup
        self.table = next(t for t in tables if t["players"] == self.n)
        self.worlds = [w for w in worlds if w["from"] <= self.n]
        self.values, self.hand_size = self.table["values"], self.table["hand"]
        total = sum(self.tiles[t] for t in (DAGGER, PORTAL, MOONSTONE, MASK))
        keepsakes = total - self.tiles[MASK]
        sizes = [len(self.worlds) * self.values, self.n, total, keepsakes, total - self.tiles["up"], 2, self.n]
        self.first = [sum(sizes[:i]) for i in range(8)]
        self.sizes, self.pile_size = sizes, total - self.tiles["up"]
        self.points, self.first_guide, self.over = [0] * self.n, None, False
        self.run = self.whole()
        self.waits = next(self.run)

    # What the driver does.
    def send(self, value):
        try:
            self.waits = self.run.send(value)
        except StopIteration:
            self.waits, self.over = None, True

    def claims(self, by, action):
        if action[0] == "play":
            return [(action[1], action[2] * self.values + action[3] - 1)]
        if action[0] in ("strike", "portal") and action[2] is not None:
            return [(action[1], action[2])]
        return []

    def may_interrupt(self):
        return {s for s in range(self.n) if self.may_hold(s)}

    # Small things.
    def in_play(self):
        return [s for s in range(self.n) if s not in self.out]

    def after(self, seat):
        return [(seat + i) % self.n for i in range(self.n)]

    def may_hold(self, s):
        return s not in self.phantoms and s not in self.out and any(t["up"] in (None, PORTAL) for t in self.held[s])

    def keepsake(self, face):
        return DAGGER if face < self.tiles[DAGGER] else PORTAL if face < self.tiles[DAGGER] + self.tiles[PORTAL] else MOONSTONE

    def tile(self, s, slot, face, wanted):
        """The tile a seat names: face up, or face down with its face."""
        for t in self.held[s]:
            if t["slot"] == slot:
                shows = t["up"] if face is None else self.keepsake(face) if t["up"] is None else None
                if shows == wanted:
                    return t
        raise Illegal("no such tile")

    # Decisions. Interrupts are taken care of here.
    def decide(self, awaited, take):
        """Asks until `take(seat, action)` accepts. True if a portal was used instead, and the decision is open again."""
        while True:
            seat, action = yield ("seats", set(awaited))
            if action[0] == "portal":
                if not self.may_hold(seat):
                    self.refused = Illegal("no portal")
                    continue
                try:
                    self.use_portal(seat, action)
                except Illegal as error:
                    self.refused = error
                    continue
                return True
            try:
                if seat not in awaited:
                    raise Illegal("not asked")
                take(seat, action)
                return False
            except Illegal as error:
                self.refused = error

    def choose(self, seat, take):
        while (yield from self.decide({seat}, take)):
            pass

    def use_portal(self, seat, action):
        tile = self.tile(seat, action[1], action[2], PORTAL)
        if action[3] == 1 and self.pawn == 0:
            raise Illegal("the pawn is on 0")
        self.held[seat].remove(tile)
        if action[3] == 1:
            self.pawn -= 1
        else:
            self.advance(1)

    def advance(self, steps):
        self.pawn = min(self.pawn + steps, self.track["moon"])
        if self.pawn == self.track["moon"]:
            raise RoundOver(False)

    def moment(self, holds):
        """POR-2 to POR-4."""
        while holds():
            used = False
            asked = [s for s in self.after(self.turn) if self.may_hold(s)]
            for seat in asked:
                def take(_, action):
                    if action[0] != "decline":
                        raise Illegal("use a portal or decline")
                used = yield from self.decide({seat}, take)
                if used:
                    break
            if not used:
                return

    def walk(self, steps):
        yield from self.moment(lambda: self.pawn + steps >= self.track["moon"])
        self.advance(steps)

    def ask(self, request):
        return (yield ("decks", request))

    def open(self, slots):
        return (yield from self.ask({"Open": {"slots": slots}}))

    # The game.
    def whole(self):
        while True:
            yield from self.round()
            best = max(self.points)
            if best >= self.track["goal"] and self.points.count(best) == 1:
                return
            self.first_guide = (self.first_guide + 1) % self.n

    def round(self):
        up = self.tiles["up"]
        ids = [i for i in range(7) if i < 6 or self.first_guide is None]
        decks = [{"id": i, "size": self.sizes[i], "first": self.first[i]} for i in ids]
        yield from self.ask({"Shuffle": {"decks": decks, "sealed": sorted(self.phantoms)}})
        self.pawn = self.track["moon"] - self.table["steps"][len(self.phantoms)]
        self.laid, self.out, self.roles = [set() for _ in self.worlds], set(), [None] * self.n
        self.identity = [self.first[1] + s for s in range(self.n)]
        self.hands = [list(range(s * self.hand_size, (s + 1) * self.hand_size)) for s in range(self.n)]
        self.held, self.offer = [[] for _ in range(self.n)], [None] * up
        self.drawn, self.kept, self.eclipse, self.next_slot = 0, 0, True, self.first[7]
        self.turn = 0
        slots = []
        for s in range(self.n):
            if s not in self.phantoms:
                slots += [(slot, {"One": s}) for slot in [self.identity[s]] + self.hands[s]]
        left = range(self.n * self.hand_size, self.sizes[0])
        slots += [(slot, "All") for slot in left] + [(self.first[2] + i, "All") for i in range(up)]
        if self.first_guide is None:
            slots.append((self.first[6], "All"))
        faces = yield from self.open(slots)
        for face in faces[:len(left)]:
            self.lay(face)
        marks = faces[len(left):len(left) + up]
        if self.first_guide is None:
            self.first_guide = faces[-1]
        for i, mark in enumerate(marks):
            self.offer[i] = {"slot": self.first[2] + i, "up": MASK} if mark < self.tiles[MASK] else None
        gaps = [i for i in range(up) if self.offer[i] is None]
        if gaps:
            kept = [self.first[3] + i for i in range(len(gaps))]
            self.kept = len(gaps)
            for i, slot, face in zip(gaps, kept, (yield from self.open([(slot, "All") for slot in kept]))):
                self.offer[i] = {"slot": slot, "up": self.keepsake(face)}
        try:
            guide = self.first_guide
            while True:
                guide = yield from self.trick(guide)
        except RoundOver as over:
            shamans_won = over.shamans
        yield from self.score(shamans_won)
        yield from self.ask("Reveal")

    def lay(self, face):
        world = face // self.values
        self.laid[world].add(face % self.values)
        return world if len(self.laid[world]) == self.values else None

    def trick(self, guide):
        guide = next(s for s in self.after(guide) if s not in self.out and self.hands[s])
        order = [s for s in self.after(guide) if s not in self.out and self.hands[s]]
        destination, front = None, {}
        for seat in order:
            if seat in self.out:
                continue
            self.turn = seat
            if seat in self.phantoms:
                slot = self.hands[seat][0]
                (face,) = yield from self.open([(slot, "All")])
            else:
                chosen = []

                def take(_, action):
                    if action[0] != "play" or action[1] not in self.hands[seat]:
                        raise Illegal("play a card")
                    chosen.append((action[1], action[2] * self.values + action[3] - 1))
                yield from self.choose(seat, take)
                slot, face = chosen[0]
            self.hands[seat].remove(slot)
            world = face // self.values
            destination = world if destination is None else destination
            if world == destination:
                front[seat] = face
            else:
                yield from self.walk(1)
                if self.lay(face) is not None:
                    yield from self.ritual(seat, world)
        standing = {s: f for s, f in front.items() if s not in self.out}
        if standing:
            lowest, highest = min(standing, key=standing.get), max(standing, key=standing.get)
            yield from self.take_tile(lowest)
            self.turn = highest
        else:
            highest = max(front, key=front.get)
        complete = [self.lay(face) for face in front.values()]
        if standing and destination in complete:
            yield from self.ritual(highest, destination)
        if not any(self.hands[s] for s in self.in_play()):
            yield from self.moment(lambda: self.track["moon"] - self.pawn <= self.track["last"])
            raise RoundOver(True)
        if standing:
            return highest
        if highest in self.phantoms:
            return next(s for s in self.after(highest) if s not in self.out)
        named = []

        def take(_, action):
            if action[0] != "name" or action[1] not in self.in_play():
                raise Illegal("name a Guide")
            named.append(action[1])
        yield from self.choose(highest, take)
        return named[0]

    # Tiles.
    def take_tile(self, seat):
        if not any(self.offer) and self.drawn == self.pile_size:
            return
        if seat in self.phantoms:
            place = next((i for i, t in enumerate(self.offer) if t), None)
        else:
            chosen = []

            def take(_, action):
                if action[0] != "take":
                    raise Illegal("take a tile")
                place = action[1]
                fine = self.drawn < self.pile_size if place is None else place < len(self.offer) and self.offer[place]
                if not fine:
                    raise Illegal("no tile there")
                chosen.append(place)
            yield from self.choose(seat, take)
            place = chosen[0]
        if place is None:
            tile, shows = yield from self.draw(seat)
            self.held[seat].append(tile)
            if tile["up"] == MASK:
                yield from self.unmask(seat)
        else:
            tile, self.offer[place] = self.offer[place], None
            self.held[seat].append(tile)
            if tile["up"] == MASK:
                yield from self.unmask(seat)
            shows = False
            if self.drawn < self.pile_size:
                self.offer[place], shows = yield from self.draw(None)
        if shows:
            self.eclipse = False
            yield from self.pass_cards()

    def draw(self, seat):
        """The top of the pile, and whether the Eclipse now lies there."""
        d = self.drawn
        self.drawn += 1
        mark_slot = self.first[2] + self.tiles["up"] + d
        slots = [(mark_slot, "All")] + ([(self.first[4] + d, "All")] if self.eclipse else [])
        faces = yield from self.open(slots)
        shows = self.eclipse and faces[1] == 0
        if faces[0] < self.tiles[MASK]:
            return {"slot": mark_slot, "up": MASK}, shows
        slot = self.first[3] + self.kept
        self.kept += 1
        if seat is None or seat in self.phantoms:
            (face,) = yield from self.open([(slot, "All")])
            return {"slot": slot, "up": self.keepsake(face)}, shows
        yield from self.open([(slot, {"One": seat})])
        return {"slot": slot, "up": None}, shows

    def unmask(self, seat):
        if self.roles[seat] is None:
            (face,) = yield from self.open([(self.identity[seat], "All")])
            self.roles[seat] = face < self.table["shamans"]

    def pass_cards(self):
        givers = [s for s in self.in_play() if self.hands[s]]
        if len(givers) < 2:
            return
        (side,) = yield from self.open([(self.first[5], "All")])
        given = {s: self.hands[s][0] for s in givers if s in self.phantoms}

        def take(seat, action):
            if action[0] != "give" or action[1] not in self.hands[seat]:
                raise Illegal("give a card")
            given[seat] = action[1]
        while len(given) < len(givers):
            yield from self.decide({s for s in givers if s not in given}, take)
        to = {s: givers[(i + (1 if side == 0 else -1)) % len(givers)] for i, s in enumerate(givers)}
        yield from self.ask({"Pass": {"slots": [(given[s], to[s]) for s in givers]}})
        hands = []
        for s in givers:
            self.hands[s].remove(given[s])
        for s in givers:
            self.hands[to[s]].append(given[s])
        for s in givers:
            hands.append({"seat": s, "from": self.hands[s], "into": self.next_slot})
            self.hands[s] = list(range(self.next_slot, self.next_slot + len(self.hands[s])))
            self.next_slot += len(self.hands[s])
        yield from self.ask({"Remix": {"hands": hands}})

    # Rituals.
    def others(self, seat):
        return [s for s in self.after(seat) if s != seat and s not in self.out]

    def ritual(self, seat, world):
        kind = self.worlds[world]["ritual"]
        if kind == ILLUMINATION:
            self.points[seat] += self.track["light"]
        elif kind == STABILISATION:
            back = True
            if seat not in self.phantoms and (any(self.offer) or self.drawn < self.pile_size):
                chosen = []

                def take(_, action):
                    if action[0] not in ("back", "instead"):
                        raise Illegal("back or a tile")
                    chosen.append(action[0] == "back")
                yield from self.choose(seat, take)
                back = chosen[0]
            if back:
                self.pawn = max(0, self.pawn - self.track["back"])
            else:
                yield from self.take_tile(seat)
        elif kind == PERMUTATION:
            if self.others(seat):
                yield from self.swap(seat)
        else:
            yield from self.neutralise(seat)

    def swap(self, seat):
        other = self.others(seat)[0]
        if seat not in self.phantoms:
            chosen = []

            def take(_, action):
                if action[0] != "swap" or action[1] not in self.others(seat):
                    raise Illegal("swap with another")
                chosen.append(action[1])
            yield from self.choose(seat, take)
            other = chosen[0]
        slots = [(self.identity[a], b) for a, b in ((seat, other), (other, seat)) if self.roles[a] is None]
        if slots:
            yield from self.ask({"Pass": {"slots": slots}})
        for of in (self.identity, self.roles):
            of[seat], of[other] = of[other], of[seat]

    def neutralise(self, seat):
        up = next((t for t in self.held[seat] if t["up"] == DAGGER), None)
        down = any(t["up"] is None for t in self.held[seat])
        if not self.others(seat) or not (up or down):
            return
        if seat in self.phantoms:
            if not up:
                return
            tile, target = up, self.others(seat)[0]
        else:
            chosen = []

            def take(_, action):
                now = next((t for t in self.held[seat] if t["up"] == DAGGER), None)
                if action[0] == "spare" and not now:
                    chosen.append(None)
                    return
                if action[0] != "strike" or action[3] not in self.others(seat) or (now and action[2] is not None):
                    raise Illegal("strike or spare")
                chosen.append((self.tile(seat, action[1], action[2], DAGGER), action[3]))
            yield from self.choose(seat, take)
            if chosen[0] is None:
                return
            tile, target = chosen[0]
        self.held[seat].remove(tile)
        yield from self.moment(lambda: True)
        yield from self.unmask(target)
        self.out.add(target)
        hand, self.hands[target] = self.hands[target], []
        if self.roles[target]:
            if hand:
                yield from self.walk(len(hand))
            return
        shadows = [s for s in self.out if self.roles[s] is False]
        if len(shadows) == self.table["shadows"]:
            raise RoundOver(True)
        if not hand:
            return
        faces = yield from self.open([(slot, "All") for slot in hand])
        complete = sorted({w for w in map(self.lay, faces) if w is not None})
        while complete:
            world = complete[0]
            if len(complete) > 1 and seat not in self.phantoms:
                chosen = []

                def take(_, action):
                    if action[0] != "perform" or action[1] not in complete:
                        raise Illegal("perform a ritual")
                    chosen.append(action[1])
                yield from self.choose(seat, take)
                world = chosen[0]
            complete.remove(world)
            if seat not in self.out:
                yield from self.ritual(seat, world)

    def score(self, shamans_won):
        hidden = [s for s in range(self.n) if self.roles[s] is None]
        down = [(s, t) for s in self.in_play() for t in self.held[s] if t["up"] is None]
        slots = [(self.identity[s], "All") for s in hidden] + [(t["slot"], "All") for _, t in down]
        if slots:
            faces = yield from self.open(slots)
            for s, face in zip(hidden, faces):
                self.roles[s] = face < self.table["shamans"]
            for (_, t), face in zip(down, faces[len(hidden):]):
                t["up"] = self.keepsake(face)
        for s in self.in_play():
            if self.roles[s] == shamans_won:
                self.points[s] += self.track["shaman" if shamans_won else "shadow"]
            if sum(t["up"] == MOONSTONE for t in self.held[s]) >= self.track["set"]:
                self.points[s] += self.track["stones"]
