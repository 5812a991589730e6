"""Another version by the Workshop page: checked, tried out, and back by itself if it is ill."""

import contextlib
import json
import random
import shutil
import sys
from collections.abc import Iterator

import pytest

from companion.cli.install import care as root_care
from companion.cli.install import own_wifi, releases, system
from companion.cli.install.care import TRIAL, CareHealth, CareTrial
from companion.cli.install.places import Places
from companion.maintenance import care
from companion.maintenance.backup import read_backup
from companion.maintenance.care import CareState
from release.install.updates import NEW, OLD, WELL, Making, Updated, play, unchanged


def test_a_signed_newer_version_is_used_once_it_is_well(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.DONE, NEW)
    assert str(answered.sentence) == "Rappelwacht 9.9.9 is used now."
    assert table.pi.places.previous.readlink().name == OLD
    assert table.is_tidy()
    assert not (care.request_folder(table.table) / care.UPDATE).exists()  # cards are small
    words = " ".join(next(words for words in table.pi.tools.calls if "companion" in words))
    assert "--keep-name" in words
    assert f"--port {table.port}" in words


def test_what_it_needs_comes_from_the_file_alone(table: Updated, making: Making) -> None:
    calls = len(table.pi.tools.calls)
    table.lay(making.zip())
    table.ask()
    words = [word for call in table.pi.tools.calls[calls:] for word in call]
    assert "apt-get" not in words
    assert "--from" in words


def test_a_backup_is_made_before(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    table.ask()
    file = care.request_folder(table.table) / "before-update-table.zip"
    assert read_backup(file).counts() == {"matches": 1}
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_table_with_software_barrels_is_backed_up_and_not_disturbed_either(
    table: Updated, making: Making
) -> None:
    apart = table.table / "simulated"
    apart.mkdir()
    play(apart, over=True)
    table.lay(making.zip())
    assert table.ask().state is CareState.DONE
    held = read_backup(care.request_folder(table.table) / "before-update-table.zip").files
    assert [file.name.rpartition("/")[0] for file in held].count("simulated/journal") == 1
    play(apart, over=False)
    assert "A match is not finished" in str(table.ask("roll_back").sentence)
    assert care.request_folder(apart) == care.request_folder(table.table)
    assert care.is_there(apart)


@pytest.mark.parametrize(
    ("ill", "why"),
    [
        ({"/": None}, "its page does not open"),
        ({"/api/matches?limit=500": None}, "it cannot read what was played"),
        ({"/api/matches?limit=500": {"matches": [1]}}, "it cannot read what was played"),
        ({"/api/matches?limit=500": {"matches": 7}}, "it cannot read what was played"),
        ({"/api/workshop": {"hub_firmware": None}}, "it does not hear the hub"),
    ],
)
def test_a_version_that_is_not_well_is_left_within_a_minute_and_it_is_said_why(
    table: Updated, making: Making, ill: dict[str, object], why: str
) -> None:
    before = table.pi.tree()
    table.ill = ill
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert str(answered.sentence).startswith("Rappelwacht 0.1.0 is used again, as")
    assert why in str(answered.sentence)
    assert table.now_s < 50  # and then it starts, which takes ten seconds
    assert table.is_tidy()
    assert not (table.pi.places.releases / NEW).exists()
    assert unchanged(before, table.pi.tree())


def test_a_version_that_does_not_start_is_left(table: Updated, making: Making) -> None:
    table.starts = False
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert "it does not start" in str(answered.sentence)
    assert table.is_tidy()


def test_what_was_not_well_before_need_not_be_afterwards(table: Updated, making: Making) -> None:
    table.ill = {"/api/workshop": {"hub_firmware": None}}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(WELL, "/api/workshop", {"hub_firmware": None})
        table.lay(making.zip())
        assert table.ask().state is CareState.DONE
    assert table.used == NEW


def test_what_cannot_be_installed_changes_nothing(table: Updated, making: Making) -> None:
    before = table.pi.tree()
    table.pi.tools.failing = ("requirements.lock",)
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state, table.used) == (CareState.REFUSED, OLD)
    assert unchanged(before, table.pi.tree())


def test_one_can_go_back_and_forth(table: Updated, making: Making) -> None:
    table.lay(making.zip())
    table.ask()
    assert str(table.ask("roll_back").sentence) == "Rappelwacht 0.1.0 is used now."
    assert table.used == OLD
    table.ill = {"/": None}
    answered = table.ask("roll_back")
    assert (answered.state, table.used) == (CareState.BACK, OLD)
    assert "its page does not open" in str(answered.sentence)


def test_there_is_nothing_to_go_back_to_after_the_first(table: Updated) -> None:
    answered = table.ask("roll_back")
    assert answered.state is CareState.REFUSED
    assert "no version to go back to" in str(answered.sentence)


def test_never_in_the_middle_of_a_match(table: Updated, making: Making) -> None:
    play(table.table, over=False)
    table.lay(making.zip())
    for verb in ("update", "roll_back"):
        answered = table.ask(verb)
        assert (answered.state, table.used) == (CareState.REFUSED, OLD)
        assert "A match is not finished" in str(answered.sentence)


def test_the_newest_file_on_the_card_is_taken(table: Updated, making: Making) -> None:
    card = table.pi.root / "boot/firmware"
    for version in ("0.9", "9.9.9"):
        shutil.copy2(making.zip(version), card)
    (card / "rappelwacht-99-card.zip.part").touch()
    assert table.ask(source="card").state is CareState.DONE
    assert table.used == NEW


def test_without_a_file_it_says_so(table: Updated) -> None:
    assert "send it once more" in str(table.ask().sentence)
    assert "lies on the card" in str(table.ask(source="card").sentence)


