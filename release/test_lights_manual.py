"""The command `lights`, and the manual's page and pictures: as committed, so made."""

import io
from argparse import Namespace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from companion.cli.lights import FRAMES, HIDE, SHOW, picture, show_lights
from companion.cli.main import main
from companion.i18n.translate import say
from companion.present.lights.example import examples
from companion.present.terminal import TerminalScreen
from rappelwacht_research.lights_page import write
from tests.games.zapp_zerapp.terminal.test_picture import ESCAPE

HARDWARE = Path(__file__).parents[1] / "hardware"
NAMES = [example.name for example in examples()]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Speak English, without colours."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_COLOR", "1")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_pages_and_pictures_are_what_the_command_makes(tmp_path: Path) -> None:
    folder = tmp_path / "lights"
    write(folder)
    assert {file.name for file in folder.iterdir()} == {f"{name}.svg" for name in NAMES}
    assert {file.name for file in (HARDWARE / "lights").iterdir()} == {f"{n}.svg" for n in NAMES}
    pages = [*tmp_path.glob("*.md")]
    assert {page.name for page in pages} == {"lights.md", "lichter.md"}
    for made in (*folder.iterdir(), *pages):
        committed = HARDWARE / made.relative_to(tmp_path)
        assert made.read_bytes() == committed.read_bytes(), (
            f"{committed.name} is not what the lights show any more; "
            "run '.venv/bin/python -m rappelwacht_research.lights_page'"
        )


def test_every_picture_is_sound_and_says_its_name() -> None:
    for example in examples():
        file = HARDWARE / "lights" / f"{example.name}.svg"
        drawn = ElementTree.fromstring(file.read_text("utf-8"))
        assert drawn.findtext("{http://www.w3.org/2000/svg}title") == say(example.meaning.title)


def test_a_pipe_gets_each_scene_once_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lights"]) == 0
    printed = capsys.readouterr().out
    assert "\x1b" not in printed
    assert [line for line in printed.splitlines() if line.endswith(")")] == [
        f"{say(example.meaning.title)}  ({example.name})" for example in examples()
    ]


def test_a_list_has_a_line_for_each_scene_in_ones_own_language(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--language", "de", "lights", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == NAMES
    assert "flip        Jetzt umdrehen!" in lines


def test_a_name_that_is_none_is_answered_with_all_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["lights", "--scene", "disco"]) == 2
    told = capsys.readouterr().err
    assert told.startswith("There is no scene 'disco'; there are set-up, ")
    assert all(name in told for name in NAMES)


def shown(out: io.StringIO, *, still: bool = False, scene: str | None = None) -> list[float]:
    pauses: list[float] = []
    options = Namespace(list=False, still=still, scene=scene)
    assert show_lights(options, TerminalScreen(out, colour=True), pauses.append) == 0
    return pauses


@pytest.mark.slow
def test_on_a_terminal_each_scene_moves_in_place_for_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    assert len(shown(out)) == FRAMES * len(examples())
    printed = out.getvalue()
    assert printed.startswith(HIDE)
    assert printed.endswith(SHOW)
    assert printed.count("\x1b[13A") == (FRAMES - 1) * len(examples())


def test_one_scene_moves_until_somebody_ends_it_and_the_cursor_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out, seen = Terminal(), []

    def enough(_: float) -> None:
        seen.append(1)
        if len(seen) == 3 * FRAMES:
            raise KeyboardInterrupt

    options = Namespace(list=False, still=False, scene="flip")
    with pytest.raises(KeyboardInterrupt):
        show_lights(options, TerminalScreen(out), enough)
    assert out.getvalue().endswith(SHOW)


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_still_picture_moves_nothing(term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    out = Terminal()
    assert shown(out, still=term == "xterm", scene="flip") == []
    assert "\x1b[13A" not in out.getvalue()


def test_colours_change_nothing_but_colours() -> None:
    for example in examples():
        scene = next(example.scenes())
        plain = picture(TerminalScreen(io.StringIO()), scene)
        painted = picture(TerminalScreen(io.StringIO(), colour=True), scene)
        assert [ESCAPE.sub("", line) for line in painted] == plain
        assert max(map(len, plain)) <= 38
