"""The Debian package, with --full: installed, newer, removed and purged in bare Debian 12 and 13.

It is the real one, with the wheels that pip fetches; in the roots it is installed where there is no
network but the computer's own. Whoever looks at its page does so as systemd would start it.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from companion import __version__
from companion.cli.install import payload, system
from companion.system.errors import CompanionError
from hardware.debian.debian_root import Root, laid_out
from release import deb, release
from release.install.roots import all_parts, copy_project, renumbered
from tests.programs import need

MADE: Final = 1_800_000_000
NEXT: Final = "9.8.7"
OFFLINE: Final = "unshare --net"
PLAYING: Final = """\
import sys
from pathlib import Path
from companion.journal import Journal, NewEntry
journal = Journal(Path("/var/lib/rappelwacht/table/journal"))
if sys.argv[1] == "begin":
    journal.start(NewEntry("begun", {}))
else:
    journal.append(journal.unfinished()[0].first.match, 1, NewEntry("won", {}, ends=True))
journal.close()
"""
PAGE: Final = """\
import fcntl, shlex, socket, struct, subprocess, sys, time, urllib.error, urllib.request
with socket.socket() as any_one:  # the computer's own network comes up
    fcntl.ioctl(any_one, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
unit = open("/etc/systemd/system/rappelwacht.service").read().splitlines()
(line,) = (line.partition("=")[2] for line in unit if line.startswith("ExecStart="))
begun = ["setpriv", "--reuid=rappelwacht", "--regid=rappelwacht", "--init-groups"]
begun += ["env", "XDG_STATE_HOME=/var/lib", "LANG=C.UTF-8"]
table = subprocess.Popen([*begun, *shlex.split(line)])
try:
    while table.poll() is None:
        try:
            with urllib.request.urlopen("http://127.0.0.1:8000/", timeout=30) as page:
                print("page", page.status)
                break
        except urllib.error.HTTPError:
            raise
        except OSError:  # not yet
            time.sleep(0.2)
finally:
    table.terminate()
    table.wait()
"""


@pytest.fixture(scope="module")
def debs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Make the package of this version, and of a newer one."""
    need("debootstrap")
    folder = tmp_path_factory.mktemp("packages")
    project = folder / "project"
    copy_project(project, all_parts())
    card = folder / payload.NAME
    try:
        payload.build(card, system.run_quietly, release.build(project, folder, MADE))
    except CompanionError as fault:
        pytest.skip(f"no packages can be had here: {fault}")
    first = deb.build(card, folder, __version__, "All of it.", MADE)
    renumbered(project, NEXT)
    payload.wheel(card).unlink()
    (folder / "newer").mkdir()
    shutil.copy(release.build(project, folder / "newer", MADE), card / "wheels")
    payload.seal(card)
    return first, deb.build(card, folder, NEXT, "More.", MADE)


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path, debs: tuple[Path, Path]) -> Iterator[Root]:
    found = laid_out(request.param, tmp_path / "root")
    for file in debs:
        shutil.copy(file, found.folder / "root")
    (found.folder / "root/playing.py").write_text(PLAYING, "utf-8")
    found.run(f"apt-get -qq -y --no-install-recommends install {' '.join(system.NEEDED)}")
    yield found
    shutil.rmtree(found.folder, ignore_errors=True)


def installed(root: Root, file: Path, code: int = 0) -> str:
    """Install a package where there is no network."""
    return root.run(f"{OFFLINE} dpkg --install /root/{file.name}", code)


def page(root: Root) -> str:
    """Look at the page, as the service would show it."""
    (root.folder / "root/page.py").write_text(PAGE, "utf-8")
    return root.run(f"{OFFLINE} python3 /root/page.py")


def journal(root: Root, what: str) -> None:
    """Begin a match, or end it."""
    python = "/opt/rappelwacht/current/venv/bin/python"
    root.run(f"cd / && runuser -u rappelwacht -- {python} - {what} </root/playing.py")


