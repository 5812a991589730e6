"""`card` on boot partitions as Raspberry Pi OS and its Imager leave them, in folders."""

import os
import secrets
import shutil
import struct
import subprocess
import tracemalloc
import zipfile
from argparse import Namespace
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from companion.cli import card as command
from companion.cli.install import own_wifi, payload
from companion.cli.options import read_options
from companion.present.terminal import TerminalScreen
from companion.system import private_files
from companion.system.errors import CompanionError
from hardware.arm.imager import BOOKWORM, CARDS, CONSOLE, FIRSTRUN, ISSUE, TRIXIE

Bytes = dict[str, bytes]


def laid(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).write_bytes(text.encode())
    return folder


def tree(folder: Path) -> Bytes:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def release(there: Path) -> Path:
    """Return the card zip of a release, with empty packages in it."""
    there.mkdir()
    own = there / "rappelwacht-1.2.3-py3-none-any.whl"
    with zipfile.ZipFile(own, "w") as files:
        files.writestr("companion/__init__.py", "")

    def fetch(_: object) -> int:
        (there / "rappelwacht/wheels/flask.whl").write_bytes(b"flask")
        return 0

    payload.build(there / "rappelwacht", fetch, own)
    payload.pack(there / "rappelwacht", there / "card.zip")
    return there / "card.zip"


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return release(tmp_path_factory.mktemp("released") / "it")


class Maker:
    """Somebody who makes a card."""

    def __init__(self, path: Path, released: Path) -> None:
        self.path, self.released = path, released

    def type(self, *words: str) -> str:
        """Say `card PATH …`; return what it says, in one line."""
        line = ["card", str(self.path), "--from", str(self.released), *words]
        options: Namespace = read_options("en", line)
        out = StringIO()
        assert command.card(options, TerminalScreen(out)) == 0
        return " ".join(out.getvalue().split())


@pytest.fixture(params=CARDS)
def maker(request: pytest.FixtureRequest, tmp_path: Path, released: Path) -> Maker:
    return Maker(laid(tmp_path / "bootfs", CARDS[request.param][0]), released)


@pytest.fixture
def trixie(tmp_path: Path, released: Path) -> Maker:
    return Maker(laid(tmp_path / "bootfs", CARDS["trixie of the imager"][0]), released)


@pytest.mark.parametrize("name", CARDS)
def test_only_the_folder_is_added_and_what_begins_it(
    tmp_path: Path, released: Path, name: str
) -> None:
    files, hook = CARDS[name]
    maker = Maker(laid(tmp_path / "bootfs", files), released)
    before = tree(maker.path)
    asked = maker.type()
    assert "Nothing was changed" in asked
    assert f"{hook} begins it" in asked
    assert tree(maker.path) == before
    made = maker.type("--yes")
    assert "The card is ready, with version 1.2.3." in made
    pin = made.partition("phones in: ")[2][:6]
    assert (maker.path / "rappelwacht/settings").read_text("ascii") == f"pin={pin}\n"
    after = tree(maker.path)
    added = {name for name in after if name not in before}
    assert {name for name in added if not name.startswith("rappelwacht/")} <= {"vendor-data"}
    assert {name for name in before if after[name] != before[name]} == {hook} - {"vendor-data"}
    assert payload.check(maker.path / "rappelwacht") == "1.2.3"
    assert maker.type("--undo")
    assert tree(maker.path) == after
    assert "as it was before" in maker.type("--undo", "--yes")
    assert tree(maker.path) == before
    assert not (maker.path / "rappelwacht").exists()


def test_done_twice_is_done_once(maker: Maker) -> None:
    before = tree(maker.path)
    assert "The folder rappelwacht is added" in maker.type("--yes")
    once = tree(maker.path)
    assert "The folder rappelwacht is written anew" in maker.type("--yes")
    assert tree(maker.path) == once
    maker.type("--undo", "--yes")
    assert tree(maker.path) == before


