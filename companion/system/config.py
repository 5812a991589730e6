"""The configuration: how a table is wired, read from TOML into frozen values.

    table = load(Path("table.toml"))    # ConfigError names every fault at once
    table.light_board                   # None: there is no such part, and a tap replaces it

`TEMPLATE` is the file to start from: every part, behind a "#" until somebody has it.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, get_args, get_type_hints

from companion.system.errors import CompanionError, ConfigError
from companion.system.text import SeatName, Text
from companion.system.toml_reader import (
    TomlReader,
    list_of,
    read_toml,
    setting,
    shaped,
    text_of,
    whole,
)

TEMPLATE: Final = resources.files("companion").joinpath("config_template.toml").read_text("utf-8")
EVERY_PART: Final = re.sub(r"^#(?=\S)", "", TEMPLATE, flags=re.MULTILINE)  # of a whole table

TABLE_NAME: Final = "[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?"  # as it is called in a hall
EXTRAS: Final = ("outputs", "sensors")  # of other packages: the groups of their entry points
COLOURS: Final = ("red", "green", "blue", "yellow")
SEATS: Final = tuple(SeatName[colour.upper()] for colour in COLOURS)  # with a pad for a barrel
LIGHT_COUNT: Final = 32  # 24 ring fields, 4 starts, 4 cities
RESERVED: Final = {0: "the HAT's memory", 1: "the HAT's memory"}
I2C_PINS: Final = {2: "I2C bus 1", 3: "I2C bus 1"}

# Light i of the board hangs on switch line SW and on the three current sinks CS for red, green and
# blue: SW1 to SW6 carry the ring, four fields each, SW7 the starts, SW8 the cities.
LIGHT_WIRING: Final = tuple(
    (sw, 3 * place + 1, 3 * place + 2, 3 * place + 3) for sw in range(1, 9) for place in range(4)
)


def _weight_g(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 5 <= value <= 90


def _network(value: object) -> bool:
    """Tell whether this names proxies; all there are would be everybody, who may say anything."""
    try:
        return isinstance(value, str) and ip_network(value, strict=False).prefixlen > 0
    except ValueError:
        return False


def _entities(value: object) -> bool:
    return isinstance(value, bool) or _LANGUAGE(value)


_ADDRESS: Final = shaped("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")
# A pattern names at least one thing; "**", "." and ".." would look all over the computer, or fail.
_PORTS: Final = shaped(r"(/+(?!\.{1,2}(/|\Z))((?!\*\*)[^/\0])+)+")
_PIN: Final = (whole(0, 27), Text("write a GPIO number from 0 to 27."))
_LANGUAGE: Final = shaped("[a-z]{2,3}(_[A-Z]{2})?")
_HOST: Final = shaped(r"[A-Za-z0-9.:_-]{1,253}")
_NAME: Final = shaped(r"(?=.{1,253}\Z)[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:[0-9]{1,5})?")
_SECRET: Final = shaped(r"[^\x00-\x1f]{1,200}")


# --- the sections: what each key may be, a sentence for what would be right, and its usual value


@dataclass(frozen=True, slots=True)
class Hub:
    id: str | None = setting(  # None: the first hub that answers
        _ADDRESS, Text("write the hub's id, for example '24:0a:c4:00:00:01'."), None
    )
    ports: tuple[str, ...] = setting(
        list_of(_PORTS),
        Text("write a list of paths such as ['/dev/ttyACM*'], without '**'."),
        ("/dev/ttyACM*", "/dev/ttyUSB*"),
    )
    second: str | None = setting(  # the id of another one, which hears what this one does not
        _ADDRESS, Text("write a hub's id, for example '24:0a:c4:00:00:02'."), None
    )
    channel: int | None = setting(  # of the radio, for both; None: as it is
        whole(1, 13), Text("write a channel from 1 to 13."), None
    )


@dataclass(frozen=True, slots=True)
class LightBoardConfig:
    bus: int = setting(whole(0, 255), Text("write the number of an I2C bus, usually 1."), 1)
    address: int = setting(whole(0x34, 0x37), Text("write 0x34, 0x35, 0x36 or 0x37."), 0x34)
    brightness_limit_percent: int = setting(
        whole(1, 100), Text("write a whole number from 1 to 100."), 50
    )


@dataclass(frozen=True, slots=True)
class SeatPins:
    """The pins of one player's place; None where a part is absent."""

    colour: str
    pad: int | None = setting(*_PIN, None)
    button: int | None = setting(*_PIN, None)
    light: int | None = setting(*_PIN, None)
    name: int | None = setting(*_PIN, None)  # to which a barrel in its place says its name


