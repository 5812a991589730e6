"""The MQTT output: connects the table to the hall that it joined, which may change as it runs.

The way out is built again for each hall, in a thread of its own: the old one may take a second to
say that the table is gone, and nobody at the table waits for that.
"""

import logging
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock, Thread
from typing import Final

from companion.maintenance.view import HallShown
from companion.mqtt import join_code, signing
from companion.mqtt.client import PORT, TLS_PORT, Broker, Client, ConnectionStatus, today
from companion.mqtt.join_code import HALL_FILE, fingerprint, leave, read_certificate
from companion.present.output import NEVER_US
from companion.referee.snapshot import Snapshot, TableEvent
from companion.system import config, status
from companion.system.errors import CompanionError
from companion.table.outputs import home_assistant, mqtt_commands, mqtt_publisher
from companion.table.outputs.mqtt_publisher import HallSettings


def membership(
    section: config.HallConfig | None, folder: Path, report: status.Report = lambda _: None
) -> HallSettings | None:
    """Return the hall of a table; what is wrong there is logged, and no reason not to play."""
    try:
        HALL_FILE.load(folder, None, report)  # what cannot be used is out of the way from now on
        return joined(section, folder)
    except CompanionError as fault:
        LOG.warning("The table belongs to no hall now: %s", fault)
        return None


def joined(section: config.HallConfig | None, folder: Path) -> HallSettings | None:
    """Return the hall of a table; None: it belongs to none. CompanionError: what is missing."""
    section = section or config.HallConfig()
    if section.broker is None:
        return _by_code(section, folder)
    if section.table is None:
        raise CompanionError("[hall] names a broker and not the table; add a line table = '…'.")
    authority = None if section.authority is None else read_certificate(Path(section.authority))
    port = section.port or (PORT if authority is None else TLS_PORT)
    account = section.account or (section.table if section.password else "")
    broker = Broker(section.broker, port, account, section.password or "", authority)
    key = None if section.key is None else signing.signing_key(section.key)
    return HallSettings(section.table, broker, key, section.delay_s, section.home_assistant)


def _by_code(section: config.HallConfig, folder: Path) -> HallSettings | None:
    try:
        joining = HALL_FILE.read(folder)
    except CompanionError as fault:
        raise CompanionError(
            "{file} cannot be read; join the hall again with its code.",
            file=folder / HALL_FILE.name,
        ) from fault
    if joining is None:
        return None
    authority = joining.authority and ssl.DER_cert_to_PEM_cert(joining.authority)
    word = signing.password(joining.secret)
    broker = Broker(joining.host, joining.port, joining.table, word, authority or None)
    key = signing.signing_key(joining.secret)
    return HallSettings(joining.table, broker, key, section.delay_s, section.home_assistant)


QUIET_S: Final = 2.0  # time enough for who was there before to come back


def begin_publishing(
    hall: HallSettings,
    journal: mqtt_publisher.JournalReader,
    room: mqtt_commands.CommandPorts | None = None,
    watch: Callable[[Client], object] = lambda _: None,
    quiet_s: float = QUIET_S,
) -> mqtt_publisher.Publisher:
    """Return what tells a hall from now on; without a room nobody there is obeyed."""
    extras: list[mqtt_publisher.MqttExtension] = []
    if hall.key is not None and room is not None:
        extras.append(mqtt_commands.Commands(hall.table, hall.key, room))
    if hall.home_assistant:
        extras.append(home_assistant.HomeAssistant(hall.table, str(hall.home_assistant)))
    publisher = mqtt_publisher.Publisher(hall, journal, tuple(extras), watch, quiet_s)
    publisher.start()
    return publisher


LASTS_US: Final = 10_000_000  # it must last this long before it counts as trouble


class HallConnection:
    """What is known of the way; the speaker's thread looks, and any thread may read."""

    def __init__(self, report: status.Report, clock_us: Callable[[], int]) -> None:
        self._clock_us = clock_us
        self._watched = status.StatusReporter(ConnectionStatus.NONE, report)
        self._broker: Broker | None = None
        self._seen: ConnectionStatus | None = None
        self._since_us = 0

    @property
    def condition(self) -> status.Condition:
        return self._watched.condition

    def set_broker(self, broker: Broker | None) -> None:
        """Report on the connection to this hall from now on; None: there is none."""
        self._broker, self._seen = broker, None
        if broker is None:
            self._watched.becomes(ConnectionStatus.NONE, self._clock_us())
        else:
            self._watched.becomes(ConnectionStatus.LOOKING, self._clock_us(), host=broker.hosts[0])

    def check(self, client: Client) -> None:
        """Note how far a connection comes."""
        broker, reach, now_us = self._broker, client.reach, self._clock_us()
        if broker is None or reach is None:
            return
        if reach is not self._seen:
            self._seen, self._since_us = reach, now_us
        if reach.fine or now_us - self._since_us >= LASTS_US:
            where = {"host": broker.hosts[0], "port": broker.port}
            why = {} if reach.fine else {"reason": client.why, "date": today()}
            self._watched.becomes(reach, now_us, **where, **why)


