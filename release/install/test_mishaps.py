"""A full card and a power cut: what was used before is used still. With --full at every step."""

import errno
import os
import secrets
import shutil
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from companion.cli.install import releases
from companion.system import signals
from companion.system.errors import CompanionError
from release.install.roots import BOOT, HOSTS, Pi, Tools

CHANGES = ("open", "mkdir", "chmod", "replace", "rename", "rmdir", "symlink", "unlink")  # of `os`
OLD, NEW = "0.1.0-old", "0.2.0-new"
Called = Callable[[str], None]


class PowerCut(BaseException):
    """Nothing runs any more."""


def no_room() -> BaseException:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


ENDS: Final[dict[Callable[[], BaseException], str]] = {no_room: "told", PowerCut: "cut"}


@dataclass
class Card:
    """Counts what changes the card, and fails at one of these steps and at all that follow."""

    fails_at: int = 1 << 30
    mishap: Callable[[], BaseException] = PowerCut
    steps: int = 0

    def step(self, *, makes_room: bool = False) -> None:
        self.steps += 1
        if self.steps > self.fails_at and not (makes_room and self.mishap is no_room):
            raise self.mishap()

    def guard(self, patch: pytest.MonkeyPatch) -> None:
        for name in CHANGES:
            patch.setattr(os, name, self._guarded(name, getattr(os, name)))
        patch.setattr(shutil, "copyfile", self._guarded("copyfile", shutil.copyfile))

    def _guarded(self, name: str, act: Callable[..., object]) -> Callable[..., object]:
        def guarded(*words: object, **more: object) -> object:
            reads = name == "open" and not int(str(words[1])) & (os.O_WRONLY | os.O_RDWR)
            if not reads:
                self.step(makes_room=name in {"unlink", "rmdir"})
            return act(*words, **more)

        return guarded


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(secrets, "choice", lambda letters: letters[0])
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of them: no power is cut here


@pytest.fixture
def called(monkeypatch: pytest.MonkeyPatch) -> Called:
    """Let this program be some version."""
    return lambda name: monkeypatch.setattr(releases, "name", lambda: name)


def nothing_there(_: Pi, called: Called) -> None:
    called(OLD)


def an_older_one(pi: Pi, called: Called) -> None:
    called(OLD)
    pi.carry_out("install", hotspot=True)
    called(NEW)


def two_of_them(pi: Pi, called: Called) -> None:
    an_older_one(pi, called)
    pi.carry_out("install", hotspot=True)


@dataclass(frozen=True)
class Task:
    """What is done to a Pi, and what was done before."""

    command: str
    before: Callable[[Pi, Called], None]
    options: tuple[str, ...] = ()

    def carry_out(self, pi: Pi, card: Card | None = None) -> str:
        """Do it, on a card that may fail; return how it ends."""
        try:
            with pytest.MonkeyPatch.context() as patch:
                if card is not None:
                    card.guard(patch)
                pi.carry_out(self.command, **dict.fromkeys(self.options, True))
        except CompanionError:
            return "told"
        except PowerCut:
            return "cut"
        return "done"


TASKS = {
    "install": Task("install", nothing_there, ("hotspot",)),
    "upgrade": Task("install", an_older_one, ("hotspot",)),
    "roll back": Task("roll_back", two_of_them),
    "uninstall": Task("uninstall", an_older_one),
    "purge": Task("uninstall", an_older_one, ("purge",)),
}


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("mishap", ENDS, ids=["full card", "power cut"])
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_after_a_mishap_at_any_step_the_table_starts_and_the_same_once_more_ends_well(
    pi: Pi, called: Called, task: Task, mishap: Callable[[], BaseException], full: bool
) -> None:
    task.before(pi, called)
    whole = Card()
    assert task.carry_out(pi, whole) == "done"
    whole_tree, ends = without_leftovers(pi), []
    for step in range(0, whole.steps, 1 if full else 3):
        shutil.rmtree(pi.root)
        pi = Pi(pi.root)
        task.before(pi, called)
        used = pi.places.current.is_symlink()
        ends.append(task.carry_out(pi, Card(step, mishap)))
        whatever_happened(pi, used=used and task.command != "uninstall")
        task.carry_out(pi)  # refused, if it was uninstalled already
        if task.command != "roll_back":  # which goes forward again, if it was nearly done
            assert without_leftovers(pi) == whole_tree, step
    assert set(ends) in ({ENDS[mishap]}, {ENDS[mishap], "done"})  # what is not needed is let be