@dataclass(frozen=True, slots=True)
class Buzzer:
    pin: int = setting(*_PIN)
    kind: str = setting(shaped("passive|active"), Text("write 'passive' or 'active'."), "passive")


@dataclass(frozen=True, slots=True)
class Stoppers:
    nodes: tuple[str, ...] = setting(  # none named: all whose key is known
        list_of(_ADDRESS), Text("write a list of their radio addresses."), ()
    )


@dataclass(frozen=True, slots=True)
class Barrels:
    """What is known of the barrels before any is weighed."""

    empty_g: float = setting(
        _weight_g,
        Text("write what a barrel and its stopper weigh without stones, from 5 to 90 (grams)."),
        32.4,
    )


@dataclass(frozen=True, slots=True)
class VoiceConfig:
    """What the table says aloud, by a loudspeaker at the Pi."""

    language: str = setting(
        _LANGUAGE, Text("write the code of a language, such as 'en' or 'de'."), "en"
    )


@dataclass(frozen=True, slots=True)
class HallConfig:
    """To which hall the table belongs; what is not said here is in what it joined by a code."""

    broker: str | None = setting(  # None: that of the code
        _HOST, Text("write the name or the address of the broker's computer."), None
    )
    port: int | None = setting(  # None: the usual one
        whole(1, 65_535), Text("write a port, usually 1883, or 8883 with TLS."), None
    )
    table: str | None = setting(  # its name there
        shaped(TABLE_NAME),
        Text("write a short name in lower-case letters, digits and hyphens, such as 'attic'."),
        None,
    )
    account: str | None = setting(  # None: the table's name
        _SECRET, Text("write the name of an account of the broker."), None
    )
    password: str | None = setting(_SECRET, Text("write the account's password."), None)
    key: str | None = setting(  # of commands; None: nobody in the hall proposes anything
        _SECRET, Text("write the secret that this table shares with the hall."), None
    )
    authority: str | None = setting(  # a file with the certificate that its own is signed by
        _SECRET, Text("write the path of a certificate, a PEM file."), None
    )
    delay_s: int = setting(  # this much later everybody else may know
        whole(0, 3_600), Text("write a number of seconds from 0 to 3600."), 0
    )
    home_assistant: bool | str = setting(  # or in which language its names are
        _entities,
        Text("write true or false, or the code of a language for its names, such as 'de'."),
        False,
    )


@dataclass(frozen=True, slots=True)
class WebConfig:
    """By which names and through which proxies people far away reach the pages."""

    names: tuple[str, ...] = setting(  # besides our own, a port behind a colon if not the usual one
        list_of(_NAME),
        Text("write a list of names such as ['table.example.org'], without 'https://'."),
        (),
    )
    proxies: tuple[str, ...] = (
        setting(  # addresses or networks whose word about the caller is believed
            list_of(_network),
            Text("write a list of addresses or networks such as ['127.0.0.1']."),
            (),
        )
    )


@dataclass(frozen=True, slots=True)
class TableWiring:
    hub: Hub | None = None
    light_board: LightBoardConfig | None = None
    seats: tuple[SeatPins, ...] = ()
    buzzer: Buzzer | None = None
    stoppers: Stoppers | None = None
    barrels: Barrels = field(default_factory=Barrels)
    voice: VoiceConfig | None = None
    hall: HallConfig | None = None
    web: WebConfig | None = None
    # of other packages, by the names of their sections
    outputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    sensors: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def parts(self) -> frozenset[str]:
        """Return what people can press, stand a barrel on, see and hear."""
        there = {
            "buttons": any(seat.button is not None for seat in self.seats),
            "pads": any(seat.pad is not None for seat in self.seats),
            "lights": bool(self.light_board) or any(seat.light is not None for seat in self.seats),
            "buzzer": self.buzzer is not None,
        }
        return frozenset(name for name, is_there in there.items() if is_there)

    def pins(self) -> Iterator[tuple[str, int]]:
        """Yield every pin in use with the key under which it stands."""
        for seat in self.seats:
            for part in ("pad", "button", "light", "name"):
                pin = getattr(seat, part)
                if pin is not None:
                    yield f"seats.{seat.colour}.{part}", pin
        if self.buzzer is not None:
            yield "buzzer.pin", self.buzzer.pin


