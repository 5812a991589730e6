"""Installing into a folder: what is there afterwards, and that doing it again changes nothing."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.cli import install
from companion.cli.install import releases
from companion.cli.install.places import FILES, SHARED
from companion.cli.main import main
from companion.journal import Journal, NewEntry
from companion.referee.commands import Command, GiveUp
from companion.referee.handlers import usual_match
from companion.system import config
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from companion.system.text import DOOR
from companion.table.table import Table
from companion.table.table_config import Pages, TableConfig
from release.install.roots import BOOT, HOSTS, ROOT, Pi

NEWER = "0.2.0-0000000000"


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let this program be a newer version than the one that is installed."""
    monkeypatch.setattr(releases, "name", lambda: NEWER)


def used(pi: Pi) -> str:
    return pi.places.current.readlink().name


def begin_a_match(pi: Pi, *, over: bool = False) -> None:
    folder = pi.places.data / "table"
    folder.mkdir(parents=True)
    journal = Journal(folder / JOURNAL)
    match = journal.start(NewEntry("begun", {}))
    if over:
        journal.append(match, 1, NewEntry("won", {}, ends=True))
    journal.close()


def test_all_that_a_table_needs_is_there_afterwards(pi: Pi) -> None:
    assert pi.carry_out("install") == 0
    for place in FILES.values():
        assert (pi.root / place).is_file(), place
    assert pi.read("etc/rappelwacht/table.toml") == config.TEMPLATE
    assert pi.read("etc/hostname") == "rappelwacht\n"
    assert "127.0.1.1 rappelwacht" in pi.read("etc/hosts")
    assert re.search(
        r"^dtparam=i2c_arm=on,i2c_arm_baudrate=400000$",
        pi.read("boot/firmware/config.txt"),
        re.MULTILINE,
    )
    assert "Restart the Pi once" in pi.out.getvalue()
    told = " ".join(pi.out.getvalue().split())
    assert "On a phone, open rappelwacht.local:1." in told  # the port of these tests
    assert "To see the PIN, run: sudo cat " in told
    assert f"{pi.root}/var/lib/rappelwacht/table/phone.pin" in "".join(told.split())
    assert [
        "systemctl",
        f"--root={pi.root}",
        "enable",
        "--no-reload",
        "rappelwacht.service",
    ] in pi.tools.calls
    assert pi.tools.asked("systemd-sysusers")
    assert not pi.tools.asked("restart")  # it is only a folder


