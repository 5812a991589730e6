"""Root opens and leaves the table's own Wi-Fi, and all is as before if that fails."""

import configparser
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from companion.cli.install import care, own_wifi, system
from companion.cli.install.places import SHARED, Places
from companion.maintenance.care import WIFI_SEEN
from companion.system.errors import CompanionError
from companion.system.text import Text

KEY = "geheim-12"
HOME = "486f6d65"  # Home
HOTSPOT = "rappelwacht-hotspot"
OLD = "0000aaaa-uuid"


class PowerCut(Exception):
    pass


@dataclass
class FakeNmcli:
    """NetworkManager as nmcli shows it: Wi-Fis nearby, files it has read, and which is used."""

    places: Places
    nearby: dict[str, str] = field(default_factory=lambda: {HOME: KEY})  # and their passwords
    active: str | None = HOTSPOT
    opens: bool = True
    online: bool = False
    fault: str = ""  # why joining fails, whatever the password
    calls: list[list[str]] = field(default_factory=list)
    loaded: dict[str, tuple[str, str]] = field(default_factory=dict)  # by uuid: name and password
    answered: list[bool] = field(default_factory=list)  # whether phones are, when its own opens
    serves: bool = True  # as soon as its own is open
    cut: bool = False  # the power goes while it joins

    def __call__(self, words: Sequence[str]) -> tuple[int, str]:
        self.calls.append(list(words))
        match [*words]:
            case ["nm-online", *_]:
                return (0 if self.online else 1), ""
            case ["nmcli", "radio", "wifi", "on"]:
                return 0, ""
            case ["nmcli", "connection", "reload"]:
                return self._reload()
            case ["nmcli", "-t", "-f", _, "device", "wifi", "list", "--rescan", "yes"]:
                if self.active == HOTSPOT:
                    return 1, "Error: Scanning not allowed"
                lines = [f" :{ssid.upper()}:70:WPA2" for ssid in self.nearby]
                return 0, "\n".join([*lines, " ::40:WPA2", "*:4F6C64:90:WPA2"])
            case ["nmcli", "-t", "-f", "TYPE,UUID,NAME", "connection", "show", "--active"]:
                used = f"802-11-wireless:{self.active}:{self.active}\n" if self.active else ""
                return 0, f"loopback:1-2-3:lo\n{used}"
            case ["nmcli", "connection", "load", path]:
                self._load(Path(path))
                return 0, ""
            case ["nmcli", "--wait", _, "connection", "up", "id", name]:
                return self._up(name)
            case ["nmcli", "--wait", _, "connection", "up", "uuid", uuid]:
                return self._up(uuid)
        raise AssertionError(words)

    def serve(self) -> None:
        """Have the name server of its own Wi-Fi read its files, and note that it is ready."""
        self.answered.append((self.places.root / SHARED).exists())
        note = self.places.run / "nm-dnsmasq-wlan0.pid"
        note.parent.mkdir(exist_ok=True)
        note.touch()
        os.utime(note, ns=(0, len(self.answered)))

    def _reload(self) -> tuple[int, str]:
        """Forget what has no file any more, and leave where it led."""
        self.loaded.clear()
        for folder in (self.places.hotspot.parent, on_trial(self.places)):  # the last one counts
            for file in folder.glob("*"):
                self._load(file)
        if self.active not in {HOTSPOT, OLD, *self.loaded}:
            self.active = None
        return 0, ""

    def _load(self, file: Path) -> None:
        assert file.stat().st_mode & 0o777 == 0o600
        kept = configparser.ConfigParser(interpolation=None, delimiters=("=",))
        kept.read_string(file.read_text("utf-8"))
        if kept["wifi"]["mode"] == "ap":
            return
        ssid = bytes(int(one) for one in kept["wifi"]["ssid"].split(";") if one).hex()
        key = kept.get("wifi-security", "psk", fallback="")
        plain = key.replace("\\s", " ").replace("\\\\", "\\")
        self.loaded[kept["connection"]["uuid"]] = (ssid, plain)

    def _up(self, which: str) -> tuple[int, str]:
        if which in {HOTSPOT, OLD}:
            if which == HOTSPOT and not self.opens:
                return 4, "Error: Connection activation failed: Unknown error"
            self.active = which
            if which == HOTSPOT and self.serves:
                self.serve()
            return 0, ""
        ssid, key = self.loaded[which]
        self.active = None
        if self.cut:
            raise PowerCut
        if self.fault:
            return 4, self.fault
        if ssid not in self.nearby:
            return 4, "Error: Connection activation failed: The Wi-Fi network could not be found"
        if self.nearby[ssid] != key:
            return 4, (
                "Error: Connection activation failed: Secrets were required, but not provided.\n"
                "Hint: use 'journalctl -xe NM_CONNECTION=…'"
            )
        self.active = which
        return 0, ""


