"""What `hall` refuses before it starts anything."""

from argparse import Namespace
from pathlib import Path

import pytest

from companion.cli.hall import named_broker
from companion.cli.main import main


@pytest.mark.parametrize("option", ["--password", "--authority"])
def test_what_is_for_another_broker_needs_one(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hall", "--folder", str(tmp_path / "hall"), option, "secret.txt"]
    assert main(["--language", "en", *words]) == 2
    assert "--broker" in capsys.readouterr().err
    assert not (tmp_path / "hall").exists()


@pytest.mark.parametrize(
    "broker",
    [
        ":1883",
        "broker:0",
        "broker:99999",
        "broker:mqtt",
        "::1::",
        "[::1",
        "me@broker",
        "broker/hall",
    ],
)
def test_what_names_no_broker_is_refused(
    broker: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["hall", "--folder", str(tmp_path / "hall"), "--broker", broker]
    assert main(["--language", "en", *words]) == 2
    assert f"'{broker}'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("broker", "host", "port"),
    [
        ("broker.lan", "broker.lan", 1883),
        ("broker.lan:1884", "broker.lan", 1884),
        ("192.168.1.2:1884", "192.168.1.2", 1884),
        ("fd00::2", "fd00::2", 1883),
        ("[fd00::2]", "fd00::2", 1883),
        ("[fd00::2]:1884", "fd00::2", 1884),
    ],
)
def test_a_broker_is_named_as_people_name_it(broker: str, host: str, port: int) -> None:
    found = named_broker(Namespace(broker=broker, password=None, authority=None))
    assert found is not None
    assert (found.host, found.port) == (host, port)
