"""The rules of Shamans (core/docs/rules.md) on sealed decks (protocol.md, "Shamans"): public state only.

The game is one generator that runs until the decks must answer or somebody must decide, so the code reads in the order in which
things happen. `awaits` tells what it waits for; `apply`, `supply`, `stand_in`, `take_back` and `void_round` go on.
"""

from dataclasses import dataclass, field

from codec import Reader
from deal import ALL, Open, Pass, Remix, Reveal, Shuffle
from group import Malformed

NAME = "shamans/1"
CARDS, IDENTITIES, MARKS, KEEPSAKES, DEPTH, SIDE, GUIDE = range(7)
STABILISATION, PERMUTATION, ILLUMINATION, NEUTRALISATION = range(4)
DAGGER, PORTAL, MOONSTONE, MASK = range(4)
SHAMAN, SHADOW = "shaman", "shadow"
PILE = "pile"


class Illegal(Exception):
    """A move that the rules refuse."""


class RoundEnds(Exception):
    """Unwinds to the end of the round."""

    def __init__(self, winner):
        self.winner = winner


# --- set-up and actions as bytes --------------------------------------------------------------------------------------


class Rules:
    """The numbers of one table, from the set-up's bytes."""

    def __init__(self, data):
        r = Reader(data)
        worlds = r.list(lambda: (r.string(), r.string(), r.string(), r.variant(4), r.u8()))
        tiles = [r.u8() for _ in range(5)]
        tables = r.list(lambda: ([r.u8() for _ in range(5)], r.list(r.u8)))
        track = [r.u8() for _ in range(9)]
        self.players, self.phantoms = r.u8(), r.seats()
        r.end()
        check_data(worlds, tiles, tables, track)
        table = [t for t in tables if t[0][0] == self.players]
        everyone = frozenset(range(self.players))
        if not table or not self.phantoms < everyone:  # PHA-1: at least one seat is a person's.
            raise Malformed("a set-up that makes no game")
        (_, self.shamans, _, self.values, self.hand), self.steps = table[0]
        self.worlds = sum(world[4] <= self.players for world in worlds)
        self.rituals = [world[3] for world in worlds]
        self.daggers, self.portals, moonstones, self.masks, self.face_up = tiles
        self.keepsakes = self.daggers + self.portals + moonstones
        (self.moon, self.back, self.last_call, self.goal, self.shaman_points, self.shadow_points,
         self.moonstone_points, self.moonstone_set, self.illumination) = track  # fmt: skip
        tile_count = self.keepsakes + self.masks
        self.pile = tile_count - self.face_up
        sizes = [self.worlds * self.values, self.players, tile_count, self.keepsakes, self.pile, 2, self.players]
        self.first, at = [], 0
        for size in sizes:
            self.first.append(at)
            at += size
        self.sizes, self.end = sizes, at

    def card(self, face):
        return face // self.values, face % self.values + 1

    def keepsake(self, face):
        return DAGGER if face < self.daggers else PORTAL if face < self.daggers + self.portals else MOONSTONE

    def role(self, face):
        return SHAMAN if face < self.shamans else SHADOW


def check_data(worlds, tiles, tables, track):
    names = [name for world in worlds for name in {world[0], world[1]}]
    fair = len(worlds) <= 7 and len(set(names)) == len(names)
    fair = fair and [w[4] for w in worlds] == sorted(w[4] for w in worlds)
    fair = fair and all(any(w[3] == ritual and w[4] == 3 for w in worlds) for ritual in range(4))
    keepsakes = sum(tiles[:3])
    fair = fair and 4 <= keepsakes + tiles[3] <= 12 and keepsakes >= 2 and 1 <= tiles[4] <= 2
    ranges = [(4, 60), (1, 10), (0, 10), (1, 100), (1, 10), (1, 10), (0, 10), (1, 12), (0, 10)]
    fair = fair and all(low <= value <= high for value, (low, high) in zip(track, ranges))
    fair = fair and [t[0][0] for t in tables] == [3, 4, 5]
    for (players, shamans, shadows, values, hand), steps in tables if fair else ():
        cards = values * sum(w[4] <= players for w in worlds)
        fair = fair and shamans >= 1 and 1 <= shadows <= 2 and shamans + shadows == players
        fair = fair and 2 <= values <= 8 and 1 <= hand <= 18 and 0 <= cards - hand * players < values
        fair = fair and len(steps) == players and all(1 <= step <= track[0] for step in steps)
    if not fair:
        raise Malformed("data that is not sound")


