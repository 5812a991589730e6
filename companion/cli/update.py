"""`update`: the table that runs here gives its stoppers the newest firmware by radio.

It asks the table as a phone does, by the PIN that lies in the table's folder. It must not know how
the firmware goes there; the page *Workshop* does the same by a button.
"""

import secrets
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final

from companion.cli.install.match_guard import RunningTable
from companion.i18n.translate import Translatable
from companion.maintenance import updates
from companion.maintenance.stopper_status import shipped_version
from companion.present.terminal import BOLD, TerminalScreen, bar, show_progress
from companion.system import errors, paths, private_files, signals
from companion.system.small_files import object_in
from companion.system.text import Text
from companion.web.common.server import USUAL_PORT
from companion.web.pairing_store import PIN

LOOK_S: Final = 0.5
SICK: Final = 1  # the exit code where somebody has not got it
BEGINS, STOPS = "update-stoppers", "stop-updating"

SOURCES: Final = Text(
    "mpy-cross is not installed here, so sources are sent, which takes longer: about 40 s each "
    "instead of 25."
)


def update(options: Namespace, screen: TerminalScreen) -> int:
    """Update all stoppers that need it, or some; 1 if one of them has not got it."""
    port = USUAL_PORT if options.port is None else options.port
    table = UpdatingTable(port, screen.language)
    opened = _opened(table.shown(), port)
    chosen = _chosen(opened, options.stoppers)
    due = [number for number in opened["outdated"] if number in chosen]
    going_on = any(not _stage(update).over for update in opened["updates"])
    if not (due or going_on):
        return _told(screen, {number: _why(opened, number) for number in chosen})
    table.enter(_pin(paths.kept_in(options.folder, "table"), screen))
    try:
        if going_on:
            screen.tell("Stoppers are already being updated; this is how far they are.")
        else:
            screen.tell(
                "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#gets|get} firmware "
                "{version}; leave the barrels standing.",
                stoppers=tuple(map(str, due)),
                version=shipped_version("stopper"),
            )
            if opened["sends_sources"]:
                screen.lines(screen.say(SOURCES))
            table.wish({"kind": BEGINS, "stoppers": due})
        came = _follow(table, screen, due)
    except KeyboardInterrupt:
        with suppress(errors.CompanionError):
            table.wish({"kind": STOPS})
        raise
    finally:
        table.leave()
    rest = [number for number in chosen if number not in came]
    return _told(screen, came | {number: _why(opened, number) for number in rest})


class UpdatingTable(RunningTable):
    """The table that runs here, and what is asked of it."""

    def shown(self) -> dict[str, Any]:
        _, opened = self._asked("GET", "/api/workshop")
        return opened

    def enter(self, pin: str) -> None:
        self._demand(*self._asked("POST", "/api/pair", {"pin": pin}))

    def wish(self, wish: Mapping[str, object]) -> None:
        """Have something done; CompanionError: why not, in the table's own words."""
        asked = {"request": secrets.token_hex(8), "wish": wish}
        self._demand(*self._asked("POST", "/api/commands", asked))

    def leave(self) -> None:
        """Sign out."""
        with suppress(errors.CompanionError):
            self._asked("POST", "/api/unpair", {})

    def _demand(self, status: int, answered: Mapping[str, Any]) -> None:
        if status != 200:
            error = answered.get("error")
            sentence = error.get("sentence") if isinstance(error, dict) else None
            raise errors.CompanionError("{reason}", reason=sentence or status)

    def _asked(
        self, how: str, path: str, body: Mapping[str, object] | None = None
    ) -> tuple[int, dict[str, Any]]:
        try:
            status, data = self.call(how, path, body)
            return status, object_in(data)
        except (OSError, HTTPException, ValueError, TypeError):
            raise _absent(self.port) from None


def _absent(port: int) -> errors.CompanionError:
    return errors.CompanionError(
        "No table answers at port {port}, and only a running table can send the firmware: start "
        "it, or name its port with --port.",
        port=port,
    )


def _pin(folder: Path, screen: TerminalScreen) -> str:
    """Return what lets phones in: out of the table's folder, or typed by who sees it."""
    try:
        return private_files.read(folder / PIN, 100).decode().strip()
    except (OSError, UnicodeDecodeError):
        return screen.ask(screen.say(Text("PIN from the 'Join' page: ")))


def _opened(shown: Mapping[str, Any], port: int) -> dict[str, Any]:
    if "stoppers" not in shown:
        raise _absent(port)
    opened = shown.get("opened")
    if not isinstance(opened, dict):
        raise errors.CompanionError(
            "No stopper is updated while a match is being played; finish it or give it up first."
        )
    return opened


def _chosen(opened: Mapping[str, Any], wanted: Sequence[int] | None) -> list[int]:
    """Return whom it is about: all, or those that were named."""
    known = [stopper["number"] for stopper in opened["stoppers"]]
    for number in wanted or ():
        if number not in known:
            raise errors.CompanionError("This table has no stopper {number}.", number=number)
    return known if not wanted else sorted({*wanted})


def _stage(shown: Mapping[str, Any]) -> updates.Stage:
    return updates.Stage[shown["stage"].upper()]


def _why(opened: Mapping[str, Any], number: int) -> tuple[bool, Translatable]:
    """Return whether one that is not updated is well as it is, and why it is not."""
    runs = next(
        stopper["firmware"] for stopper in opened["stoppers"] if stopper["number"] == number
    )
    if runs is None:
        return False, Text("has not been heard yet: lift its barrel, and update again")
    if runs == shipped_version("stopper"):
        return True, Text("already runs firmware {version}", version=runs)
    return False, Text("runs firmware {version}: flash it by USB once", version=runs)


def _follow(
    table: UpdatingTable,
    screen: TerminalScreen,
    due: Sequence[int],
    sleep: Callable[[float], None] = signals.sleep,
) -> dict[int, tuple[bool, Translatable]]:
    """Show how far each is, until all is over."""
    came = dict[int, tuple[bool, Translatable]]()
    while True:
        opened = table.shown().get("opened")
        if not isinstance(opened, dict):
            screen.tell(
                "A match is beginning, so no more is sent; what has arrived need not be sent again."
            )
            ended = (False, Text("was still waiting when a match began"))
            return dict.fromkeys(due, ended) | came
        for update in opened["updates"]:
            stage, number = _stage(update), update["number"]
            if stage.over and number not in came:
                came[number] = stage is updates.Stage.DONE, Text(stage.said)
                show_progress("")
                screen.tell("Stopper {number}: {told}", number=number, told=Text(stage.said))
            elif not stage.over and stage is not updates.Stage.WAITING:
                sentence = screen.say(Text(stage.said))
                show_progress(f"{number:>4}  {bar(update['percent'])}  {sentence}")
        if all(_stage(update).over for update in opened["updates"]):
            return came
        sleep(LOOK_S)


def _told(screen: TerminalScreen, came: Mapping[int, tuple[bool, Translatable]]) -> int:
    screen.line()
    for number, (well, sentence) in sorted(came.items()):
        screen.line(f"{number:>4}  {screen.say(sentence)}", "" if well else BOLD)
    return 0 if all(well for well, _ in came.values()) else SICK
