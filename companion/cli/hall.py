"""The command `hall`: a broker, the hall's pages and, if wanted, simulated tables.

It must not know how a hall works; it builds one, says where its pages are, and waits.
"""

import gc
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from io import StringIO
from ipaddress import IPv6Address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import segno

from companion.cli.files import text_of
from companion.devices.hardware import Watchdog
from companion.hall.server_app import HallServer
from companion.hall.simulated_tables import SimulatedTables
from companion.mqtt import accounts, client, join_code
from companion.mqtt.join_code import HALL_FILE, leave, read_certificate
from companion.present.terminal import TerminalScreen
from companion.system import errors, gc_freeze, paths, signals, status
from companion.system.small_files import KeptAside, SmallFile
from companion.web.common.addresses import NO_NETWORK

PIN: Final = "hall-pin"  # in the folder: a service has no terminal that shows it
PIN_FILE: Final[SmallFile[str]] = SmallFile(PIN, lambda pin: f"{pin}\n".encode(), bytes.decode)
LOOK_S: Final = 1.0
NEVER: Final = 2**31 - 1
TIDY_S: Final = 5  # looking through what is new since the last time takes some milliseconds
TIDY_ALL_S: Final = 600  # looking through everything stops all else for half a second
TURN_S: Final = 0.000_5  # longer, and taking a message waits ten times as long for drawing


def hall(options: Namespace, screen: TerminalScreen) -> int:
    """Follow tables and show them until somebody stops it."""
    gc_freeze.limit_heaps()
    folder = paths.kept_in(options.folder, "hall")
    there = named_broker(options)
    watchdog = Watchdog()
    with ExitStack() as life:
        life.callback(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(TURN_S)
        server = life.enter_context(HallServer(folder))
        _keep_pin(server, folder)
        if there is None:
            own = server.own_broker(folder)
            broker = own.address
            screen.tell("Its broker listens at port {port}.", port=own.tls_port)
        else:
            broker, other = there, server.other_broker(folder, there)
            screen.tell(
                "The accounts for that broker are in the folder {folder}.", folder=other.folder
            )
        server.follow(broker)
        server.serve(options.port)
        _greet(server, screen, folder)
        for trouble in server.troubles:
            screen.lines(screen.say(trouble))
        life.enter_context(rare_full_collections())
        words = ("--speed", str(options.speed))
        tables = life.enter_context(SimulatedTables(server, folder, broker, options.tables, words))
        if options.tables:
            screen.tell(
                "{count} simulated {count:#table is|tables are} playing.", count=options.tables
            )
        watchdog.ready()
        life.callback(watchdog.stopping)
        go_on(tables, watchdog)
    return 0


def _keep_pin(server: HallServer, folder: Path) -> None:
    """Write the PIN down; whatever stands in its place makes room."""

    def tell(aside: status.Condition) -> None:
        if aside.state is not KeptAside.UNREAD:  # a new one is put in its place
            server.report(aside)

    PIN_FILE.load(folder, "", tell)
    PIN_FILE.save(folder, server.accounts.pin)


def go_on(tables: SimulatedTables, watchdog: Watchdog) -> None:
    now_s = time.monotonic()
    due_s, all_due_s = now_s + TIDY_S, now_s + TIDY_ALL_S
    while True:
        signals.sleep(LOOK_S)
        tables.restart_ended()
        watchdog.pet()
        now_s = time.monotonic()
        if now_s > all_due_s:
            gc.unfreeze()
            all_due_s = now_s + TIDY_ALL_S
        if now_s > due_s:
            gc.collect()
            gc.freeze()
            due_s = now_s + TIDY_S


@contextmanager
def rare_full_collections() -> Iterator[None]:
    """Keep the garbage collector from old objects; `go_on` collects all now and then."""
    young, middle, old = gc.get_threshold()
    with gc_freeze.frozen():
        gc.set_threshold(young, middle, NEVER)
        try:
            yield
        finally:
            gc.set_threshold(young, middle, old)


def _greet(server: HallServer, screen: TerminalScreen, folder: Path) -> None:
    best, *others = (link.removeprefix("http://") for link in server.here.links)
    if server.here.alone:
        screen.tell(NO_NETWORK.template)
    screen.tell("The hall is at {address}.", address=best)
    if others:
        screen.tell("If that does not work, try {others}.", others=tuple(others[:2]))
    if not screen.out.isatty():  # anywhere else it may end up in a log
        screen.tell("The director's PIN is in the file {file}.", file=folder / PIN)
        return
    pin = server.accounts.pin
    screen.tell("The director's PIN is {pin}.", pin=f"{pin[:3]} {pin[3:]}")
    if server.here.alone:
        return
    drawn = StringIO()
    segno.make(server.here.links[0], error="l").terminal(drawn, border=2, compact=True)
    screen.line(drawn.getvalue().rstrip("\n"))


def named_broker(options: Namespace) -> client.Broker | None:
    """Return an existing broker, if somebody named one."""
    if options.broker is None:
        for name, file in (("--password", options.password), ("--authority", options.authority)):
            if file is not None:
                raise errors.CompanionError(
                    "{option} {file} is for a broker that is already there; name it with --broker.",
                    option=name,
                    file=file,
                )
        return None
    host, port = _host_and_port(str(options.broker))
    authority = None if options.authority is None else read_certificate(Path(options.authority))
    word = "" if options.password is None else text_of(options.password).strip()
    usual = client.PORT if authority is None else client.TLS_PORT
    return client.Broker(host, port or usual, accounts.HALL if word else "", word, authority)


def _host_and_port(word: str) -> tuple[str, int | None]:
    """Read HOST or HOST:PORT; an address of IPv6 needs brackets only in front of a port."""
    with suppress(ValueError):
        return str(IPv6Address(word)), None
    host: str | None = None
    port: int | None = None
    with suppress(ValueError):
        url = urlsplit(f"//{word}")
        if url.netloc == word and "@" not in word:
            host, port = url.hostname, url.port
    if not host or port == 0:
        raise errors.CompanionError(
            "'{word}' is not a broker; write a name or an address, perhaps with a port.", word=word
        )
    return host, port


def join(options: Namespace, screen: TerminalScreen) -> int:
    """Keep what a code says, or forget it."""
    folder = paths.kept_in(options.folder, "table")
    if options.leave:
        if not leave(folder):
            raise errors.CompanionError("This table has not joined a hall by a code.")
        screen.tell("This table no longer belongs to a hall; restart it.")
        return 0
    if options.code is None:
        raise errors.CompanionError("Give the code from the director's page, or --leave.")
    joining = join_code.read(options.code)
    HALL_FILE.save(paths.ensure_private_folder(folder), joining)
    screen.tell(
        "This table now belongs to the hall at {host}, as {table}; restart it.",
        host=joining.host.split()[0],
        table=joining.table,
    )
    return 0
