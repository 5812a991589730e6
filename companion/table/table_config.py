"""The configuration of a table as a value, and the store of what its sensors have learned."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

from companion.devices import gpio
from companion.devices.hub_port import monotonic_us
from companion.devices.serial_line import Ports, SerialPorts
from companion.devices.stopper_registry import Stopper, load_counters, save_counters
from companion.present.simulated_hands import Hands
from companion.sensing.calibration import Calibration
from companion.sensing.pad_model import PADS, Kinds
from companion.sensing.pipeline import Sensing, SensingLink
from companion.system import config
from companion.system.small_files import BackgroundWriter, SmallFile, object_in, to_json
from companion.system.status import Condition, Report


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the pages for phones are served."""

    port: int | None  # None: the usual one or, if that is taken, any that is free
    hands: Hands | None = None  # a person's at a simulated table; None: the table is real


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table consists of, and where it keeps what it must not lose."""

    wiring: config.TableWiring
    folder: Path
    stoppers: tuple[Stopper, ...] = ()
    calibration: Calibration | None = None  # None: the newest that lies in the folder
    ports: Ports = field(default_factory=SerialPorts)
    open_pins: gpio.OpenPins = gpio.real_pins
    clock_us: Callable[[], int] = monotonic_us
    chance: Random = field(default_factory=SystemRandom)
    pages: Pages | None = None  # None: nobody brings a phone
    troubles: tuple[Condition, ...] = ()  # what was found before it began
    simulated: bool = False  # which must be said wherever somebody could take it for real
    record: Path | None = None  # a new file for all that the stoppers and pads say


DIGITS: Final = 6
MARK: Final = int.from_bytes(sha256(repr(PADS).encode()).digest()[:4], "little")


class SensorStateStore:
    """Stores how far each stopper has counted, and what was learned of pads."""

    def __init__(
        self, plan: TableConfig, sensing: Sensing, report: Report = lambda _: None
    ) -> None:
        sensing.pads = PADS_FILE.load(plan.folder, {}, report)
        self.last_heard = load_counters(plan.folder, plan.stoppers, report)  # of each, before today
        heard = partial(save_counters, plan.folder, plan.stoppers)
        self._heard: BackgroundWriter[Mapping[bytes, tuple[int, int]]] = BackgroundWriter(
            "heard", heard, {}
        )
        learned = partial(keep_pads, plan.folder)
        self._pads: BackgroundWriter[Mapping[str, Kinds]] = BackgroundWriter(
            "pads", learned, sensing.pads
        )

    def tick(self, link: SensingLink, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        self._heard.tend(link.newest, now_us)
        self._pads.tend(link.sensing.pads, now_us)

    def close(self, link: SensingLink) -> None:
        """Write the last, unless the disk hangs."""
        self._heard.close(link.newest)
        self._pads.close(link.sensing.pads)


# --- what was learned of pads ---------------------------------------------------------------------


def _to_json(pads: Mapping[str, Kinds]) -> bytes:
    seats = {
        seat: [round(chance, DIGITS) for chance in kinds] for seat, kinds in sorted(pads.items())
    }
    return to_json({"kinds": MARK, "seats": seats})


def _from_json(data: bytes) -> Mapping[str, Kinds]:
    pads = object_in(data)
    if pads["kinds"] != MARK:
        return {}
    return {seat: _kinds(chances) for seat, chances in pads["seats"].items()}


def _kinds(chances: list[float]) -> Kinds:
    total = sum(chances)
    if len(chances) != len(PADS) or not total:
        raise ValueError(chances)
    if not all(type(chance) in (int, float) and 0 <= chance <= 1 for chance in chances):
        raise ValueError(chances)
    return tuple(chance / total for chance in chances)


PADS_FILE: Final[SmallFile[Mapping[str, Kinds]]] = SmallFile(
    "pads.json", _to_json, _from_json, 65_536
)


def keep_pads(folder: Path, pads: Mapping[str, Kinds]) -> None:
    """Write it down; a disk that fails costs only what was learned."""
    if pads:
        with suppress(OSError):
            PADS_FILE.save(folder, pads)
