"""The folder that a Pi is installed from without a network: made, checked, packed, installed."""

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from companion import __version__
from companion.cli.install import payload, releases
from companion.system import paths
from companion.system.errors import CompanionError
from release.install.roots import ROOT, Pi
from tests.maintenance.backup_files import naming

OWN = f"rappelwacht-{__version__}-py3-none-any.whl"


def made(folder: Path, own: Path | None = None) -> Path:
    """Make such a folder, with an empty file for each package of others."""
    if own is None:
        folder.parent.mkdir()
        own = folder.parent / OWN
        with zipfile.ZipFile(own, "w") as files:
            files.writestr("companion/__init__.py", f'__version__ = "{__version__}"\n')

    def fetch(words: list[str] | tuple[str, ...]) -> int:
        into = Path(words[words.index("--dest") + 1])
        (into / f"flask-{words[words.index('--python-version') + 1]}.whl").write_bytes(b"flask")
        return 0

    assert payload.build(folder, lambda words: fetch(list(words)), own) == __version__
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return made(tmp_path / "made/rappelwacht")


def test_it_holds_wheels_what_runs_first_and_checksums(folder: Path) -> None:
    assert payload.check(folder) == __version__
    assert {path.name for path in folder.iterdir()} == {
        *("wheels", payload.SUMS),
        *(path.name for path in (ROOT / payload.ON_CARDS).iterdir()),
    }
    for line in (folder / payload.SUMS).read_text("ascii").splitlines():
        digest, _, name = line.partition("  ")
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest


@pytest.mark.parametrize("name", ["README.txt", "LIESMICH.txt"])
def test_its_guide_leaves_the_address_to_those_who_know_the_name_of_the_pi(
    folder: Path, name: str
) -> None:
    text = (folder / name).read_text("utf-8")
    assert ".local" not in text
    for part in ("installed.txt", "first-boot.txt", "PIN", "rappelwacht", '"card"', "vendor-data"):
        assert part in text


def cut(folder: Path) -> None:
    (folder / "wheels/flask-3.11.whl").unlink()


def changed(folder: Path) -> None:
    (folder / "first-boot.sh").write_text("#!/bin/sh\nrm -rf /\n", "ascii")


def half(folder: Path) -> None:
    text = (folder / payload.SUMS).read_text("ascii")
    (folder / payload.SUMS).write_text(text[: len(text) // 2], "ascii")


def unsealed(folder: Path) -> None:
    (folder / payload.SUMS).unlink()


def added(folder: Path) -> None:
    (folder / "wheels/evil.whl").write_bytes(b"")


def linked(folder: Path) -> None:
    (folder / "wheels/flask-3.11.whl").unlink()
    (folder / "wheels/flask-3.11.whl").symlink_to("/etc/passwd")


def outside(folder: Path) -> None:
    with (folder / payload.SUMS).open("a", encoding="ascii") as file:
        file.write(f"{'0' * 64}  ../secret\n")


def two(folder: Path) -> None:
    (folder / "wheels/rappelwacht-9.9.9-py3-none-any.whl").write_bytes(b"")
    payload.seal(folder)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (cut, "is missing"),
        (changed, "not as it was made"),
        (half, "missing or broken"),
        (unsealed, "missing or broken"),
        (added, "does not belong"),
        (linked, "does not belong"),
        (outside, "missing or broken"),
        (two, "one version"),
    ],
)
def test_what_is_not_whole_is_refused(
    folder: Path, spoil: Callable[[Path], None], why: str
) -> None:
    spoil(folder)
    with pytest.raises(CompanionError, match=why):
        payload.check(folder)


def test_what_a_mac_or_the_pi_leaves_there_does_not_matter(folder: Path) -> None:
    for name in ("._README.txt", ".DS_Store", "wheels/._flask.whl", *payload.LEFT):
        (folder / name).write_bytes(b"x")
    assert payload.check(folder) == __version__


def test_a_zip_is_as_good_as_the_folder_and_always_the_same(folder: Path, tmp_path: Path) -> None:
    zips = [tmp_path / name for name in ("one.zip", "two.zip")]
    for file in zips:
        payload.pack(folder, file)
        for name in payload.LEFT:  # what a Pi has written since, and what nobody else may know
            (folder / name).write_bytes(b"x")
    assert zips[0].read_bytes() == zips[1].read_bytes()
    with zipfile.ZipFile(zips[0]) as files:
        tops = {name.partition("/")[0] for name in files.namelist()}
    assert tops == {"rappelwacht", "vendor-data"}  # what is dropped onto the card, and no more
    with payload.open_payload(zips[0]) as unpacked:
        assert payload.check(unpacked) == __version__
    assert not unpacked.exists()


@pytest.mark.parametrize(
    "name", ["rappelwacht/../../x", "rappelwacht//x", "rappelwacht/wheels/../x", "rappelwacht/.x"]
)
def test_a_zip_with_anything_else_in_it_is_refused(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "it.zip", "w") as files:
        files.writestr(name, b"")
    with (
        pytest.raises(CompanionError, match="no zip of a Rappelwacht release"),
        payload.open_payload(tmp_path / "it.zip"),
    ):
        pass


