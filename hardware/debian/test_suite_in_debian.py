"""The other command, with --full: `./run test` in fresh Debian roots, by root and by a user.

Root has the Debian packages that tests need installed by it; mira may not, and is told in the end.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.debian import debian_root
from hardware.debian.debian_root import DEVICES, HOME, Root, laid_out
from release.install.roots import all_parts

LONG_S = 2 * 3600
LEFT_OUT = "Some tests are left out; to have them, run: sudo apt-get install"


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Root]:
    found = laid_out(request.param, tmp_path / "root")
    found.bring(all_parts())
    yield found
    shutil.rmtree(found.folder, ignore_errors=True)


def test_where_no_debian_can_be_had_it_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert debian_root.main("trixie", "exit 0") == debian_root.NO_DEBIAN
    assert capsys.readouterr().err.startswith("SKIPPED: no Debian trixie to test in: needs root")


def test_apt_and_pip_ask_in_it_whom_they_ask_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool, here, root = tmp_path / "apt-config", tmp_path / "here", tmp_path / "root"
    tool.write_text(f"#!/bin/sh\ncat {tmp_path}/told\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    asks = 'Acquire::http::Proxy "http://near:3142";\n'
    (tmp_path / "told").write_text(f'APT "";\n{asks}Acquire::Languages "de";\n')
    (here / "etc/xdg/pip").mkdir(parents=True)
    (here / "etc/xdg/pip/pip.conf").write_text("[global]\nretries = 7\n")
    (root / "etc/apt/apt.conf.d").mkdir(parents=True)
    debian_root.know_the_way(root, here)
    assert (root / "etc/apt/apt.conf.d/90asks").read_text() == asks
    assert (root / "etc/xdg/pip/pip.conf").read_text() == "[global]\nretries = 7\n"
    assert not (root / "etc/pip.conf").exists()


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