def test_a_script_of_the_imager_runs_ours_first_and_stays_itself(
    tmp_path: Path, released: Path
) -> None:
    maker = Maker(laid(tmp_path / "bootfs", CARDS["bookworm of the imager"][0]), released)
    maker.type("--yes")
    lines = (maker.path / "firstrun.sh").read_text("utf-8").splitlines()
    assert lines[:2] == ["#!/bin/bash", "sh /boot/firmware/rappelwacht/first-boot.sh"]
    # Bookworm's own repair of that script keeps all before the line that removes it
    kept = lines[: next(at for at, line in enumerate(lines) if line.startswith("rm "))]
    assert not any(line.endswith("firstrun.sh") for line in kept)
    assert lines[1] in kept


def test_without_the_imager_the_kernels_line_has_it_run(tmp_path: Path, released: Path) -> None:
    maker = Maker(laid(tmp_path / "bootfs", BOOKWORM), released)
    maker.type("--yes")
    text = (maker.path / "cmdline.txt").read_text("ascii")
    assert text == BOOKWORM["cmdline.txt"].replace("\n", f"{command.WORDS.decode()}\n")
    script = (maker.path / "rappelwacht/first-boot.sh").read_text("utf-8")
    assert "kernel-command-line" in script  # and so it can take them out again


@pytest.mark.parametrize("half", ["first-boot.sh", "rappelwacht-arrival.service", None])
def test_half_of_what_begins_it_begins_nothing_and_is_told_of(
    trixie: Maker, half: str | None
) -> None:
    trixie.type("--yes")
    folder = trixie.path / "rappelwacht"
    if half is not None:
        (folder / half).write_bytes((folder / half).read_bytes()[:100])
    line = (trixie.path / "vendor-data").read_text("ascii").partition("bootcmd:\n  - |\n")[2]
    for real, here in (
        ("/boot/firmware", str(trixie.path)),
        ("/dev/console", "console"),
        ("sh first-boot.sh", "touch begun"),
    ):
        assert real in line
        line = line.replace(real, here)
    subprocess.run(["sh", "-euc", line], check=True)
    assert (folder / "begun").exists() == (half is None)
    for name in ("console", "first-boot.txt") if half else ():
        assert "is damaged" in (folder / name).read_text("ascii")


BEGINS = "\nlater() {"  # what comes before it is done at once


