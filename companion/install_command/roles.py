"""What a computer is installed to be: a table, or the hall of many; it is one of the two."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from companion.errors import CompanionError
from companion.install_command.places import FILES, Places

SHARED: Final = ("sysusers.conf", "journald.conf", "avahi.service", "rappelwacht.sh")


@dataclass(frozen=True, slots=True)
class Role:
    """What such a computer has of the system."""

    service: str
    name: str  # as phones find the computer, with .local
    files: Mapping[str, str]  # of hardware/service, and where each goes
    packages: Mapping[str, str]  # besides those of all, each with something that only they bring
    wired: bool  # whether hub, light board and pins hang on it

    def there(self, places: Places) -> bool:
        """Tell whether a computer is installed as this."""
        return (places.root / self.files[self.service]).is_file()


TABLE: Final = Role("rappelwacht.service", "rappelwacht", FILES, {}, wired=True)
HALL: Final = Role(
    "rappelwacht-hall.service",
    "rappelwacht-hall",
    {
        "rappelwacht-hall.service": "etc/systemd/system/rappelwacht-hall.service",
        **{name: FILES[name] for name in SHARED},
    },
    {"mosquitto": "usr/sbin/mosquitto", "openssl": "usr/bin/openssl"},
    wired=False,
)
ROLES: Final = (TABLE, HALL)


def of(places: Places) -> Role | None:
    """Return what a computer is installed to be; None: nothing yet."""
    return next((one for one in ROLES if one.there(places)), None)


def wanted(places: Places, *, hall: bool, joins: bool) -> Role:
    """Return what it is to be from now on; CompanionError: it cannot be that."""
    had = of(places)
    role = HALL if hall else had or TABLE
    if role is HALL and joins:
        raise CompanionError(
            "A hall cannot join a hall; leave out --join here, and use it on the table's computer."
        )
    if had is not None and had is not role:
        raise CompanionError(
            "This computer is installed as a table, and a hall needs one of its own; take another, "
            "or remove the table first with: sudo rappelwacht uninstall"
        )
    return role