def test_the_installed_program_is_a_whole_copy_that_finds_itself(whole_pi: Pi) -> None:
    whole_pi.carry_out("install")
    release = whole_pi.places.current
    assert (release / "companion/config_template.toml").is_file()
    assert (release / "firmware/stopper/stopper.py").is_file()
    (link,) = release.glob("venv/lib/*/site-packages/rappelwacht.pth")
    assert (link.parent / link.read_text("utf-8").strip()).resolve() == release.resolve()
    said = subprocess.run(
        [sys.executable, "-S", "-P", "-c", "import companion.cli.main; print(companion.__file__)"],
        env={"PYTHONPATH": str(release)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.startswith(str(release))


def test_it_runs_before_anything_is_installed_with_python_alone() -> None:
    """No package may be needed for it, and nothing may be left in the folder it came from."""
    words = [sys.executable, "-S", "-B", "-P", "-m", "companion", "install", "--help"]
    done = subprocess.run(
        words, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True
    )
    assert "--hotspot" in done.stdout


@pytest.mark.slow(but=1)
@pytest.mark.skipif(shutil.which("flock") is None, reason="needs flock, as ./run does")
def test_the_door_installs_without_a_virtual_environment_and_leaves_nothing(tmp_path: Path) -> None:
    here = tmp_path / "project"
    here.mkdir()
    shutil.copy2(ROOT / "run", here)
    leave = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "companion", here / "companion", ignore=leave)
    before = sorted(here.rglob("*"))
    root = ["--root", str(tmp_path / "root"), "--language", "en"]
    for command in ("uninstall", "roll-back"):
        done = subprocess.run(
            [here / "run", command, *root], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2, done.stderr
        assert re.search("not installed here|no version to go back to", done.stderr)
    assert sorted(here.rglob("*")) == before


def test_once_more_changes_nothing(pi: Pi) -> None:
    pi.carry_out("install", hotspot=True)
    before, calls = pi.tree(), len(pi.tools.calls)
    assert pi.carry_out("install", hotspot=True) == 0
    assert pi.tree() == before
    assert not [words for words in pi.tools.calls[calls:] if "venv" in words or "pip" in words]
    assert pi.out.getvalue().count("Restart the Pi once") == 1


def test_what_people_wrote_stays(pi: Pi) -> None:
    pi.carry_out("install")
    pi.places.config.write_text("[buzzer]\npin = 18\n", "utf-8")
    pi.carry_out("install")
    assert pi.read("etc/rappelwacht/table.toml") == "[buzzer]\npin = 18\n"


def test_the_pi_may_keep_its_name(pi: Pi) -> None:
    pi.carry_out("install", keep_name=True)
    assert pi.read("etc/hostname") == "raspberrypi\n"
    assert pi.read("etc/hosts") == HOSTS


def test_what_phones_are_answered_in_the_hotspot_is_not_said_where_others_share(pi: Pi) -> None:
    """Earlier versions laid it where NetworkManager reads it for whatever it shares."""
    old = pi.root / SHARED
    old.parent.mkdir(parents=True)
    old.touch()
    pi.carry_out("install")
    assert not old.exists()


def test_the_hotspot_is_ready_and_with_the_word_it_opens_by_itself(pi: Pi) -> None:
    pi.carry_out("install")
    ready = pi.places.hotspot.read_text("utf-8")
    assert pi.places.hotspot.stat().st_mode & 0o777 == 0o600
    (password,) = re.findall(r"^psk=([a-z2-9]{10})$", ready, re.MULTILINE)
    assert password not in pi.out.getvalue()
    assert not (pi.places.settings / "own-wifi").exists()
    pi.carry_out("install", hotspot=True)
    assert pi.places.hotspot.read_text("utf-8") == ready
    assert password in " ".join(pi.out.getvalue().split())
    assert (pi.places.settings / "own-wifi").exists()
    enabled = [words[-1] for words in pi.tools.asked("enable")]
    assert "rappelwacht-hotspot.service" in enabled


def test_what_cannot_be_installed_leaves_the_version_that_runs(pi: Pi) -> None:
    pi.carry_out("install")
    old = used(pi)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(releases, "name", lambda: NEWER)
        pi.tools.failing = ("requirements.lock",)
        with pytest.raises(CompanionError, match="nothing was changed"):
            pi.carry_out("install")
    assert used(pi) == old
    assert [one.name for one in pi.places.releases.iterdir()] == [old]


def test_a_version_that_was_cut_off_is_made_again(pi: Pi) -> None:
    cut_off = pi.places.releases / releases.name()
    cut_off.mkdir(parents=True)
    (cut_off / "torn").touch()
    pi.carry_out("install")
    assert not (cut_off / "torn").exists()
    assert (cut_off / ".whole").exists()


def test_without_lgpio_in_the_system_a_wheel_is_tried(pi: Pi) -> None:
    pi.tools.failing = ("find_spec('lgpio')",)
    pi.carry_out("install")
    (wheel,) = [one for one in pi.tools.calls if one[-1].endswith("lgpio.lock")]
    assert "--require-hashes" in wheel
    assert (ROOT / "hardware/service/lgpio.lock").is_file()


def test_a_computer_without_pins_is_not_asked_for_what_drives_them(pi: Pi) -> None:
    (pi.root / "boot/firmware/config.txt").unlink()
    pi.tools.failing = ("find_spec('lgpio')",)
    pi.carry_out("install")
    assert not [words for words in pi.tools.calls if "lgpio" in " ".join(words)]


# --- newer and older --------------------------------------------------------------------------


def test_an_upgrade_keeps_the_version_before_and_one_can_go_back_and_forth(pi: Pi) -> None:
    pi.carry_out("install")
    old = used(pi)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(releases, "name", lambda: NEWER)
        pi.carry_out("install")
    assert used(pi) == NEWER
    pi.carry_out("roll_back")
    assert used(pi) == old
    pi.carry_out("roll_back")
    assert used(pi) == NEWER


def test_of_older_versions_only_the_last_is_kept(pi: Pi) -> None:
    names = ["0.1.0-a", "0.2.0-b", "0.3.0-c"]
    for one in names:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(releases, "name", lambda one=one: one)
            pi.carry_out("install")
    assert sorted(one.name for one in pi.places.releases.iterdir()) == names[1:]


def test_there_is_nothing_to_go_back_to_after_the_first(pi: Pi) -> None:
    pi.carry_out("install")
    with pytest.raises(CompanionError, match="no version to go back to"):
        pi.carry_out("roll_back")


@pytest.mark.usefixtures("newer")
def test_never_in_mid_game_unless_somebody_insists(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(releases, "name", lambda: "0.1.0-a")
        pi.carry_out("install")
        begin_a_match(pi)
        pi.carry_out("install")  # the same once more disturbs nobody
    for command in ("install", "uninstall"):
        with pytest.raises(CompanionError, match="A match is not finished"):
            pi.carry_out(command)
    assert used(pi) == "0.1.0-a"
    pi.carry_out("install", anyway=True)
    assert used(pi) == NEWER
    with pytest.raises(CompanionError, match="A match is not finished"):
        pi.carry_out("roll_back")


@pytest.mark.usefixtures("newer")
def test_a_table_that_runs_is_asked(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(releases, "name", lambda: "0.1.0-a")
        pi.carry_out("install")
    folder = pi.places.data / "table"
    folder.mkdir()
    with Table(TableConfig(config.TableWiring(), folder, pages=Pages(0))) as table:
        assert table.site is not None
        port = table.site.here.port
        table.ask(Command("1", usual_match(("red", "blue")), "red"))
        with pytest.raises(CompanionError, match="A match is not finished"):
            pi.carry_out("install", port=port)
        with pytest.raises(CompanionError, match="whether a match is being played"):
            pi.carry_out("install", port=1)
        table.ask(Command("2", GiveUp(), "red"))
        pi.carry_out("install", port=port)
    assert used(pi) == NEWER


@pytest.mark.usefixtures("newer")
def test_after_a_match_it_may_be_done(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(releases, "name", lambda: "0.1.0-a")
        pi.carry_out("install")
    begin_a_match(pi, over=True)
    pi.carry_out("install")
    assert used(pi) == NEWER


def test_a_version_that_does_not_start_gives_way_to_the_one_before(
    pi: Pi, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pi.carry_out("install")
    old = used(pi)
    monkeypatch.setattr(releases, "name", lambda: NEWER)
    started: list[str] = []

    def start(*_: object, **__: object) -> bool:
        started.append(used(pi))
        return used(pi) == old

    monkeypatch.setattr(install.system, "start", start)
    assert pi.carry_out("install") == 1
    assert started == [NEWER, old]
    assert "does not start" in capsys.readouterr().err
    with pytest.raises(CompanionError, match="no version to go back to"):
        pi.carry_out("roll_back")  # the broken one is none
    assert [one.name for one in pi.places.releases.iterdir()] == [old]


def test_a_version_before_that_does_not_start_any_more_is_not_stayed_with(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.carry_out("install")
    old = used(pi)
    monkeypatch.setattr(releases, "name", lambda: NEWER)
    pi.carry_out("install")
    monkeypatch.setattr(install.system, "start", lambda *_, **__: used(pi) == NEWER)
    assert pi.carry_out("roll_back") == 1
    assert used(pi) == NEWER
    assert pi.places.previous.readlink().name == old


# --- gone -------------------------------------------------------------------------------------


def test_afterwards_the_pi_is_as_it_was_but_for_what_people_wrote_and_played(pi: Pi) -> None:
    before = pi.tree()
    pi.carry_out("install", hotspot=True)
    begin_a_match(pi, over=True)
    assert pi.carry_out("uninstall") == 0
    left = pi.tree()
    assert left.pop("etc/rappelwacht/table.toml")
    journal = [name for name in left if name.startswith("var/lib/rappelwacht/table/journal/")]
    assert len([left.pop(name) for name in journal]) == 3  # a match, its count, and the lock
    config_txt = left.pop("boot/firmware/config.txt")
    assert config_txt[1].strip() == BOOT
    del before["boot/firmware/config.txt"]
    assert left == before


def test_purged_nothing_is_left_of_it(pi: Pi) -> None:
    pi.carry_out("install")
    pi.carry_out("uninstall", purge=True)
    assert not [name for name in pi.tree() if "rappelwacht" in name]
    assert pi.tools.asked("userdel")


def test_what_is_not_there_cannot_be_removed(pi: Pi) -> None:
    with pytest.raises(CompanionError, match="not installed here"):
        pi.carry_out("uninstall")


# --- two at once ------------------------------------------------------------------------------


@pytest.mark.slow(but=2)
@pytest.mark.parametrize("second", ["install", "roll_back", "uninstall"])
@pytest.mark.parametrize("first", ["install", "uninstall"])
def test_while_somebody_installs_or_removes_nobody_else_changes_anything(
    pi: Pi, first: str, second: str
) -> None:
    pi.carry_out("install")
    run, refused = pi.tools.run, list[str]()

    def meanwhile(words: Sequence[str]) -> int:
        """Let a second one come while the first asks the system for something."""
        before = pi.tree()
        with pytest.raises(CompanionError, match="so nothing was changed") as fault:
            pi.carry_out(second)
        refused.append(str(fault.value))
        assert pi.tree() == before
        return run(words)

    other = Pi(pi.root)
    other.tools.run = meanwhile  # type: ignore[method-assign] # only this one is watched
    assert other.carry_out(first) == 0
    assert refused
    assert pi.carry_out("install") == 0  # and afterwards all can be done


def test_only_root_may_change_the_computer_itself(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(DOOR, "./run")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    for command in ("install", "uninstall", "roll-back"):
        assert main([command, "--language", "en"]) == 2
        assert f"run: sudo ./run {command}" in capsys.readouterr().err