@pytest.fixture
def places(tmp_path: Path) -> Places:
    made = Places(tmp_path)
    made.care.mkdir(parents=True)
    return made


@pytest.fixture
def nmcli(places: Places) -> FakeNmcli:
    return FakeNmcli(places)


def job(places: Places, waits: list[float] | None = None, **words: str) -> care.CareJob:
    """Return what is asked; it waits for nothing, but says for how long it would."""
    wait = (waits if waits is not None else []).append
    return care.CareJob(places, lambda _: 0, "0" * 16, "wifi_home", 8000, words, wait=wait)


def go(nmcli: FakeNmcli, ssid: str = HOME, key: str = KEY) -> Text:
    return own_wifi.go_home(job(nmcli.places, ssid=ssid, key=key), nmcli)


def files(places: Places) -> list[str]:
    return sorted(file.name for file in places.hotspot.parent.glob("*"))


def on_trial(places: Places) -> Path:
    """Return the folder that is empty after a start, which NetworkManager reads, too."""
    return places.root / "run/NetworkManager/system-connections"


# --- its file -------------------------------------------------------------------------------------


def test_each_table_has_a_name_and_a_password_of_its_own(tmp_path: Path) -> None:
    said = set()
    for name in "abcdef":
        own_wifi.provide(Places(tmp_path / name))
        said.add(own_wifi.name_and_key(Places(tmp_path / name).hotspot))
    assert len(said) == 6
    assert len({name for name, _ in said}) > 1  # two tables in one house
    for name, password in said:
        assert re.fullmatch("Rappelwacht-[a-z2-9]{2}", name)
        assert re.fullmatch("[a-z2-9]{10}", password)


def test_only_root_reads_it_and_what_people_made_of_it_stays(places: Places) -> None:
    own_wifi.provide(places)
    assert places.hotspot.stat().st_mode & 0o777 == 0o600
    own = places.hotspot.read_text().replace("band=bg", "band=a")
    places.hotspot.write_text(own)
    own_wifi.provide(places)
    assert places.hotspot.read_text() == own
    assert places.hotspot.stat().st_mode & 0o777 == 0o600
    assert not (places.settings / own_wifi.BY_ITSELF).exists()
    own_wifi.provide(places, by_itself=True)
    assert (places.settings / own_wifi.BY_ITSELF).exists()


def test_one_of_an_earlier_version_opens_by_itself_as_before_but_not_at_once(
    places: Places,
) -> None:
    own_wifi.provide(places)
    text = places.hotspot.read_text()
    places.hotspot.write_text(text.replace("autoconnect=false", "autoconnect=true"))
    own_wifi.provide(places)
    assert places.hotspot.read_text() == text
    assert (places.settings / own_wifi.BY_ITSELF).exists()


# --- by itself ------------------------------------------------------------------------------------


def test_a_minute_after_the_start_it_opens_where_there_is_no_network(places: Places) -> None:
    nmcli = FakeNmcli(places, active=None)
    own_wifi.main(nmcli, nmcli.places)
    assert nmcli.calls[0] == ["nm-online", "-q", "-t", "60"]
    assert nmcli.active == HOTSPOT
    seen = (nmcli.places.care / WIFI_SEEN).read_text()
    assert ":486F6D65:70:WPA2" in seen  # the Workshop offers it, though now it is not seen


def test_what_was_seen_stays_known_though_its_own_is_all_that_is_seen(nmcli: FakeNmcli) -> None:
    own_wifi.provide(nmcli.places)
    file = nmcli.places.care / WIFI_SEEN
    nmcli.active = OLD
    own_wifi.open_own(job(nmcli.places), nmcli)
    before = file.read_text()
    own = own_wifi.name_and_key(nmcli.places.hotspot)[0].encode().hex().upper()

    def alone(words: Sequence[str]) -> tuple[int, str]:
        return (0, f"*:{own}:100:WPA2\n") if "list" in words else nmcli(words)

    own_wifi.open_own(job(nmcli.places), alone)
    assert file.read_text() == before


def test_one_that_does_not_open_is_a_unit_that_failed(nmcli: FakeNmcli) -> None:
    nmcli.opens = False
    with pytest.raises(SystemExit, match="does not open"):
        own_wifi.main(nmcli, nmcli.places)


