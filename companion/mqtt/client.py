"""The MQTT client: one connection in threads of its own; nobody waits, no exception escapes.

    client = Client(broker, "table-attic", hear, changed, will=Say(topic, data, retain=True))
    client.subscribe(topics.topic("attic", Kind.HAVE))
    client.start()
    client.publish(Say(topic, data, retain=True))     # False: not now; say it again later
    client.close(Say(topic, gone, retain=True))       # returns within a second or two

`hear` and `changed` are called in its threads and may not wait: they leave a note for whoever
speaks. `changed` means that the connection came or went, or can take more. Nothing waits in it:
what could not be handed over is forgotten when the connection is lost, and each is begun with
nothing of the one before, so whoever speaks has to know what is still to be said. A broker that is
absent is tried again ever more rarely.
"""

import hmac
import logging
import select
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from random import Random
from threading import Event, Thread, get_ident
from time import monotonic
from typing import Any, Final

from paho.mqtt.client import Client as Paho
from paho.mqtt.client import ConnectFlags, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.mqtt.join_code import Trust, pinned
from companion.system.format_names import format_name
from companion.system.status import Fine, Status

LOG: Final = logging.getLogger(__name__)
PORT, TLS_PORT = 1883, 8883
ALIVE_S: Final = 15  # a broker that says nothing for one and a half times this long is gone
CONNECT_S: Final = 5.0
PATIENCE_S: Final = 20.0  # for a broker that was reached and has not said yes
FIRST_S, LONGEST_S = 0.5, 30.0  # between two tries
WINDOW: Final = 16  # messages that have not been acknowledged yet; more are refused
MOST_BYTES: Final = 1_200_000  # the largest message that is taken
CLOSE_S: Final = 1.0
CARE_S: Final = 1  # how often it looks whether the broker is still there
MARK_LETTERS: Final = 16
AT_ONCE: Final = 32  # messages that are read before something is written
NOT_YET, NO_LONGER = 9, 10  # OpenSSL's numbers of what is wrong with a certificate
OTHER_NAMES: Final = (62, 64)  # a name, an address


@format_name("Reach")
class ConnectionStatus(Status):
    """How far the way to a hall's broker goes; the doctor and the table say the same of it."""

    NONE = Fine("This table does not belong to a hall.")
    LOOKING = Fine("This table looks for the hall at {host}.")
    JOINED = Fine("The hall's broker at {host}, port {port}, is there and lets this table in.")
    UNREACHABLE = (
        "The hall's broker at {host}, port {port}, does not answer ({reason}); check that its "
        "computer is switched on and on the same network. The table plays on without it, and "
        "tells it later what was played."
    )
    NO_TLS = (
        "What answers at {host}, port {port}, does not speak TLS as a hall does; check host and "
        "port under [hall], or have the table join the hall again, with a new code."
    )
    FOREIGN = (
        "The computer {host} cannot prove that it is the hall that this table joined, so nothing "
        "is sent to it; if the hall was set up again, have the table join it with a new code."
    )
    NAMED_OTHERWISE = (
        "The certificate of {host} is for another name; name the broker under [hall] as its "
        "certificate does."
    )
    TOO_EARLY = (
        "This computer's clock says {date}, and the certificate of {host} is not valid yet; set "
        "the clock: connect the computer to the internet for a minute, or run: sudo timedatectl "
        "set-time"
    )
    TOO_LATE = (
        "This computer's clock says {date}, and the certificate of {host} has expired; if the "
        "date is right, restart the hall, which then renews its certificate. If it is wrong, set "
        "the clock with: sudo timedatectl set-time"
    )
    REFUSED = (
        "The hall's broker at {host} does not let this table in ({reason}); have it join again, "
        "or check account and password under [hall]."
    )
    OTHER_VERSION = (
        "The hall at {host} and this table have versions that do not understand each other; on "
        "the computer with the older one, fetch the newer program, and run: sudo ./run install. "
        "The table plays on meanwhile, and tells the hall later what was played."
    )
    SECOND = (
        "Another computer came to the hall with the same code before this one, so this table keeps "
        "away. It plays on and loses nothing; have the director make a code for it alone."
    )

    @property
    def quiet(self) -> bool:
        """Whether that may wait until after the evening: the table plays without a hall, too."""
        return True