@pytest.mark.parametrize("half", ["first-boot.sh", "rappelwacht-arrival.service", None])
def test_half_of_what_begins_bookworm_is_told_of(
    tmp_path: Path, released: Path, half: str | None
) -> None:
    maker = Maker(laid(tmp_path / "bootfs", BOOKWORM), released)
    maker.type("--yes")
    folder = maker.path / "rappelwacht"
    if half is not None:
        os.truncate(folder / half, (folder / half).stat().st_size // 2)
    script = (folder / "first-boot.sh").read_text("utf-8").replace("/dev/console", "console")
    begun = script if half == "first-boot.sh" else script.partition(BEGINS)[0]
    done = subprocess.run(["sh", "-c", begun, folder / "first-boot.sh"], check=False)
    assert done.returncode == (0 if half is None else 1)
    for name in ("console", "first-boot.txt"):
        assert (folder / name).exists() == (half is not None)
    for name in ("console", "first-boot.txt") if half else ():
        assert "is damaged" in (folder / name).read_text("ascii")


def test_what_an_older_zip_left_on_the_card_is_left_out(trixie: Maker) -> None:
    trixie.type("--yes")
    folder = trixie.path / "rappelwacht"
    for name in ("rappelwacht-0.9.9-py3-none-any.whl", "flask-1.whl"):
        (folder / "wheels" / name).write_bytes(b"of an older version")
    script = (folder / "first-boot.sh").read_text("utf-8").partition('if [ "${1-}" != now ]')[0]
    others = "settle() { :; }; choose_pin() { :; }; nmcli() { false; }; as_owner() { echo 123456; }"
    line = [script, others, 'python3() { echo "$@"; }', "now"]
    said = subprocess.run(
        ["sh", "-c", "\n".join(line), folder / "first-boot.sh"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (unpacked,) = (words for words in said.splitlines() if "zipfile" in words)
    assert unpacked.split()[3] == str(folder / "wheels/rappelwacht-1.2.3-py3-none-any.whl")
    assert len(unpacked.split()) == 5
    assert payload.check(folder) == "1.2.3"
    assert "lets phones in: 123456" in said.partition("zipfile")[0]


def test_its_own_wifi_is_told_and_stays_if_the_card_is_made_again(trixie: Maker) -> None:
    file = trixie.path / "rappelwacht/own-wifi.nmconnection"
    assert "own Wi-Fi" not in trixie.type()
    told = trixie.type("--yes").partition("its own Wi-Fi")[2]
    name, password = own_wifi.name_and_key(file)
    assert f"{name}, with the password {password}." in told
    assert len(password) == 10
    assert trixie.type("--yes").partition("its own Wi-Fi")[2] == told
    assert trixie.type("--undo", "--yes")
    assert not file.exists()


def test_what_the_imager_wrote_is_named_and_kept(trixie: Maker) -> None:
    asked = trixie.type()
    assert "http://tavern.local:8000" in asked
    assert "--wifi" not in asked  # it knows one
    with pytest.raises(CompanionError, match="Europe/Vienna, which stays"):
        trixie.type("--time-zone", "Europe/Berlin")


def test_a_card_without_any_wifi_is_told_of(tmp_path: Path, released: Path) -> None:
    asked = Maker(laid(tmp_path / "bootfs", TRIXIE), released).type()
    assert "http://rappelwacht.local:8000" in asked
    assert "plug in a network cable, or add --wifi" in asked


class Cut(BaseException):
    """The card is pulled out."""


def pulled_out(monkeypatch: pytest.MonkeyPatch, at: int) -> list[Path]:
    """Have a card pulled out at some write, which leaves half of a new file."""
    real, written = private_files.write, list[Path]()

    def write(path: Path, data: bytes, mode: int = private_files.FILE) -> None:
        if len(written) == at:
            path.with_name(f".{path.name}.new").write_bytes(data[: len(data) // 2])
            raise Cut
        written.append(path)
        real(path, data, mode)

    monkeypatch.setattr(private_files, "write", write)
    return written


@pytest.mark.parametrize("name", ["trixie of the imager", "bookworm", "bookworm of the imager"])
def test_pulled_out_at_any_write_it_is_mended_or_taken_back(
    tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    before = laid(tmp_path / "before", CARDS[name][0])
    whole = Maker(tmp_path / "whole", released)
    shutil.copytree(before, whole.path)
    monkeypatch.setattr(secrets, "randbelow", lambda _: 12345)
    monkeypatch.setattr(secrets, "choice", lambda letters: letters[0])
    with monkeypatch.context() as patch:
        writes = pulled_out(patch, -1)
        whole.type("--yes")
    assert len(writes) > 8
    for at in range(len(writes)):
        for mended in (True, False):
            maker = Maker(tmp_path / f"{at}-{mended}", released)
            shutil.copytree(before, maker.path)
            with monkeypatch.context() as patch:
                pulled_out(patch, at)
                with pytest.raises(Cut):
                    maker.type("--yes")
            hooked = [part in (maker.path / file).read_bytes() for file, part in _hooks(maker)]
            assert not any(hooked)  # half a folder begins nothing
            maker.type(*(("--yes",) if mended else ("--undo", "--yes")))
            assert tree(maker.path) == tree(whole.path if mended else before)


def _hooks(maker: Maker) -> list[tuple[str, bytes]]:
    return [(file, part) for file, part in command.HOOKS.items() if (maker.path / file).is_file()]


def nothing(path: Path) -> None:
    shutil.rmtree(path)


def empty(path: Path) -> None:
    for file in path.iterdir():
        file.unlink()


def other_system(path: Path) -> None:
    (path / "issue.txt").unlink()  # as on Ubuntu's, which has user-data, too


def too_old(path: Path) -> None:
    (path / "issue.txt").write_text(ISSUE.format("2023-05-03"), "ascii")


def taken(path: Path) -> None:
    (path / "rappelwacht").mkdir()
    (path / "rappelwacht/photos").mkdir()


def taken_file(path: Path) -> None:
    (path / "rappelwacht").write_text("mine", "ascii")


def other_vendor(path: Path) -> None:
    (path / "vendor-data").write_text("#cloud-config\nruncmd: [reboot]\n", "ascii")


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (nothing, "There is no folder"),
        (empty, "not the boot partition"),
        (other_system, "holds another system"),
        (too_old, "Bookworm or newer is needed"),
        (taken, "rappelwacht/photos on the card is not of Rappelwacht"),
        (taken_file, "rappelwacht on the card is not of Rappelwacht"),
        (other_vendor, "vendor-data on the card is not of Rappelwacht"),
    ],
)
def test_what_is_no_such_card_is_refused_and_stays(
    trixie: Maker, spoil: Callable[[Path], None], why: str
) -> None:
    spoil(trixie.path)
    before = tree(trixie.path)
    for words in (("--yes",), (), ("--undo", "--yes")):
        with pytest.raises(CompanionError, match=why):
            trixie.type(*words)
    assert tree(trixie.path) == before


def test_a_boot_line_that_runs_something_else_is_refused(tmp_path: Path, released: Path) -> None:
    files = BOOKWORM | {"cmdline.txt": f"{CONSOLE} systemd.run=/usr/local/bin/mine"}
    maker = Maker(laid(tmp_path / "bootfs", files), released)
    with pytest.raises(CompanionError, match="something of its own"):
        maker.type("--yes")


def test_a_full_card_is_refused_before_anything_is_written(
    trixie: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = tree(trixie.path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Namespace(free=1000))
    with pytest.raises(CompanionError, match="The card has 0 MB of room"):
        trixie.type("--yes")
    assert tree(trixie.path) == before


def test_that_nobody_signed_a_release_is_said_and_it_is_taken(
    trixie: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = trixie.type("--yes")
    assert "is not signed, or by nobody whom this program knows" in told
    assert "The card is ready" in told
    monkeypatch.setattr(payload, "demand_signed", lambda *_: None)
    assert "not signed" not in trixie.type("--yes")


def test_a_broken_zip_changes_nothing(trixie: Maker, tmp_path: Path) -> None:
    before = tree(trixie.path)
    broken = tmp_path / "broken.zip"
    broken.write_bytes(trixie.released.read_bytes()[:-100])
    with pytest.raises(CompanionError, match="no zip of a Rappelwacht release"):
        Maker(trixie.path, broken).type("--yes")
    assert tree(trixie.path) == before


@pytest.mark.parametrize("name", payload.LEFT)
def test_what_no_checksum_vouches_for_comes_in_no_zip(
    tmp_path: Path, released: Path, name: str
) -> None:
    """Such as a Wi-Fi to join, or a key that lets somebody in."""
    shutil.copy(released, tmp_path / "more.zip")
    with zipfile.ZipFile(tmp_path / "more.zip", "a") as files:
        files.writestr(f"{payload.NAME}/{name}", "key=ssh-ed25519 AAAA")
    with (
        pytest.raises(CompanionError, match="is no zip of a"),
        payload.open_payload(tmp_path / "more.zip"),
    ):
        pass


def test_a_zip_that_unpacks_to_more_than_it_says_fills_no_memory(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as files:
        files.writestr(f"{payload.NAME}/{payload.SUMS}", bytes(64 << 20))
    data = bytearray((tmp_path / "bomb.zip").read_bytes())
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 1000)  # its size, as it says
    (tmp_path / "bomb.zip").write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(CompanionError, match="is no zip of a"):
            payload.open_payload(tmp_path / "bomb.zip").__enter__()
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_there_is_nothing_to_take_back_from_a_card_as_it_was_written(maker: Maker) -> None:
    with pytest.raises(CompanionError, match="nothing of Rappelwacht"):
        maker.type("--undo", "--yes")


# --- what may be asked for ---------------------------------------------------------------------


def wished(
    tmp_path: Path, released: Path, *words: str, monkeypatch: pytest.MonkeyPatch, typed: str = ""
) -> Bytes:
    maker = Maker(laid(tmp_path / "bootfs", TRIXIE), released)
    monkeypatch.setattr(TerminalScreen, "ask", lambda *_: typed)
    maker.type("--yes", *words)
    return tree(maker.path / "rappelwacht")


def test_a_wifi_is_written_as_networkmanager_reads_it_without_its_password(
    tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The example of IEEE 802.11i, annex H.4."""
    words = ("--wifi", "IEEE", "--country", "DE")
    files = wished(tmp_path, released, *words, monkeypatch=monkeypatch, typed="password")
    text = files["wifi.nmconnection"].decode()
    assert "ssid=73;69;69;69;\n" in text
    assert "psk=f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e\n" in text
    assert "password" not in text
    assert b"\ncountry=DE\n" in files["settings"]


@pytest.mark.parametrize(
    "files",
    [
        {"cmdline.txt": f"{CONSOLE} resize cfg80211.ieee80211_regdom=AT ds=nocloud\n"},
        {"network-config": 'network:\n  wifis:\n    wlan0:\n      regulatory-domain: "AT"\n'},
        {"firstrun.sh": FIRSTRUN.replace("'DE'", "'AT'")},
    ],
)
def test_the_country_of_a_wifi_is_what_the_imager_wrote_unless_another_is_named(
    tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch, files: dict[str, str]
) -> None:
    maker = Maker(laid(tmp_path / "bootfs", TRIXIE | files), released)
    monkeypatch.setattr(TerminalScreen, "ask", lambda *_: "password")
    for words, country in (((), "AT"), (("--country", "CH"), "CH")):
        maker.type("--yes", "--wifi", "Home", *words)
        settings = (maker.path / "rappelwacht/settings").read_text("ascii")
        assert settings.endswith(f"\ncountry={country}\n")


def test_no_country_is_asked_for_that_the_imager_named(tmp_path: Path, released: Path) -> None:
    named = {"cmdline.txt": f"{CONSOLE} resize cfg80211.ieee80211_regdom=AT ds=nocloud\n"}
    told = Maker(laid(tmp_path / "bootfs", TRIXIE | named), released).type()
    assert "--country" not in told
    assert "without a network cable it opens its own" in told


def test_an_open_wifi_has_no_key(
    tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = wished(tmp_path, released, "--wifi", "Café", "--country", "AT", monkeypatch=monkeypatch)
    assert b"psk" not in files["wifi.nmconnection"]


def test_key_and_time_zone_are_left_for_the_first_boot(
    tmp_path: Path, released: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = tmp_path / "id.pub"
    key.write_text("ssh-ed25519 AAAAC3Nza mira@home\n", "ascii")
    words = ("--time-zone", "Europe/Berlin", "--key", str(key))
    files = wished(tmp_path, released, *words, monkeypatch=monkeypatch)
    assert files["settings"].splitlines()[1:] == [
        b"time-zone=Europe/Berlin",
        b"key=ssh-ed25519 AAAAC3Nza mira@home",
    ]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--wifi", "Home"), "add --country"),
        (("--wifi", "Home", "--country", "Germany"), "no country"),
        (("--wifi", "x" * 33, "--country", "DE"), "1 to 32 letters"),
        (("--wifi", "Home", "--country", "DE"), "8 to 63 letters"),
        (("--time-zone", "Berlin"), "no time zone"),
        (("--time-zone", "../../etc/passwd"), "no time zone"),
        (("--key", __file__), "no public ssh key"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_written(
    tmp_path: Path,
    released: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    why: str,
) -> None:
    maker = Maker(laid(tmp_path / "bootfs", TRIXIE), released)
    before = tree(maker.path)
    monkeypatch.setattr(TerminalScreen, "ask", lambda *_: "short")
    with pytest.raises(CompanionError, match=why):
        maker.type("--yes", *words)
    assert tree(maker.path) == before
