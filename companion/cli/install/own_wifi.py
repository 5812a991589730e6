"""The table's own Wi-Fi (hotspot, access point): root has NetworkManager open and leave it.

    provide(places)              # its file, with a name and a password of its own
    open_own(job), go_home(job)  # what the Workshop page asks for
    clear(places)                # after a move that was cut off
    main()                       # a minute after the start, where there is no other network

No password is ever a word of a command, for everybody may read those: it goes by a file that only
root reads. Nor is one ever said, by an answer or in a log.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final
from uuid import NAMESPACE_OID, uuid5

from companion.cli.install import system
from companion.cli.install.places import SHARED, Places
from companion.maintenance.care import WIFI_LIST, WIFI_SEEN
from companion.system import logs, signals
from companion.system.errors import CompanionError
from companion.system.paths import project_file
from companion.system.text import Text

if TYPE_CHECKING:
    from companion.cli.install import care  # which has all of this done

# the Wi-Fi's own name, its ssid, is in hardware/service/hotspot.nmconnection
NAME: Final = "rappelwacht-hotspot"  # as NetworkManager calls it
LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none is taken for another
BY_ITSELF: Final = "own-wifi"  # this file of the settings lets it open where nothing else is
SEEN_BYTES: Final = 16 * 1024
ONLINE: Final = ("nm-online", "-q", "-t", "60")
ACTIVE: Final = ("nmcli", "-t", "-f", "TYPE,UUID,NAME", "connection", "show", "--active")
ANSWERS: Final = "hotspot-dns.conf"  # of hardware/service: what phones in it are answered
SWITCH_S: Final = 5  # meanwhile the phone that asked for it hears where the table will be
JOIN_S, OPEN_S = 38, 15  # with what else is waited for, less than a minute
LOOK_S, LOOKS = 0.1, 20
WIFI: Final = """\
[connection]
type=wifi
{connection}

[wifi]
mode=infrastructure
ssid={ssid}
hidden={hidden}
{security}
[ipv4]
method=auto

[ipv6]
method=auto
"""
SECURITY: Final = """
[wifi-security]
key-mgmt=wpa-psk
psk={key}
"""
CLOSED: Final = Text(
    "The table's own Wi-Fi does not open; see whether this computer has Wi-Fi, and knows its "
    "country: sudo raspi-config"
)
WRONG: Final = Text(
    "The password of the Wi-Fi {name} is not right, so the table went back to where it was."
)
NOWHERE: Final = Text("There is no Wi-Fi {name} here, so the table went back to where it was.")
NO_ADDRESS: Final = Text(
    "The Wi-Fi {name} gave the table no address, so it went back to where it was."
)
SHUT: Final = Text("The Wi-Fi {name} did not let the table in, so it went back to where it was.")
REASONS: Final = (  # what nmcli says, and what that means
    (("Secrets were required", "802-1X", "802.1X"), WRONG),
    (("could not be found", "network not found"), NOWHERE),
    (("IP configuration", "DHCP"), NO_ADDRESS),
)


def main(ask: system.Ask = system.ask, places: Places | None = None) -> None:
    """Open it, if this computer is in no network a minute after it was switched on."""
    logs.begin()
    with signals.handled():
        if ask(ONLINE)[0] not in (0, system.MISSING):
            places = places or Places()
            _remember(places, ask)
            if not _open(places, ask):
                sys.exit(CLOSED.template)


# --- its file -------------------------------------------------------------------------------------


def provide(places: Places, *, by_itself: bool = False) -> None:
    """Write its file; what somebody has changed in it stays, but for when it opens."""
    file = places.hotspot
    if not file.exists():
        text = profile()
    else:
        text = file.read_text("utf-8")
        by_itself = by_itself or "\nautoconnect=true\n" in text  # of an earlier version
        text = text.replace("\nautoconnect=true\n", "\nautoconnect=false\n")
    system.write(file, text, 0o600)
    if by_itself:
        _by_itself(places)


def profile() -> str:
    """Return what a new one's file says, with a name and a password of its own."""
    text = project_file("hardware/service/hotspot.nmconnection").read_text("utf-8")
    return text.replace("@PASSWORD@", _letters(10)).replace("@NAME@", _letters(2))


def name_and_key(file: Path) -> tuple[str, str]:
    """Return its name and its password, as its file says them."""
    lines = file.read_text("utf-8").splitlines()
    words = dict(line.split("=", 1) for line in lines if "=" in line)
    return words.get("ssid", "?"), words.get("psk", "?")


def _letters(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))


def _by_itself(places: Places) -> None:
    about = "# While this file is here, the table opens its own Wi-Fi where it finds no network.\n"
    system.write(places.settings / BY_ITSELF, about)


# --- what the page asks for -----------------------------------------------------------------------


def open_own(job: care.CareJob, ask: system.Ask = system.ask) -> Text:
    """Open its own Wi-Fi; from then on it also does so by itself, or nobody would find it."""
    provide(job.places)
    ask(["nmcli", "connection", "load", str(job.places.hotspot)])
    before = _active(ask)
    _remember(job.places, ask)
    job.wait(SWITCH_S)
    if not _open(job.places, ask, job.wait):
        _go_back(job, before, ask)
        raise CompanionError(CLOSED.template)
    _by_itself(job.places)
    return Text("The table is in its own Wi-Fi now.")


