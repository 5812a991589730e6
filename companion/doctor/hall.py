"""Whether a hall can be reached: its computer, its certificate by our clock, our account there."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from dataclasses import replace
from threading import Event
from typing import Final

from companion.condition import State
from companion.doctor.finding import Finding, found
from companion.errors import Unreadable
from companion.format_names import format_name
from companion.hall_link.accounts import RESERVED
from companion.hall_link.client import Broker, Client, Heard
from companion.hall_link.payloads import Have, read
from companion.hall_link.protocol import fits
from companion.hall_link.reach import Reach, distrust, today
from companion.hall_link.topics import Kind, is_name, topic
from companion.hall_link.trust import pinned

TRY_S: Final = 5.0
HAVE_S: Final = 1.0  # the broker keeps what the hall said last
CLOCK: Final = {Reach.TOO_EARLY, Reach.TOO_LATE}


@format_name("Hall")
class Hall(State):
    """What is well on the way to the hall."""

    ANSWERS = "The hall's broker at {host}, port {port}, answers."
    PROVEN = "It has proved to be the hall that this table joined, and the connection is encrypted."
    BY_THE_CLOCK = "By this computer's clock, the hall's certificate is valid."
    OPEN = (
        "The connection to the hall at {host} is not encrypted; that is fine on a network of "
        "your own. Elsewhere, have the table join again with a new code."
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return True


@format_name("Here")
class Here(State):
    """How the hall is that this computer is itself."""

    SERVES = "This computer is a hall, and its broker lets tables in at port {port}."
    STOPPED = (
        "This computer is a hall, and at port {port} its broker does not answer; start it with: "
        "sudo systemctl restart rappelwacht-hall"
    )
    UNPROVEN = (
        "This computer is a hall, and what answers at port {port} would not be trusted by its "
        "tables; check the clock with: date – and then run: sudo systemctl restart "
        "rappelwacht-hall"
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is Here.SERVES


def here(broker: Broker) -> Finding:
    """Try the broker of this computer's own hall, as tables do."""
    reached = [*judge(broker)][-1].condition.state
    states = {Reach.JOINED: Here.SERVES, Reach.UNREACHABLE: Here.STOPPED}
    known = reached if isinstance(reached, Reach) else Reach.UNREACHABLE
    return found("hall-here", states.get(known, Here.UNPROVEN), port=broker.port)


def judge(broker: Broker) -> Iterator[Finding]:
    """Try the way to a broker, as the table goes it, and tell how far that is."""
    where: dict[str, object] = {"port": broker.port, "date": today()}
    reason: object = "?"
    for host in broker.hosts:
        where["host"] = host
        try:
            with socket.create_connection((host, broker.port), TRY_S) as line:
                yield found("hall", Hall.ANSWERS, **where)
                yield from _trusted(broker, line, where)
                return
        except OSError as error:
            reason = error.strerror or error
    yield found("hall", Reach.UNREACHABLE, **where, reason=reason)


def _trusted(broker: Broker, line: socket.socket, where: dict[str, object]) -> Iterator[Finding]:
    """Yield whether whoever answers is to be believed; if so, whether the table is let in."""
    if broker.authority is None:
        yield found("hall-certificate", Hall.OPEN, **where)
    else:
        try:
            pinned(broker.authority, str(where["host"])).wrap_socket(line).close()
        except OSError as error:
            wrong, reason = distrust(error), error.strerror or error
            check = "hall-clock" if wrong in CLOCK else "hall-certificate"
            yield found(check, wrong, **where, reason=reason)
            return
        yield found("hall-certificate", Hall.PROVEN)
        yield found("hall-clock", Hall.BY_THE_CLOCK)
    yield from _let_in(broker, where)


def _let_in(broker: Broker, where: dict[str, object]) -> Iterator[Finding]:
    """Yield whether the table is let in; if so, also that nobody there understands it."""
    changed, told, said = Event(), Event(), list[bytes]()

    def hear(heard: Heard) -> None:
        said.append(heard.data)
        told.set()

    client = Client(replace(broker, host=str(where["host"])), "", hear, changed.set)
    if is_name(broker.account):
        client.subscribe(topic(broker.account, Kind.HAVE))
    client.start()
    changed.wait(TRY_S)
    if client.reach is Reach.JOINED and broker.account not in {"", *RESERVED}:
        told.wait(HAVE_S)
    reach, why = client.reach or Reach.UNREACHABLE, client.why or "it does not answer"
    client.close()
    yield found("hall-account", reach, **where, reason=why)
    if any(map(_is_foreign, said)):
        yield found("hall-version", Reach.OTHER_VERSION, **where)


def _is_foreign(data: bytes) -> bool:
    """Tell whether what a hall says is of a version that is not understood here."""
    try:
        return bool(data) and not fits(read(Have, data).protocol)
    except Unreadable:
        return True
