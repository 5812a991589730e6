"""The name of an installed computer, by which phones find it, and the one that it had before."""

from __future__ import annotations

from typing import Final

from companion.install_command import system
from companion.install_command.places import Places
from companion.install_command.roles import ROLES
from companion.install_command.system_files import remove_block, write, write_block

NAMES: Final = [role.name for role in ROLES]
NAME_BEFORE: Final = "name-before"


def take_name(places: Places, name: str, run: system.Run) -> None:
    """Be called rappelwacht, so that phones find rappelwacht.local; remember the name before."""
    hostname = places.root / "etc/hostname"
    before = hostname.read_text("utf-8").strip() if hostname.exists() else ""
    if before == name:
        return
    write(places.settings / NAME_BEFORE, f"{before}\n")
    write_block(places.root / "etc/hosts", f"127.0.1.1 {name}")
    write(hostname, f"{name}\n")
    system.rename(places, run)


def give_name_back(places: Places, run: system.Run) -> None:
    """Be called as before, unless somebody has changed that meanwhile."""
    kept = places.settings / NAME_BEFORE
    remove_block(places.root / "etc/hosts")
    if kept.exists():
        hostname = places.root / "etc/hostname"
        ours = hostname.exists() and hostname.read_text("utf-8").strip() in NAMES
        if ours and (before := kept.read_text("utf-8").strip()):
            write(hostname, f"{before}\n")
            system.rename(places, run)
        kept.unlink()
