"""The fan-out: who has a place, who makes room for whom, and what each is sent."""

import socket
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from companion.web.common import fanout as fanning
from companion.web.common.fanout import HEARTBEAT, WHOLE, Fanout, StreamEvent, StreamViewer, Topic
from tests.web.test_server import heard_until, until

TOPIC = ("hall",)
PATIENCE_S = 60.0


class Crowd:
    """Browsers that watch, by where they are; one that plays along has a * behind that."""

    def __init__(self, places: int) -> None:
        self.wanted: list[str] = []
        self.fanout = Fanout(self.wanted.append, places)
        self.topics: dict[str, Topic] = defaultdict(lambda: TOPIC)  # by the name of a browser
        self.lines: dict[str, socket.socket] = {}
        self._life = ExitStack()
        self.fanout.start()
        self._life.callback(self.fanout.close)

    def come(self, origin: str, seen: str | None = None) -> str | None:
        """Have one more watch; return its name, or None: there is no place."""
        name, plays = f"{origin}{len(self.lines)}", origin.endswith("*")
        viewer = StreamViewer(
            lambda: self.topics[name], lambda: plays, f"address {origin.strip('*')}"
        )
        if not self.fanout.reserve(viewer):
            return None
        ours, theirs = socket.socketpair()
        self.lines[name] = theirs
        self._life.enter_context(theirs)
        theirs.settimeout(PATIENCE_S)
        self.fanout.add(ours, viewer, self.topics[name], seen, b"<hello>")
        assert self.hears(name, "<hello>")
        return name

    def hears(self, name: str | None, words: str) -> bool:
        """Tell whether this comes next; False: the line has ended."""
        assert name is not None
        heard = b""
        while len(heard) < len(words) and (more := self.lines[name].recv(len(words) - len(heard))):
            heard += more
        assert heard in (b"", words.encode())
        return bool(heard)

    def publish(self, text: str, topic: Topic = TOPIC, part: str = WHOLE, mark: str = "") -> None:
        self.fanout.publish(topic, part, StreamEvent(text.encode(), mark or text))

    def stay(self) -> list[str]:
        """Return who still watches, in the order in which they came."""
        self.publish("<last>")
        return [name for name in self.lines if self.hears(name, "<last>")]

    def close(self) -> None:
        self._life.close()


