"""TOML that Python itself cannot swallow is a sentence like any other fault."""

import tomllib

import pytest

from companion.system.config import parse
from companion.system.errors import ConfigError
from companion.system.toml_reader import DEEPEST, read_toml

DEEP = "it is nested too deeply"
LONG = "a number in it is too long"


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        ("x = " + "[" * 5000 + "]" * 5000, DEEP),
        ("x = " + "{a = " * 5000 + "1" + "}" * 5000, DEEP),
        ("[buzzer]\npin." + ".".join("a" * 3000) + " = 1", DEEP),
        ("[buzzer]\npin = " + "[" * DEEPEST + "]" * DEEPEST, DEEP),
        ("[buzzer]\npin = " + "1" * 5000, LONG),
        ("[buzzer]\npin = 0x" + "f" * 5000, LONG),
        ("[hub]\nports = [12345678901234567890]", LONG),
    ],
    ids=["lists", "tables", "dots", "a few lists", "digits", "hex", "64 bits"],
)
def test_a_table_that_python_cannot_swallow_is_one_sentence(toml: str, reason: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(toml, "table.toml")
    assert f": {reason}." in str(caught.value)
    with pytest.raises(tomllib.TOMLDecodeError, match=reason):
        read_toml(toml)


def test_what_people_write_is_read() -> None:
    toml = "x = [[1, 2], {a.b.c = [[9223372036854775807]]}]"
    assert read_toml(toml) == tomllib.loads(toml)
