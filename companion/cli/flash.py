"""`flash`: puts firmware on a stopper or a hub, or on all stoppers in a row."""

from argparse import Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from companion.cli import flash_board
from companion.cli.flash_board import (
    STAGES,
    BoardFacts,
    ConnectedBoard,
    FlashedBoard,
    Plugged,
    plugged,
    the_only,
)
from companion.devices import stopper_registry
from companion.devices.firmware.image import KINDS
from companion.i18n.translate import Translatable
from companion.present.terminal import BOLD, FAINT, TerminalScreen, bar, show_progress
from companion.sensing.settings import BARRELS
from companion.system import errors, paths, signals, text

KIND: Final = KINDS["stopper"]
AGAIN_S: Final = 0.5
GONE: Final = 4  # looks without it: a board that starts over is away for less


def flash_in_a_row(folder: Path, screen: TerminalScreen) -> int:
    """Flash stoppers until all of a table have this firmware, or somebody ends it."""
    row = FlashBatch(folder, screen)
    row.begin()
    try:
        while not row.complete:
            row.next()
    finally:  # after Ctrl-C, too
        row.end()
    return SICK if row.failed else 0


class FlashBatch:
    def __init__(self, folder: Path, screen: TerminalScreen) -> None:
        self._folder, self._screen = folder, screen
        self._files: Mapping[str, bytes] = {}
        self._told: dict[int, Translatable] = {}  # what came of each number now
        self.failed: dict[Plugged, Translatable] = {}
        self._last: Plugged | None = None  # what was seen to last, until it is taken out

    @property
    def _done(self) -> tuple[stopper_registry.Stopper, ...]:
        return flash_board.up_to_date(self._folder, stopper_registry.load(self._folder), KIND)

    @property
    def complete(self) -> bool:
        """Whether all thirteen have it."""
        return len(self._done) >= BARRELS

    def begin(self) -> None:
        """Say what comes, and what is done already."""
        self._screen.tell(
            "One stopper after another: plug one in, leave it until it is done, then take the "
            "next. Ctrl-C stops; the same command carries on from there."
        )
        if before := self._done:
            numbers = tuple(str(stopper.number) for stopper in before)
            self._screen.tell("Already done with this firmware: {stoppers:and}.", stoppers=numbers)
        if not self.complete:
            self._files = flash_board.ready(KIND, self._screen)

    def next(self) -> None:
        """Wait for the next board, and see to it."""
        self._last = here = self._wait()
        try:
            board = ConnectedBoard(here.port, KIND.picture)
            facts = flash_board.board_facts(board, KIND)
            done = next((known for known in self._done if known.node == facts.node), None)
            if done is not None and facts.runs:
                self._screen.tell("This is stopper {number}, which is done.", number=done.number)
                board.reset()
                return
            self._flash(here, board, facts)
        except errors.CompanionError as error:
            self._fails(here, error)

    def end(self) -> None:
        screen, done = self._screen, {stopper.number: stopper for stopper in self._done}
        screen.line()
        for number in range(1, BARRELS + 1):
            address = done[number].node.hex(":") if number in done else "–"
            outcome = self._told.get(
                number, text.Text("done before") if number in done else text.Text("missing")
            )
            style = "" if number in self._told else FAINT
            screen.line(f"{number:>4}  {address:<17}  {screen.say(outcome)}", style)
        for board, error in self.failed.items():
            address = board.serial.lower() or board.port
            screen.lines(f"   !  {address:<17}  {screen.say(error)}", hang=" " * 25, style=BOLD)
        screen.tell("{count} of {all} stoppers are done.", count=len(done), all=BARRELS)
        if self._told:
            screen.tell("A running table knows them after a restart.")

    def _wait(self) -> Plugged:
        """Return the next board, as soon as it is the only one."""
        self._screen.tell(
            "{count} of {all} are done; plug in the next one.", count=len(self._done), all=BARRELS
        )
        complained, away = tuple[Plugged, ...](), 0
        while True:
            there = plugged(KIND.name)
            away = 0 if self._last in there else away + 1
            if away >= GONE:
                self._last = None
            if len(there) == 1 and there[0] != self._last:
                return there[0]
            if len(there) > 1 and there != complained:
                complained = there
                self._screen.tell(
                    "{count} boards are plugged in, at {ports:and}: which one is it? Leave one, "
                    "and unplug the others.",
                    count=len(there),
                    ports=tuple(board.port for board in there),
                )
            signals.sleep(AGAIN_S)

    def _flash(self, here: Plugged, board: ConnectedBoard, facts: BoardFacts) -> None:
        self._screen.tell("{node} is being flashed; leave it plugged in.", node=facts.node.hex(":"))
        try:
            done = flash_board.flash(board, KIND, facts, self._files, self._folder, staged=_show)
        finally:
            show_progress("")
        if not done.sound and done.tried is not None:
            self._fails(here, text.Text(done.tried.value))
        elif done.stopper is not None:
            self.failed.pop(here, None)
            self._succeeds(done, done.stopper)

    def _succeeds(self, done: FlashedBoard, stopper: stopper_registry.Stopper) -> None:
        assert done.tried is not None
        outcome = text.Text(
            "firmware {version}. {tried}", version=done.version, tried=text.Text(done.tried.value)
        )
        self._told[stopper.number] = outcome
        self._screen.tell("Stopper {number}: {told}", number=stopper.number, told=outcome)
        self._screen.tell("Write {number} inside its cap, and take it out.", number=stopper.number)

    def _fails(self, here: Plugged, why: Translatable) -> None:
        self.failed[here] = why
        self._screen.lines("! " + self._screen.say(why), hang="  ", style=BOLD)
        self._screen.tell("Take it out and go on with the next; you can try this one again.")


def _show(stages: int) -> None:
    show_progress(bar(100 * stages // STAGES))


SICK: Final = 1  # the exit code where all was written, and a part of the board does not work


def flash(options: Namespace, screen: TerminalScreen) -> int:
    """Flash one board, or one stopper after another."""
    kind = KINDS[options.kind]
    if options.all:
        if kind.name != "stopper" or options.number is not None or options.port is not None:
            raise errors.CompanionError(
                "--all is for stoppers, finds the port by itself, and gives each the next "
                "number; all you need is: {program} flash stopper --all",
                program=text.program(),
            )
        return flash_in_a_row(
            paths.ensure_private_folder(paths.kept_in(options.folder, "table")), screen
        )
    board = ConnectedBoard(options.port or the_only(kind.name), kind.picture)
    screen.tell("Connecting to the board at {port} …", port=board.port)
    facts = flash_board.board_facts(board, kind)  # first: a wrong port is refused at once
    screen.tell(
        "The {board} {node} at {port} is being flashed; leave it plugged in.",
        board=kind.name,
        node=facts.node.hex(":"),
        port=board.port,
    )
    folder = paths.ensure_private_folder(paths.kept_in(options.folder, "table"))
    files = flash_board.ready(kind, screen)
    done = flash_board.flash(board, kind, facts, files, folder, options.number)
    if done.stopper is not None:
        screen.tell(
            "It is stopper {number}: write that inside its cap. A running table knows it after a "
            "restart.",
            number=done.stopper.number,
        )
    if done.replaced:
        screen.tell(
            "The board that was stopper {number} until now no longer belongs to this table; "
            "flash it too if it is to stay in play.",
            number=done.stopper.number if done.stopper else 0,
        )
    screen.tell(
        "Done: it runs firmware {version}, and every file was read back.", version=done.version
    )
    if done.tried is not None:
        screen.tell(done.tried.value)
    return 0 if done.sound else SICK