KINDS = "play take back instead swap strike spare portal decline give perform name".split()


@dataclass
class Action:
    kind: str
    slot: int = None
    card: tuple = None  # world, value
    pick: object = None  # place, or PILE
    seat: int = None
    face: int = None
    forward: bool = None
    world: int = None


def read_action(data):
    """The action at the front of these bytes, and where it ends."""
    r = Reader(data)
    action = Action(KINDS[r.variant(12)])
    kind = action.kind
    if kind in ("play", "strike", "portal", "give"):
        action.slot = r.u16()
    if kind == "play":
        action.card = r.u8(), r.u8()
    elif kind == "take":
        action.pick = PILE if r.variant(2) else r.u8()
    elif kind in ("strike", "portal"):
        action.face = r.option(r.u8)
    if kind in ("swap", "strike", "name"):
        action.seat = r.u8()
    elif kind == "portal":
        action.forward = r.variant(2) == 0
    elif kind == "perform":
        action.world = r.u8()
    return action, r.at


# --- the table --------------------------------------------------------------------------------------------------------


@dataclass
class Tile:
    slot: int
    up: int = None  # what it is, if it lies face up


@dataclass
class Player:
    hand: list = field(default_factory=list)
    identity: int = None
    role: str = None  # once shown
    tiles: list = field(default_factory=list)
    eliminated: bool = False

    def face_down(self):
        return [tile for tile in self.tiles if tile.up is None]

    def has(self, artefact):
        return any(tile.up == artefact for tile in self.tiles)


