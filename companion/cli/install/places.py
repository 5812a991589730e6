"""Paths of an installed table below any root: a Pi's own, or a folder to try it in."""

from pathlib import Path
from typing import Final

RUNNING: Final = Path("/run/systemd/system")  # there while systemd rules this computer
FILES: Final = {  # of hardware/service, and where each goes
    "rappelwacht.service": "etc/systemd/system/rappelwacht.service",
    "rappelwacht-care.path": "etc/systemd/system/rappelwacht-care.path",
    "rappelwacht-care.service": "etc/systemd/system/rappelwacht-care.service",
    "rappelwacht-hotspot.service": "etc/systemd/system/rappelwacht-hotspot.service",
    "70-rappelwacht.rules": "etc/udev/rules.d/70-rappelwacht.rules",
    "sysusers.conf": "etc/sysusers.d/rappelwacht.conf",
    "modules.conf": "etc/modules-load.d/rappelwacht.conf",
    "journald.conf": "etc/systemd/journald.conf.d/rappelwacht.conf",
    "avahi.service": "etc/avahi/services/rappelwacht.service",
    "rappelwacht.sh": "usr/local/bin/rappelwacht",
}
# There only while the table's own Wi-Fi opens; earlier versions left it for whatever is shared.
SHARED: Final = "etc/NetworkManager/dnsmasq-shared.d/rappelwacht.conf"
PROGRAMS: Final = {"rappelwacht.sh"}  # of them, what can be run


class Places:
    def __init__(self, root: Path = Path("/")) -> None:
        self.root: Final = root
        self.real: Final = root == Path("/")  # whether this is the computer's own root
        self.run: Final = root / "run"  # kept in memory; whoever changes things locks it
        self.opt: Final = root / "opt/rappelwacht"  # where the program lies …
        self.releases: Final = self.opt / "releases"  # … its versions side by side,
        self.current: Final = self.opt / "current"  # the link to the one that is used,
        self.previous: Final = self.opt / "previous"  # and to the one before
        self.care: Final = self.opt / "care"  # what root says of what pages asked, and works with
        self.data: Final = root / "var/lib/rappelwacht"  # what the service must not lose
        self.settings: Final = root / "etc/rappelwacht"  # where people say how the table is wired …
        self.config: Final = self.settings / "table.toml"  # … by this file
        self.hotspot: Final = (  # the Wi-Fi of the table's own, as NetworkManager reads it
            root / "etc/NetworkManager/system-connections/rappelwacht-hotspot.nmconnection"
        )

    @property
    def live(self) -> bool:
        """Whether services can be started here."""
        return self.real and RUNNING.exists()

    @property
    def is_pi(self) -> bool:
        """Whether this computer has pins that parts can hang on."""
        return self.boot_config is not None

    @property
    def boot_config(self) -> Path | None:
        """Return the file that the Pi reads before Linux; None: this is no Pi."""
        for name in ("boot/firmware/config.txt", "boot/config.txt"):
            if (self.root / name).is_file():
                return self.root / name
        return None