@pytest.fixture(autouse=True)
def _no_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let none come between, however slow this computer is."""
    monkeypatch.setattr(fanning, "HEARTBEAT_S", 3600.0)


@pytest.fixture
def life() -> Iterator[ExitStack]:
    with ExitStack() as life:
        yield life


def crowd(life: ExitStack, places: int, *origins: str) -> Crowd:
    made = Crowd(places)
    life.callback(made.close)
    for origin in origins:
        assert made.come(origin)
    return made


# --- places -----------------------------------------------------------------------------------


def test_whoever_watches_from_where_few_do_gets_the_oldest_place_of_those_who_have_most(
    life: ExitStack,
) -> None:
    made = crowd(life, 5, "b", "a", "a", "b", "a")
    assert made.come("c")
    assert made.stay() == ["b0", "a2", "b3", "a4", "c5"]
    assert made.fanout.held == 5


@pytest.mark.parametrize(
    ("there", "comes"), [("aab", "b"), ("ab", "c"), ("aaa", "a"), ("aabb", "a")]
)
def test_no_watcher_pushes_out_one_of_as_many(life: ExitStack, there: str, comes: str) -> None:
    made = crowd(life, len(there), *there)
    assert made.come(comes) is None
    assert len(made.stay()) == made.fanout.held == len(there)


def test_one_address_may_have_all_places_as_long_as_nobody_else_wants_any(life: ExitStack) -> None:
    made = crowd(life, 48, *"a" * 48)
    assert all(made.come(f"b{n}") for n in range(46))
    assert made.come("c")  # now it has two, and others one
    assert made.come("d") is None
    assert len(made.stay()) == 48


def test_those_whose_answer_has_just_begun_count_as_if_they_watched(life: ExitStack) -> None:
    full = Fanout(lambda _: None, 4)  # its thread is busy elsewhere: nobody is admitted yet

    def begins(address: str) -> bool:
        viewer = StreamViewer(lambda: TOPIC, address=address)
        if not full.reserve(viewer):
            return False
        ours, theirs = map(life.enter_context, socket.socketpair())
        full.add(ours, viewer, TOPIC, None, b"")
        return theirs.fileno() > 0

    assert [begins("a") for _ in range(4)] == [True] * 4
    assert [begins("b") for _ in range(3)] == [True, True, False]


def test_whoever_plays_along_always_gets_a_place_of_one_who_only_watches(life: ExitStack) -> None:
    made = crowd(life, 4, "a*", "b", "a", "c*")
    assert made.come("a*")
    assert made.come("d*")
    assert made.come("e*") is None  # all play along
    assert made.stay() == ["a*0", "c*3", "a*4", "d*5"]


def test_whoever_plays_along_is_never_counted_against_watchers_nor_pushed_out(
    life: ExitStack,
) -> None:
    made = crowd(life, 5, "a*", "a*", "a*", "b", "b")
    assert made.come("a")
    assert made.come("c") is None  # each watches once
    assert made.stay() == ["a*0", "a*1", "a*2", "b4", "a5"]


def test_a_place_that_is_reserved_is_given_back_exactly_once(life: ExitStack) -> None:
    made = crowd(life, 1)
    viewer = StreamViewer(lambda: TOPIC)
    for _ in range(3):
        assert made.fanout.reserve(viewer)
        assert not made.fanout.reserve(viewer)
        made.fanout.give_back(viewer)
    name = made.come("a")
    assert name
    made.lines[name].close()
    assert until(lambda: made.fanout.held == 0)
    assert made.come("b")


def test_after_the_end_nobody_has_a_place_and_every_line_has_ended(life: ExitStack) -> None:
    made = crowd(life, 4, "a", "b")
    viewer = StreamViewer(lambda: TOPIC)
    assert made.fanout.reserve(viewer)
    made.fanout.close()
    assert not made.fanout.reserve(viewer)
    late, theirs = socket.socketpair()
    life.enter_context(theirs)
    made.fanout.add(late, viewer, TOPIC, None, b"<hello>")  # its answer had begun before
    assert theirs.recv(9) == b""
    assert [line.recv(9) for line in made.lines.values()] == [b"", b""]


# --- what they are sent -----------------------------------------------------------------------


def test_what_somebody_has_seen_is_not_sent_again(life: ExitStack) -> None:
    made = crowd(life, 2)
    knows, new = made.come("a", "<now>"), made.come("b")
    made.publish("<now>")
    assert made.hears(new, "<now>")
    made.publish("<then>")
    assert made.hears(new, "<then>")
    assert made.hears(knows, "<then>")


def test_a_newcomer_gets_what_was_sent_to_all_others_while_they_came(life: ExitStack) -> None:
    made = crowd(life, 2)
    there = made.come("a")
    made.publish("<now>")
    assert made.hears(there, "<now>")
    late = made.come("b", "<before>")
    made.fanout.publish(TOPIC, WHOLE, StreamEvent(b"<now>", "<now>"), to_newcomers=True)
    assert made.hears(late, "<now>")
    assert made.stay() == [there, late]  # and nobody gets it twice


def test_after_a_part_the_whole_is_sent_though_it_looks_as_before(life: ExitStack) -> None:
    made = crowd(life, 1)
    name = made.come("a")
    for text, part in (("<one>", WHOLE), ("<tile>", "t"), ("<one>", WHOLE)):
        made.publish(text, part=part)
        assert made.hears(name, text)


def test_whoever_reads_nothing_skips_what_is_outdated(life: ExitStack) -> None:
    made = crowd(life, 1, "a")
    (line,) = made.lines.values()
    for turn in range(40):
        made.publish(f"{turn:03} " + "x" * 100_000)
    made.publish("<last>")
    heard = heard_until(line, lambda heard: b"<last>" in heard)
    assert len(heard) < 40 * 100_000


def test_whoever_may_see_something_else_gets_nothing_more_of_what_they_saw(life: ExitStack) -> None:
    """So a phone that was let go hears nothing of a hand, though it still listens."""
    made = crowd(life, 2)
    red, spy = ("table", "red"), ("table", "")
    made.topics["a0"] = made.topics["b1"] = red
    made.come("a")
    made.come("b")
    made.topics["b1"] = spy
    made.fanout.refresh_topics()
    made.publish("<secret>", red)
    assert made.hears("a0", "<secret>")
    assert until(lambda: made.wanted == ["table"])
    made.publish("<open>", spy)
    assert made.hears("b1", "<open>")
    assert made.fanout.topics("table") == [red, spy]


def test_whoever_may_see_something_else_gets_at_once_what_others_see_there(life: ExitStack) -> None:
    made = crowd(life, 2)
    red, spy = ("table", "red"), ("table", "")
    made.topics["a0"], made.topics["b1"] = red, spy
    made.come("a")
    made.come("b")
    made.publish("<open>", spy)
    assert made.hears("b1", "<open>")
    made.topics["a0"] = spy
    made.fanout.refresh_topics()
    assert made.hears("a0", "<open>")


def test_a_line_hears_heartbeats_though_all_that_is_new_concerns_others(
    life: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A television was told nothing while somebody practised, and believed the line dead."""
    monkeypatch.setattr(fanning, "HEARTBEAT_S", 0.01)
    made = crowd(life, 1)
    name = made.come("a", "<same>")

    def three_beats(heard: bytes) -> bool:
        made.fanout.refresh_topics()
        made.publish("<same>")
        return heard.count(HEARTBEAT) >= 3

    heard = heard_until(made.lines[str(name)], three_beats)
    assert heard.replace(HEARTBEAT, b"") in HEARTBEAT


def test_who_reads_nothing_is_given_up(life: ExitStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fanning, "HEARTBEAT_S", 0.01)
    monkeypatch.setattr(fanning, "DEAD_S", 0.0)
    made = crowd(life, 1, "a")
    made.publish("x" * 10_000_000)
    assert until(lambda: made.fanout.held == 0)
