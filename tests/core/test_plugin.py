"""Games of other packages: one that cannot be used is left out, and all others are played on."""

import re
from collections.abc import Callable
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from companion import core
from companion.core import plugin
from companion.core.plugin import GAMES, GROUP, GamePlugin, GamePlugins, Games, Players
from companion.games.blackmore import PLUGIN as OURS

COMPANION = Path(__file__).parents[2] / "companion"
PLUGIN = (
    "from companion.core.plugin import GamePlugin\nPLUGIN = GamePlugin('rules:Nim', __name__{})\n"
)
SOUND = PLUGIN.format("")


Install = Callable[..., GamePlugins]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return what installs the game of the page on how all is built, spoilt, beside one of ours."""
    told = (COMPANION / "README.md").read_text("utf-8")
    (rules, *_) = re.findall(r"```python\n(.*?)\n\nPLUGIN = ", told, re.DOTALL)

    def installed(
        name: str, wrong: tuple[str, str] = ("", ""), plugin: str = SOUND, **more: str
    ) -> GamePlugins:
        files = {"rules": rules.replace(*wrong), "__init__": plugin, **more}
        (tmp_path / name).mkdir()
        for file, text in files.items():
            (tmp_path / name / f"{file}.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        points = {"nim": f"{name}:PLUGIN", "blackmore": "companion.games.blackmore:PLUGIN"}
        return GamePlugins(lambda: [EntryPoint(one, at, GROUP) for one, at in points.items()])

    return installed


def test_a_game_of_another_package_is_played_like_ours(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    plugins = install("sound")
    assert [*plugins] == ["blackmore", "nim"]
    assert Games(plugins)["nim"].__name__ == "Nim"
    assert not caplog.records


@pytest.mark.parametrize(
    ("spoilt", "why"),
    [
        (("no_legal", ("def legal", "def legall")), "TypeError: Nim has no legal"),
        (("another", ('"nim"', '"nym"')), "TypeError: Nim calls itself nym"),
        (("no_word", ("import dataclass", "import dataklass")), "cannot import name 'dataklass'"),
        (("no_colon", ("class Nim(BaseGame[State]):", "class Nim")), "SyntaxError: expected ':'"),
        (("no_usual", ("class Take(Action)", "class Take(Acton)")), "NameError: name 'Acton'"),
        (
            ("no_part", ("", ""), PLUGIN.format(", pages='page:PAGE'")),
            "a plugin has no pages, but may",
        ),
        (("no_plugin", ("", ""), ""), "has no attribute 'PLUGIN'"),
        (("number", ("", ""), "PLUGIN = 3"), "TypeError: this is not a GamePlugin"),
    ],
)
def test_a_game_that_cannot_be_used_is_left_out_and_the_log_says_why(
    spoilt: tuple[Any, ...], why: str, install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    plugins = install(*spoilt)
    assert [*plugins] == ["blackmore"]
    assert "nim" not in plugins
    assert len(plugins) == len(Games(plugins)) == 1
    (record,) = caplog.records
    assert record.getMessage().startswith("The game nim is left out. ")
    assert why in record.getMessage()


@pytest.mark.parametrize(
    ("name", "action", "why"),
    [
        ("no_such", "Sealed(('cards',), None)", "Take has no cards, which its seal names; it has "),
        (
            "never_none",
            "Sealed(('count',), None)",
            "Take.count is None where hidden: write count: … | None = None",
        ),
        ("for_whom", "Sealed((), None, 'player')", "Take has no player, which its seal names"),
        ("by_whom", "Sealed((), Action)", "Take is unsealed by Action, which is no action of the"),
        ("lost", "Sealed((), None, None, (Take_,))", "is unsealed by Take_, which is no action"),
        ("a_word", "'count'", "Take.sealed must be a ClassVar that is Sealed(...)"),
    ],
)
def test_a_seal_that_seals_nothing_is_said_when_the_game_is_loaded(
    name: str, action: str, why: str, install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    take = "@dataclass(frozen=True, slots=True)\nclass Take(Action):\n"
    other = "from companion.core.game import Sealed\nclass Take_(Action): ...\n" + take
    assert [*install(name, (take, f"{other}    sealed: ClassVar = {action}\n"))] == ["blackmore"]
    assert why in caplog.text


@pytest.mark.parametrize(
    ("name", "wrong", "why"),
    [
        ("plain", ("@dataclass(frozen=True, slots=True)\nclass Take", "class Take"), "Take lacks"),
        ("twice", ("(Take,)", "(Take, Take)"), "2 actions are called take"),
        ("no_action", ("(Take,)", "(State,)"), "is no dataclass derived from Action"),
        (
            "hand",
            ("(Take,)", "(Take,)\n    from_hand = (Action,)"),
            "from_hand names Action, which",
        ),
        ("needed", (" = tuple(Seat)", ""), "Settings has no default for seats"),
        ("no_seats", ("seats: tuple[Seat, ...]", "places: tuple[Seat, ...]"), "has no seats"),
        ("no_view", ("return View.of(self, state", "return View(self, state"), "TypeError: "),
        ("bare", ("return View.of", "return str; View.of"), "type has no turns, choices"),
    ],
)
def test_what_a_game_declares_wrongly_is_said_when_it_is_loaded(
    name: str, wrong: tuple[str, str], why: str, install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    assert [*install(name, wrong)] == ["blackmore"]
    assert why in caplog.text


@pytest.mark.parametrize("name", GAMES)
def test_every_game_declares_soundly(name: str) -> None:
    assert [*plugin.flaws(GAMES[name])] == []


@pytest.mark.parametrize(
    ("name", "players", "why"),
    [
        ("no_module", "raise ImportError('none here')", "ImportError: none here"),
        ("no_players", "", "module 'no_players.who' has no attribute 'PLAYERS'"),
        ("other", "PLAYERS = print", "TypeError: this is not a Players"),
    ],
)
def test_a_part_that_cannot_be_used_costs_the_game_that_part_alone(
    name: str, players: str, why: str, install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    plugins = install(name, plugin=PLUGIN.format(", players='who:PLAYERS'"), who=players)
    for _ in range(2):
        assert plugins["nim"].part(Players) is None
    (record,) = caplog.records
    assert record.getMessage().startswith(f"{name}.who:PLAYERS is left out. ")
    assert why in record.getMessage()


def test_a_part_of_ours_that_cannot_be_used_is_raised() -> None:
    broken = GamePlugin("rules:Blackmore", OURS.package, players="players:NOBODY")
    with pytest.raises(AttributeError):
        broken.part(Players)


def test_every_contract_of_a_part_is_one_that_a_kit_knows() -> None:
    told = {
        name
        for file in COMPANION.rglob("*.py")
        for name in re.findall(r'\n    part: ClassVar\[str\] = "(\w+)"', file.read_text("utf-8"))
    }
    assert told == {*plugin.PARTS}


def test_games_of_other_packages_take_all_of_the_core_from_its_face() -> None:
    """All else of it may change; what they take of other rooms is the contracts of their parts."""
    packages = (file for name in ("ludo", "liars_dice") for file in _package(name))
    sources = [file.read_text("utf-8") for file in packages]
    recipes = (COMPANION / "README.md").read_text("utf-8")
    sources += re.findall(r"```python\n(.*?)```", recipes, re.DOTALL)
    rooms = [
        room
        for text in sources
        for room in re.findall(r"^from companion\.(\S+)", text, re.MULTILINE)
    ]
    assert rooms.count("core") >= 6
    assert {room for room in rooms if room.split(".")[0] == "core"} == {"core"}
    assert {*core.__all__} <= {*vars(core)}


def _package(name: str) -> list[Path]:
    return sorted((COMPANION.parent / "examples" / name / "package").rglob("*.py"))


def test_our_games_are_found_without_metadata_as_on_an_installed_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ours = [name for name, game in plugin.PLUGINS.items() if game.package.startswith(plugin.OURS)]
    monkeypatch.setattr(plugin, "entry_points", lambda **_: ())
    assert [*plugin.GamePlugins(plugin.installed_games)] == ours
    assert len(ours) == 4