def go_home(job: care.CareJob, ask: system.Ask = system.ask) -> Text:
    """Join the Wi-Fi that was chosen; within a minute all is as before if that fails."""
    ssid = bytes.fromhex(job.words["ssid"])
    uuid = str(uuid5(NAMESPACE_OID, f"rappelwacht {ssid.hex()}"))
    before, seen = _active(ask), _remember(job.places, ask)
    named = f"id=rappelwacht-{uuid[:8]}\nuuid={uuid}"
    hidden = f":{ssid.hex().upper()}:" not in seen
    text = wifi_profile(named, ssid, _escaped(job.words["key"]), hidden=hidden)
    job.wait(SWITCH_S)
    trial = _on_trial(job.places) / f"rappelwacht-{uuid[:8]}.nmconnection"
    system.write(trial, text, 0o600)
    ask(["nmcli", "connection", "load", str(trial)])
    code, report = ask(["nmcli", "--wait", str(JOIN_S), "connection", "up", "uuid", uuid])
    if code == 0:
        system.write(job.places.hotspot.with_name(trial.name), text, 0o600)
    trial.unlink(missing_ok=True)
    ask(["nmcli", "connection", "reload"])
    if code == 0:
        return Text("The table is in the Wi-Fi {name} now.", name=_readable(ssid))
    _go_back(job, before, ask)
    why = next((text for hints, text in REASONS if any(hint in report for hint in hints)), SHUT)
    raise CompanionError(why.template, name=_readable(ssid))


def wifi_profile(connection: str, ssid: bytes, key: str, *, hidden: bool = False) -> str:
    """Return another Wi-Fi as NetworkManager reads it; without a key everybody may join it."""
    return WIFI.format(
        connection=connection,
        ssid="".join(f"{byte};" for byte in ssid),
        hidden=str(hidden).lower(),
        security=SECURITY.format(key=key) if key else "",
    )


def clear(places: Places, ask: system.Ask = system.ask) -> None:
    """Clean up after a move that was cut off, and return to where people find the table.

    If the power went, nothing is: what is tried lies in memory until it has worked.
    """
    (places.root / SHARED).unlink(missing_ok=True)
    left = [*_on_trial(places).glob("rappelwacht-*.nmconnection")]
    for file in left:
        file.unlink()
    if left:
        ask(["nmcli", "connection", "reload"])
        if ask(ONLINE)[0] != 0:
            _open(places, ask)


def _on_trial(places: Places) -> Path:
    """Return where NetworkManager reads what it forgets when the computer is switched off."""
    return places.run / "NetworkManager/system-connections"


def _open(places: Places, ask: system.Ask, wait: Callable[[float], None] = signals.sleep) -> bool:
    """Open it; what phones are answered in it, NetworkManager finds only meanwhile.

    Else it would answer the same in whatever else somebody has it share.
    """
    ask(["nmcli", "radio", "wifi", "on"])  # a Pi that was never told its country keeps it off
    answers, before = places.root / SHARED, _servers(places)
    system.write(answers, project_file(f"hardware/service/{ANSWERS}").read_text("utf-8"))
    try:
        if ask(["nmcli", "--wait", str(OPEN_S), "connection", "up", "id", NAME])[0] != 0:
            return False
        for _ in range(LOOKS):
            if not _servers(places) <= before:
                break
            wait(LOOK_S)  # it has not read it yet
        return True
    finally:
        answers.unlink(missing_ok=True)


def _servers(places: Places) -> set[tuple[str, int]]:
    """Return which name servers NetworkManager has begun; each notes that once it is ready."""
    begun = set[tuple[str, int]]()
    for note in places.run.glob("nm-dnsmasq-*.pid"):
        with suppress(FileNotFoundError):  # it has just ended
            begun.add((note.name, note.stat().st_mtime_ns))
    return begun


def _go_back(job: care.CareJob, before: str | None, ask: system.Ask) -> None:
    """Return to the Wi-Fi of before, or at least to its own."""
    up = ["nmcli", "--wait", str(OPEN_S), "connection", "up", "uuid", before or ""]
    if before is None or ask(up)[0] != 0:
        _open(job.places, ask, job.wait)


def _active(ask: system.Ask) -> str | None:
    """Return which Wi-Fi is used now, by NetworkManager's own name for it; None: none."""
    for line in ask(ACTIVE)[1].splitlines():
        kind, _, rest = line.partition(":")
        uuid, _, name = rest.partition(":")
        if kind == "802-11-wireless" and name != NAME:
            return uuid
    return None


def _remember(places: Places, ask: system.Ask) -> str:
    """Keep which Wi-Fis can be seen, as in its own the table sees no other; return all known."""
    file = places.care / WIFI_SEEN
    code, text = ask([*WIFI_LIST, "yes"])
    own = (
        f":{name_and_key(places.hotspot)[0].encode().hex().upper()}:"
        if places.hotspot.exists()
        else "::"
    )
    others = [line for line in text.splitlines() if line[1:2] == ":" and own not in line]
    if code == 0 and others:
        system.write(file, "\n".join(others)[:SEEN_BYTES] + "\n")
    elif file.exists():
        text += file.read_text("utf-8", "replace")
    return text


def _escaped(word: str) -> str:
    r"""Return a word as NetworkManager's files have it, in which spaces at an end would be lost.

    >>> print(_escaped("a b\\;#="))
    a\sb\\;#=
    """
    return word.replace("\\", "\\\\").replace(" ", "\\s")


def _readable(ssid: bytes) -> str:
    text = ssid.decode("utf-8", "replace")
    return "".join(sign if sign.isprintable() else "�" for sign in text)