def distrust(fault: OSError) -> ConnectionStatus:
    """Return why a broker was not trusted, judging by how the handshake with it failed."""
    match fault:
        case ssl.SSLCertVerificationError(verify_code=code):
            known = {NOT_YET: ConnectionStatus.TOO_EARLY, NO_LONGER: ConnectionStatus.TOO_LATE}
            known |= dict.fromkeys(OTHER_NAMES, ConnectionStatus.NAMED_OTHERWISE)
            return known.get(code, ConnectionStatus.FOREIGN)
        case ssl.SSLError() | ConnectionResetError():  # it did not understand us and hung up
            return ConnectionStatus.NO_TLS
        case _:
            return ConnectionStatus.UNREACHABLE


def today() -> str:
    """Return the date by this computer's clock, in whatever time zone it is set to."""
    return datetime.now().astimezone().date().isoformat()


@dataclass(frozen=True, slots=True)
class Broker:
    host: str  # or several, by spaces, that are tried in turn
    port: int = PORT
    account: str = ""
    password: str = ""
    # a certificate in PEM, the only one that is believed; None: no TLS
    authority: str | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """Return where it may be found, the best place first."""
        return tuple(self.host.split()) or (self.host,)


@dataclass(frozen=True, slots=True)
class Publication:
    """Something to be published."""

    topic: str
    data: bytes
    retain: bool = False
    expiry_s: int | None = None
    response: str | None = None  # the topic on which an answer is wanted
    correlation: bytes | None = None


@dataclass(frozen=True, slots=True)
class MqttMessage:
    topic: str
    data: bytes
    retained: bool  # it was published before we listened
    expires: bool = False  # whether it was said with an expiry
    response: str | None = None
    correlation: bytes | None = None


