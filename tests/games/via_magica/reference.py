"""Via Magica as the rulebook tells it: slow, one crystal and one portal at a time, told as a story.

It shares nothing with the companion but the words of the notation. A game is a generator: it yields
who may say what, and is sent what was said.
"""

from collections.abc import Generator
from dataclasses import dataclass
from itertools import combinations

NAMES = ("one", "two", "three", "four", "five", "six")
ANIMI = {"A": "air", "W": "water", "E": "earth", "L": "life", "F": "fire", "S": "shadow"}
BAG = "AAAAAAWWWWWEEEELLLFFSJJ"
KINDS = """
green 1 AAWWEL 3/green; 2 AAEELF 4/blue; 3 AWELS 4/shadow; 4 WEELF 2/yellow; 5 AWLL 2/earth;
green 6 AWEE 2/life; 7 WWLL 3/violet; 8 WELF 3/fire; 9 WWE 1/air; 10 AAE 1/water;
yellow 11 ELLL 7 place-2-life; 12 FFFSS 3 open; 13 AWEF 6 place-1-any; 14 AWWEL 5 take;
yellow 15 AAWS 5 place-2-shadow; 16 EEEL 5 place-2-earth; 17 WWWL 4 place-2-water;
yellow 18 AWLFS 3 place-2-any; 19 AAAL 3 place-2-air; 20 AAWF 3 place-2-fire; 21 AAE 3 gain-1;
yellow 22 AAWE 3 gain-2; 23 AWEF 2 rearrange;
violet 24 AAWFFS 16; 25 WWEELF 15; 26 AAWSS 14; 27 AWELF 13; 28 AAWWEL 12; 29 AAWEL 11;
violet 30 AAWEE 10; 31 AAWEE 9; 32 AAWWW 8; 33 AW 3; 34 AAAW 6;
blue 35 FFSS 8 air; 36 LLSS 7 water; 37 LLFF 6 life; 38 EELL 5 earth; 39 WWEE 4 fire;
blue 40 AAWW 3 shadow
"""

Options = dict[str, set[str]]
Telling = Generator[Options, str, None]


class Kind:
    """What is printed on a portal."""

    def __init__(self, hue: str, words: list[str]) -> None:
        self.hue, self.number, self.letters = hue, int(words[0]), words[1]
        self.price, _, self.per = words[2].partition("/")
        self.text = words[3] if len(words) > 3 else ""


def _read() -> dict[int, Kind]:
    kinds, hue = {}, ""
    for entry in KINDS.replace("\n", " ").split(";"):
        words = entry.split()
        if words and words[0].isalpha():
            hue = words.pop(0)
        if words:
            kinds[int(words[0])] = Kind(hue, words)
    return kinds


KIND = _read()


class Tile:
    """A portal on somebody's table, with its fields in a row."""

    def __init__(self, number: int) -> None:
        self.number, self.kind = number, KIND[number]
        self.crystals = [False] * len(self.kind.letters)

    def fields(self, covered: bool) -> set[str]:
        """Return the names of the fields that are covered, or free."""
        row = zip(self.kind.letters, self.crystals, strict=True)
        return {f"{self.number}:{ANIMI[letter]}" for letter, there in row if there is covered}

    def put(self, animus: str, crystal: bool) -> None:
        """Cover one field of an animus, or uncover one."""
        row = enumerate(zip(self.kind.letters, self.crystals, strict=True))
        where = next(i for i, (le, there) in row if ANIMI[le] == animus and there is not crystal)
        self.crystals[where] = crystal


