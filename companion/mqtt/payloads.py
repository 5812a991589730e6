"""The MQTT payloads: records that are written as JSON and strictly read back.

    data = write(Have("hall-7", "5f0c7be81a24", 12, 0xAB831783))
    read(Have, data)                              # Unreadable says what is wrong with it

A hall says what it has of one match, and the table sends what follows there, then the matches that
were begun later, one batch for each `have`. A hall that has nothing, or is not sure that it has all
of the older ones, begins with no match; it says `have` again whenever a connection came. An entry
that differs from what the hall has at that number replaces it and all after it in that match: the
journal is what is true.
"""

import json
from dataclasses import field
from typing import Any, Final, TypeVar

from companion.mqtt.topics import TopicKind
from companion.system import codec, errors
from companion.system.format_names import format_name_of, record
from companion.system.safe_json import SAFE, BadJson, JsonLimits, load_json

T = TypeVar("T")
MOST_BYTES: Final = {
    TopicKind.ONLINE: 1_000,
    TopicKind.STATE: 64_000,
    TopicKind.EVENTS: 1_100_000,  # one entry of a journal may be that long; most are 200 characters
    TopicKind.HAVE: 1_000,
    TopicKind.COMMAND: 16_000,
    TopicKind.ANSWER: 4_000,
}
BATCH: Final = 200  # entries that are sent at once, at most…
BATCH_BYTES: Final = 48_000  # …and about this much, unless a single one is longer
EXPIRY_S: Final = 5  # of commands and answers


@record("Online")
class Online:
    """Whether a table is there; the last will says that it is not."""

    online: bool
    program: str = ""  # its version
    mark: str = ""  # a new one each time it is started
    protocol: str = field(default="", metadata=codec.LATER)  # which of these records it knows


@record("FoulSaid")
class FoulSaid:
    """A foul that everybody knows of, how sure it is, and how the table ruled; None: it has not."""

    number: int
    code: str
    weight: str
    seat: str | None
    percent: int
    called: bool
    times: int
    length_ms: int
    round: int
    upheld: bool | None


@record("TroubleSaid")
class TroubleSaid:
    """A part of the table that does not work: the code of its sentence, and its values."""

    code: str  # as in HubState.LOST
    values: codec.JsonObject


@record("Points")
class Points:
    """A seat's points."""

    seat: str
    points: int


@record("Proposed")
class ProposalState:
    """What became of the next match that a hall proposed; `open`: people have not decided."""

    request: str
    state: str  # open, accepted or refused


@record("State")
class TableState:
    """What everybody may know about a table; `mqtt_state` makes it of a snapshot, and back."""

    at_ms: int  # by the table's clock, since 1970, without the delay
    delay_s: int  # how much later than it happened
    simulated: bool
    version: int  # the number of the newest event; -1: no match has begun
    match: str | None = None
    game: str | None = None
    playing: bool = False
    over: bool = False
    settings: codec.JsonObject | None = None
    house: codec.JsonObject | None = None
    view: codec.JsonObject | None = None  # of somebody without a seat, as the game packs it
    phase: str | None = None
    round: int | None = None
    turns: tuple[str, ...] = ()  # seats, or `table`
    seats: tuple[str, ...] = ()
    leaders: tuple[str, ...] = ()  # who is in front, where the game says so
    winners: tuple[str, ...] = ()
    scores: tuple[Points, ...] = ()  # at the end
    fouls: tuple[FoulSaid, ...] = ()
    costly: tuple[int, ...] = ()
    held: bool = False  # whether play waits for a ruling
    unflipped: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()  # seats where nobody knows which barrel stands there
    joining: tuple[str, ...] = ()
    dropped: int = 0
    troubles: tuple[TroubleSaid, ...] = ()
    batteries: bool = True  # whether all are full enough, as far as that is known
    proposal: ProposalState | None = None


@record("Deed")
class JournalLine:
    """An entry of the journal, in the form in which it may leave the table."""

    number: int
    at_ms: int
    kind: str
    body: codec.JsonObject
    request: str | None
    ends: bool


@record("Events")
class Events:
    """Entries of one match that follow each other; `from_` is the number of the first."""

    match: str
    from_: int
    deeds: tuple[JournalLine, ...]
    hall: str  # whose `have` this answers: only that one has all the matches before


@record("Have")
class Have:
    """What a hall has of a table's journal, and so what it wants."""

    hall: str  # which hall says so: a table obeys the last, and a hall notices another
    match: str | None  # None: it has nothing, so it wants the oldest match
    next: int = 0  # the number that it wants of this match
    seal: int = 0  # of the entry before that, as it has it; with 0 there is none
    refused: tuple[str, ...] = ()  # marks of those who came second with a code, and keep away
    protocol: str = field(default="", metadata=codec.LATER)  # said to tables that say theirs


@record("Seated")
class Seated:
    """Who sits where."""

    seat: str
    name: str


@record("Propose")
class HallProposal:
    """The next match, as somebody in the hall proposes it; people at the table decide."""

    game: str
    settings: codec.JsonObject  # its seats are among them
    names: tuple[Seated, ...] = ()


@record("Command")
class HallCommand:
    """A wish of the hall; `signing` checks whether it is fresh, and signed with the table's key."""

    request: str
    table: str
    by: str  # who asks, as people at the table read it
    at_ms: int  # by the table's clock, as its answers tell that
    wish: HallProposal
    match: str | None = None  # which was seen; None: whichever is being played
    version: int | None = None
    signature: str = ""


@record("Answer")
class CommandAnswer:
    """What became of a command: empty if it is now shown to people, otherwise why not."""

    request: str
    version: int
    at_ms: int  # the table's clock: a command that was not fresh can be sent again with it
    refused: str | None = None  # the name of a `refusals.Refusal`…
    values: codec.JsonObject | None = None  # …and what fills its sentence


Payload = Online | TableState | Events | Have | HallCommand | CommandAnswer
KINDS: Final[dict[type[Any], TopicKind]] = {
    Online: TopicKind.ONLINE,
    TableState: TopicKind.STATE,
    Events: TopicKind.EVENTS,
    Have: TopicKind.HAVE,
    HallCommand: TopicKind.COMMAND,
    CommandAnswer: TopicKind.ANSWER,
}


CODEC: Final = codec.Codec(largest=SAFE, longest=200, most=1_000)  # anything longer is in an object
LIMITS: Final = {
    kind: JsonLimits(MOST_BYTES[topic], deepest=24, largest=SAFE, twice=False)
    for kind, topic in KINDS.items()
}


def write(payload: Payload) -> bytes:
    return to_json(payload).encode("ascii")


def to_json(record: object) -> str:
    """Return a payload, or a record of one, as JSON in ASCII."""
    return json.dumps(codec.pack(record), separators=(",", ":"), allow_nan=False)


def read(kind: type[T], data: bytes) -> T:
    """Return the payload that was sent; raise Unreadable with what is wrong with it.

    Of a command every part must be known: nobody obeys half of a wish, and all of it is signed.
    """
    limits = LIMITS[kind]
    if len(data) > limits.most_bytes:
        raise errors.Unreadable(
            "{count} bytes are too many; at most {most} are read here.",
            count=len(data),
            most=limits.most_bytes,
        )
    try:
        value = load_json(data, limits)
    except BadJson as fault:
        raise errors.Unreadable(
            "'{line}' is not JSON that can be read here.", line=data[:40].decode("utf-8", "replace")
        ) from fault
    return CODEC.read(kind, value, format_name_of(kind).lower(), exact=kind is HallCommand)