class Client:
    """Says and hears what it can."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        hear: Callable[[MqttMessage], None],
        changed: Callable[[], None] = lambda: None,
        will: Publication | None = None,
    ) -> None:
        self.broker, self._name, self._will = broker, _called(name, broker), will
        self._hear, self._changed = hear, changed
        self._filters: list[str] = []
        self._over, self._gone = Event(), Event()
        self._paho: Paho | None = None
        self._said, self._acknowledged = set[int](), set[int]()  # the library locks for itself
        self._wait_s, self._chance = FIRST_S, Random()  # noqa: S311 - no secret
        self._away_s = 0.0  # how long it keeps away before it tries again
        self._bell, self._ear = socket.socketpair()
        self._bell.setblocking(False)
        self._came = False  # something, in what was read just now
        self.connected = False
        self.why = ""  # it is not connected, for whoever looks after it; English, of the library
        self.reach: ConnectionStatus | None = None  # how far the last try came, if there was one
        self._trust: Trust | None = None
        self._tries = 0
        self._thread = Thread(target=self._run, name="hall link", daemon=True)

    def subscribe(self, *filters: str) -> None:
        """Subscribe to a topic, from the next connection on."""
        self._filters += filters

    def start(self) -> None:
        self._thread.start()

    @property
    def ready(self) -> bool:
        """Whether something could be said now."""
        return self.connected and self.under_way < WINDOW

    @property
    def under_way(self) -> int:
        done = self._said & self._acknowledged
        self._said -= done
        self._acknowledged -= done
        return len(self._said)

    def publish(self, say: Publication) -> bool:
        """Say something, QoS 1; return whether it was handed over. It never waits, nor raises."""
        paho = self._paho
        if paho is None or not self.ready:
            return False
        try:
            sent = paho.publish(say.topic, say.data, 1, say.retain, _properties(say))
        except (ValueError, OSError, RuntimeError) as fault:
            LOG.warning("%s cannot be published: %s", say.topic, fault)
            return False
        self._said.add(sent.mid)  # perhaps it was acknowledged already
        return True

    def understands(self, *, it: bool) -> None:
        """Note whether what the hall says can be read; the connection stays."""
        if it:
            if self.reach is ConnectionStatus.OTHER_VERSION:
                self.why, self.reach = "", ConnectionStatus.JOINED
        elif self.reach is not ConnectionStatus.OTHER_VERSION:
            self._complain(ConnectionStatus.OTHER_VERSION, "the hall has another version")

    def keep_away(self, for_s: float) -> None:
        """End the connection and come back only after a while: somebody else has our name."""
        self._away_s = for_s
        self._complain(ConnectionStatus.SECOND, "another program has its name")
        self._gone.set()
        self._ring()

    def close(self, last: Publication | None = None) -> None:
        """Say something for the last time, and end, in bounded time."""
        until_s = monotonic() + CLOSE_S
        if last is not None and self.publish(last):
            while self.under_way and self.connected and monotonic() < until_s:
                self._gone.wait(0.01)
        self._over.set()
        self._gone.set()
        self._ring()
        if self._thread.is_alive():
            self._thread.join(max(0.1, until_s - monotonic()))
        self._bell.close()
        if not self._thread.is_alive():
            self._ear.close()

    # --- its thread ---------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._once()
            except Exception as fault:  # noqa: BLE001 - what a broker answers may cause anything
                if not self._over.is_set():
                    self._complain(ConnectionStatus.UNREACHABLE, str(fault) or type(fault).__name__)
            wait_s, self._away_s = self._away_s or self._wait_s, 0.0
            self._over.wait(wait_s * self._chance.uniform(0.7, 1.3))
            self._wait_s = min(2 * self._wait_s, LONGEST_S)

    def _once(self) -> None:
        """Connect, and come back once that is over; nothing of it is left."""
        self._gone.clear()
        host = self.broker.hosts[self._tries % len(self.broker.hosts)]
        self._tries += 1
        paho = self._built(host)
        self._said, self._acknowledged = set(), set()
        self._paho = paho
        try:
            paho.connect(host, self.broker.port, ALIVE_S, properties=_connecting())
            self._serve(paho)
        except OSError as fault:
            self._cannot_reach(fault)
        finally:
            self._paho, was, self.connected = None, self.connected, False
            self._tries -= was  # where it was found, it is looked for first
            line = paho.socket()
            _quietly(paho.disconnect)
            _quietly(paho.loop_write)  # as far as it goes at once
            if isinstance(line, socket.socket):
                line.close()
            self._tell_changed()

    def _cannot_reach(self, fault: OSError) -> None:
        distrusted = None if self._trust is None else self._trust.fault
        if distrusted is not None:
            self._complain(distrust(distrusted), distrusted.strerror or str(distrusted))
        elif not self._over.is_set():
            self._complain(ConnectionStatus.UNREACHABLE, fault.strerror or str(fault))

    def _serve(self, paho: Paho) -> None:
        """Read and write until it is over.

        The library's own loop waits by `select`, which knows no file beyond the first 1,024: a hall
        with a thousand watchers would not come back to its broker.
        """
        line, poll = paho.socket(), select.poll()
        assert isinstance(line, socket.socket)
        poll.register(self._ear, select.POLLIN)
        patient_s, care_s = monotonic() + PATIENCE_S, 0.0
        while not (self._gone.is_set() or self._over.is_set()):
            now_s = monotonic()
            if not self.connected and now_s > patient_s:
                raise TimeoutError("it does not answer")
            if now_s > care_s:
                paho.loop_misc()
                care_s = now_s + CARE_S
            poll.register(line, select.POLLIN | (select.POLLOUT if paho.want_write() else 0))
            waits = isinstance(line, ssl.SSLSocket) and line.pending()
            happened = dict(poll.poll(0 if waits else 1000 * CARE_S))
            if self._ear.fileno() in happened:
                self._ear.recv(4096)
            if waits or happened.get(line.fileno(), 0) & ~select.POLLOUT:
                self._read(paho)
            if paho.want_write():
                paho.loop_write()

    def _read(self, paho: Paho) -> None:
        """Read what came, some of it at once."""
        for _ in range(AT_ONCE):
            self._came = False
            paho.loop_read()
            if not self._came or self._gone.is_set():
                return

    def _ring(self, *_: Any) -> None:
        """Wake the thread, whatever it waits for."""
        if get_ident() != self._thread.ident:
            with suppress(OSError):  # full: it will look anyway
                self._bell.send(b"!")

    def _built(self, host: str) -> Paho:
        paho = Paho(
            CallbackAPIVersion.VERSION2, self._name, protocol=MQTTv5, reconnect_on_failure=False
        )
        paho.connect_timeout = CONNECT_S
        if self.broker.account:
            paho.username_pw_set(self.broker.account, self.broker.password)
        if self.broker.authority is not None:
            self._trust = pinned(self.broker.authority, host)
            paho.tls_set_context(self._trust)
        if self._will is not None:
            paho.will_set(self._will.topic, self._will.data, 1, self._will.retain)
        paho.on_connect = self._on_connect
        paho.on_subscribe = self._on_subscribe
        paho.on_disconnect = self._on_disconnect
        paho.on_message = self._on_message
        paho.on_publish = self._on_publish
        paho.on_socket_register_write = self._ring
        return paho

    # --- in the library's thread: nothing may be raised ----------------------------------------

    def _on_connect(self, paho: Paho, _: Any, __: ConnectFlags, code: Any, ___: Any) -> None:
        if paho is not self._paho:
            return
        if code.is_failure:
            self._complain(ConnectionStatus.REFUSED, str(code))
            self._gone.set()
            return
        if self._filters:
            paho.subscribe([(topic, _subscribing(topic)) for topic in self._filters])
        else:
            self._is_connected()

    def _on_subscribe(self, paho: Paho, *_: Any) -> None:
        if paho is self._paho:
            self._is_connected()

    def _is_connected(self) -> None:
        self.connected, self.why, self._wait_s = True, "", FIRST_S
        self.reach = ConnectionStatus.JOINED
        self._tell_changed()

    def _on_disconnect(self, paho: Paho, _: Any, __: Any, code: Any, ___: Any) -> None:
        if paho is self._paho:
            if not (self._over.is_set() or self._gone.is_set()):  # otherwise the reason is known
                self._complain(ConnectionStatus.UNREACHABLE, str(code))
            self._gone.set()

    def _on_publish(self, paho: Paho, _: Any, mid: int, code: Any, ___: Any) -> None:
        if paho is not self._paho:
            return
        if code.is_failure:
            LOG.debug("The broker did not take a message: %s", code)
        self._came = True
        self._acknowledged.add(mid)
        self._tell_changed()

    def _on_message(self, paho: Paho, _: Any, message: MQTTMessage) -> None:
        self._came = True
        if paho is not self._paho or len(message.payload) > MOST_BYTES:
            return
        properties = message.properties
        try:
            self._hear(
                MqttMessage(
                    message.topic,
                    bytes(message.payload),
                    message.retain,
                    hasattr(properties, "MessageExpiryInterval"),
                    getattr(properties, "ResponseTopic", None),
                    getattr(properties, "CorrelationData", None),
                )
            )
        except Exception:
            LOG.exception("A message on %s could not be handled.", message.topic[:100])

    def _tell_changed(self) -> None:
        try:
            self._changed()
        except Exception:
            LOG.exception("A change of the connection could not be handled.")

    def _complain(self, reach: ConnectionStatus, why: str) -> None:
        """Write down that it does not work, once until it works again."""
        if not self.why:
            LOG.warning("No connection to %s:%s: %s", self.broker.host, self.broker.port, why)
        self.why, self.reach = why, reach


def _called(name: str, broker: Broker) -> str:
    """Return a name that nobody guesses: a broker throws out whoever had it before."""
    if not name or not broker.password:
        return name
    mark = hmac.new(broker.password.encode(), name.encode(), sha256).hexdigest()
    return f"{name}-{mark[:MARK_LETTERS]}"


def _subscribing(topic: str) -> SubscribeOptions:
    """Leave out what we say, which we know; to ask that of a shared subscription is an error."""
    return SubscribeOptions(qos=1, noLocal=not topic.startswith("$share/"))


def _connecting() -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = 0
    properties.MaximumPacketSize = MOST_BYTES
    return properties


def _properties(say: Publication) -> Properties | None:
    if say.expiry_s is None and say.response is None and say.correlation is None:
        return None
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    if say.expiry_s is not None:
        properties.MessageExpiryInterval = say.expiry_s
    if say.response is not None:
        properties.ResponseTopic = say.response
    if say.correlation is not None:
        properties.CorrelationData = say.correlation
    return properties


def _quietly(do: Callable[[], object]) -> None:
    try:
        do()
    except Exception as fault:  # noqa: BLE001 - the connection ends anyway
        LOG.debug("while ending: %s", fault)
