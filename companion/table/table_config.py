"""The configuration of a table, and the store of the message counters of its stoppers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random, SystemRandom

from companion.devices import gpio, hub_port, serial_line
from companion.devices.stopper_registry import Stopper, load_counters, save_counters
from companion.present.simulated_hands import Hands
from companion.sensing.calibration import Calibration
from companion.sensing.pipeline import SensingLink
from companion.system import config, small_files, status
from companion.web.first_run_page import FirstRun


@dataclass(frozen=True, slots=True)
class Pages:
    """Where the pages for phones are served."""

    port: int | None  # None: the usual one or, if that is taken, any that is free
    # people's by seat, if any sit there; None: the table is real
    hands: Mapping[str, Hands] | None = None
    first_run: FirstRun | None = None  # where phones are kept, too; None: in the table's folder
    https: bool = False  # by the table's own authority, too


@dataclass(frozen=True, slots=True)
class TableConfig:
    """What a table consists of, and where it keeps what it must not lose."""

    wiring: config.TableWiring
    folder: Path
    stoppers: tuple[Stopper, ...] = ()
    calibration: Calibration | None = None  # None: the newest that lies in the folder
    ports: serial_line.Ports = field(default_factory=serial_line.SerialPorts)
    open_pins: gpio.OpenPins = gpio.real_pins
    clock_us: Callable[[], int] = hub_port.monotonic_us
    chance: Random = field(default_factory=SystemRandom)
    pages: Pages | None = None  # None: nobody brings a phone
    troubles: tuple[status.Condition, ...] = ()  # what was found before it began
    simulated: bool = False  # which must be said wherever somebody could take it for real
    record: Path | None = None  # a new file for all that the stoppers and pads say


class SensorStateStore:
    """Stores how far each stopper has counted."""

    def __init__(self, plan: TableConfig, report: status.Report = lambda _: None) -> None:
        self.last_heard = load_counters(plan.folder, plan.stoppers, report)  # of each, before today
        heard = partial(save_counters, plan.folder, plan.stoppers)
        self._heard: small_files.BackgroundWriter[Mapping[bytes, tuple[int, int]]] = (
            small_files.BackgroundWriter("heard", heard, {})
        )

    def tick(self, link: SensingLink, now_us: int) -> None:
        """Begin to write what is new, unless it is too soon or the disk still has the last."""
        self._heard.tend(link.newest, now_us)

    def close(self, link: SensingLink) -> None:
        """Write the last, unless the disk hangs."""
        self._heard.close(link.newest)