def without_leftovers(pi: Pi) -> dict[str, tuple[int, str]]:
    return {name: said for name, said in pi.tree().items() if not name.endswith(".new")}


def whatever_happened(pi: Pi, *, used: bool) -> None:
    """Check what must hold at any moment."""
    if used:
        assert releases.is_whole(pi.places.current), "no version that starts"
        assert pi.places.config.is_file()
    assert HOSTS in pi.read("etc/hosts")
    assert pi.read("boot/firmware/config.txt").startswith(BOOT)
    assert pi.read("etc/hostname") in {"raspberrypi\n", "rappelwacht\n"}
    hotspot = pi.places.hotspot
    for path in (hotspot, hotspot.with_name(f".{hotspot.name}.new")):
        assert not path.exists() or path.stat().st_mode & 0o077 == 0


def test_wherever_the_power_goes_while_a_version_takes_its_own_place_there_is_one(
    pi: Pi, called: Called
) -> None:
    """As after an upgrade of Debian, whose Python needs the same version made again."""
    called(OLD)
    take_place, steps = releases._take_place, 0

    def renew(fails_at: int = 1 << 30) -> int:
        pi.carry_out("install")
        (pi.places.current / releases.WHOLE).write_text("Python 3.1.0\n", "utf-8")
        card = Card(fails_at)

        def taken(new: Path, folder: Path) -> None:
            with pytest.MonkeyPatch.context() as patch:
                card.guard(patch)
                take_place(new, folder)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(releases, "_take_place", taken)
            with suppress(PowerCut):
                releases.provide(pi.places, pi.tools.run)
        return card.steps

    for step in range(renew()):
        steps += renew(step)
        assert (pi.places.current / "hardware/service").is_dir(), step
        pi.carry_out("install")
        assert releases.is_whole(pi.places.current)
        assert [folder.name for folder in pi.places.releases.iterdir()] == [OLD]
    assert steps > 5


@dataclass
class Stopping(Tools):
    """Tools of which somebody stops the program during one."""

    stops_at: int = 0

    def run(self, words: Sequence[str]) -> int:
        code = super().run(words)
        if len(self.calls) == self.stops_at:
            os.kill(os.getpid(), signal.SIGTERM)
        signals.check()  # as the real one does
        return code


def test_stopped_during_any_tool_it_has_one_version_whole_and_no_half(
    pi: Pi, called: Called
) -> None:
    an_older_one(pi, called)
    pi.tools.calls.clear()
    pi.carry_out("install")
    count, used = len(pi.tools.calls), []
    for stops_at in range(1, count + 1):
        shutil.rmtree(pi.root)
        pi = Pi(pi.root)
        an_older_one(pi, called)
        pi.tools = tools = Stopping(stops_at=stops_at)
        with signals.handled(), pytest.raises(signals.Stopped):
            pi.carry_out("install")
        used.append(releases.in_use(pi.places))
        kept = [OLD] if used[-1] == OLD else [OLD, NEW]
        assert sorted(one.name for one in pi.places.releases.iterdir()) == kept
        assert bool(tools.asked("enable")) == (used[-1] == NEW)
    before = used.count(OLD)
    assert used == [OLD] * before + [NEW] * (count - before)
    assert 0 < before < count


def test_half_a_version_does_not_stay_on_a_full_card(pi: Pi, called: Called) -> None:
    an_older_one(pi, called)
    with pytest.MonkeyPatch.context() as patch:
        Card(20, no_room).guard(patch)
        with pytest.raises(CompanionError, match="cannot be changed: No space left on device"):
            pi.carry_out("install")
    assert [one.name for one in pi.places.releases.iterdir()] == [OLD]


def test_a_card_that_does_not_keep_what_is_written_gets_no_new_version(
    pi: Pi, called: Called
) -> None:
    an_older_one(pi, called)
    pi.tools.failing = ("sync --file-system",)
    with pytest.raises(CompanionError, match="use another"):
        pi.carry_out("install")
    assert pi.places.current.readlink().name == OLD


def test_a_switch_that_was_cut_off_leaves_nothing_to_go_back_to(pi: Pi, called: Called) -> None:
    an_older_one(pi, called)
    pi.places.previous.symlink_to(pi.places.current.readlink())
    with pytest.raises(CompanionError, match="no version to go back to"):
        pi.carry_out("roll_back")
