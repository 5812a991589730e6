"""The hall's own broker: Mosquitto with the accounts of the tables that joined, and limits.

Nothing of it is ours but a few generated files; it is started beside the hall, ends with it, and is
started again if it ends by itself. The hall speaks to it on this computer alone; tables do by TLS.
"""

import logging
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import time
from collections.abc import Mapping
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Final

from companion.mqtt import accounts, client
from companion.mqtt.signing import password
from companion.system import certificates, errors, private_files, signals
from companion.system.small_files import SENSELESS, keep_aside
from companion.web.common.server import is_free

LOG: Final = logging.getLogger(__name__)
PLACES: Final = ("/usr/sbin", "/usr/local/sbin", "/usr/bin")  # Debian's is not on the usual PATH
MEMORY_BYTES: Final = 3 * accounts.QUEUED_BYTES  # enough even if hall and home both read nothing
AGAIN_S: Final = 1.0
BEGIN_S: Final = 10.0
RENEW_S: Final = 24 * 60 * 60.0  # how often the certificate is looked at
FREE_S: Final = 3.0
FILE: Final = "hall.sqlite3"  # in the hall's folder
SECRET, TLS_SECRET = "broker's secret", "broker's port for tables"  # as the hall keeps them
HERE: Final = "127.0.0.1"
DATABASE: Final = "mosquitto.db"  # of retained messages
UNUSABLE: Final = b"Couldn't open database"  # as Mosquitto says it


def program() -> str:
    """Return where Mosquitto is, or raise how to install it."""
    path = shutil.which("mosquitto") or next(
        (installed for place in PLACES if (installed := shutil.which("mosquitto", path=place))),
        None,
    )
    if path is None:
        raise errors.CompanionError(
            "A hall needs the broker Mosquitto; install it with: sudo apt-get install mosquitto"
        )
    return path


class OwnBroker:
    """A Mosquitto that serves one hall, and tables at a port of their own, if one is named."""

    def __init__(  # noqa: PLR0913 - as much as a broker is told
        self,
        folder: Path,
        host: str,
        port: int,
        secret: str,
        tls_port: int | None = None,
        *,
        report: certificates.Report = lambda _: None,
    ) -> None:
        self._program, self.folder, self._host = program(), folder / "broker", host
        self.folder.mkdir(mode=private_files.FOLDER, exist_ok=True)
        self.port, self.tls_port, self._report = port, tls_port, report
        self._password, self.home_password = password(secret), password(f"{secret} {accounts.HOME}")
        self._process: subprocess.Popen[bytes] | None = None
        self._lock, self._over = Lock(), Event()
        self._thread = Thread(target=self._look_after, name="hall broker", daemon=True)

    @property
    def pid(self) -> int | None:
        """Return its process id while it runs."""
        process = self._process
        return None if process is None or process.poll() is not None else process.pid

    @property
    def address(self) -> client.Broker:
        """Return the address under which the hall itself reaches it."""
        return client.Broker(self._here, self.port, accounts.HALL, self._password)

    @property
    def _here(self) -> str:
        return HERE if self.tls_port is not None else self._host or HERE

    @cached_property  # it never changes while a hall runs, and is asked for with each code
    def authority(self) -> str | None:
        """Return the certificate that tables trust; None: nothing is encrypted."""
        return None if self.tls_port is None else certificates.authority(self.folder)

    def allow(self, tables: Mapping[str, str]) -> None:
        """Let these tables in by their secrets; a running broker hears of it at once."""
        ours = {accounts.HALL: self._password, accounts.HOME: self.home_password}
        write_accounts(self.folder, ours, tables)
        self._read_again()

    def renew(self) -> None:
        """Renew the certificate if needed; a running broker uses it at once."""
        if self.tls_port is not None and certificates.renew(self.folder, report=self._report):
            LOG.info("The broker has a new certificate.")
            self._read_again()

    def _read_again(self) -> None:
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                self._process.send_signal(signal.SIGHUP)

    def start(self) -> None:
        """Begin, and wait until it answers."""
        self._demand_free()
        self.renew()
        if self.tls_port is None:
            listeners = [accounts.Listener(self.port, self._host or None)]
        else:
            own = self.folder / certificates.BROKER
            listeners = [
                accounts.Listener(self.tls_port, self._host or None, own),
                accounts.Listener(self.port, HERE),
            ]
        text = accounts.configuration(listeners, self.folder, user=None if os.geteuid() else "root")
        text += f"memory_limit {MEMORY_BYTES}\n"
        private_files.write(self.folder / "mosquitto.conf", os.fsencode(text))
        self._begin()
        until_s = time.monotonic() + BEGIN_S
        mended = False
        while not _answers(self._here, self.port):
            with self._lock:
                ended = self._process is None or self._process.poll() is not None
            log = self.folder / "log"
            if ended and not mended and UNUSABLE in log.read_bytes():
                mended = True  # tables publish again what was kept in it
                LOG.warning("%s", keep_aside(self.folder / DATABASE, SENSELESS))
                self._begin()
                continue
            if ended or time.monotonic() > until_s:
                self.close()
                raise errors.CompanionError("The broker does not start; {file} says why.", file=log)
            signals.sleep(0.02)
        self._thread.start()

    def _demand_free(self) -> None:
        """Wait until nobody else has our ports: an earlier broker may be about to end."""
        until_s = time.monotonic() + FREE_S
        ports = [(self._here, self.port)]
        if self.tls_port is not None:
            ports.append((self._host, self.tls_port))
        while not all(is_free(*port) for port in ports):
            if time.monotonic() > until_s:
                raise errors.CompanionError(
                    "The port of this hall's broker is taken; check whether this hall is already "
                    "running, perhaps as a service: systemctl status rappelwacht-hall"
                )
            signals.sleep(0.05)

    def _begin(self) -> None:
        with self._lock:
            if self._over.is_set():
                return
            with (self.folder / "log").open("wb") as log:
                self._process = subprocess.Popen(  # noqa: S603 - a program and a file that we named
                    [*signals.with_us(), self._program, "-c", str(self.folder / "mosquitto.conf")],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # Ctrl-C is for the hall, which ends it last
                )

    def _look_after(self) -> None:
        while not self._over.is_set():
            process = self._process
            if process is None:
                return
            try:
                process.wait(RENEW_S)
            except subprocess.TimeoutExpired:
                self._renew_quietly()
                continue
            if not self._over.is_set():
                LOG.warning("The broker ended (%s), and is started again.", process.returncode)
                self._over.wait(AGAIN_S)
                self._begin()

    def _renew_quietly(self) -> None:
        try:
            self.renew()
        except (errors.CompanionError, OSError, subprocess.SubprocessError) as fault:
            LOG.warning("The broker's certificate cannot be renewed: %s", fault)

    def close(self) -> None:
        with self._lock:
            self._over.set()
            process = self._process
        if process is not None and process.poll() is None:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(5)
            process.kill()
            process.wait()
        if self._thread.is_alive():
            self._thread.join(2)


