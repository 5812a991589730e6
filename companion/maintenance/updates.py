"""Updates the stoppers' firmware by radio (OTA): one after another, piece by piece.

It must not know a barrel's number. A piece is sent when the stopper says that it wants it, so one
at most is on the air; whoever is not heard for a while is passed over.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from hashlib import sha256
from typing import Final

from companion import wire
from companion.devices.firmware import image
from companion.maintenance.stopper_status import shipped_version
from companion.sensing.observations import Observation
from companion.system import errors, format_names

KIND: Final = wire.KINDS.index("stopper")
STATES: Final = wire.UPDATE_STATES
LOOK, RUN, STOP = (wire.UPDATE_DEEDS.index(word) for word in ("look", "run", "stop"))
PIECE: Final = 192  # bytes: with all that goes around it fewer than ESP-NOW carries
AGAIN_US: Final = 500_000  # without an answer what was sent last is sent again…
ASK_US: Final = 3_000_000  # …and it is asked again, because it hears only after speaking
AWAKE_US: Final = 25_000_000  # two heartbeats: who is silent for this long sleeps
TRIES: Final = 5  # after this many boots in the middle it is given up
PROOF_US: Final = 300_000_000  # three tries of ninety seconds each


@format_names.format_name("Stage")
class Stage(Enum):
    """How far a stopper has come, as people are told it."""

    WAITING = "waiting for its turn"
    ASKED = "is asked"
    SENDING = "is being sent"
    STARTING = "starts it"
    DONE = "has the new firmware"
    NEWER = "runs newer firmware than this program has: update the program"
    ASLEEP = "sleeps: lift its barrel, and update again"
    LOST = "has gone silent: bring it nearer or charge it, and update again"
    TRIES = "is still trying out new firmware: update again in a few minutes"
    MOVED = "was moved: leave it standing, and update again"
    WEAK = "its battery is too low: charge it first"
    FAILED = "did not accept it: update again, or flash it by USB"
    BACK = "went back to its old firmware"

    @property
    def said(self) -> str:
        return self.value

    @property
    def over(self) -> bool:
        """Whether nothing more is tried."""
        return self not in {Stage.WAITING, Stage.ASKED, Stage.SENDING, Stage.STARTING}


REFUSED: Final = {
    "weak": Stage.WEAK,
    "older": Stage.NEWER,
    "other": Stage.FAILED,
    "failed": Stage.FAILED,
}


@dataclass(frozen=True, slots=True)
class FirmwareRelease:
    """What all stoppers are to run: its version, and its files by their names in a slot."""

    version: int
    files: Mapping[str, bytes]

    @property
    def listed(self) -> bytes:
        r"""Return the list that goes first.

        >>> FirmwareRelease(1, {"a.mpy": b"x"}).listed[:20]
        b'a.mpy 1 2d711642b726'
        """
        lines = (f"{name} {len(d)} {sha256(d).hexdigest()}\n" for name, d in self.files.items())
        return "".join(lines).encode()


@format_names.record("UpdateShown")
class UpdateShown:
    """How far one stopper has come."""

    number: int
    stage: Stage
    percent: int = 0


def newest_release(*, compiled: bool) -> FirmwareRelease:
    """Return what came with this program, compiled where that can be; CompanionError: none did."""
    kind = image.KINDS["stopper"]
    files, mpy_cross = image.slot_files(kind), image.find_mpy_cross()
    if mpy_cross is not None and compiled:
        files = image.compile_files(files, mpy_cross)
    return FirmwareRelease(image.version(kind), files)


class Updates:
    """The updates that go on; `send` says something to a stopper that was heard in this boot."""

    def __init__(
        self, send: Callable[..., bool], nodes: Mapping[int, bytes], *, simulated: bool
    ) -> None:
        self._send, self._nodes, self._simulated = send, nodes, simulated
        self.newest = shipped_version("stopper")
        self.release: Callable[[], FirmwareRelease] = partial(
            newest_release,
            compiled=not simulated,  # software runs sources
        )
        self._shown: dict[int, UpdateShown] = {}
        self._firmware = FirmwareRelease(0, {})
        self._parts: list[bytes] = []  # the list, then each file
        self._sent = 0  # updates, for their numbers
        self._now: int | None = None  # whose turn it is
        self._begun_us = self._said_us = 0  # when it came on last; when something was said
        self._asked, self._hindered = 0, False  # how often this one was; whether it was moved
        self._boots = 0  # since it was told to run the new one
        self._boot = -1
        self._retell: Callable[[int], object] = lambda _: None

    @property
    def sends_sources(self) -> bool:
        """Whether stoppers get sources, which are far longer, for want of what compiles them."""
        return not self._simulated and image.find_mpy_cross() is None

    @property
    def shown(self) -> tuple[UpdateShown, ...]:
        return tuple(self._shown.values())

    @property
    def going_on(self) -> bool:
        """Whether somebody's turn is still to come."""
        return any(not update.stage.over for update in self._shown.values())

    def start(self, stoppers: tuple[int, ...], now_us: int) -> None:
        """Give these the firmware that came with this program."""
        if self.going_on:
            raise errors.CompanionError(
                "Stoppers are already being updated; wait until that is done, or stop it first."
            )
        if not stoppers:
            raise errors.CompanionError("No stopper can be updated by radio now.")
        self._firmware = self.release()
        self._parts = [self._firmware.listed, *self._firmware.files.values()]
        self._shown = {number: UpdateShown(number, Stage.WAITING) for number in stoppers}
        self._next(now_us)

    def stop(self, now_us: int) -> None:
        """Send nothing more: what runs runs on, and what came so far need not be sent again."""
        if self._now is not None and self._shown[self._now].stage is not Stage.STARTING:
            self._tell(now_us, "UPDATE_DO", deed=STOP)
        self._shown = {n: update for n, update in self._shown.items() if update.stage.over}
        self._now = None

    def handle_message(self, number: int, seen: Observation) -> None:
        if number != self._now:
            return
        if seen.boot != self._boot:
            self._boots += self._boot >= 0
            self._boot = seen.boot
        if seen.name == "UPDATE":
            self._answer(STATES[min(seen.fields["state"], len(STATES) - 1)], seen)
        elif seen.name == "HELLO" and self._stage is Stage.STARTING:
            if seen.fields["firmware"] != self._firmware.version:
                self._finish(Stage.BACK, seen.at_us)
            else:
                self._tell(seen.at_us, "UPDATE_DO", deed=LOOK)  # so it has heard its host

    def tick(self, now_us: int) -> None:
        if self._now is None:
            return
        if self._stage is Stage.STARTING:
            if now_us - self._begun_us > PROOF_US:
                self._finish(Stage.LOST, now_us)  # whichever it runs, that is whole
            elif now_us - self._said_us >= ASK_US:
                self._retell(now_us)
        elif now_us - self._begun_us > AWAKE_US:
            silent = Stage.LOST if self._stage is Stage.SENDING else Stage.ASLEEP
            self._finish(Stage.MOVED if self._hindered else silent, now_us)
        elif now_us - self._said_us >= (AGAIN_US if self._stage is Stage.SENDING else ASK_US):
            self._retell(now_us)

    # --- one stopper --------------------------------------------------------------------------

    @property
    def _stage(self) -> Stage:
        return Stage.WAITING if self._now is None else self._shown[self._now].stage

    def _answer(self, state: str, seen: Observation) -> None:
        starting = self._stage is Stage.STARTING
        match state:
            case "nothing" if starting and self._boots:
                self._finish(Stage.DONE if self._boots == 1 else Stage.BACK, seen.at_us)
            case "trial" if starting:
                self._says(seen.at_us, "UPDATE_DO", deed=LOOK)
            case "trial":  # of an update before
                self._finish(Stage.TRIES, seen.at_us)
            case "wants" if not (starting and self._boots):
                self._piece(seen)
            case "whole" if not starting:
                self._set_stage(Stage.STARTING, 100)
                self._begun_us, self._boots = seen.at_us, 0
                self._says(seen.at_us, "UPDATE_DO", deed=RUN)
            case "nothing" if self._stage is Stage.SENDING:  # it has started over meanwhile
                if self._asked < TRIES:
                    self._ask(seen.at_us)
                else:
                    self._finish(Stage.FAILED, seen.at_us)
            case "moved":  # it may be set down again
                self._hindered = True
            case _ if state in REFUSED:
                self._finish(REFUSED[state], seen.at_us)

    def _piece(self, seen: Observation) -> None:
        file, offset = seen.fields["file"], seen.fields["offset"]
        if file >= len(self._parts):
            return
        before = sum(map(len, self._parts[:file])) + offset
        self._set_stage(Stage.SENDING, 100 * before // sum(map(len, self._parts)))
        self._begun_us = seen.at_us
        data = self._parts[file][offset : offset + PIECE]
        self._says(seen.at_us, "UPDATE_PIECE", file=file, offset=offset, data=data)

    def _next(self, now_us: int) -> None:
        self._now = next((n for n, o in self._shown.items() if o.stage is Stage.WAITING), None)
        if self._now is None:
            return
        self._sent = (self._sent + 1) & 0xFFFF
        self._boot, self._boots = -1, 0
        self._asked = 0
        self._ask(now_us)

    def _ask(self, now_us: int) -> None:
        self._begun_us, self._asked, self._hindered = now_us, self._asked + 1, False
        self._set_stage(Stage.ASKED, 0)
        listed = self._parts[0]
        about = {"kind": KIND, "firmware": self._firmware.version, "size": len(listed)}
        self._says(now_us, "UPDATE_BEGIN", **about, hash=sha256(listed).digest())

    def _set_stage(self, stage: Stage, percent: int) -> None:
        if self._now is not None:
            self._shown[self._now] = UpdateShown(self._now, stage, percent)

    def _finish(self, stage: Stage, now_us: int) -> None:
        if self._now is not None:
            self._shown[self._now] = replace(self._shown[self._now], stage=stage)
        self._next(now_us)

    def _says(self, now_us: int, name: str, **fields: int | bytes) -> None:
        """Say something, and again until there is an answer."""
        self._retell = lambda at_us: self._tell(at_us, name, **fields)
        self._retell(now_us)

    def _tell(self, now_us: int, name: str, **fields: int | bytes) -> None:
        self._said_us = now_us
        if self._now is not None:
            self._send(now_us, self._nodes[self._now], name, update=self._sent, **fields)