# --- cut off --------------------------------------------------------------------------------------


class Cut(BaseException):
    """The power goes."""


class Power:
    """Lets the power go at the n-th thing that is done to files or programs, and stay away."""

    EVENTS = ("open", "os.", "shutil.", "subprocess.")

    def __init__(self) -> None:
        self.left: int | None = None
        self.root = ""
        sys.addaudithook(self._hear)

    def _hear(self, event: str, words: tuple[object, ...]) -> None:
        if self.left is None or not event.startswith(self.EVENTS):
            return
        if self.root not in " ".join(map(str, words)):
            return
        self.left -= 1
        if self.left < 0:
            raise Cut

    @contextlib.contextmanager
    def lasting(self, steps: int) -> Iterator[list[Cut]]:
        """Have it go after so many; what is lent is not empty afterwards if it did."""
        went = list[Cut]()
        self.left = steps
        try:
            yield went
        except Cut as cut:
            went.append(cut)
        finally:
            self.left = None


@pytest.fixture(scope="session")
def power() -> Power:
    return Power()


@pytest.mark.parametrize("verb", ["update", "roll_back"])
@pytest.mark.parametrize("ill", [False, True])
def test_wherever_the_power_goes_a_whole_version_runs_afterwards(  # noqa: PLR0917 - two matrices
    table: Updated, making: Making, power: Power, verb: str, ill: bool, full: bool
) -> None:
    """A new one that is well, or all is as it was; also if it goes again while that is done."""
    power.root = str(table.pi.root)
    table.lay(making.zip())
    if verb == "roll_back":
        table.ask()
        table.ask(verb)  # so that going back leads to the newer one
    template = table.pi.root.with_name("template")
    shutil.copytree(table.pi.root, template, symlinks=True)
    table.ill = {"/": None} if ill else {}
    words = {"source": "file"} if verb == "update" else {}
    source, steps, used = random.Random(36), 0, list[str]()
    while True:
        shutil.rmtree(table.pi.root)
        shutil.copytree(template, table.pi.root, symlinks=True)
        care.ask(table.table, verb, table.port, **words)
        with power.lasting(steps) as went:
            root_care.carry_out(table.pi.places, table.run, table.clock_s, table.wait)
        if not went:
            break
        with power.lasting(source.randrange(2 * steps + 20)):
            table.restart()
        table.restart()
        used.append(table.used)
        assert_whole(table, steps)
        steps += 1 if full else source.randrange(1, 25)
    assert steps > 50
    assert table.used == (OLD if ill else NEW)
    assert {*used} == ({OLD} if ill else {OLD, NEW})


def assert_whole(table: Updated, steps: int) -> None:
    """The system's files are those of the version that is used, and nothing is left behind."""
    assert releases.is_whole(table.pi.places.current), steps
    left = {path.name for path in table.pi.places.care.iterdir()}
    assert left <= {care.ANSWER, f".{care.ANSWER}.new", f".{TRIAL.name}.new"}, steps
    assert not care.is_busy(table.table), steps
    for name, place in system.TABLE.files.items():
        ours = table.pi.places.current / "hardware/service" / name
        assert (table.pi.root / place).read_bytes() == ours.read_bytes(), (steps, name)
    answered = care.answer(table.table)
    assert answered is None or answered.state is not CareState.DOING, steps


@pytest.mark.parametrize("had", [OLD, None])
def test_what_another_version_wrote_down_stops_nothing(table: Updated, had: str | None) -> None:
    place = table.pi.places.care
    (place / TRIAL.name).write_text(json.dumps({"request": "1", "had": had, "what": "is this?"}))
    assert root_care.finish(table.pi.places, table.run) is CareState.REFUSED
    assert table.is_tidy()


def test_a_shutdown_that_was_cut_off_is_not_done_again(table: Updated) -> None:
    TRIAL.save(
        table.pi.places.care, CareTrial("0" * 16, "shut_down", 8000, None, None, CareHealth())
    )
    calls = len(table.pi.tools.calls)
    assert table.restarted().state is CareState.DONE
    assert len(table.pi.tools.calls) == calls
    assert root_care.finish(table.pi.places, table.run) is None


@pytest.mark.parametrize("verb", ["wifi_own", "wifi_home"])
def test_a_move_to_another_wifi_that_was_cut_off_is_cleared_away(
    table: Updated, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared = list[Places]()
    monkeypatch.setattr(own_wifi, "clear", cleared.append)
    for begun in (verb, "restart"):
        TRIAL.save(table.pi.places.care, CareTrial("0" * 16, begun, 8000))
        assert table.restarted().state is CareState.REFUSED
    assert [places.root for places in cleared] == [table.pi.root]


@pytest.mark.parametrize(
    ("said", "lasts"),
    [
        ("overlayroot=tmpfs:recurse=0 console=tty1 rootwait", False),
        ("boot=overlay console=tty1", False),
        ("console=tty1 overlayroot=disabled rootwait", True),
        ("console=tty1 root=PARTUUID=1-2 rootwait", True),
    ],
)
def test_nothing_is_installed_that_the_computer_forgets(
    table: Updated, making: Making, said: str, *, lasts: bool
) -> None:
    cmdline = table.pi.root / "proc/cmdline"
    cmdline.parent.mkdir()
    cmdline.write_text(said)
    table.lay(making.zip())
    answered = table.ask()
    assert (answered.state is CareState.DONE) == lasts
    assert ("Overlay File System" in str(answered.sentence)) != lasts
    assert table.used == (NEW if lasts else OLD)
    assert table.is_tidy()