@pytest.mark.parametrize("data", [b"PK\3\4" + bytes(100), naming(2_000)])
def test_a_zip_that_is_none_or_names_far_too_many_files_is_refused(
    tmp_path: Path, data: bytes
) -> None:
    (tmp_path / "it.zip").write_bytes(data)
    with (
        pytest.raises(CompanionError, match="no zip of a Rappelwacht release"),
        payload.open_payload(tmp_path / "it.zip"),
    ):
        pass


def test_without_a_network_it_says_what_else_can_be_done(tmp_path: Path) -> None:
    (tmp_path / OWN).write_bytes(b"")
    with pytest.raises(CompanionError, match="name the card zip"):
        payload.build(tmp_path / "rappelwacht", lambda _: 1, tmp_path / OWN)


def carried(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder whose program is the one that runs, as an installed wheel lies there."""
    installed = folder.parent / "site-packages"
    shutil.copytree(ROOT / "companion/system", installed / "companion/system")
    own = folder.parent / OWN
    with zipfile.ZipFile(own, "w") as files:
        for path in sorted((installed / "companion").rglob("*.py")):
            files.write(path, str(path.relative_to(installed)))
    monkeypatch.setattr(paths, "PACKAGE", installed / "companion")
    return own


def test_a_pi_is_installed_from_it_without_asking_a_network(
    folder: Path, pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    laid = list[Path]()
    monkeypatch.setattr(releases, "PARTS", (*releases.PARTS, "requirements.lock"))
    monkeypatch.setattr(payload, "runs", lambda _: True)
    monkeypatch.setattr(payload, "lay_packages", lambda source, *_: laid.append(source))
    assert pi.carry_out("install", source=str(folder)) == 0
    assert not pi.tools.asked("pip")
    (venv,) = pi.tools.asked("venv")
    assert "--without-pip" in venv
    assert laid == [folder]
    assert [words[5] for words in pi.tools.calls[-2:]] == ["compileall", "ensurepip"]
    assert releases.in_use(pi.places) == releases.name()


def test_another_version_installs_itself(folder: Path, pi: Pi) -> None:
    assert not payload.runs(folder)
    assert pi.carry_out("install", source=str(folder), keep_name=True, unsigned=True) == 0
    (line,) = pi.tools.calls
    assert line[0] == "env"
    assert line[1].startswith("PYTHONPATH=")
    words = line[line.index("companion") :]
    assert words[:4] == ["companion", "install", "--from", str(folder)]
    assert words[words.index("--root") + 1] == str(pi.root)
    assert "--keep-name" in words
    assert not pi.places.current.exists()  # that is up to the other


def test_it_knows_whether_it_is_the_version_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = carried(tmp_path / "here/rappelwacht", monkeypatch)
    folder = tmp_path / "here/rappelwacht"
    (folder / "wheels").mkdir(parents=True)
    shutil.copy(own, folder / "wheels")
    payload.seal(folder)
    assert payload.runs(folder)
    (paths.PACKAGE / "system/errors.py").write_text("", "utf-8")
    assert not payload.runs(folder)


def test_a_folder_that_is_not_whole_changes_nothing(folder: Path, pi: Pi) -> None:
    before = pi.tree()
    changed(folder)
    with pytest.raises(CompanionError, match="not as it was made"):
        pi.carry_out("install", source=str(folder))
    assert pi.tree() == before


def test_packages_are_laid_as_pip_would(tmp_path: Path) -> None:
    """The wheel that fits best, programs that can be run, and nothing beside the folder."""
    wheels, into = tmp_path / "wheels", tmp_path / "venv/lib/python3.11/site-packages"
    wheels.mkdir()
    into.mkdir(parents=True)
    best = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    for tag, text in (("py3-none-any", "any"), (f"{best}-none-any", best), ("cp27-none-any", "no")):
        with zipfile.ZipFile(wheels / f"it-1.0-{tag}.whl", "w") as files:
            files.writestr("it/__init__.py", f"def main(): print({text!r})")
            files.writestr("it-1.0.data/purelib/it/more.py", "")
            files.writestr("it-1.0.data/data/share/man/it.1", "")
            files.writestr("../evil.py", "")
            files.writestr(
                "it-1.0.dist-info/entry_points.txt", "[console_scripts]\nit-is = it:main\n"
            )
    lock = "it==1.0 \\\n" + "".join(
        f"    --hash=sha256:{hashlib.sha256(file.read_bytes()).hexdigest()}\n"
        for file in wheels.iterdir()
    )
    payload.lay_packages(tmp_path, lock, into)
    there = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {name for name in there if not name.startswith("wheels/")} == {
        "venv/bin/it-is",
        *(f"venv/lib/python3.11/site-packages/it/{name}.py" for name in ("__init__", "more")),
        "venv/lib/python3.11/site-packages/it-1.0.dist-info/entry_points.txt",
    }
    assert repr(best) in (into / "it/__init__.py").read_text("utf-8")
    program = tmp_path / "venv/bin/it-is"
    assert program.read_text("utf-8").startswith(f"#!{tmp_path}/venv/bin/python\n")
    assert program.stat().st_mode & 0o777 == 0o755
    with pytest.raises(CompanionError, match="has no package it"):  # of a wheel that was changed
        payload.lay_packages(tmp_path, lock.replace("sha256:", "sha256:0"), into)
