"""All that runs on a Pi is installable on a 32-bit and a 64-bit one, without a compiler.

`wheels.txt` names the wheel of each package that pip chooses there, with its hash. Offline, each
must fit the machine and stand in the lock file with that hash; so a new lock file needs a new list,
which --full fetches and compares, and --full --rewrite-golden writes.
"""

import hashlib
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest
from packaging.tags import Tag, compatible_tags, cpython_tags
from packaging.utils import parse_wheel_filename

from companion.cli.install import payload
from release.sbom import locked

ROOT = Path(__file__).parent.parent
LIST = Path(__file__).with_name("wheels.txt")
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
LOCKED = locked(LOCK)
ALL = tuple(product(payload.MACHINES, payload.GLIBC))
NAMES = [f"{machine}, Python {major}.{minor}" for machine, (major, minor) in ALL]
NO_NETWORK = ("NewConnectionError", "Failed to establish", "Name or service not known", "timed out")


def listed() -> dict[str, str]:
    """Return the hash of each wheel of the list."""
    lines = LIST.read_text("ascii").splitlines()
    return {name: digest for name, _, digest in (one.partition(" ") for one in lines)}


def tags(machine: str, python: tuple[int, int]) -> frozenset[Tag]:
    """Return all tags that fit."""
    where = payload.platforms(machine, python)
    own = cpython_tags(python, platforms=where)
    return frozenset((*own, *compatible_tags(python, f"cp{python[0]}{python[1]}", where)))


def test_the_lock_file_is_read_whole() -> None:
    assert len(LOCKED) == len(re.findall(r"^\S+==", LOCK, re.MULTILINE)) > 10


@pytest.mark.parametrize(("machine", "python"), ALL, ids=NAMES)
def test_every_package_has_a_wheel_for_it(machine: str, python: tuple[int, int]) -> None:
    there = tags(machine, python)
    fitting = set()
    for file, digest in listed().items():
        name, version, _, of = parse_wheel_filename(file)
        wanted, hashes = LOCKED[name]
        assert (str(version), digest in hashes) == (wanted, True), file
        if of & there:
            fitting.add(name)
    assert set(LOCKED) - fitting == set()


def test_nothing_is_listed_that_no_pi_needs() -> None:
    fits = [tags(machine, python) for machine, python in ALL]
    for file in listed():
        assert any(parse_wheel_filename(file)[3] & there for there in fits), file


@pytest.mark.slow  # it asks the network
def test_the_list_agrees_with_what_can_be_had(tmp_path: Path, rewrite_golden: bool) -> None:
    found: dict[str, str] = {}
    for machine, python in ALL:
        folder = tmp_path / f"{machine}-{python[1]}"
        fetch(folder, machine, python)
        for file in folder.iterdir():
            found[file.name] = hashlib.sha256(file.read_bytes()).hexdigest()
    lines = "".join(f"{file} {found[file]}\n" for file in sorted(found))
    if rewrite_golden:
        LIST.write_text(lines, "ascii")
    assert listed() == found


def fetch(folder: Path, machine: str, python: tuple[int, int]) -> None:
    """Have pip choose the wheels for a Pi; skip where there is no pip, or no network."""
    pytest.importorskip("pip")
    folder.mkdir()
    words = payload.download(folder, machine, python)
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if any(sign in done.stderr for sign in NO_NETWORK):
        pytest.skip("no network to ask")
    assert done.returncode == 0, done.stderr
