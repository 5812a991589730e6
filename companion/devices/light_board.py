"""Drives the 32 lights over I2C through smbus2, and reports how the board is.

`set` keeps a picture, `tick` sends it: only rows that differ, in blocks of at most 32 bytes, with a
limit on tries. A missing board costs one try now and then; once it answers, it is set up again.
Nothing is read back, because nobody confirms that the chip allows it: instead all is said again,
part by part within four seconds, to one that lost its power.

    board = LightBoard(table.light_board, report=print)
    board.set(picture)          # 32 × (red, green, blue), 0 to 255
    board.tick(now_us)          # 30 times a second; never raises
"""

import errno
import fcntl
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from operator import itemgetter
from typing import Final

from smbus2 import SMBus

from companion.system import config, format_names
from companion.system.status import Backoff, Condition, Fine, Report, Status, StatusReporter

Rgb = tuple[int, int, int]
DARK: Final[tuple[Rgb, ...]] = ((0, 0, 0),) * config.LIGHT_COUNT

PWM: Final = 0x01  # SW1, CS1; a row is 16 further
SCALING: Final = 0x90
CONFIG: Final = 0xA0
GLOBAL_CURRENT, CURRENT_STEPS = 0xA1, 64
PULLS, SPREAD, PWM_FREQUENCY, RESET = 0xB0, 0xB1, 0xB2, 0xCF
RUNNING: Final = 0x11  # 8 switch lines by 16 sinks, normal operation

ROWS: Final = 8
ROW: Final = 16  # registers from one row to the next
USED: Final = 12  # how many of them carry lights

TRIES: Final = 3  # for one block
FAILURES: Final = 8  # in one tick; then the board counts as gone
AGAIN_US: Final = 600_000  # how often a part is said again: two rows each, then how it runs
PARTS: Final = 5
BUS_TIMEOUT_10MS: Final = 3  # a stuck bus may hold up one call so long, instead of a second
I2C_TIMEOUT: Final = 0x0702  # of linux/i2c-dev.h


@format_names.format_name("LightBoardState")
class LightBoardState(Status):
    STARTING = Fine("The light board has not been looked for yet.")
    LIT = Fine("The light board works.")
    NO_BUS = (
        "There is no I2C bus {bus}, so the light board is dark; switch I2C on in raspi-config and "
        "restart the Pi."
    )
    DENIED = (
        "This user may not open I2C bus {bus}, so the light board is dark; add the user to the "
        "group i2c and log in again."
    )
    MISSING = (
        "No light board answers at address {address} on I2C bus {bus}; check its cable. Play goes "
        "on without lights."
    )
    STUCK = (
        "Something pulls I2C bus {bus} low, so the light board is dark; unplug the board and look "
        "for a short circuit."
    )
    CLAIMED = (
        "A system driver uses address {address} on I2C bus {bus}; remove its dtoverlay line from "
        "config.txt and restart the Pi."
    )
    FAILING = (
        "I2C bus {bus} fails ({reason}), so the light board is dark; check its cable and power."
    )
    OFF = Fine("The light board is switched off.")


_CAUSES: Final = {
    errno.ENOENT: LightBoardState.NO_BUS,
    errno.ENODEV: LightBoardState.NO_BUS,
    errno.EACCES: LightBoardState.DENIED,
    errno.EPERM: LightBoardState.DENIED,
    errno.EBUSY: LightBoardState.CLAIMED,
    errno.EREMOTEIO: LightBoardState.MISSING,
    errno.ENXIO: LightBoardState.MISSING,
    errno.ETIMEDOUT: LightBoardState.STUCK,
}