def kept_address(folder: Path) -> client.Broker | None:
    """Return how tables reach the broker of the hall in a folder; None: it has none."""
    try:
        authority = certificates.authority_certificate(folder / "broker")
        with closing(
            sqlite3.connect(f"{(folder / FILE).absolute().as_uri()}?mode=ro", uri=True)
        ) as hall:
            secrets = dict(hall.execute("SELECT name, value FROM secrets"))
        if authority is None:
            return None
        word = password(secrets[SECRET])
        return client.Broker(HERE, int(secrets[TLS_SECRET]), accounts.HALL, word, authority)
    except (errors.CompanionError, OSError, sqlite3.Error, LookupError, ValueError):
        return None


class OtherBroker:
    """An existing broker: whoever runs it gets the accounts as two files."""

    port, home_password = None, None

    def __init__(self, folder: Path, address: client.Broker) -> None:
        self.address, self.folder = address, folder / "accounts"
        self.folder.mkdir(mode=private_files.FOLDER, exist_ok=True)
        self.tls_port, self.authority = address.port, address.authority

    def allow(self, tables: Mapping[str, str]) -> None:
        """Write down who may come in by now."""
        word = self.address.password
        write_accounts(self.folder, {accounts.HALL: word} if word else {}, tables)


def write_accounts(folder: Path, ours: Mapping[str, str], tables: Mapping[str, str]) -> None:
    """Write the two files that tell a Mosquitto who may come in, and who may do what there."""
    words = {**ours, **{name: password(secret) for name, secret in tables.items()}}
    private_files.write(folder / "passwords", accounts.passwords(words.items()).encode())
    private_files.write(folder / "access", accounts.access(tables).encode())


def _answers(host: str, port: int) -> bool:
    try:
        socket.create_connection((host, port), timeout=1).close()
    except OSError:
        return False
    return True
