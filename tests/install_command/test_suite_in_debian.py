"""The other command, with --full: `./run test` in fresh Debian roots, by root and by a user.

Root has the Debian packages that tests need installed by it; mira may not, and is told in the end.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.install_command.debian_root import HOME, Root, laid_out
from tests.install_command.roots import NOT_IN_GIT, ROOT

LONG_S = 2 * 3600
DEVICES = (  # as any running Debian has them
    "mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && ln -sf pts/ptmx /dev/ptmx"
    " && mount -t tmpfs tmpfs /dev/shm"
)
LEFT_OUT = "Some tests are left out; to have them, run: sudo apt-get install"


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Root]:
    found = laid_out(request.param, tmp_path / "root")
    found.bring(file.name for file in ROOT.iterdir() if file.name not in NOT_IN_GIT)
    yield found
    shutil.rmtree(found.folder, ignore_errors=True)


@pytest.mark.slow  # it installs a Debian, and runs every test in it twice
def test_every_test_passes_for_a_user_and_for_root(root: Root) -> None:
    root.run("apt-get -qq -y install python3-venv")
    told = root.run(f"{DEVICES} && su mira -c 'cd /{HOME} && ./run test'", within_s=LONG_S)
    assert re.search(r"^=+ \d{4,} passed", told, re.MULTILINE), told[-2000:]
    assert LEFT_OUT in told
    root.run("apt-get -qq -y remove python3-venv")  # root gets that, too, like all the rest
    root.run(f"rm -rf /root/again && cp -r /{HOME} /root/again && rm -rf /root/again/.venv")
    told = root.run(f"{DEVICES} && cd /root/again && ./run test", within_s=LONG_S)
    assert re.search(r"^=+ \d{4,} passed", told, re.MULTILINE), told[-2000:]
    assert LEFT_OUT not in told
    assert "Installing what else is needed, as Debian packages: chromium" in told
