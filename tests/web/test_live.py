"""What is live: made once for all, the newest at once, nothing is lost, and nobody waits."""

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import islice
from threading import Event, Thread
from typing import TextIO

import pytest
from flask import Flask

from companion.web.common.fanout import WHOLE, StreamEvent, StreamViewer, Topic
from companion.web.common.live import KEPT, TAKE, LiveViews, Taker, event_of
from tests.web.test_server import until

TOPIC = ("view", "en", "")
DEADLINE_S = 60.0  # for whatever must come; a busy machine is slow
BEATS = 16  # heartbeats that come meanwhile


class Table:
    """Something that changes, and what is published of it to one who watches."""

    def __init__(self) -> None:
        self.state, self.made = "0", list[Topic]()
        self.stuck, self.goes_on = Event(), Event()
        self.goes_on.set()
        self.live, self.published = LiveViews(self), list[str]()
        self.live.fanout.topics = lambda name: [TOPIC] * (name == "view")  # type: ignore[method-assign]
        self.live.fanout.views = lambda: {"view"}  # type: ignore[method-assign]
        self.live.fanout.publish = self._publish  # type: ignore[method-assign]

    def _publish(
        self, topic: Topic, part: str, frame: StreamEvent, *, to_newcomers: bool = False
    ) -> None:
        assert not to_newcomers
        assert (topic, part) == (TOPIC, WHOLE)
        self.published.append(frame.data.decode().split("data: ")[1].strip())

    def __contains__(self, name: str) -> bool:
        return name == "view"

    def is_urgent(self, _: str) -> bool:
        return True

    def viewer(self, _: str) -> StreamViewer:
        return StreamViewer(lambda: TOPIC)

    def version(self, _: Topic) -> object:
        return self.state

    def text(self, topic: Topic, part: str = WHOLE) -> str:
        self.made.append(topic)
        state = self.state
        self.stuck.set()
        assert self.goes_on.wait(DEADLINE_S)
        if state == "broken":
            raise ValueError(part)
        return state

    def becomes(self, state: str) -> None:
        self.state = state
        self.live.refresh()


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    made.live.start()
    yield made
    made.goes_on.set()
    made.live.close()


def test_whoever_sees_the_same_gets_what_was_made_once(table: Table) -> None:
    assert {table.live.newest(TOPIC) for _ in range(48)} == {event_of("view", "0")}
    assert table.made == [TOPIC]
    table.state = "1"
    assert table.live.newest(TOPIC) == event_of("view", "1")


def test_whatever_names_strangers_make_up_not_all_of_it_is_kept(table: Table) -> None:
    for number in range(KEPT + 9):
        table.live.newest(("view", str(number)))
    assert len(table.live._made) == KEPT


def test_a_change_is_published_as_soon_as_there_is_one(table: Table) -> None:
    table.becomes("1")
    assert until(lambda: table.published[-1:] == ["1"])


def test_no_change_is_lost_that_comes_while_the_last_is_being_made(table: Table) -> None:
    table.goes_on.clear()
    table.becomes("1")
    assert table.stuck.wait(DEADLINE_S)
    for state in "23456789":
        table.becomes(state)
    table.goes_on.set()
    assert until(lambda: table.published[-1:] == ["9"])
    assert table.published == ["1", "9"]  # what is outdated is never made


def test_the_table_waits_for_nothing_that_is_being_made(table: Table) -> None:
    table.goes_on.clear()
    table.becomes("1")
    assert table.stuck.wait(DEADLINE_S)
    ringing = Thread(target=table.live.refresh)
    ringing.start()
    ringing.join(DEADLINE_S)
    assert not ringing.is_alive()


def come(life: ExitStack, live: LiveViews, view: str) -> tuple[Callable[[], object], TextIO]:
    """Ask to watch a view; return how to take one's place, and what is heard there."""
    app, takers = Flask(__name__), list[Taker]()
    app.register_blueprint(live.routes())
    app.test_client().get(
        f"/api/stream?view={view}",
        headers={"Accept": "text/event-stream"},
        environ_overrides={TAKE: takers.append},
    )
    ours, theirs = socket.socketpair()
    life.enter_context(theirs)
    theirs.settimeout(DEADLINE_S)
    return partial(takers[0], ours), life.enter_context(theirs.makefile(encoding="utf-8"))


class Crowd(Table):
    """A wall, and as many other views as are asked for."""

    def __contains__(self, name: str) -> bool:
        return True

    def is_urgent(self, name: str) -> bool:
        return name == "wall"

    def viewer(self, name: str) -> StreamViewer:
        return StreamViewer(lambda: (name,))

    def version(self, _: Topic) -> None:
        return None  # each is made again for whoever has just come


def test_a_wall_does_not_wait_for_a_crowd_that_comes_at_once() -> None:
    with ExitStack() as life:
        crowd = Crowd()
        live = LiveViews(crowd)
        live.start()
        life.callback(live.close)
        life.callback(crowd.goes_on.set)
        guests = [f"guest-{number}" for number in range(9)]
        seats = [come(life, live, name)[0] for name in ("wall", *guests)]
        seats[0]()
        assert until(lambda: crowd.made.count(("wall",)) == 2)
        crowd.stuck.clear()
        crowd.goes_on.clear()
        begun = len(crowd.made)
        for seat in seats[1:]:
            seat()
        assert crowd.stuck.wait(DEADLINE_S)  # the first guest's view is being made
        live.changed("wall")
        crowd.goes_on.set()
        assert until(lambda: len(crowd.made) == begun + 10)
        assert [name for (name,) in crowd.made[begun:]] == [guests[0], "wall", *guests[1:]]


def test_a_newcomer_hears_what_became_new_between_the_answer_and_their_place() -> None:
    """Others had been sent it by then, so it counted as known."""
    with ExitStack() as life:
        table = Table()
        live = LiveViews(table)
        life.callback(live.close)
        live.start()

        def event(stream: TextIO) -> str:
            lines = (line.removeprefix("data: ").strip() for line in stream if "data: " in line)
            no_beat = (line for line in islice(lines, BEATS) if line != "{}")
            return next(no_beat)

        follow = partial(come, life, live, "view")
        sit_first, first = follow()
        sit_first()
        assert event(first) == "0"
        sit_late, late = follow()
        table.state = "1"
        live.refresh()
        assert event(first) == "1"
        sit_late()
        assert event(late) == "0"
        assert event(late) == "1"


def test_what_cannot_be_made_is_told_in_the_log_and_the_rest_goes_on(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        table.becomes("broken")
        assert until(lambda: "The view view cannot be rendered." in caplog.text)
    table.becomes("1")
    assert until(lambda: table.published == ["1"])