LOG: Final = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TableAccess:
    """What a way out needs of the table, whichever hall it leads to."""

    journal: mqtt_publisher.JournalReader
    room: mqtt_commands.CommandPorts | None
    report: status.Report  # who hears how the way is
    clock_us: Callable[[], int]
    simulated: bool = False


class HallMembershipOutput:
    """The way out to whichever hall the table belongs to; to none, it does nothing."""

    due_us: Final = NEVER_US  # it needs no call but for what is new

    def __init__(self, section: config.HallConfig | None, folder: Path, table: TableAccess) -> None:
        self._section, self._folder, self._table = section, folder, table
        self._changing, self._showing = Lock(), Lock()
        self._publisher: mqtt_publisher.Publisher | None = None
        self._over = False
        self._newest: Snapshot | None = None
        self._member: HallSettings | None = None
        self.way = HallConnection(table.report, table.clock_us)
        self._begin(membership(section, folder, table.report))

    # --- an output ----------------------------------------------------------------------------

    def on_update(self, snapshot: Snapshot, events: Sequence[TableEvent]) -> None:  # noqa: ARG002 - it tells what the journal has
        """Publish it as soon as it may be told."""
        with self._showing:
            self._newest = snapshot
            if self._publisher is not None:
                self._publisher.put(snapshot)

    def tick(self, now_us: int) -> None:
        """Do nothing: threads of its own do what takes time."""

    def close(self, now_us: int) -> None:  # noqa: ARG002 - the contract has it
        """Say that the table is gone, if somebody is there to hear it."""
        with self._changing:
            self._over = True
            if self._publisher is not None:
                self._publisher.close()

    # --- what people want ---------------------------------------------------------------------

    def join(self, code: str) -> None:
        """Belong to the hall of a code from now on; CompanionError: why not."""
        self._demand_free()
        joining = join_code.read(code)
        try:
            HALL_FILE.save(self._folder, joining)
        except OSError as error:
            raise CompanionError(
                "{folder}: {reason}.", folder=self._folder, reason=error.strerror
            ) from error
        self._change(joined(self._section, self._folder))

    def leave(self) -> None:
        self._demand_free()
        if not leave(self._folder):
            raise CompanionError("This table has not joined a hall by a code.")
        self._change(None)

    @property
    def shown(self) -> HallShown:
        """Return how it is, for any thread."""
        member, fixed = self._member, self._fixed
        if member is None:
            return HallShown(fixed=fixed)
        return HallShown(
            member.table, self.way.condition, fingerprint(member.broker.authority), fixed
        )

    @property
    def _fixed(self) -> bool:
        return self._section is not None and self._section.broker is not None

    def _demand_free(self) -> None:
        if self._fixed:
            raise CompanionError(
                "The hall of this table is named in its configuration, under [hall]; change it "
                "there, and start the table again."
            )

    # --- the change ---------------------------------------------------------------------------

    def _change(self, member: HallSettings | None) -> None:
        self._member = member
        self.way.set_broker(None if member is None else member.broker)
        Thread(target=self._go_over, args=(member,), name="hall change", daemon=True).start()

    def _go_over(self, member: HallSettings | None) -> None:
        with self._changing:
            with self._showing:
                old, self._publisher = self._publisher, None
            if old is not None:
                old.close()
            if member is self._member and not self._over:  # else it was changed again meanwhile
                self._begin(member)

    def _begin(self, member: HallSettings | None) -> None:
        self._member = member
        self.way.set_broker(None if member is None else member.broker)
        if member is None:
            return
        table = self._table
        member = replace(member, simulated=table.simulated)
        new = begin_publishing(member, table.journal, table.room, self.way.check)
        with self._showing:
            self._publisher = new
            if self._newest is not None:
                new.put(self._newest)
