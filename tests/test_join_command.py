"""A table joins a hall by the code that its director shows, and leaves it again."""

from pathlib import Path

import pytest

from companion.cli.main import main
from companion.mqtt import join_code
from companion.mqtt.join_code import Joining
from companion.table.outputs.mqtt import joined

BRICK = (
    "RW1-EIYTENZOGAXDALRREIWDQOBYGMWCEYLUORUWGIRMEJOHKZBYGAYCEAFUNGGYC"  # half a character in it
)


def test_it_joins_and_leaves(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = join_code.write(Joining("192.168.1.5", 1883, "attic", "a secret", None))
    assert main(["--language", "en", "join", code, "--folder", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "192.168.1.5, as attic;" in said
    found = joined(None, tmp_path)
    assert found is not None
    assert found.table == "attic"
    assert main(["--language", "en", "join", "--leave", "--folder", str(tmp_path)]) == 0
    assert joined(None, tmp_path) is None
    capsys.readouterr()


@pytest.mark.parametrize("words", [[], ["--leave"], ["RW1-AAAA"], [BRICK]])
def test_what_cannot_be_is_told(
    words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--language", "en", "join", *words, "--folder", str(tmp_path)]) == 2
    assert capsys.readouterr().err
    assert not list(tmp_path.iterdir())
