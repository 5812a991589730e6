"""A hall as its pages know it: its store, tables, broker and tournament, joined in one object.

It must not know its pages, nor who watches them: `HallServer` joins both to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final, Self

from companion.hall import (
    accounts,
    cockpit,
    journal_replica,
    ratings,
    screens,
    tables,
    tournament_store,
    tournament_sync,
    walk_up,
)
from companion.hall.broker import FILE, HERE, SECRET, TLS_SECRET, OtherBroker, OwnBroker
from companion.hall.mqtt import HallLink
from companion.hall.recent import HallNews
from companion.hall.screens import Screens
from companion.hall.store import Store
from companion.mqtt import client, join_code, signing
from companion.system.paths import ensure_private_folder
from companion.system.status import Condition
from companion.system.text import Text
from companion.web.common import addresses, server

if TYPE_CHECKING:
    from companion.hall.page import Wall

TILE: Final = "tile-"  # the part of the view `hall` that is one table, before its number


class Hall:
    """One hall with its store; a folder of None keeps nothing."""

    def __init__(self, folder: Path | None) -> None:
        self._life = ExitStack()
        self._seen: dict[int, bool] = {}  # tables, and whether another computer claims to be one
        path = None if folder is None else ensure_private_folder(folder) / FILE
        kept = (accounts, tables, journal_replica, screens, ratings, tournament_store)
        schemas = (part.SCHEMA for part in (*kept, tournament_sync, walk_up))
        self.troubles: list[Text] = []  # what a director has to know of the hall's own files
        self.store = Store(path, *schemas, report=self._note)
        self._life.callback(self.store.close)
        self.accounts = accounts.Accounts(self.store)
        self.tables = tables.HallTables(self.store)
        self.replica = journal_replica.JournalReplica(
            self.store, self.accounts.secret("hall", lambda: token_hex(8))
        )
        self.recent = HallNews(self.replica)
        self.link: HallLink | None = None  # none: no broker was named
        self.broker: OwnBroker | OtherBroker | None = None  # which knows the tables' accounts
        self.screens = Screens(self.store, self.changed)
        self.pictures: Mapping[str, Wall] = {}  # that a director can put on a screen
        self.ratings = ratings.Ratings(self.store)
        self.tournament = tournament_store.TournamentStore(
            self.store, self.changed, self.ratings.strength
        )
        parts = self.tables, self.replica, self.tournament, self.changed
        self.tournament_sync = tournament_sync.TournamentSync(*parts, lambda: self.link)
        self._life.callback(self.tournament_sync.close)
        self.walk_up = walk_up.WalkUp(self.store, self.tournament, self.tables)
        self.cockpit = cockpit.Cockpit(
            self.tables, self.tournament, self.tournament_sync, lambda: self.link_is_up
        )
        self.here = addresses.OwnAddresses(0)

    @property
    def link_is_up(self) -> bool:
        return self.link is not None and self.link.connected

    @property
    def other_halls(self) -> frozenset[str]:
        """Return the other halls that have the same tables."""
        return frozenset() if self.link is None else self.link.others

    def report(self, trouble: Condition | Text) -> None:
        """Report trouble with a file of the hall to the director; any thread may call this."""
        self._note(trouble)
        self.changed("director")

    def _note(self, trouble: Condition | Text) -> None:
        if isinstance(trouble, Condition):
            trouble = Text(trouble.state.template, **trouble.values)
        if str(trouble) not in map(str, self.troubles):
            self.troubles.append(trouble)

    def changed(self, view: str, part: str = "") -> None:
        """Say that something is new; nobody watches a hall that is not open."""

    def watched(self) -> set[str]:
        """Return the names of the views that somebody follows now."""
        return set()

    def _table_changed(self, table: tables.TableNow | None) -> None:
        if table is None:
            self.changed("hall")
            return
        new = table.number not in self._seen
        seen, self._seen[table.number] = self._seen.get(table.number), table.rivalled
        self.changed("hall", "" if new else f"{TILE}{table.number}")
        self.changed(f"table-{table.number}")
        self.tournament_sync.handle_state(table)
        if seen != table.rivalled:  # it can join the tournament, or its code needs attention
            self.changed("director")

    def _journal_grew(self, table: tables.TableNow) -> None:
        """Say that there is more to be read of what happened at a table."""
        self.changed(f"table-{table.number}")
        self.tournament_sync.handle_journal(table)

    # --- the tables ---------------------------------------------------------------------------

    def own_broker(self, folder: Path, host: str = "") -> OwnBroker:
        """Start a broker beside this hall that knows the accounts of its tables."""
        kept = self.accounts.secret
        port = int(kept("broker's port", lambda: str(server.free_port(HERE))))
        tls = int(kept(TLS_SECRET, lambda: str(server.free_port(host))))
        secret = kept(SECRET, signing.new_secret)
        broker = OwnBroker(folder, host, port, secret, tls, report=self.report)
        broker.allow(self.tables.secrets())
        self._life.callback(broker.close)
        broker.start()
        self.broker = broker
        return broker

    def other_broker(self, folder: Path, address: client.Broker) -> OtherBroker:
        """Use an existing broker; what it has to know is written into the folder."""
        self.broker = broker = OtherBroker(folder, address)
        broker.allow(self.tables.secrets())
        return broker

    def join_table(self, name: str, secret: str) -> tables.TableNow:
        """Let a table in by its secret; a broker of our own knows its account from now on."""
        joined = self.tables.join(name, secret)
        if self.broker is not None:
            self.broker.allow(self.tables.secrets())
        self.changed("hall")
        return joined

    def code(self, name: str) -> str | None:
        """Return the code by which a table joins; None: it was not let in, or nobody could be."""
        secret, broker = self.tables.secret(name), self.broker
        if secret is None or broker is None or broker.tls_port is None:
            return None
        own = isinstance(broker, OwnBroker)
        hosts = dict.fromkeys((self.here.hosts[0], self.here.hosts[-1]))  # an address, the name
        host = " ".join(hosts) if own else broker.address.host
        authority = (
            None if broker.authority is None else join_code.first_certificate(broker.authority)
        )
        return join_code.write(join_code.Joining(host, broker.tls_port, name, secret, authority))

    def follow(self, broker: client.Broker) -> HallLink:
        self.link = HallLink(
            broker, self.tables, self.replica, self._table_changed, self._journal_grew
        )
        self.link.start()
        self._life.callback(self.link.close)
        return self.link

    def __enter__(self) -> Self:
        """Return it; what is started is stopped at the end."""
        return self

    def __exit__(self, *_: object) -> None:
        """Stop the parts in reverse."""
        self._life.close()
