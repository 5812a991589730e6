"""The stream: the newest at once, nothing twice, no more listeners than places, nobody waits."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from time import sleep

from companion.outputs.web.stream import HEARTBEAT, HELLO, Line, Listening, Sent, Stream

HERE = Line("10.0.0.1")
DEADLINE_S = 60.0  # for whatever must come; a busy machine is slow


class Table:
    """Something that changes, and a stream that tells of it."""

    def __init__(self, limit: int = 48, heartbeat_s: float = DEADLINE_S) -> None:
        self.state = "0"
        self.stream = Stream(limit, heartbeat_s)
        self.looked = 0

    def newest(self) -> Sent:
        self.looked += 1
        return Sent.of(self.state)

    def becomes(self, state: str) -> None:
        self.state = state
        self.stream.changed()

    def listen(
        self, seen: str | None = None, gone: Callable[[], bool] = lambda: False
    ) -> Listening:
        listening = self.stream.listen("view", self.newest, seen, Line("10.0.0.1", gone=gone))
        assert listening is not None
        assert next(listening) == HELLO
        return listening


def told(text: str) -> bytes:
    return f"event: view\nid: {Sent.of(text).mark}\ndata: {text}\n\n".encode()


def test_whoever_comes_gets_the_newest_at_once() -> None:
    table = Table()
    table.becomes("1")
    assert next(table.listen()) == told("1")


def test_what_a_phone_has_seen_is_not_sent_again() -> None:
    table = Table(heartbeat_s=0.01)
    assert next(table.listen(seen=Sent.of("0").mark)) == HEARTBEAT
    assert next(table.listen(seen="of another evening")) == told("0")


def test_a_slow_reader_gets_only_the_newest() -> None:
    table = Table()
    listening = table.listen()
    assert next(listening) == told("0")
    for state in "123456789":
        table.becomes(state)
    looked = table.looked
    assert next(listening) == told("9")
    assert table.looked == looked + 1


def test_what_looks_the_same_to_a_phone_is_not_news() -> None:
    table = Table(heartbeat_s=0.01)
    listening = table.listen()
    next(listening)
    table.becomes("0")
    assert next(listening) == HEARTBEAT


def test_a_line_lives_where_all_that_is_new_concerns_others() -> None:
    """A television was told nothing while somebody practised, and believed the line dead."""
    table = Table(heartbeat_s=0.05)

    def newest() -> Sent:
        table.looked += 1
        sleep(0.001)
        table.stream.changed()
        return Sent.of("the same")

    line = Line("10.0.0.1", gone=lambda: table.looked > 2000)
    listening = table.stream.listen("view", newest, Sent.of("the same").mark, line)
    assert listening is not None
    assert [next(listening) for _ in range(3)] == [HELLO, HEARTBEAT, HEARTBEAT]


def test_a_listener_wakes_as_soon_as_the_table_changes() -> None:
    table = Table()
    listening = table.listen()
    next(listening)
    heard: list[bytes] = []
    thread = Thread(target=lambda: heard.append(next(listening)))
    thread.start()
    table.becomes("1")
    thread.join(DEADLINE_S)
    assert heard == [told("1")]


def test_no_change_is_lost_that_comes_while_the_last_is_being_made() -> None:
    table = Table()
    listening = table.listen()
    next(listening)
    old = table.newest

    def newest() -> Sent:
        sent = old()
        if table.state == "1":
            table.becomes("2")  # just after it was looked at
        return sent

    listening._newest = newest
    table.becomes("1")
    assert next(listening) == told("1")
    assert next(listening) == told("2")


def test_places_are_bounded_and_given_back_exactly_once() -> None:
    table = Table(limit=2)
    first, _ = table.listen(), table.listen()
    assert table.stream.listen("view", table.newest, None, HERE) is None
    first.close()
    first.close()
    assert table.stream.held == 1
    table.listen()
    assert table.stream.listen("view", table.newest, None, HERE) is None


def test_a_place_is_given_back_even_if_nothing_was_ever_read() -> None:
    stream = Stream(limit=1)
    listening = stream.listen("view", lambda: Sent.of("0"), None, HERE)
    assert listening is not None
    listening.close()
    assert stream.held == 0


def test_a_phone_that_is_gone_is_noticed_as_soon_as_the_server_stirs() -> None:
    table, gone = Table(), Event()
    listening = table.listen(gone=gone.is_set)
    next(listening)
    ended: list[object] = []
    thread = Thread(target=lambda: ended.append(next(listening, None)))
    thread.start()
    gone.set()
    table.stream.stir()
    thread.join(DEADLINE_S)
    assert ended == [None]


def test_closing_ends_every_stream_and_lets_nobody_in() -> None:
    table = Table()
    listening = table.listen()
    table.stream.close()
    assert next(listening, None) is None
    assert table.stream.listen("view", table.newest, None, HERE) is None


def test_the_table_never_waits_for_who_listens() -> None:
    """A phone's thread that is stuck while it makes or sends something holds no lock."""
    table, stuck, let = Table(), Event(), Event()
    listening = table.listen()

    def newest() -> Sent:
        stuck.set()
        assert let.wait(DEADLINE_S)
        return Sent.of("0")

    listening._newest = newest
    thread = Thread(target=lambda: next(listening))
    thread.start()
    assert stuck.wait(DEADLINE_S)
    ringing = Thread(target=table.stream.changed)
    ringing.start()
    ringing.join(DEADLINE_S)
    rung = not ringing.is_alive()
    let.set()
    thread.join(DEADLINE_S)
    assert rung


