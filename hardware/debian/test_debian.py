"""The real thing, with --full: install, again, newer, back and gone in fresh Debian roots.

Nothing here is a fake but the Pi: apt, pip, sysusers and systemctl are the root's own, and whoever
brought the project is called mira.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.debian.debian_root import HOME, Root, laid_out
from release.install.roots import ROOT

GUIDE = (ROOT / "hardware/pi.md").read_text("utf-8")


@pytest.fixture(params=["bookworm", "trixie"])
def root(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Root]:
    found = laid_out(request.param, tmp_path / "root")
    found.bring()
    yield found
    shutil.rmtree(found.folder, ignore_errors=True)


@pytest.mark.slow  # it installs a Debian
def test_install_again_newer_back_and_gone(root: Root) -> None:
    refused = root.run(f"su mira -c 'cd /{HOME} && LANG=C ./run install'", code=2)
    assert "Only root may do that; run: sudo ./run install" in refused
    root.run(f"cd /{HOME} && ./run install --hotspot")
    first = root.used()
    groups = {"rappelwacht", "gpio", "i2c", "dialout", "audio"}
    assert set(root.run("id -nG rappelwacht").split()) == groups
    assert root.run("stat -c %U:%a /var/lib/rappelwacht").strip() == "rappelwacht:750"
    assert root.run("systemctl is-enabled rappelwacht").strip() == "enabled"
    assert root.run("rappelwacht --version").startswith("rappelwacht ")
    told = root.run("rappelwacht doctor --listen 0 --language en", code=1)
    assert "The user rappelwacht may use everything that is wired." in told
    assert "Traceback" not in told
    root.run("systemd-analyze verify rappelwacht.service")

    root.run(f"cd /{HOME} && ./run install")
    assert root.used() == first
    (root.folder / HOME / "firmware/README.md").write_text("Newer.\n", "utf-8")
    root.run(f"cd /{HOME} && ./run install")
    assert root.used() != first
    root.run("rappelwacht roll-back")
    assert root.used() == first
    root.run("rappelwacht doctor --listen 0", code=1)

    root.run(f"cd /{HOME} && ./run uninstall --purge")
    root.run("id rappelwacht", code=1)
    assert root.run("cat /etc/hostname").strip() == "raspberrypi"
    left = root.run("find / -xdev -iname '*rappelwacht*' -not -path '/home/*'")
    assert left == ""
    for told in re.findall(r"^(?:sudo )((?:rappelwacht|\./run) [a-z-]+)", GUIDE, re.MULTILINE):
        assert any(told in line for line in root.ran), told
    assert "__pycache__" not in root.run("ls -RA /home/mira/rappelwacht")