class Person:
    """One player and what it has."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.hand: list[int] = []
        self.supply = 7
        self.zone: list[Tile] = []
        self.success: list[int] = []
        self.rewards: list[str] = []

    def tile(self, number: int) -> Tile:
        """Return a portal of the building zone."""
        return next(tile for tile in self.zone if tile.number == number)

    def full(self) -> list[int]:
        """Return the portals that lack nothing."""
        return [tile.number for tile in self.zone if all(tile.crystals)]

    def hues(self, hue: str) -> int:
        """Return how many portals of a hue are opened."""
        return sum(KIND[number].hue == hue for number in self.success)

    def points(self) -> int:
        """Return what all of it is worth now."""
        total = sum(PRICES[reward] for reward in self.rewards)
        for number in self.success:
            kind, times = KIND[number], 1
            if kind.per in {"green", "yellow", "violet", "blue"}:
                times = self.hues(kind.per)
            elif kind.per:
                letters = "".join(KIND[other].letters for other in self.success)
                times = sum(ANIMI[letter] == kind.per for letter in letters)
            total += int(kind.price) * times
        return total


PRICES = {"yellow": 2, "violet": 4, "green": 6, "blue": 10, "every": 8}
PRICES |= {"two": 2, "three": 4, "four": 6, "five": 8, "six": 10}


@dataclass
class Agreed:
    """What the table agreed on where the rulebook is silent."""

    triples: int  # so many rewards for three of a colour a player may have; 0: any number
    numbers: int  # … for a number of portals
    reshuffle: bool
    chain: bool  # a full portal waits for no call, if its owner is opening one anyway
    interrupts: bool  # … nor until the power that filled it is used up
    early: bool


class Story:
    """One game, told from the dealing to the last portal."""

    def __init__(self, names: list[str], agreed: Agreed) -> None:
        self.people = [Person(name) for name in names]
        self.agreed = agreed
        self.stack = [number for number in KIND for _ in range(2)]
        self.discards: list[int] = []
        self.display: list[int] = []
        self.bag = list(BAG)
        self.catcher = 0
        self.opening: list[int] = []
        self._game = self.tell()
        self.options: Options = next(self._game)

    def do(self, text: str) -> None:
        """Go on with what was said."""
        try:
            self.options = self._game.send(text)
        except StopIteration:
            self.options = {}

    def tell(self) -> Telling:
        """Tell the whole game."""
        yield from self.set_up()
        while not any(len(person.success) >= 7 for person in self.people):
            joker = yield from self.round()
            if joker and not self.agreed.early:
                self.hand_over()

    def set_up(self) -> Telling:
        """Deal six, lay five on the table, keep blue."""
        for person in self.people:
            for _ in range(6):
                said = yield {"table": {f"deal {person.name} {n}" for n in self.stack}}
                person.hand.append(self.off_the_stack(said))
        yield from self.fill()
        choosing = list(self.people)
        while choosing:
            said = yield {person.name: self.keeps(person) for person in choosing}
            person = self.person(said)
            choosing.remove(person)
            for number in map(int, said.rsplit(maxsplit=1)[-1].split(",")):
                person.hand.remove(number)
                person.zone.append(Tile(number))
        yield {"table": {"unveil"}}
        for person in self.people:
            self.discards += person.hand
            person.hand = []

    @staticmethod
    def keeps(person: Person) -> set[str]:
        """Return the choices of three different kinds."""
        triples = (sorted(three) for three in combinations(person.hand, 3))
        return {
            f"keep {person.name} portals {','.join(map(str, three))}"
            for three in triples
            if len(set(three)) == 3
        }

    def fill(self) -> Telling:
        """Draw until five lie on the table, and turn them up."""
        drawn: list[int] = []
        while len(self.display) + len(drawn) < 5:
            if not self.stack and self.agreed.reshuffle:
                self.stack, self.discards = self.discards, []
            if not self.stack:
                break
            said = yield {"table": {f"draw {number}" for number in self.stack}}
            drawn.append(self.off_the_stack(said))
        if drawn:
            yield {"table": {"turn"}}
            self.display += drawn

    def off_the_stack(self, said: str) -> int:
        """Take the named portal off the stack."""
        number = int(said.rsplit(maxsplit=1)[-1])
        self.stack.remove(number)
        return number

    def person(self, said: str) -> Person:
        """Return who says it."""
        return next(person for person in self.people if person.name == said.split()[1])

    def hand_over(self) -> None:
        """Give the bag to the left."""
        self.catcher = (self.catcher + 1) % len(self.people)

    def round(self) -> Generator[Options, str, bool]:
        """Catch an animus, crystallize it, open portals."""
        said = yield {"table": {f"catch {name_of(letter)}" for letter in self.bag}}
        letter = next(letter for letter in self.bag if name_of(letter) == said.split()[1])
        self.bag.remove(letter)
        choosing = [one for one in self.people if self.placements(one, self.good_for(one, letter))]
        while choosing:
            said = yield {
                person.name: self.placements(person, self.good_for(person, letter))
                for person in choosing
            }
            choosing.remove(self.person(said))
            self.place(said)
        if letter == "J":
            self.bag = list(BAG)
            if self.agreed.early:
                self.hand_over()
        yield from self.incantatum()
        return letter == "J"

    @staticmethod
    def good_for(person: Person, letter: str) -> set[str]:
        """Return the animi on whose fields one may place."""
        jokers = {KIND[n].text for n in person.success if KIND[n].hue == "blue"}
        if letter == "J" or ANIMI[letter] in jokers:
            return set(ANIMI.values())
        return {ANIMI[letter]}

    @staticmethod
    def placements(person: Person, good: set[str]) -> set[str]:
        """Return how a person can place one crystal, from its supply or from any own field."""
        free = [f for tile in person.zone for f in tile.fields(False) if f.split(":")[1] in good]
        sources = [" " + f for tile in person.zone for f in tile.fields(True)]
        if person.supply:
            sources.append("")
        return {f"crystallize {person.name} {f}{source}" for f in free for source in sources}

    def place(self, said: str) -> None:
        """Move one crystal."""
        person, words = self.person(said), said.split()
        if len(words) == 4:
            number, animus = words[3].split(":")
            person.tile(int(number)).put(animus, False)
        else:
            person.supply -= 1
        number, animus = words[2].split(":")
        person.tile(int(number)).put(animus, True)

    def from_(self, index: int) -> list[Person]:
        """Return all, clockwise, beginning with one."""
        return self.people[index:] + self.people[:index]

    def incantatum(self) -> Telling:
        """Let everybody who can open a portal, the first caller first."""
        callers = [person for person in self.from_(self.catcher) if person.full()]
        if len(callers) > 1:
            said = yield {"table": {"call"} | {f"call {person.name}" for person in callers}}
            if said != "call":
                first = next(i for i, p in enumerate(self.people) if p.name == said.split()[1])
                callers = [person for person in self.from_(first) if person in callers]
        for person in callers:
            said = yield {person.name: {f"open {person.name} {n}" for n in person.full()}}
            yield from self.open(person, int(said.split()[2]))

    def open(self, person: Person, number: int) -> Telling:
        """Do the steps a to f with one portal."""
        tile = person.tile(number)
        person.supply += sum(tile.crystals)  # a
        person.zone.remove(tile)
        self.opening.append(number)
        yield from self.power(person, tile.kind)  # b
        while self.agreed.chain and person.full():
            yield from self.open_another(person)
        self.opening.remove(number)
        person.success.append(number)  # c
        if takes := self.takes(person):
            yield from self.take(person, (yield {person.name: takes}))  # d, e
        while claims := self.claims(person):  # f
            said = yield {person.name: claims | {f"waive {person.name}"}}
            if said.startswith("waive"):
                break
            person.rewards.append(said.split()[2])

    def open_another(self, person: Person) -> Telling:
        """Open what is full, while another portal is being opened."""
        said = yield {person.name: {f"open {person.name} {n}" for n in person.full()}}
        yield from self.open(person, int(said.split()[2]))

    def place_by_power(self, said: str) -> Telling:
        """Move one crystal; if that covers the last field of a portal, that is open."""
        self.place(said)
        person, number = self.person(said), int(said.split()[2].partition(":")[0])
        if self.agreed.chain and self.agreed.interrupts and number in person.full():
            yield from self.open_another(person)

    def power(self, person: Person, kind: Kind) -> Telling:
        """Use what a yellow portal does."""
        name, words = person.name, kind.text.split("-") if kind.hue == "yellow" else [""]
        waive = {f"waive {name}"}
        match words:
            case ["gain", count]:
                person.supply += int(count)
            case ["place", count, animus]:
                good = set(ANIMI.values()) if animus == "any" else {animus}
                for _ in range(int(count)):
                    if not (ways := self.placements(person, good)):
                        break
                    if (said := (yield {name: ways | waive})).startswith("waive"):
                        break
                    yield from self.place_by_power(said)
            case ["rearrange"]:
                for _ in range(sum(sum(tile.crystals) for tile in person.zone)):
                    ways = {
                        way
                        for way in self.placements(person, set(ANIMI.values()))
                        if len(way.split()) == 4 and way.split()[2] != way.split()[3]
                    }
                    if not ways or (said := (yield {name: ways | waive})).startswith("waive"):
                        break
                    yield from self.place_by_power(said)
            case ["open"] if person.zone:
                ways = {f"open {name} {tile.number}" for tile in person.zone}
                if not (said := (yield {name: ways | waive})).startswith("waive"):
                    yield from self.open(person, int(said.split()[2]))
            case ["take"] if ways := self.takes(person):
                if not (said := (yield {name: ways | waive})).startswith("waive"):
                    yield from self.take(person, said)

    def takes(self, person: Person) -> set[str]:
        """Return what lies on the table of which the person has none yet."""
        own = {tile.number for tile in person.zone} | {*person.success, *self.opening}
        return {f"take {person.name} {number}" for number in self.display if number not in own}

    def take(self, person: Person, said: str) -> Telling:
        """Take a portal from the table, and fill the gap."""
        number = int(said.split()[2])
        self.display.remove(number)
        person.zone.append(Tile(number))
        yield from self.fill()

    def claims(self, person: Person) -> set[str]:
        """Return the rewards that are due now."""
        gone = {reward for one in self.people for reward in one.rewards}
        hues = ["yellow", "violet", "green", "blue"]
        due = {hue for hue in hues if person.hues(hue) >= 3 and hue not in gone}
        most = self.agreed.triples
        if most and len(set(person.rewards) & set(hues)) >= most:
            due = set()
        if all(person.hues(hue) for hue in hues) and "every" not in gone:
            due.add("every")
        count = len(person.success)
        mine = [reward for reward in person.rewards if reward in NAMES]
        allowed = len(mine) < self.agreed.numbers or not self.agreed.numbers
        if 2 <= count <= 6 and allowed and NAMES[count - 1] not in mine:
            due.add(NAMES[count - 1])
        return {f"claim {person.name} {reward}" for reward in due}


def name_of(letter: str) -> str:
    """Return the word for what is drawn from the bag."""
    return ANIMI.get(letter, "joker")
