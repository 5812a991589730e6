"""All that can be typed at any computer is typed, in the order of reading, in one home."""

import re
import socket
from pathlib import Path

import pytest

from examples.readme.lines import block, of
from examples.readme.typed import Desk, desk
from tests.programs import need

GOES_ON = {  # what never ends by itself, and what it says when all is up
    r"\./run": "A match begins",
    r"\./run table.*": "On a phone, open",
    r"\./run hall": "The hall is at",
    r"\./run hall --tables.*": "simulated tables are playing",
}
PLAYING = "companion/cli/README.md"
CTRL_C, SOMETHING_TO_SEE_TO = 130, 1


@pytest.mark.slow
def test_every_line_for_any_computer_does_what_it_should(tmp_path: Path) -> None:
    here = desk(tmp_path)
    (tmp_path / "FILE").touch()  # a table of which nothing is built yet
    (tmp_path / "ring.toml").write_text(block(PLAYING, "toml"), "utf-8")
    told = {command.text: typed(here, command.text) for command in of("at home")}
    assert block(PLAYING, "text") in told["./run play --bots 4 --profi --seed 7"]
    assert "1 match" in told["./run journal import match.jsonl"]
    assert (tmp_path / "study/study-blackmore.html").exists()


def typed(here: Desk, line: str) -> str:
    """Type a line, and return what it says, if it ends as it should."""
    lasts = next((up for words, up in GOES_ON.items() if re.fullmatch(words, line)), None)
    if " table" in line and not here.prefix:  # the usual port may be somebody else's
        line += f" --port {free_port()}"
    if " hall" in line:
        need("mosquitto")
        here = Desk(here.folder)  # it talks to its broker, and a network of its own lacks that way
    said = here.type(line, lasts)
    if "./run doctor" in line:
        assert said.code in {0, SOMETHING_TO_SEE_TO}, (line, said)
    else:
        leaves = lasts or "--you" in line
        assert (said.code, said.err) == (CTRL_C if leaves else 0, ""), (line, said)
    return said.out


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
    return port