@pytest.mark.slow  # it installs a Debian
def test_installed_newer_back_removed_and_purged(root: Root, debs: tuple[Path, Path]) -> None:
    first, newer = debs
    assert "Rappelwacht" in installed(root, first)
    before = root.used()
    assert root.run("rappelwacht --version").strip() == f"rappelwacht {__version__}"
    groups = {"rappelwacht", "gpio", "i2c", "dialout", "audio"}
    assert set(root.run("id -nG rappelwacht").split()) == groups
    assert root.run("stat -c %U:%a /var/lib/rappelwacht").strip() == "rappelwacht:750"
    assert root.run("systemctl is-enabled rappelwacht").strip() == "enabled"
    assert root.run("cat /etc/hostname").strip() == "raspberrypi"  # nobody asked for another name
    assert root.run("dpkg --verify rappelwacht") == ""
    assert "page 200" in page(root)

    root.run("echo '# ours' >>/etc/rappelwacht/table.toml")
    journal(root, "begin")
    refused = installed(root, newer, code=1)
    assert "A match is not finished" in refused
    assert root.used() == before
    assert root.run("dpkg-query -W -f '${Status} ${Version}' rappelwacht").split() == [
        *("install", "ok", "installed"),
        __version__,
    ]
    journal(root, "end")
    installed(root, newer)
    after = root.used()
    assert after.startswith(f"releases/{NEXT}-")
    assert root.run("tail -n 1 /etc/rappelwacht/table.toml") == "# ours\n"
    assert "won" in root.run("cat /var/lib/rappelwacht/table/journal/*")
    assert "page 200" in page(root)
    root.run("rappelwacht roll-back")
    assert root.used() == before
    trigger = "dpkg-trigger --no-await --by-package=rappelwacht /usr/bin/python3"
    root.run(f"{trigger} && dpkg --configure --pending")
    assert root.used() == before  # which runs with this Python
    assert "page 200" in page(root)
    root.run("rappelwacht roll-back")
    assert root.used() == after

    told = root.run("dpkg --remove rappelwacht")
    assert "What you wrote is still in /etc/rappelwacht" in " ".join(told.split())
    root.run("test ! -e /opt/rappelwacht && test -e /etc/rappelwacht/table.toml")
    assert "won" in root.run("cat /var/lib/rappelwacht/table/journal/*")
    told = root.run("dpkg --purge rappelwacht")
    (named,) = (line for line in told.splitlines() if line.startswith("Rappelwacht is gone"))
    for group in groups - {"rappelwacht"}:
        root.run(f"getent group {group}")
        assert group in named
    root.run("id rappelwacht", code=1)
    assert root.run("find / -xdev -iname '*rappelwacht*' -not -path '/root/*'") == ""


@pytest.mark.slow  # it installs a Debian, and the next one over it
@pytest.mark.parametrize("root", ["bookworm"], indirect=True)
def test_the_next_debian_brings_another_python_and_the_page_is_there_all_the_same(
    root: Root, debs: tuple[Path, Path]
) -> None:
    installed(root, debs[0])
    before = root.run("python3 --version")
    root.run("sed -i s/bookworm/trixie/ /etc/apt/sources.list && apt-get -qq update")
    options = "-o Dpkg::Options::=--force-confold"
    root.run(f"DEBIAN_FRONTEND=noninteractive apt-get -qq -y {options} full-upgrade", within_s=1800)
    assert root.run("python3 --version") != before
    assert "page 200" in page(root)


@pytest.mark.slow  # it installs a Debian
@pytest.mark.parametrize("root", ["bookworm"], indirect=True)
def test_after_a_power_cut_while_it_is_unpacked_the_version_before_runs(
    root: Root, debs: tuple[Path, Path]
) -> None:
    installed(root, debs[0])
    before = root.used()
    root.run(f"dpkg --unpack /root/{debs[1].name}")  # what dpkg had done by then
    assert root.used() == before
    assert "page 200" in page(root)
    root.run(f"{OFFLINE} dpkg --configure --pending")
    assert root.used().startswith(f"releases/{NEXT}-")
    assert "page 200" in page(root)