class Shamans:
    def __init__(self, setup):
        self.rules = Rules(setup)
        self.seats = self.rules.players
        self.absent, self.sealed = frozenset(), frozenset()
        self.number, self.first_guide = 0, None
        self.points = self.points_before = [0] * self.seats
        self._start()

    # --- driving ---

    def _start(self):
        self.run = self._rounds()
        self.awaits = next(self.run)

    def _go(self, value):
        try:
            self.awaits = self.run.send(value)
        except StopIteration:
            self.awaits = "nothing", None

    def supply(self, outcome):
        assert self.awaits[0] == "decks"
        self._go(outcome)

    def check(self, by, action):
        """Refuses what `by` may not do now."""
        if self.awaits[0] != "seats":
            raise Illegal("nobody is to act now")
        if by in self.phantoms():
            raise Illegal("nobody holds this seat")
        if action.kind == "portal":
            self.check_portal(by, action)
            return
        kinds, check = self.decision
        if by not in self.awaits[1] or action.kind not in kinds:
            raise Illegal("this seat is not asked for that now")
        if check:
            check(by, action)

    def apply(self, by, action):
        self.check(by, action)
        self._go((by, action))

    def may_interrupt(self):
        return self.may_use_portal() if self.awaits[0] == "seats" else frozenset()

    def stand_in(self, seat):
        """PHA-4."""
        if self.awaits[0] == "nothing" or seat >= self.seats or seat in self.rules.phantoms | self.absent:
            raise Illegal("this seat is not one to stand in for")
        self.absent |= {seat}
        if self.awaits[0] == "seats":
            self._go(None)

    def take_back(self, seat):
        """PHA-4. A round that was dealt without the player stays sealed."""
        if seat not in self.absent:
            raise Illegal("this seat is not away")
        self.absent -= {seat}

    def void_round(self):
        """PHA-5."""
        if self.awaits[0] == "nothing":
            raise Illegal("the game is over")
        self.points, self.number = self.points_before, self.number - 1
        self._start()

    def claim(self, action):
        """The slot that an action opens and the face that it says it shows, if any."""
        if action.kind == "play":
            world, value = action.card
            if world < self.rules.worlds and 1 <= value <= self.rules.values:
                return action.slot, world * self.rules.values + value - 1
        elif action.kind in ("strike", "portal") and action.face is not None:
            return action.slot, action.face
        return None

    # --- who ---

    def phantoms(self):
        return self.rules.phantoms | self.absent | self.sealed

    def in_play(self):
        return [seat for seat in range(self.seats) if not self.at[seat].eliminated]

    def others(self, seat):
        return [other for other in self.in_play() if other != seat]

    def holders(self):
        return [seat for seat in self.in_play() if self.at[seat].hand]

    def from_seat(self, seat, among):
        """`among` in turn order, from `seat` on."""
        return sorted(among, key=lambda other: (other - seat) % self.seats)

    def next_other(self, seat):
        return self.from_seat(seat, self.others(seat))[0]

    def may_use_portal(self):
        """POR-1, POR-3; PHA-2: a phantom never does."""
        people = set(self.in_play()) - self.phantoms()
        return frozenset(seat for seat in people if self.at[seat].has(PORTAL) or self.at[seat].face_down())

    # --- asking ---

    def ask(self, request):
        return (yield "decks", request)

    def open_to_all(self, slots):
        _, faces = yield from self.ask(Open(tuple((slot, ALL) for slot in slots)))
        return faces

    def decide(self, seats, *kinds, check=None, portal_ends=False):
        """Who decided, and what; no action where a phantom's fixed choice holds. `check` refuses an action of these kinds. With
        `portal_ends` a Portal returns too."""
        while True:
            for seat in sorted(seats):
                if seat in self.phantoms():
                    return seat, None
            self.decision = kinds, check
            got = yield "seats", frozenset(seats)
            if got is None:
                continue
            by, action = got
            if action.kind == "portal":
                self.use_portal(by, action)
                if portal_ends:
                    return by, action
            else:
                return by, action

    def tile(self, by, action, wanted):
        """The tile that a dagger's or portal's use names."""
        for tile in self.at[by].tiles:
            if tile.slot == action.slot:
                if (tile.up is None) == (action.face is None):
                    raise Illegal("a face is named for a tile that lies down, and for no other")
                if action.face is not None and action.face >= self.rules.keepsakes:
                    raise Illegal("there is no such tile")
                what = tile.up if action.face is None else self.rules.keepsake(action.face)
                if what != wanted:
                    raise Illegal("not the tile for this")
                return tile
        raise Illegal("this tile does not lie in front of the seat")

    def check_other(self, by, action):
        if action.seat not in self.others(by):
            raise Illegal("another player who is not eliminated must be chosen")

    # --- rounds ---

    def _rounds(self):
        while True:
            yield from self.deal_round()  # END-7
            try:
                guide = self.first_guide
                while True:
                    guide = yield from self.trick(guide)
            except RoundEnds as end:
                winner = end.winner
            yield from self.score(winner)
            yield from self.ask(Reveal())
            most = max(self.points)
            if most >= self.rules.goal and self.points.count(most) == 1:  # END-6
                return
            self.first_guide = (self.first_guide + 1) % self.seats  # SET-6

    def deal_round(self):
        rules = self.rules
        self.number += 1
        self.points_before = list(self.points)
        self.points = list(self.points)
        self.sealed = rules.phantoms | self.absent
        self.pawn = rules.moon - rules.steps[len(self.sealed)]  # SET-1, PHA-3
        self.laid = {world: set() for world in range(rules.worlds)}
        self.at = [Player() for _ in range(self.seats)]
        self.offer = [None] * 2
        self.drawn = self.kept = 0
        self.eclipse, self.next_slot = True, rules.end
        self.to_play, self.turn = set(), 0
        draw_guide = self.first_guide is None
        decks = tuple((d, rules.sizes[d], rules.first[d]) for d in range(7) if d != GUIDE or draw_guide)
        yield from self.ask(Shuffle(decks, self.sealed))
        slots = []
        for seat, player in enumerate(self.at):  # SET-4, SET-5
            player.identity = rules.first[IDENTITIES] + seat
            player.hand = list(range(seat * rules.hand, (seat + 1) * rules.hand))
            if seat not in self.sealed:  # PHA-1
                slots += [(slot, seat) for slot in [player.identity, *player.hand]]
        slots += [(slot, ALL) for slot in range(self.seats * rules.hand, rules.sizes[CARDS])]
        slots += [(rules.first[MARKS] + i, ALL) for i in range(rules.face_up)]
        if draw_guide:
            slots.append((rules.first[GUIDE], ALL))
        _, faces = yield from self.ask(Open(tuple(slots)))
        faces = iter(faces)
        for _ in range(self.seats * rules.hand, rules.sizes[CARDS]):
            self.lay(rules.card(next(faces)))
        hidden = []
        for place in range(rules.face_up):  # SET-3
            if next(faces) < rules.masks:
                self.offer[place] = Tile(rules.first[MARKS] + place, MASK)
            else:
                self.offer[place] = Tile(self.next_keepsake())
                hidden.append(self.offer[place])
        if draw_guide:
            self.first_guide = next(faces)
        if hidden:
            shown = yield from self.open_to_all([tile.slot for tile in hidden])
            for tile, face in zip(hidden, shown):
                tile.up = rules.keepsake(face)

    def next_keepsake(self):
        self.kept += 1
        return self.rules.first[KEEPSAKES] + self.kept - 1

    def score(self, winner):
        """END-5, ART-6."""
        rules = self.rules
        unknown = [player for player in self.at if player.role is None]
        down = [tile for seat in self.in_play() for tile in self.at[seat].face_down()]
        if unknown or down:
            slots = [player.identity for player in unknown] + [tile.slot for tile in down]
            faces = yield from self.open_to_all(slots)
            for player, face in zip(unknown, faces):
                player.role = rules.role(face)
            for tile, face in zip(down, faces[len(unknown) :]):
                tile.up = rules.keepsake(face)
        for seat in self.in_play():
            player = self.at[seat]
            if player.role == winner:
                self.points[seat] += rules.shaman_points if winner == SHAMAN else rules.shadow_points
            if sum(tile.up == MOONSTONE for tile in player.tiles) >= rules.moonstone_set:
                self.points[seat] += rules.moonstone_points

    # --- tricks ---

    def trick(self, guide):
        """Plays a trick; gives the next Guide."""
        self.to_play = set(self.holders())
        guide = self.from_seat(guide, self.to_play)[0]
        destination, cards = None, {}
        while self.to_play:  # TRK-2, TRK-6
            seat = self.turn = self.from_seat(guide, self.to_play)[0]
            card = yield from self.play(seat)
            self.to_play.discard(seat)
            if destination in (None, card[0]):  # TRK-1, TRK-3
                destination = card[0]
                cards[seat] = card
            else:  # TRK-4
                yield from self.advance(1)
                self.lay(card)
                if self.complete(card[0]):
                    yield from self.ritual(seat, card[0])
        standing = {seat: card for seat, card in cards.items() if not self.at[seat].eliminated}
        highest = max(standing, key=standing.get, default=None)  # TRK-7, TRK-8
        if standing:
            yield from self.take(min(standing, key=standing.get))
        for card in cards.values():
            self.lay(card)
        if highest is not None:
            self.turn = highest
            if self.complete(destination):
                yield from self.ritual(highest, destination)
        if not self.holders():  # END-3, POR-2
            yield from self.moment(lambda: self.rules.moon - self.pawn <= self.rules.last_call)
            raise RoundEnds(SHAMAN)
        if highest is not None:
            return highest
        seat = max(cards, key=cards.get)  # TRK-9
        _, action = yield from self.decide({seat}, "name", check=self.check_guide)
        return self.next_other(seat) if action is None else action.seat  # PHA-2

    def check_guide(self, by, action):
        if action.seat not in self.in_play():
            raise Illegal("the next Guide must not be eliminated")

    def play(self, seat):
        _, action = yield from self.decide({seat}, "play", check=self.check_held)
        hand = self.at[seat].hand
        if action is None:  # PHA-1
            slot = hand[0]
            (face,) = yield from self.open_to_all([slot])
            card = self.rules.card(face)
        else:
            slot, card = action.slot, action.card
        hand.remove(slot)
        return card

    def check_held(self, by, action):
        if action.slot not in self.at[by].hand or (action.kind == "play" and self.claim(action) is None):
            raise Illegal("this card is not in the hand")

    def lay(self, card):
        self.laid[card[0]].add(card[1])

    def complete(self, world):
        return len(self.laid[world]) == self.rules.values

    # --- the pawn and portals ---

    def advance(self, steps):
        yield from self.moment(lambda: steps >= self.rules.moon - self.pawn)  # POR-2, POR-4
        self.step(steps)

    def step(self, steps):
        self.pawn = min(max(self.pawn + steps, 0), self.rules.moon)
        if self.pawn == self.rules.moon:
            raise RoundEnds(SHADOW)  # END-1

    def moment(self, holds):
        """POR-2, POR-3: everyone who may hold a Portal is asked, again after each use."""
        again = True
        while again and holds():
            again = False
            for seat in self.from_seat(self.turn, self.may_use_portal()):
                _, action = yield from self.decide({seat}, "decline", portal_ends=True)
                if action is not None and action.kind == "portal":
                    again = True
                    break

    def check_portal(self, by, action):
        if self.at[by].eliminated:
            raise Illegal("an eliminated player is out")
        self.tile(by, action, PORTAL)
        if not action.forward and self.pawn == 0:
            raise Illegal("the pawn is on the first space")

    def use_portal(self, by, action):
        """POR-1."""
        self.at[by].tiles.remove(self.tile(by, action, PORTAL))
        self.step(1 if action.forward else -1)

    # --- artefacts ---

    def anything_to_take(self):
        return self.drawn < self.rules.pile or any(self.offer)

    def take(self, seat):
        if not self.anything_to_take():  # ART-4
            return
        _, action = yield from self.decide({seat}, "take", check=self.check_take)
        if action is None:  # PHA-2
            pick = next((place for place, tile in enumerate(self.offer) if tile), PILE)
        else:
            pick = action.pick
        if pick is PILE:
            yield from self.draw(seat, None)
        else:
            tile, self.offer[pick] = self.offer[pick], None
            yield from self.keep(seat, tile)  # ART-2, ART-4
            if self.drawn < self.rules.pile:
                yield from self.draw(None, pick)

    def check_take(self, by, action):
        if action.pick is PILE:
            there = self.drawn < self.rules.pile
        else:
            there = action.pick < len(self.offer) and self.offer[action.pick]
        if not there:
            raise Illegal("no tile lies there")

    def keep(self, seat, tile):
        self.at[seat].tiles.append(tile)
        if tile.up == MASK:  # ART-5
            yield from self.unmask(self.at[seat])

    def unmask(self, player):
        if player.role is None:
            (face,) = yield from self.open_to_all([player.identity])
            player.role = self.rules.role(face)

    def draw(self, seat, place):
        """The top of the pile goes to a seat (ART-3) or fills a gap (ART-2); then the Eclipse, if it is on top now (ART-4)."""
        rules, drawn = self.rules, self.drawn
        self.drawn += 1
        mark = rules.first[MARKS] + rules.face_up + drawn
        faces = yield from self.open_to_all([mark] + ([rules.first[DEPTH] + drawn] if self.eclipse else []))
        if faces[0] < rules.masks:
            tile = Tile(mark, MASK)
        else:
            tile = Tile(self.next_keepsake())
            to = ALL if seat is None or seat in self.phantoms() else seat
            _, shown = yield from self.ask(Open(((tile.slot, to),)))
            if shown:
                tile.up = rules.keepsake(shown[0])
        if seat is None:
            self.offer[place] = tile
        else:
            yield from self.keep(seat, tile)
        if faces[1:] == [0]:
            yield from self.resolve_eclipse()

    def resolve_eclipse(self):
        self.eclipse = False  # ECL-1
        givers = self.holders()
        if len(givers) < 2:  # ECL-2
            return
        (side,) = yield from self.open_to_all([self.rules.first[SIDE]])
        waiting, chosen = set(givers), {}
        while waiting:
            seat, action = yield from self.decide(waiting, "give", check=self.check_held)
            chosen[seat] = self.at[seat].hand[0] if action is None else action.slot  # PHA-2
            waiting.discard(seat)
        passed = []
        for giver in givers:
            if side == 0:  # left
                receiver = self.from_seat(giver + 1, givers)[0]
            else:
                receiver = self.from_seat(giver, givers)[-1]
            passed.append((chosen[giver], receiver))
            self.at[giver].hand.remove(chosen[giver])
        for slot, receiver in passed:
            self.at[receiver].hand.append(slot)
        yield from self.ask(Pass(tuple(passed)))
        hands = []
        for seat in givers:  # ECL-3
            hand = self.at[seat].hand
            hands.append((seat, tuple(hand), self.next_slot))
            self.at[seat].hand = list(range(self.next_slot, self.next_slot + len(hand)))
            self.next_slot += len(hand)
        yield from self.ask(Remix(tuple(hands)))

    # --- rituals and elimination ---

    def ritual(self, seat, world):
        ritual, player = self.rules.rituals[world], self.at[seat]
        if ritual == STABILISATION:  # RIT-1
            instead = False
            if self.anything_to_take():
                _, action = yield from self.decide({seat}, "back", "instead")
                instead = action is not None and action.kind == "instead"
            if instead:
                yield from self.take(seat)
            else:
                self.step(-self.rules.back)
        elif ritual == ILLUMINATION:  # RIT-3
            self.points[seat] += self.rules.illumination
        elif not self.others(seat):
            return
        elif ritual == PERMUTATION:  # RIT-2
            _, action = yield from self.decide({seat}, "swap", check=self.check_other)
            other = self.next_other(seat) if action is None else action.seat
            yield from self.swap(player, seat, self.at[other], other)
        elif player.has(DAGGER) or player.face_down():  # RIT-4
            _, action = yield from self.decide({seat}, "strike", "spare", check=self.check_strike)
            dagger = None
            if action is None:
                dagger = next((tile for tile in player.tiles if tile.up == DAGGER), None)
                target = self.next_other(seat)
            elif action.kind == "strike":
                dagger, target = self.tile(seat, action, DAGGER), action.seat
            if dagger:
                player.tiles.remove(dagger)
                yield from self.moment(lambda: True)  # POR-2
                yield from self.eliminate(seat, target)

    def check_strike(self, by, action):
        """RIT-4: a face-up dagger must be used, and it before any face-down one."""
        if action.kind == "strike":
            self.check_other(by, action)
            self.tile(by, action, DAGGER)
        if self.at[by].has(DAGGER) and (action.kind == "spare" or action.face is not None):
            raise Illegal("a face-up dagger must be used")

    def swap(self, player, seat, other, with_seat):
        slots = [(player.identity, with_seat)] if player.role is None else []
        slots += [(other.identity, seat)] if other.role is None else []
        if slots:
            yield from self.ask(Pass(tuple(slots)))
        player.identity, other.identity = other.identity, player.identity
        player.role, other.role = other.role, player.role

    def eliminate(self, by, target):
        player = self.at[target]
        yield from self.unmask(player)  # ELI-1
        player.eliminated = True
        self.to_play.discard(target)  # TRK-6
        if player.role == SHAMAN:
            if player.hand:
                yield from self.advance(len(player.hand))  # ELI-2
            return
        shadows = self.seats - self.rules.shamans
        if sum(p.eliminated and p.role == SHADOW for p in self.at) == shadows:
            raise RoundEnds(SHAMAN)  # ELI-3, END-2
        if player.hand:  # ELI-4
            faces = yield from self.open_to_all(player.hand)
            player.hand = []
            cards = [self.rules.card(face) for face in faces]
            for card in cards:
                self.lay(card)
            worlds = {world for world, _ in cards if self.complete(world)}
            while len(worlds) > 1:
                _, action = yield from self.decide({by}, "perform", check=lambda _, action: self.check_ritual(action, worlds))
                world = min(worlds) if action is None else action.world
                worlds.discard(world)
                yield from self.ritual(by, world)
            for world in worlds:
                yield from self.ritual(by, world)

    def check_ritual(self, action, worlds):
        if action.world not in worlds:
            raise Illegal("this world's ritual is not to be performed now")
