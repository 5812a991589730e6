"""The service's files: strict, whole, and fitting the program that they start."""

import configparser
import os
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from companion.cli.install import HALL_WORDS
from companion.cli.install.places import FILES, Places
from companion.cli.install.system import HALL
from companion.cli.options import COMMANDS, read_options
from companion.web.wifi_page import CREDENTIAL, OWN
from release.install.roots import ROOT
from tests.programs import need

SERVICE = ROOT / "hardware/service"
UNIT = SERVICE / "rappelwacht.service"
UNITS = (UNIT.name, HALL.service)
EXPOSED, EXPOSED_AS_ROOT = 2.0, 4.0


def lines(name: str) -> list[str]:
    return (SERVICE / name).read_text("utf-8").splitlines()


def value(key: str, unit: str = UNIT.name) -> list[str]:
    return [one.partition("=")[2] for one in lines(unit) if one.startswith(f"{key}=")]


def test_every_file_of_the_service_has_its_place() -> None:
    others = {"hotspot.nmconnection", "hotspot-dns.conf", "hotspot.nft", "lgpio.lock"}
    assert {one.name for one in SERVICE.iterdir() if one.is_file()} == {
        *FILES,
        *HALL.files,
        *others,
    }


def test_it_starts_a_command_that_there_is() -> None:
    (start,) = value("ExecStart")
    program, _, words = start.partition(" -m companion ")
    assert program == "/opt/rappelwacht/current/venv/bin/python -P"
    options = read_options("en", words.split())
    assert options.command in COMMANDS
    assert options.config == "/etc/rappelwacht/table.toml"


@pytest.mark.parametrize("more", ["", "--broker broker.lan --password /etc/word"])
def test_a_hall_is_started_by_a_command_that_there_is(more: str) -> None:
    (start,) = value("ExecStart", HALL.service)
    program, _, words = start.partition(" -m companion ")
    assert program == "/opt/rappelwacht/current/venv/bin/python -P"
    options = read_options("en", words.replace("$HALL_WORDS", more).split())
    assert (options.command, options.port) == ("hall", 8000)
    (file,) = value("EnvironmentFile", HALL.service)
    assert file.removeprefix("-") == f"/{Places().settings.relative_to('/') / 'hall.conf'}"
    assert "# HALL_WORDS=" in HALL_WORDS


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, who gives files away")
@pytest.mark.parametrize("unit", UNITS)
def test_what_root_brought_back_is_the_services_again_before_it_starts(
    unit: str, tmp_path: Path
) -> None:
    words, *_ = value("ExecStartPre", unit)
    kept, elsewhere = tmp_path / "kept", tmp_path / "elsewhere"
    (kept / "table").mkdir(parents=True)
    (kept / "table/stoppers.toml").touch(0o600)
    elsewhere.touch()
    (kept / "link").symlink_to(elsewhere)
    line = words.removeprefix("+").replace("rappelwacht:", "4321:4321", 1)
    subprocess.run(line.replace("/var/lib/rappelwacht", str(kept)).split(), check=True)
    given = [kept, kept / "table", kept / "table/stoppers.toml", kept / "link"]
    assert {path.lstat().st_uid for path in given} == {4321}
    assert elsewhere.stat().st_uid == 0


@pytest.mark.parametrize("unit", UNITS)
def test_what_hangs_is_restarted(unit: str) -> None:
    assert value("Type", unit) == ["notify"]
    assert int(*value("WatchdogSec", unit)) >= 10  # once a second it says that it is alive
    assert value("Restart", unit) == ["always"]
    assert value("User", unit) == ["rappelwacht"]


def test_a_hall_opens_no_device_and_may_do_no_more_than_a_table() -> None:
    assert not value("DeviceAllow", HALL.service)
    assert value("PrivateDevices", HALL.service) == ["yes"]
    kept_from = {one for one in lines(UNIT.name) if re.match(r"(Protect|Restrict|System|Cap)", one)}
    assert kept_from <= set(lines(HALL.service))


def test_it_may_open_only_what_a_table_is_wired_to() -> None:
    assert set(value("DeviceAllow")) == {
        *("char-ttyACM rw", "char-ttyUSB rw", "char-i2c rw", "char-gpiochip rw"),
        "char-alsa rw",
    }
    assert {"i2c-dev", "cdc_acm", "usbserial"} <= set(lines("modules.conf"))


def test_its_user_is_in_the_groups_that_it_asks_for() -> None:
    (groups,) = value("SupplementaryGroups")
    members = {one.split()[2] for one in lines("sysusers.conf") if one.startswith("m ")}
    assert members == set(groups.split())


@pytest.mark.parametrize(
    ("unit", "most"),
    [*((unit, EXPOSED) for unit in UNITS), ("rappelwacht-care.service", EXPOSED_AS_ROOT)],
)
def test_systemd_finds_it_little_exposed(unit: str, most: float) -> None:
    need("systemd-analyze")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", str(SERVICE / unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    (level,) = re.findall(r"Overall exposure level for \S+: ([0-9.]+)", done.stdout)
    assert float(level) <= most


def test_no_modem_manager_disturbs_the_hub() -> None:
    rules = [one for one in lines("70-rappelwacht.rules") if "303a" in one and one[0] != "#"]
    assert len(rules) == 2
    assert all('ENV{ID_MM_DEVICE_IGNORE}="1"' in one for one in rules)


def test_the_log_is_bounded_and_the_hotspot_and_avahi_files_are_sound() -> None:
    kept = configparser.ConfigParser()
    kept.optionxform = str  # type: ignore[assignment,method-assign]
    kept.read(SERVICE / "journald.conf")
    assert {"SystemMaxUse", "RuntimeMaxUse"} <= set(kept["Journal"])
    hotspot = configparser.ConfigParser()
    hotspot.read(SERVICE / "hotspot.nmconnection")
    assert hotspot["wifi"]["mode"] == "ap"
    assert hotspot["wifi"]["channel"] == "1"  # else NetworkManager may take the forbidden 13
    assert hotspot["connection"]["autoconnect"] == "false"
    assert hotspot["ipv4"]["address1"] == f"{OWN}/24"
    dns = (SERVICE / "hotspot-dns.conf").read_text("utf-8")
    assert f"address=/#/{OWN}\n" in dns
    assert f"dhcp-option=114,https://{OWN}:8443/captive\n" in dns
    redirect = (SERVICE / "hotspot.nft").read_text("utf-8")
    assert f"ip daddr {OWN} tcp dport 80 redirect to :8000" in redirect
    assert value("LoadCredential") == [f"{CREDENTIAL}:{Places().hotspot}"]
    found = ET.parse(SERVICE / "avahi.service")
    assert found.findtext("service/port") == "8000"


def test_the_command_of_an_installed_table_is_plain_shell() -> None:
    subprocess.run(["sh", "-n", SERVICE / "rappelwacht.sh"], check=True)


def test_the_wheels_of_the_pins_are_named_by_their_hashes() -> None:
    text = (SERVICE / "lgpio.lock").read_text("utf-8")
    assert re.search(r"^lgpio==\d", text, re.MULTILINE)
    assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}", text)) >= 4