def installed(kind: str) -> dict[str, EntryPoint]:
    """Return the outputs, or sensors, of other packages, by the section that joins them."""
    return {point.name: point for point in entry_points(group=f"rappelwacht.{kind}")}


def load(path: Path) -> TableWiring:
    """Return the table that a file describes; raise ConfigError with all its faults."""
    try:
        toml = text_of(path)
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        fault = CompanionError(
            "{file}: the file cannot be read ({reason}).", file=path, reason=reason
        )
        raise ConfigError((fault,)) from None
    return parse(toml, str(path))


def parse(toml: str, file: str) -> TableWiring:
    r"""Return the table that a text describes; raise ConfigError with all its faults.

    >>> parse("[buzzer]\npin = 18", "table.toml").buzzer
    Buzzer(pin=18, kind='passive')
    >>> parse("[buzer]\npin = 18", "table.toml")
    Traceback (most recent call last):
    companion.system.errors.ConfigError: table.toml, buzer: there is no such key; did you mean ...
    """
    try:
        document = read_toml(toml)
    except tomllib.TOMLDecodeError as error:
        fault = CompanionError("{file}: this is not TOML: {reason}.", file=file, reason=error)
        raise ConfigError((fault,)) from None
    reader = TableReader(file)
    table = reader.table(document)
    reader.check_pins(table)
    reader.check_hubs(table)
    if reader.faults:
        raise ConfigError(tuple(reader.faults))
    return table


class TableReader(TomlReader):
    def table(self, document: Mapping[str, Any]) -> TableWiring:
        values: dict[str, Any] = {kind: {} for kind in EXTRAS}
        kinds = get_type_hints(TableWiring)
        parts = [name for name in kinds if name not in EXTRAS]
        extras = {} if set(document) <= set(parts) else {kind: installed(kind) for kind in EXTRAS}
        known = [*parts, *dict.fromkeys(name for names in extras.values() for name in names)]
        for name in self.known("", document, known):
            if name not in parts:
                section = self.contents(name, document[name])
                for kind in (kind for kind, names in extras.items() if name in names):
                    values[kind][name] = section
            elif name == "seats":
                values[name] = self.seats(document[name])
            else:
                kind, *_ = get_args(kinds[name]) or (kinds[name],)
                values[name] = self.section(name, document[name], kind)
        return TableWiring(**values)

    def seats(self, value: object) -> tuple[SeatPins, ...]:
        if not isinstance(value, dict):
            self.fault("seats", Text("write one section for each seat, such as [seats.red]."))
            return ()
        colours = self.known("seats.", value, COLOURS)
        read = [
            self.section(f"seats.{colour}", value[colour], SeatPins, colour=colour)
            for colour in colours
        ]
        return tuple(seat for seat in read if seat is not None)

    def check_hubs(self, table: TableWiring) -> None:
        """Refuse two hubs of which one could be taken for the other."""
        if table.hub is None or table.hub.second is None:
            return
        if table.hub.id is None:
            self.fault(
                "hub.second",
                Text("with two hubs, write the id of the first one, too, so that each is known."),
            )
        elif table.hub.id.lower() == table.hub.second.lower():
            self.fault("hub.second", Text("this is the first hub; write the id of the other one."))

    def check_pins(self, table: TableWiring) -> None:
        """Refuse a pin that is used twice, or that the Pi needs for itself."""
        first: dict[int, str] = {}
        taken = RESERVED | (I2C_PINS if table.light_board and table.light_board.bus == 1 else {})
        for key, pin in table.pins():
            if pin in taken:
                self.fault(key, Text("GPIO {pin} belongs to {owner}.", pin=pin, owner=taken[pin]))
            elif pin in first:
                sentence = Text("GPIO {pin} is already used by {other}.", pin=pin, other=first[pin])
                self.fault(key, sentence)
            else:
                first[pin] = key
