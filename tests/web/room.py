"""A table for phones to look at: a real referee and a journal in memory, and phones that pair."""

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any

from flask import Flask
from flask.testing import FlaskClient
from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.test import TestResponse

from companion.journal import Entry, ListedMatch
from companion.maintenance.view import MaintenanceSnapshot
from companion.present.output import Output
from companion.referee.commands import Answer, Command, CommandBody
from companion.referee.snapshot import Snapshot, TableEvent
from companion.sensing.events import SensingEvent
from companion.web.app import create_app
from companion.web.common.addresses import OwnAddresses
from companion.web.common.flask_app import LazyFlask
from companion.web.context import WebContext
from companion.web.first_run_page import FirstRun
from companion.web.pairing import Pairing, PairingPorts
from companion.web.ports import TablePort
from companion.web.table_page import match_with_hands
from tests.referee.tables import Paper, Round

PIN = "271828"
HOST = "192.168.7.5:8000"
PATIENCE_S = 1e9  # a busy machine may take long to read a past


class FakeRoom(Round):
    """A table whose people are told by a test what to do; see `Round` for all they can do.

    >>> room = FakeRoom("red", "blue")
    >>> room.snapshot.view.magic
    0
    """

    def __init__(self, *colours: str, paper: Paper | None = None, barrels: int = 13) -> None:
        self._outputs: list[Output] = []
        self._turn = RLock()  # phones ask from threads of their own; the referee knows one
        self.commands: list[Command] = []
        self.workshop, self.recorded = MaintenanceSnapshot(), False
        self.recorded_bytes: bytes | None = None
        self.first_run: FirstRun | None = None  # as pages are told that serve this table
        super().__init__(*colours, paper=paper, barrels=barrels)
        if not self.shown:
            self.referee.handle_conditions((), 0)  # shows the table before any match

    def arrange(self, whole: WebContext) -> None:
        """Have the rest as this table needs it, once its pages are there."""

    def recording(self) -> bytes | None:
        return self.recorded_bytes

    @property
    def snapshot(self) -> Snapshot:
        return self.now

    def ask(self, command: Command) -> Answer | None:
        with self._turn:
            self.commands.append(command)
            return self.referee.handle_command(command, 0)

    def hold(self, *, on: bool) -> bool:
        return self.referee.hold(on=on)

    def wish(self, wish: CommandBody, by: str = "red", version: int | None = None) -> Answer:
        with self._turn:
            return super().wish(wish, by, version)

    def tell(self, *told: SensingEvent) -> None:
        with self._turn:
            super().tell(*told)

    def matches(self) -> Sequence[ListedMatch]:
        return [ListedMatch(entries[0], entries[-1]) for entries in reversed(self.papers.values())]

    def entries(self, match: str) -> Sequence[Entry]:
        return self.papers.get(match, ())

    def join(self, output: Output) -> None:
        self._outputs.append(output)

    def publish(self, snapshot: Snapshot, events: tuple[TableEvent, ...]) -> None:
        super().publish(snapshot, events)
        self.stir(*events)

    def stir(self, *events: TableEvent) -> None:
        """Say that there is something new; what is published says it by itself."""
        for output in self._outputs:
            output.on_update(self.snapshot, events)


class Compiled(BytecodeCache):
    """Templates as Jinja compiles them: once for all tables, for that takes longer than a test."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


LazyFlask.jinja_options["bytecode_cache"] = Compiled()  # also where a server makes the app


class Phone(FlaskClient):
    """A browser that calls the companion by its address."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        if not kwargs.get("headers") or "Host" not in kwargs["headers"]:
            kwargs.setdefault("base_url", f"http://{HOST}")
        return super().open(*args, **kwargs)


def phones(
    room: TablePort | None = None, changed: Callable[[], None] = lambda: None, **others: Any
) -> WebContext:
    """Return all that the pages consist of, at a table of red and blue if no other is given."""
    at = room or FakeRoom("red", "blue")
    ports = PairingPorts(changed=changed, match_with_hands=lambda: match_with_hands(at.snapshot))
    fixed: dict[str, Any] = {
        "room": at,
        "pairing": Pairing(pin=PIN, ports=ports),
        "here": OwnAddresses(8000, lambda: ("192.168.7.5",), "zapp", named=lambda: True),
    }
    if hasattr(others.get("hands"), "table"):  # of somebody at the first seat
        others["hands"] = {"red": others["hands"]}
    made = WebContext(**fixed | others)
    made.library.reading_s = PATIENCE_S
    if isinstance(at, FakeRoom):
        at.arrange(made)
    return made


def app(of: WebContext | FakeRoom | None = None) -> Flask:
    """Return the app of a table; what breaks in a page breaks the test."""
    made = create_app(of if isinstance(of, WebContext) else phones(of))
    made.testing = True
    return made


def client(
    of: Flask | WebContext | FakeRoom, role: str | None = None, language: str = "en"
) -> FlaskClient:
    """Return a phone: a watcher, one that is paired for a seat, or for the "table".

    >>> client(FakeRoom("red", "blue"), "red").get("/manual").status_code
    200
    """
    made = of if isinstance(of, Flask) else app(of)
    made.test_client_class = Phone
    phone = made.test_client()
    phone.environ_base["HTTP_ORIGIN"] = f"http://{HOST}"
    phone.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    if role is not None:
        seat = {} if role == "table" else {"seat": role}
        paired = phone.post("/api/pair", json={"pin": PIN, **seat})
        assert paired.status_code == 200, paired.text
    return phone
