"""Computers on which somebody has been before: links, people, names, another Python, copies."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zlib import crc32

import pytest

from companion.cli.install import match_guard, releases, system
from companion.cli.install.places import FILES
from companion.journal import Journal, NewEntry
from companion.system import paths, private_files
from companion.system.errors import CompanionError
from companion.system.paths import JOURNAL
from release.install.roots import ROOT, Pi

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who gives files away")
SOMEBODY = 4321


@pytest.fixture
def everybodys() -> Iterator[Path]:
    """Yield a folder that every user may enter, which those of pytest are not."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


# --- what was played ------------------------------------------------------------------------------


def test_what_was_played_can_lie_on_a_bigger_disk_and_purging_finds_it_there(
    pi: Pi, tmp_path: Path
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    pi.places.data.parent.mkdir(parents=True)
    pi.places.data.symlink_to(disk)
    pi.carry_out("install")
    (disk / "table").mkdir()
    pi.carry_out("uninstall", purge=True)
    assert not disk.exists()
    assert not pi.places.data.is_symlink()


def test_a_link_to_a_disk_that_is_not_there_is_told(pi: Pi, tmp_path: Path) -> None:
    pi.places.data.parent.mkdir(parents=True)
    pi.places.data.symlink_to(tmp_path / "unplugged")
    with pytest.raises(CompanionError, match="var/lib/rappelwacht cannot be changed: File exists"):
        pi.carry_out("install")
    assert not pi.places.current.exists()


def test_what_stayed_can_be_purged_later(pi: Pi) -> None:
    pi.carry_out("install")
    pi.carry_out("uninstall")
    assert pi.places.data.exists()
    stopped = len(pi.tools.asked("disable"))
    assert pi.carry_out("uninstall", purge=True) == 0
    assert len(pi.tools.asked("disable")) == stopped  # it is gone already
    assert not [name for name in pi.tree() if "rappelwacht" in name]
    with pytest.raises(CompanionError, match="not installed here"):
        pi.carry_out("uninstall", purge=True)


@as_root
def test_what_root_brought_back_belongs_to_the_table_but_what_a_link_leads_to_does_not(
    tmp_path: Path,
) -> None:
    folder, other = tmp_path / "rappelwacht", tmp_path / "other"
    (folder / "table").mkdir(parents=True)
    (folder / "table/stoppers.toml").touch(0o600)
    other.touch()
    (folder / "link").symlink_to(other)
    system.give(folder, SOMEBODY, SOMEBODY)
    given = [folder, folder / "table", folder / "table/stoppers.toml", folder / "link"]
    assert {path.lstat().st_uid for path in given} == {SOMEBODY}
    assert other.stat().st_uid == 0


@as_root
def test_what_a_running_table_takes_away_meanwhile_stops_no_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        (tmp_path / name).touch()
    chown = os.chown

    def takes_away(path: str | int, user: int, group: int, **how: Any) -> None:
        if path == "b":
            (tmp_path / path).unlink()
        chown(path, user, group, **how)

    monkeypatch.setattr(os, "chown", takes_away)
    system.give(tmp_path, SOMEBODY, SOMEBODY)
    assert {path.name: path.stat().st_uid for path in tmp_path.iterdir()} == {
        "a": SOMEBODY,
        "c": SOMEBODY,
    }


@as_root
def test_looking_for_a_match_leaves_nothing_that_the_table_cannot_write(everybodys: Path) -> None:
    folder = everybodys / "table"
    folder.mkdir()
    journal = Journal(folder / JOURNAL)
    journal.start(NewEntry("begun", {}))
    journal.close()
    (folder / JOURNAL / ".lock").unlink()  # as in a copy that was brought back
    system.give(everybodys, SOMEBODY, SOMEBODY)
    with pytest.raises(CompanionError, match="A match is not finished"):
        match_guard.demand_none(folder, 1)
    assert (folder / JOURNAL / ".lock").exists()
    assert {path.stat().st_uid for path in folder.rglob("*")} == {SOMEBODY}
    assert (os.geteuid(), os.getegid()) == (0, os.getgid())


def test_a_journal_that_a_newer_version_wrote_is_not_taken_for_one_without_a_match(pi: Pi) -> None:
    pi.carry_out("install")
    folder = pi.places.data / "table"
    folder.mkdir()
    Journal(folder / JOURNAL).close()
    head = b'{"version":99,"match":"later"}'
    (folder / JOURNAL / "000001-later.jsonl").write_bytes(b"%s %08x\n" % (head, crc32(head)))
    with pytest.raises(CompanionError, match="cannot be read by this version"):
        pi.carry_out("uninstall")
    assert pi.carry_out("uninstall", anyway=True) == 0


@pytest.mark.slow
def test_a_version_that_must_wait_for_the_end_of_a_match_has_not_changed_the_service_yet(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a power cut would start the old program as only the new one wants to be started."""
    pi.carry_out("install")
    unit = pi.places.root / FILES["rappelwacht.service"]
    unit.write_text("as the old version wants\n")
    monkeypatch.setattr(releases, "name", lambda: "0.2.0-new")
    asked: list[object] = []

    def begun_meanwhile(*_: object) -> None:
        asked.append(unit.read_text("utf-8"))
        if len(asked) == 2:
            raise CompanionError("A match is not finished; …")

    monkeypatch.setattr(match_guard, "demand_none", begun_meanwhile)
    with pytest.raises(CompanionError, match="A match is not finished"):
        pi.carry_out("install")
    assert asked == ["as the old version wants\n"] * 2
    assert unit.read_text("utf-8") == "as the old version wants\n"


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "removed"), [(998, True), (1000, False)])
def test_purging_removes_the_services_user_but_nobody_who_bears_its_name(
    pi: Pi, number: int, removed: bool
) -> None:
    (pi.root / "etc/passwd").write_text(
        f"root:x:0:0::/root:/bin/sh\nrappelwacht:x:{number}:{number}::/home/r:/bin/bash\n"
    )
    pi.carry_out("install")
    pi.carry_out("uninstall", purge=True)
    assert bool(pi.tools.asked("userdel")) is removed


def test_a_name_that_the_pi_was_given_later_stays(pi: Pi) -> None:
    pi.carry_out("install")
    (pi.root / "etc/hostname").write_text("attic\n")
    pi.carry_out("uninstall")
    assert pi.read("etc/hostname") == "attic\n"


def test_a_project_in_a_folder_with_blanks_and_capitals_installs(
    pi: Pi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(releases, "PARTS", ("hardware/service", "run"))
    project = tmp_path / "Home of Mira/Über Rappelwacht"
    shutil.copytree(ROOT / "hardware/service", project / "hardware/service")
    shutil.copy2(ROOT / "run", project / "run")
    monkeypatch.setattr(paths, "PACKAGE", project / "companion")
    release = releases.provide(pi.places, pi.tools.run)
    assert release == releases.name()
    assert releases.is_whole(pi.places.releases / release)


# --- other programs -------------------------------------------------------------------------------


@pytest.mark.slow
def test_after_an_upgrade_of_debian_the_same_version_is_made_again(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its packages lie where the newer Python does not look, and no install would help."""
    pi.carry_out("install")
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    made = len(pi.tools.asked("venv"))
    assert not releases.is_whole(pi.places.current)
    pi.carry_out("install")
    assert len(pi.tools.asked("venv")) == made + 1
    assert releases.is_whole(pi.places.current)


@pytest.mark.parametrize("failing", [("pip",), ("venv",), ("sync",)])
def test_what_runs_stays_where_the_same_version_cannot_be_made_again(
    pi: Pi, monkeypatch: pytest.MonkeyPatch, failing: tuple[str, ...]
) -> None:
    def running() -> dict[str, bytes]:
        files = (path for path in pi.places.releases.rglob("*") if path.is_file())
        return {str(path.relative_to(pi.places.releases)): path.read_bytes() for path in files}

    pi.carry_out("install")
    (pi.places.current / "venv/bin/python3").write_text("what runs")
    before = running()
    monkeypatch.setattr(sys, "version_info", (3, 99, 0))
    pi.tools.failing = failing
    with pytest.raises(CompanionError):
        releases.provide(pi.places, pi.tools.run)
    assert running() == before
    pi.tools.failing = ()
    releases.provide(pi.places, pi.tools.run)
    assert releases.is_whole(pi.places.current)
    assert not (pi.places.current / "venv/bin/python3").exists()
    assert [path.name for path in pi.places.releases.iterdir()] == [releases.name()]


def test_where_no_two_folders_can_be_exchanged_one_is_told_what_to_do(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.carry_out("install")
    before = {path.name for path in pi.places.releases.iterdir()}
    monkeypatch.setattr(releases, "RENAME_EXCHANGE", 1 << 7)  # no kernel knows how
    (pi.places.current / releases.WHOLE).unlink()
    with pytest.raises(CompanionError, match="Uninstall"):
        releases.provide(pi.places, pi.tools.run)
    assert {path.name for path in pi.places.releases.iterdir()} == before


def test_a_version_is_made_again_out_of_its_own_files(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when somebody types rappelwacht install on a table, after an upgrade of Debian."""
    pi.carry_out("install")
    monkeypatch.setattr(paths, "PACKAGE", pi.places.current.resolve() / "companion")
    (pi.places.current / releases.WHOLE).unlink()
    release = releases.provide(pi.places, pi.tools.run)
    assert release == pi.places.current.readlink().name
    assert releases.is_whole(pi.places.current)


def test_nothing_that_lies_around_is_run_as_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trap = "raise SystemExit(66)"
    (tmp_path / "venv.py").write_text(trap)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert system.run([sys.executable, "-m", "venv", "--help"]) == 0


@pytest.mark.parametrize("code", [0, 3])
def test_what_a_program_says_is_shown_only_if_it_fails(
    capfd: pytest.CaptureFixture[str], code: int
) -> None:
    says = f"import sys; print('a wheel'); print('WARNING', file=sys.stderr); sys.exit({code})"
    assert system.run_quietly([sys.executable, "-c", says]) == code
    assert sorted("".join(capfd.readouterr()).split()) == (
        ["WARNING", "a", "wheel"] if code else []
    )
    assert system.run_quietly(["no-such-program"]) == 127


def test_a_password_is_in_no_command(pi: Pi) -> None:
    pi.carry_out("install", hotspot=True)
    text = pi.places.hotspot.read_text("utf-8")
    (password,) = (line[4:] for line in text.splitlines() if line.startswith("psk="))
    assert not [words for words in pi.tools.calls if password in " ".join(words)]


# --- the command of an installed table ------------------------------------------------------------


@pytest.fixture
def command(tmp_path: Path) -> Path:
    """Return the command `rappelwacht` of a table that is installed in a folder."""
    installed = tmp_path / "opt"
    for release in ("current", "previous"):
        shutil.copytree(
            ROOT / "companion",
            installed / release / "companion",
            ignore=shutil.ignore_patterns("__pycache__", "static"),
        )
    text = (ROOT / "hardware/service/rappelwacht.sh").read_text("utf-8")
    there = tmp_path / "rappelwacht"
    there.write_text(text.replace("/opt/rappelwacht", str(installed)))
    return there


def said(command: Path, *words: str) -> str:
    done = subprocess.run(
        ["sh", command, *words, "--language", "en"],
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    return done.stderr


@pytest.mark.slow(but=1)
def test_one_gets_away_from_a_version_that_is_broken(command: Path, tmp_path: Path) -> None:
    root = ["--root", str(tmp_path / "root")]
    assert "no version to go back to" in said(command, "roll-back", *root)
    (tmp_path / "opt/current/companion/cli/main.py").write_text("raise SystemExit(1)\n")
    assert "no version to go back to" in said(command, "roll-back", *root)


@pytest.mark.slow(but=2)
@pytest.mark.parametrize(
    ("broken", "judge"),
    [((), "care/judge"), (("care/judge",), "current"), (("care/judge", "current"), "previous")],
)
def test_a_version_on_trial_is_judged_by_the_one_before(
    command: Path, tmp_path: Path, broken: tuple[str, ...], judge: str
) -> None:
    """And if that one is broken, by any that is not."""
    installed = tmp_path / "opt"
    shutil.copytree(installed / "current", installed / "releases/old")
    (installed / "care").mkdir()
    (installed / "care/judge").symlink_to("../releases/old")
    for name in ("care/judge", "current", "previous"):
        part = installed / name / "companion/cli/install/care.py"
        last = "raise SystemExit(1)" if name in broken else f"def main(): print({name!r})"
        part.write_text(f"{part.read_text('utf-8')}\n\n{last}\n", "utf-8")
    words = ["sh", str(command), "care"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stdout == f"{judge}\n", done.stderr


def test_an_installed_program_removes_itself_and_still_says_so(whole_pi: Pi) -> None:
    whole_pi.carry_out("install")
    words = ["uninstall", "--purge", "--root", str(whole_pi.root), "--language", "de"]
    done = subprocess.run(
        [sys.executable, "-B", "-P", "-m", "companion", *words],
        env={"PYTHONPATH": str(whole_pi.places.current), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Rappelwacht ist weg" in done.stdout
    assert not whole_pi.places.opt.exists()


LENT = """shift 3
echo "$(pwd) $*" >>"$SEEN"
for last; do [ "${last#--}" != "$last" ] || file=$last; done
case "$1 $2" in
  restore* | replay* | "journal import") cat "$file" ;;
  doctor*) echo made >"$file"; exit 1 ;;
  *) [ ! -e "$file" ] || exit 2; echo made >"$file" ;;
esac
"""


def typed_at_home(
    command: Path, tmp_path: Path, words: Sequence[str], user: int = 0, **others: str
) -> subprocess.CompletedProcess[str]:
    """Type it in a home that is closed to the user of the table."""
    programs = {
        "id": f'[ "$1" = -un ] && echo somebody || echo {user}',
        "runuser": 'shift 3\nexec "$@"',
        "chown": "",
        "../opt/current/venv/bin/python": LENT,
        **others,
    }
    for name, text in programs.items():
        file = tmp_path / "played" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\n{text}\n")
        file.chmod(0o755)
    (tmp_path / "lent").mkdir(exist_ok=True)
    return subprocess.run(
        ["sh", command, *words],
        cwd=tmp_path / "home",
        env={
            "PATH": f"{tmp_path / 'played'}:{os.environ['PATH']}",
            "TMPDIR": str(tmp_path / "lent"),
            "SEEN": str(tmp_path / "seen"),
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("words", "name", "before", "code", "after"),
    [
        (["backup", "{folder}/b.zip", "--passphrase"], "b.zip", None, 0, "made\n"),
        (["backup", "b.zip"], "b.zip", "mine", 2, "mine"),  # it was there before
        (["restore", "b.zip", "--yes"], "b.zip", "mine", 0, "mine"),
        (["restore", "b.zip"], "b.zip", None, 1, None),
        (["doctor", "--bundle", "r.txt"], "r.txt", None, 1, "made\n"),
        (["journal", "export", "all", "{folder}/m.jsonl"], "m.jsonl", None, 0, "made\n"),
        (["journal", "export", "--simulated", "m.jsonl"], "m.jsonl", None, 0, "made\n"),
        (["journal", "import", "{folder}/../home/m.jsonl"], "m.jsonl", "mine", 0, "mine"),
        (["replay", "--step", "m.jsonl"], "m.jsonl", "mine", 0, "mine"),
    ],
)
def test_a_file_is_found_where_the_service_may_not_go(  # noqa: PLR0917 - what is and what comes
    command: Path,
    tmp_path: Path,
    words: list[str],
    name: str,
    before: str | None,
    code: int,
    after: str | None,
) -> None:
    home, lent = tmp_path / "home", tmp_path / "lent"
    home.mkdir()
    if before is not None:
        (home / name).write_text(before)
    done = typed_at_home(command, tmp_path, [word.format(folder=home) for word in words])
    assert done.returncode == code, done
    assert not [*lent.iterdir()]
    assert (home / name).exists() is (after is not None)
    assert after is None or (home / name).read_text() == after
    where, *asked = (tmp_path / "seen").read_text().split()
    assert where.startswith(str(lent))
    assert asked == [Path(word).name for word in words]  # by the name that it has for people
    if before is None and after is not None:
        assert (home / name).stat().st_mode & private_files.OTHERS == 0


def test_root_hands_over_what_was_asked_for_and_reads_it_as_the_service_could(
    command: Path, tmp_path: Path
) -> None:
    """A service that is taken over would leave a link to a secret, or a profile of a shell."""
    home, service = tmp_path / "home", LENT + "echo echo >.bash_profile\necho x >other\n"
    home.mkdir()
    reads = 'shift 3\nif [ "$1" = cat ]; then echo what the service may read; else exec "$@"; fi'
    programs = {"../opt/current/venv/bin/python": service, "runuser": reads}
    done = typed_at_home(command, tmp_path, ["doctor", "--bundle", "r.txt"], 0, **programs)
    assert done.returncode == 1, done
    done = typed_at_home(command, tmp_path, ["backup", "b.zip"], 0, **programs)
    assert done.returncode == 0, done
    assert {file.name for file in home.iterdir()} == {"r.txt", "b.zip"}
    assert (home / "b.zip").read_text() == "what the service may read\n"


@pytest.mark.parametrize("word", ["play", "lights", "card"])
def test_what_needs_nothing_of_the_table_is_done_by_whoever_types_it(
    command: Path, tmp_path: Path, word: str
) -> None:
    (tmp_path / "home").mkdir()
    done = typed_at_home(command, tmp_path, [word, "--save", "game.jsonl"], SOMEBODY)
    assert done.returncode == 0, done
    assert (tmp_path / "home/game.jsonl").read_text() == "made\n"
    assert (tmp_path / "seen").read_text().split()[0] == str(tmp_path / "home")
