"""A real Mosquitto on a free port of this computer, with the files that the product writes for it.

with Broker(tmp_path, tables=("attic", "cellar")) as broker:
    broker.of("attic")                  # how that table reaches it
    broker.kill(), broker.start()       # on the same port
"""

import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, closing
from getpass import getuser
from pathlib import Path
from typing import Self

from companion.hall.broker import program
from companion.mqtt import accounts, client
from companion.mqtt.client import Client, MqttMessage, Publication
from companion.mqtt.signing import password
from tests.programs import need

LOOPBACK = "127.0.0.1"
UP_S = 60.0  # for whatever must come; a busy machine is slow
SECRETS = {accounts.HALL: "hall's secret", accounts.HOME: "home's secret"}


def secret(account: str) -> str:
    """Return the secret of an account, which it shares with nobody but the hall."""
    return SECRETS.get(account, f"{account}'s secret")


def free_port() -> int:
    with closing(socket.create_server((LOOPBACK, 0))) as found:
        port: int = found.getsockname()[1]
        return port


def wait_until(moment: Callable[[], object], within_s: float | None = None) -> None:
    """Wait until something is so; it must become so."""
    within_s = UP_S if within_s is None else within_s
    end_s = time.monotonic() + within_s
    while not moment():
        assert time.monotonic() < end_s, f"not within {within_s} s"
        time.sleep(0.005)


def _answers(port: int) -> bool:
    with closing(socket.socket()) as line:
        return line.connect_ex((LOOPBACK, port)) == 0


class Broker(AbstractContextManager["Broker"]):
    """A broker that can be killed and started again."""

    def __init__(
        self,
        folder: Path,
        tables: Sequence[str] = ("attic", "cellar"),
        more: str = "",
        more_ports: Sequence[int] = (),
    ) -> None:
        need("mosquitto")
        self.folder, self.port = folder / "broker", free_port()
        self.ports = [self.port, *more_ports]
        self.folder.mkdir()
        self.folder.chmod(0o700)
        listeners = [accounts.Listener(self.port, LOOPBACK)]
        told = accounts.configuration(listeners, self.folder, user=getuser())
        self._write("mosquitto.conf", told + more)
        self._write("access", accounts.access(tables))
        names = (accounts.HALL, accounts.HOME, *tables)
        words = accounts.passwords((name, password(secret(name))) for name in names)
        self._write("passwords", words)
        self._program: subprocess.Popen[bytes] | None = None

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, "utf-8")
        (self.folder / name).chmod(0o600)

    def __enter__(self) -> Self:
        with ExitStack() as unless_up:
            unless_up.callback(self.kill)
            self.start()
            unless_up.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it, and come back once it listens."""
        log = (self.folder / "log").open("ab")
        with log:
            self._program = subprocess.Popen(
                [program(), "-c", str(self.folder / "mosquitto.conf")], stdout=log, stderr=log
            )
        wait_until(self._listens)

    def _listens(self) -> bool:
        assert self._program is not None
        assert self._program.poll() is None, (self.folder / "log").read_text("utf-8")
        return all(map(_answers, self.ports))

    def kill(self) -> None:
        """End it at once, as a power cut does."""
        if self._program is not None:
            self._program.kill()
            self._program.wait()
            self._program = None

    @property
    def pid(self) -> int:
        assert self._program is not None
        return self._program.pid

    def of(self, account: str = "") -> client.Broker:
        """Return how an account reaches it; none: whoever has none."""
        word = password(secret(account)) if account else ""
        return client.Broker(LOOPBACK, self.port, account, word)


class Listener(AbstractContextManager["Listener"]):
    """Somebody who keeps all that is heard."""

    def __init__(self, broker: client.Broker, *filters: str, name: str = "") -> None:
        self.heard: list[MqttMessage] = []
        self.client = Client(broker, name, self.heard.append)
        self.client.subscribe(*filters)

    def __enter__(self) -> Self:
        with ExitStack() as unless_in:
            unless_in.callback(self.client.close)
            self.client.start()
            wait_until(lambda: self.client.connected)
            unless_in.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.client.close()

    def says(self, say: Publication) -> None:
        """Publish something, and come back once it was handed over."""
        end_s = time.monotonic() + UP_S
        while not self.client.publish(say):
            assert time.monotonic() < end_s, "it cannot be said"
            time.sleep(0.0005)

    def settle(self) -> None:
        """Wait until the broker has all that was said: who comes later hears what is kept."""
        wait_until(lambda: self.client.ready and not self.client.under_way)

    def of(self, topic: str) -> list[MqttMessage]:
        """Return what was said there."""
        return [one for one in self.heard if one.topic == topic]
