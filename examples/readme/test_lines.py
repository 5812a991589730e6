"""No command is overlooked: each belongs to the test that types it."""

import re
from collections import Counter
from pathlib import Path

import pytest

from companion.cli.options import COMMANDS
from examples.readme.lines import KINDS, READMES, ROOT, commands, of, told_in

TESTS = "\n".join(
    file.read_text("utf-8")
    for file in (
        *Path(__file__).parent.glob("test_*.py"),
        ROOT / "examples/ludo/test_ludo_package.py",
        ROOT / "hardware/arm/test_card_file.py",
        ROOT / "hardware/kernel/test_read_only.py",
        ROOT / "hardware/tests/test_board_command.py",
        ROOT / "hardware/tests/test_guides.py",
        ROOT / "release/test_release.py",
    )
)


def test_every_command_is_typed_by_one_test() -> None:
    for command in commands():
        kinds = [kind for kind in KINDS if command in of(kind)]
        assert len(kinds) == 1, f"{command} – which test types it? {kinds}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_there_and_has_its_test(kind: str) -> None:
    assert of(kind)
    assert TESTS.count(f'of("{kind}")') >= 1


def test_commands_are_found_wherever_they_stand_in_the_order_of_reading() -> None:
    text = (
        "Say `sudo ./run\ninstall`, then:\n\n    ./run test -k spell\n\n"
        "```sh\n./run play   # alone\n```\nor `rappelwacht doctor`; `rappelwacht` is its name.\n"
    )
    assert list(told_in(text)) == [
        "sudo ./run install",
        "./run test -k spell",
        "./run play",
        "rappelwacht doctor",
    ]


@pytest.mark.parametrize("readme", READMES, ids=lambda file: str(file.relative_to(ROOT)))
def test_no_command_hides_in_the_text(readme: Path) -> None:
    """A door or a subcommand that is named anywhere stands in something that is typed."""
    called = re.compile(rf"\./run\b|\bsudo |\brappelwacht (?:{'|'.join(COMMANDS)})\b")
    text = readme.read_text("utf-8")
    told = Counter(word for line in told_in(text) for word in called.findall(line))
    uncommented = re.sub(r"^([^#\n].*?) # .*", r"\1", text, flags=re.MULTILINE)
    assert told == Counter(called.findall(" ".join(uncommented.split())))