def test_where_there_is_a_network_or_no_networkmanager_nothing_opens(nmcli: FakeNmcli) -> None:
    nmcli.online, nmcli.active = True, OLD
    own_wifi.main(nmcli, nmcli.places)
    assert nmcli.active == OLD
    own_wifi.main(lambda _: (system.MISSING, ""), nmcli.places)
    assert not (nmcli.places.care / WIFI_SEEN).exists()


# --- as the page asks -----------------------------------------------------------------------------


def test_it_opens_by_choice_and_from_then_on_by_itself(nmcli: FakeNmcli) -> None:
    nmcli.active, waits = OLD, list[float]()
    own_wifi.open_own(job(nmcli.places, waits), nmcli)
    assert nmcli.active == HOTSPOT
    assert waits == [own_wifi.SWITCH_S]  # the phone hears where the table will be
    assert (nmcli.places.settings / own_wifi.BY_ITSELF).exists()
    assert "486F6D65" in (nmcli.places.care / WIFI_SEEN).read_text()


def test_where_it_does_not_open_the_table_stays_where_it_was(nmcli: FakeNmcli) -> None:
    nmcli.active, nmcli.opens = OLD, False
    with pytest.raises(CompanionError, match="does not open"):
        own_wifi.open_own(job(nmcli.places), nmcli)
    assert nmcli.active == OLD
    assert not (nmcli.places.settings / own_wifi.BY_ITSELF).exists()


def test_it_joins_a_wifi_and_keeps_it(nmcli: FakeNmcli) -> None:
    own_wifi.provide(nmcli.places)
    assert str(go(nmcli)) == "The table is in the Wi-Fi Home now."
    assert nmcli.active in nmcli.loaded
    assert len(files(nmcli.places)) == 2
    go(nmcli)  # once more, with the same file
    assert len(files(nmcli.places)) == 2


@pytest.mark.parametrize("before", [HOTSPOT, OLD, None])
@pytest.mark.parametrize(
    ("chosen", "fault", "why"),
    [
        (("wrong-one", HOME), "", "The password of the Wi-Fi Home is not right"),
        ((KEY, "4e6f"), "", "There is no Wi-Fi No here"),
        ((KEY, HOME), "Error: IP configuration could not be reserved", "gave the table no address"),
        ((KEY, HOME), "Error: Timeout expired (40 seconds)", "did not let the table in"),
    ],
)
def test_what_fails_leaves_all_as_it_was_and_says_why(
    nmcli: FakeNmcli, before: str | None, chosen: tuple[str, str], fault: str, why: str
) -> None:
    key, ssid = chosen
    own_wifi.provide(nmcli.places)
    nmcli.active, nmcli.fault = before, fault
    with pytest.raises(CompanionError, match=why) as refused:
        go(nmcli, ssid, key)
    assert key not in str(refused.value)
    assert nmcli.active == (OLD if before == OLD else HOTSPOT)
    assert files(nmcli.places) == [nmcli.places.hotspot.name]


def test_a_wrong_password_does_not_replace_the_right_one(nmcli: FakeNmcli) -> None:
    go(nmcli)
    (file,) = nmcli.places.hotspot.parent.glob("*")
    right = file.read_text()
    with pytest.raises(CompanionError):
        go(nmcli, key="wrong-one")
    assert file.read_text() == right
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("known", [False, True])
def test_a_move_that_the_power_ends_leaves_nothing_on_the_card(
    nmcli: FakeNmcli, *, known: bool
) -> None:
    if known:
        go(nmcli)
    before = {file: file.read_text() for file in nmcli.places.hotspot.parent.glob("*")}
    nmcli.cut = True
    with pytest.raises(PowerCut):
        go(nmcli, key="wrong-one")
    assert {file: file.read_text() for file in nmcli.places.hotspot.parent.glob("*")} == before


def test_a_move_that_was_cut_off_without_that_leaves_nothing_either(nmcli: FakeNmcli) -> None:
    own_wifi.provide(nmcli.places)
    nmcli.cut = True
    with pytest.raises(PowerCut):
        go(nmcli)
    assert [*on_trial(nmcli.places).glob("*")]
    own_wifi.clear(nmcli.places, nmcli)
    assert not [*on_trial(nmcli.places).glob("*")]
    assert nmcli.active == HOTSPOT
    calls = len(nmcli.calls)
    own_wifi.clear(nmcli.places, nmcli)  # there is nothing to be done
    assert len(nmcli.calls) == calls


