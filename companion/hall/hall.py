"""The whole life of a hall: builds its parts, starts them in order, stops them in reverse.

tables ──MQTT──> link ──> fold ──> store, tables ──> views ──> fan-out ──> walls, phones

with Hall(folder) as hall:
hall.serve(8000)
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Final, Self

from companion.errors import CompanionError
from companion.frame.addresses import Whereabouts
from companion.frame.port import USUAL_PORT, listening
from companion.hall import accounts
from companion.hall.accounts import Accounts
from companion.hall.app import PAGES, create_app
from companion.hall.fanout import Fanout
from companion.hall.server import Server
from companion.hall.store import Store
from companion.hall.views import Views

FILE: Final = "hall.sqlite3"


class Hall(AbstractContextManager["Hall"]):
    """One hall with its store, its pages and all who watch; a folder of None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._life = ExitStack()
        path = None if folder is None else folder / FILE
        self.store = Store(path, accounts.SCHEMA, *(page.schema for page in PAGES))
        self._life.callback(self.store.close)
        self.accounts = Accounts(self.store)
        self.fanout = Fanout()
        found = {name: view for page in PAGES for name, view in page.views.items()}
        self.views = Views(self, found, self.fanout)
        self.changed: Callable[..., None] = self.views.changed  # (view, part="")
        self.here = Whereabouts(0)

    def serve(self, port: int | None = 0, host: str = "") -> Whereabouts:
        """Serve the pages at a port, 0 being any that is free and None the usual one or any."""
        line = _usual(host) if port is None else listening(port, host)
        self.here = Whereabouts(line.getsockname()[1])
        server = Server(create_app(self), line)
        self.fanout.start()
        self._life.callback(self.fanout.close)
        self.views.start()
        self._life.callback(self.views.close)
        server.start()
        self._life.callback(server.stop)
        return self.here

    def __enter__(self) -> Self:
        """Return it; what is started is stopped at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the parts in reverse."""
        self._life.close()


def _usual(host: str) -> socket.socket:
    try:
        return listening(USUAL_PORT, host)
    except CompanionError:
        return listening(0, host)
