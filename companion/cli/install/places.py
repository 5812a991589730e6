"""Where an installed table lies, below any root: a Pi's own, or a folder to try it in."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

RUNNING: Final = Path("/run/systemd/system")  # there while systemd rules this computer
FILES: Final = {  # of hardware/service, and where each goes
    "rappelwacht.service": "etc/systemd/system/rappelwacht.service",
    "70-rappelwacht.rules": "etc/udev/rules.d/70-rappelwacht.rules",
    "sysusers.conf": "etc/sysusers.d/rappelwacht.conf",
    "modules.conf": "etc/modules-load.d/rappelwacht.conf",
    "journald.conf": "etc/systemd/journald.conf.d/rappelwacht.conf",
    "avahi.service": "etc/avahi/services/rappelwacht.service",
    "rappelwacht.sh": "usr/local/bin/rappelwacht",
}
PROGRAMS: Final = {"rappelwacht.sh"}  # of them, what can be run


@dataclass(frozen=True, slots=True)
class Places:
    root: Path = Path("/")

    @property
    def real(self) -> bool:
        """Whether this is the computer's own root."""
        return self.root == Path("/")

    @property
    def live(self) -> bool:
        """Whether services can be started here."""
        return self.real and RUNNING.exists()

    @property
    def run(self) -> Path:
        """Return the folder that a computer keeps in memory; whoever changes things locks it."""
        return self.root / "run"

    @property
    def opt(self) -> Path:
        """Return where the program lies."""
        return self.root / "opt/rappelwacht"

    @property
    def releases(self) -> Path:
        """Return where its versions lie side by side."""
        return self.opt / "releases"

    @property
    def current(self) -> Path:
        """Return the link to the version that is used."""
        return self.opt / "current"

    @property
    def previous(self) -> Path:
        """Return the link to the version before."""
        return self.opt / "previous"

    @property
    def data(self) -> Path:
        """Return where the service keeps what it must not lose."""
        return self.root / "var/lib/rappelwacht"

    @property
    def settings(self) -> Path:
        """Return where people say how the table is wired."""
        return self.root / "etc/rappelwacht"

    @property
    def config(self) -> Path:
        """Return the configuration of the table."""
        return self.settings / "table.toml"

    @property
    def hotspot(self) -> Path:
        """Return the Wi-Fi of the table's own, as NetworkManager reads it."""
        folder = self.root / "etc/NetworkManager/system-connections"
        return folder / "rappelwacht-hotspot.nmconnection"

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