class LightBoard:
    """The light board of one table; all calls come from one thread."""

    def __init__(self, settings: config.LightBoardConfig, report: Report = lambda _: None) -> None:
        self.settings = settings
        self.failures = 0  # of all calls so far, repeated ones included
        self._watched = StatusReporter(LightBoardState.STARTING, report)
        self._picture: Sequence[Rgb] = DARK
        self._wanted = _rows(DARK)
        self._sent: list[bytes | None] = [None] * ROWS  # None: not known
        self._bus: SMBus | None = None
        self._backoff = Backoff(first_us=250_000, limit_us=4_000_000)
        self._again_due_us = self._part = 0
        self._left = FAILURES

    @property
    def condition(self) -> Condition:
        return self._watched.condition

    def set(self, picture: Sequence[Rgb]) -> None:
        """Keep the picture for the next tick."""
        if len(picture) != config.LIGHT_COUNT:
            raise ValueError(f"a picture has {config.LIGHT_COUNT} lights, not {len(picture)}")
        if picture != self._picture:
            self._picture, self._wanted = picture, _rows(picture)

    def tick(self, now_us: int) -> None:
        """Send what differs; find out how the board is."""
        if now_us < self._backoff.due_us:
            return
        self._left = FAILURES
        try:
            if self._bus is None:
                self._open()
            elif now_us >= self._again_due_us:
                self._refresh()
            self._send()
        except OSError as error:
            self._handle_error(error, now_us)
            return
        if now_us >= self._again_due_us:
            self._again_due_us = now_us + AGAIN_US
        self._backoff.worked()
        self._watched.becomes(LightBoardState.LIT, now_us)

    def close(self, now_us: int) -> None:
        if self._bus is not None:
            with suppress(OSError):
                self._write(RESET, [0xAE])
        self._close_bus()
        self._watched.becomes(LightBoardState.OFF, now_us)

    def _open(self) -> None:
        self._bus = SMBus(self.settings.bus)
        assert self._bus.fd is not None
        with suppress(OSError):  # a courtesy that not every bus knows
            fcntl.ioctl(self._bus.fd, I2C_TIMEOUT, BUS_TIMEOUT_10MS)
        self._set_up()

    def _set_up(self) -> None:
        """Bring the chip from any state into ours; it stays dark until its first picture."""
        self._sent = [None] * ROWS
        self._write(RESET, [0xAE])
        self._write(PULLS, [0x33])  # 2 kΩ on both sides while off, against ghost lights
        self._write(SPREAD, [0x00])
        self._write(PWM_FREQUENCY, [0x01])  # 32 kHz: beyond hearing
        self._set_current()
        self._send()
        self._write(CONFIG, [RUNNING])

    def _set_current(self) -> None:
        current = max(1, round(CURRENT_STEPS * self.settings.brightness_limit_percent / 100))
        self._write(SCALING, [0xFF] * USED)
        self._write(GLOBAL_CURRENT, [current])

    def _refresh(self) -> None:
        """Say a part again; a chip that had it sees no difference."""
        part, self._part = self._part, (self._part + 1) % PARTS
        if part < PARTS - 1:
            self._sent[2 * part : 2 * part + 2] = [None, None]
            return
        self._set_current()
        self._write(CONFIG, [RUNNING])

    def _send(self) -> None:
        for first, last in _blocks(self._wanted, self._sent):
            rows = self._wanted[first : last + 1]
            gap = bytes(ROW - USED)
            self._sent[first : last + 1] = [None] * len(rows)  # a broken call leaves them unknown
            self._write(PWM + ROW * first, list(gap.join(rows)))
            self._sent[first : last + 1] = rows

    def _write(self, register: int, values: list[int]) -> None:
        """Write, and write again where that may help: one tick has few tries to spend."""
        assert self._bus is not None
        for left in reversed(range(TRIES)):
            try:
                self._bus.write_i2c_block_data(self.settings.address, register, values)
            except OSError as error:
                self.failures += 1
                self._left -= 1
                if left == 0 or self._left <= 0 or error.errno not in _PASSING:
                    raise
            else:
                return

    def _handle_error(self, error: OSError, now_us: int) -> None:
        self._close_bus()
        self._backoff.failed(now_us)
        self._watched.becomes(
            _CAUSES.get(error.errno or 0, LightBoardState.FAILING),
            now_us,
            bus=self.settings.bus,
            address=f"0x{self.settings.address:02x}",
            reason=error.strerror or str(error),
        )

    def _close_bus(self) -> None:
        if self._bus is not None:
            with suppress(OSError):
                self._bus.close()
        self._bus = None


_PASSING: Final = {errno.EREMOTEIO, errno.ENXIO, errno.EIO, errno.EAGAIN}
_PLACES: Final = [(sw - 1, cs - 1) for sw, *sinks in config.LIGHT_WIRING for cs in sinks]
_LEVELS: Final = [  # of each switch line, from a picture's levels in one row
    itemgetter(*(_PLACES.index((row, sink)) for sink in range(USED))) for row in range(ROWS)
]


def _rows(picture: Sequence[Rgb]) -> list[bytes]:
    """Return what the registers of each switch line must hold."""
    levels = bytes(chain.from_iterable(picture))
    return [bytes(row(levels)) for row in _LEVELS]


def _blocks(wanted: list[bytes], sent: list[bytes | None]) -> Iterator[tuple[int, int]]:
    """Yield the first and last row of each block to send: two neighbours fit into one call."""
    row = 0
    while row < ROWS:
        if wanted[row] == sent[row]:
            row += 1
            continue
        last = row + 1 if row + 1 < ROWS and wanted[row + 1] != sent[row + 1] else row
        yield row, last
        row = last + 1
