"""The hall's SQLite store: one thread writes, and others can wait until it is on the disk.

    store = Store(folder / "hall.sqlite3", SCHEMA, ANOTHER_SCHEMA)
    store.write(lambda file: file.execute("INSERT INTO …", (…,)))   # returns what it returned
    store.later(lambda file: file.execute("INSERT INTO …", (…,)))   # soon, together with others
    store.read("SELECT … WHERE id = ?", 7)                          # rows, from any thread
    store.close()

What came together is committed together: five hundred tables cost one sync, not five hundred.
"""

import logging
import queue
import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final, TypeVar

from companion.system import errors, private_files, small_files, status

T = TypeVar("T")
Do = Callable[[sqlite3.Connection], T]
LOG: Final = logging.getLogger(__name__)
TOGETHER: Final = 500  # of what waits becomes one commit at most
WAITING: Final = 20_000  # that nobody waits for; with more, writers have to wait
CACHE_KB: Final = 2_000
RETRY_S: Final = 1.0
DAMAGED: Final = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}

_Order = tuple[Do[Any], "Future[Any] | None", Callable[[], object]]


class Store:
    """The hall's file; None as its path keeps all of it in memory."""

    def __init__(
        self, path: Path | None, *schemas: str, report: status.Report = lambda _: None
    ) -> None:
        self._name = f"file:hall-{id(self)}?mode=memory&cache=shared" if path is None else str(path)
        self._uri = path is None
        if path is not None:
            private_files.create(path)
            _keep_damaged_aside(path, report)
        self._orders: queue.Queue[_Order | None] = queue.Queue(WAITING)
        self._reading, self._turn = self._open(path), Lock()
        self._writing = self._open(path)
        try:
            for schema in schemas:
                self._writing.executescript(schema)
        except sqlite3.Error as fault:
            raise errors.CompanionError(
                "{file} cannot be used ({reason}). Move it away: a new one is filled again with "
                "what the tables know.",
                file=path or "",
                reason=str(fault),
            ) from fault
        self._ended = False
        self._thread = Thread(target=self._write_all, name="hall store", daemon=True)
        self._thread.start()

    def _open(self, path: Path | None) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._name, timeout=10, isolation_level=None, check_same_thread=False, uri=self._uri
        )
        if path is not None:
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute(f"PRAGMA cache_size = -{CACHE_KB}")
        if path is None:
            connection.execute("PRAGMA read_uncommitted = ON")  # shared memory has no WAL
        return connection

    def write(self, do: Do[T]) -> T:
        """Write something; return what it returned once it is on the disk, or raise."""
        done: Future[T] = Future()
        self._order((do, done, bool))
        return done.result()

    def later(self, do: Do[object], then: Callable[[], object] = bool) -> None:
        """Write something soon, and call `then` after that; what fails is only logged."""
        self._order((do, None, then))

    def _order(self, order: _Order) -> None:
        self._orders.put(order)
        if self._ended:
            self._refuse_all()

    def read(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._turn:
            return self._reading.execute(sql, values).fetchall()

    def close(self) -> None:
        """Write what waits, and let go of the file."""
        if self._thread.is_alive():
            self._orders.put(None)
            self._thread.join()
            with closing(self._writing), closing(self._reading):
                pass

    # --- the thread that writes ---------------------------------------------------------------

    def _write_all(self) -> None:
        while True:
            order = self._orders.get()
            orders: list[_Order] = []
            while order is not None:
                orders.append(order)
                if len(orders) == TOGETHER:
                    break
                try:
                    order = self._orders.get_nowait()
                except queue.Empty:
                    break
            self._commit(orders)
            if order is None:
                break
        self._ended = True  # first, so that whoever comes later looks for itself
        self._refuse_all()

    def _refuse_all(self) -> None:
        """Let nobody wait for what will not be written any more."""
        with suppress(queue.Empty):
            while True:
                order = self._orders.get_nowait()
                if order is not None and (future := order[1]) is not None:
                    future.set_exception(sqlite3.ProgrammingError("The store is closed."))

    def _commit(self, orders: list[_Order]) -> None:
        """Do all of it in one transaction; what fails is undone alone."""
        file, done = self._writing, list[Callable[[], object]]()
        try:
            file.execute("BEGIN IMMEDIATE")
            for do, future, then in orders:
                file.execute("SAVEPOINT one")
                try:
                    result = do(file)
                except Exception as fault:
                    file.execute("ROLLBACK TO one")
                    if future is None:
                        LOG.exception("The hall could not write to its store.")
                    else:
                        future.set_exception(fault)
                else:
                    done.append(then if future is None else partial(future.set_result, result))
                file.execute("RELEASE one")
            file.execute("COMMIT")
        except sqlite3.Error as fault:  # the disk is full, or gone: nothing of this was written
            LOG.exception("The hall's file cannot be written.")
            if file.in_transaction:
                file.execute("ROLLBACK")
            for _, future, _ in orders:
                if future is not None and not future.done():
                    future.set_exception(fault)
        else:
            for tell in done:
                try:
                    tell()
                except Exception:
                    LOG.exception("What follows a write to the hall's store failed.")


def _keep_damaged_aside(path: Path, report: status.Report) -> None:
    """Make room for a new file where the one that is there is damaged; its tables fill that."""
    try:
        with closing(sqlite3.connect(path, timeout=10)) as file:
            (reason,) = file.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as fault:
        if fault.sqlite_errorcode & 0xFF not in DAMAGED:  # perhaps only for now
            return
        reason = str(fault)
    if reason == "ok":
        return
    condition = small_files.keep_aside(path, " ".join(reason.split()))
    LOG.warning("%s", condition)
    report(condition)
    if aside := condition.values.get("aside"):
        for end in ("-wal", "-shm"):  # what was not yet in it belongs to it
            with suppress(FileNotFoundError):
                path.with_name(f"{path.name}{end}").rename(f"{aside}{end}")
        private_files.create(path)