def test_what_phones_are_answered_counts_for_its_own_alone(nmcli: FakeNmcli) -> None:
    """NetworkManager would read it for whatever else it shares."""
    nmcli.active = OLD
    own_wifi.open_own(job(nmcli.places), nmcli)
    go(nmcli)
    nmcli.opens = False
    with pytest.raises(CompanionError):
        own_wifi.open_own(job(nmcli.places), nmcli)
    own_wifi.provide(nmcli.places)
    nmcli.active, nmcli.opens = None, True
    own_wifi.main(nmcli, nmcli.places)
    assert nmcli.answered == [True, True]
    assert not (nmcli.places.root / SHARED).exists()


def test_what_phones_are_answered_is_there_until_it_was_read(nmcli: FakeNmcli) -> None:
    """NetworkManager says that its own is open before the name server has read anything."""
    nmcli.active, nmcli.serves, waits = OLD, False, list[float]()

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 4:
            nmcli.serve()

    own_wifi.open_own(replace(job(nmcli.places), wait=wait), nmcli)
    assert nmcli.answered == [True]
    assert len(waits) == 4


def test_it_takes_less_than_a_minute(nmcli: FakeNmcli) -> None:
    nmcli.fault = "Error: Timeout expired (40 seconds)"
    waits = list[float]()
    with pytest.raises(CompanionError):
        own_wifi.go_home(job(nmcli.places, waits, ssid=HOME, key=KEY), nmcli)
    waits += [float(words[2]) for words in nmcli.calls if words[1] == "--wait"]
    assert sum(waits) <= 60


ODD = [
    ("2d2d68656c70", "-nohyphen"),  # --help
    ("ff00fe0a", "12345678"),
    ("613b623d23", "a;b=c#d\\"),
    ("20612062", " spaces at both ends "),
    ("c3a4c3b6", '"quoted"'),
    ("41", "0" * 64),
    ("5b776966695d", "[connection]"),
    ("42", ""),
]


@pytest.mark.parametrize(("ssid", "key"), ODD)
def test_odd_names_and_passwords_arrive_and_are_no_words_of_a_command(
    nmcli: FakeNmcli, ssid: str, key: str, capfd: pytest.CaptureFixture[str]
) -> None:
    nmcli.nearby = {ssid: key}
    told = str(go(nmcli, ssid, key))
    assert list(nmcli.loaded.values()) == [(ssid, key)]
    name = bytes.fromhex(ssid).decode("utf-8", "replace")
    for words in nmcli.calls:
        assert name not in words
        assert not key or not [word for word in words if key in word]
    everywhere = "".join(capfd.readouterr()) + told
    assert len(key) < 8 or key not in everywhere
    assert "\n" not in told


def test_a_name_that_nobody_sees_is_called_for(nmcli: FakeNmcli) -> None:
    nmcli.active = OLD
    go(nmcli)
    (file,) = nmcli.places.hotspot.parent.glob("*")
    assert "hidden=false" in file.read_text()
    nmcli.active, list_of = OLD, nmcli.nearby
    nmcli.nearby = {}
    (nmcli.places.care / WIFI_SEEN).unlink()
    with pytest.raises(CompanionError):
        own_wifi.go_home(job(nmcli.places, ssid=HOME, key=KEY), nmcli)
    assert "hidden=false" in file.read_text()  # as it was before
    nmcli.nearby = list_of


# --- what root takes ------------------------------------------------------------------------------


@pytest.mark.parametrize(("ssid", "key"), [*ODD, (HOME, "~" * 63)])
def test_root_takes_what_the_page_sends(ssid: str, key: str) -> None:
    words = care.VERBS["wifi_home"].words
    assert words["ssid"].fullmatch(ssid)
    assert words["key"].fullmatch(key)


@pytest.mark.parametrize(
    ("ssid", "key"),
    [
        ("", KEY),
        ("4", KEY),
        ("4G", KEY),
        ("4F", KEY),
        ("41" * 33, KEY),
        ("41\n", KEY),
        ("41", "seven77"),
        ("41", "12345678\n"),
        ("41", "1234\n5678"),
        ("41", "1234\x005678"),
        ("41", "g" * 64),
        ("41", "schlüssel"),
    ],
)
def test_root_takes_nothing_else(ssid: str, key: str) -> None:
    words = care.VERBS["wifi_home"].words
    assert not (words["ssid"].fullmatch(ssid) and words["key"].fullmatch(key))


def test_opening_it_takes_no_words() -> None:
    assert not care.VERBS["wifi_own"].words