# --- when all places are taken ----------------------------------------------------------------


class Crowd:
    """Phones that listen, by where they are; a phone that plays along has a * behind that."""

    def __init__(self, *origins: str) -> None:
        self.stream = Stream(limit=len(origins))
        self.hung_up: list[int] = []
        self.listening = [self.come(origin) for origin in origins]

    def come(self, origin: str) -> Listening | None:
        number, plays = self.stream.held, origin.endswith("*")
        line = Line(origin.rstrip("*"), lambda: plays, hang_up=lambda: self.hung_up.append(number))
        return self.stream.listen("view", lambda: Sent.of("0"), None, line)

    def ends(self) -> list[int]:
        """Return which of the first have to end; that they do is seen when they are asked on."""
        ended = []
        for number, one in enumerate(self.listening):
            assert one is not None
            next(one)
            if next(one, None) is None:
                ended.append(number)
        return ended


def test_whoever_watches_from_where_few_do_gets_the_oldest_place_of_those_who_have_most() -> None:
    crowd = Crowd("b", "a", "a", "b", "a")
    assert crowd.come("c") is not None
    assert crowd.hung_up == crowd.ends() == [1]
    assert crowd.stream.held == 5


def test_no_watcher_pushes_out_one_of_as_many() -> None:
    for there, comes in (("aab", "b"), ("ab", "c"), ("aaa", "a"), ("aabb", "a")):
        crowd = Crowd(*there)
        assert crowd.come(comes) is None, there
        assert crowd.ends() == []


def test_one_address_may_have_all_places_as_long_as_nobody_else_wants_any() -> None:
    crowd = Crowd(*"a" * 48)
    assert [crowd.come(f"b{n}") is not None for n in range(46)] == [True] * 46
    assert crowd.hung_up == list(range(46))
    assert crowd.come("c") is not None  # now it has two, and others one
    assert crowd.come("d") is None


def test_whoever_plays_along_always_gets_a_place_of_one_who_only_watches() -> None:
    crowd = Crowd("a*", "b", "a", "c*")
    assert crowd.come("a*") is not None
    assert crowd.hung_up == [1]
    assert crowd.come("d*") is not None
    assert crowd.hung_up == [1, 2]
    assert crowd.come("e*") is None  # all play along
    assert crowd.ends() == [1, 2]


def test_whoever_plays_along_is_never_counted_against_watchers_nor_pushed_out() -> None:
    crowd = Crowd("a*", "a*", "a*", "b", "b")
    assert crowd.come("a") is not None
    assert crowd.come("c") is None  # each watches once
    assert crowd.ends() == [3]


def test_a_phone_that_was_let_in_since_it_listens_plays_along() -> None:
    stream, let_in = Stream(limit=1), Event()
    line = Line("a", let_in.is_set)
    assert stream.listen("view", lambda: Sent.of("0"), None, line) is not None
    let_in.set()
    assert stream.listen("view", lambda: Sent.of("0"), None, Line("b", lambda: True)) is None
