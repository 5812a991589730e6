"""The plugin of a game: its rules, and the parts by which it is played, shown and told.

    PLUGIN = GamePlugin("rules:Ludo", __name__, page="page:PAGE", lights="lights:LIGHTS")

A game is found by the entry point that its package names in the group `rappelwacht.games`, so it
may come in a package of its own. Whoever needs a part asks for it by its contract, a class such as
`Page`; rules and parts are imported when they are first asked for, and a game may leave parts out.
"""

import logging
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, is_dataclass
from functools import cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from random import Random
from typing import Any, ClassVar, Final, Protocol, TypeVar, cast

from companion.core.game import Action, Game, Sealed, Seat, verb
from companion.system.codec import members, parts
from companion.system.paths import PACKAGE
from companion.system.text import SEATS, Text

LOG: Final = logging.getLogger(__name__)
OURS: Final = "companion."
GROUP: Final = "rappelwacht.games"
PARTS: Final = (  # what a plugin may bring along beside its rules
    *("awards", "barrels", "coach", "guests", "light_examples", "lights", "look", "moments"),
    *("page", "players", "study"),
)
CONTRACT: Final = (*Game.__annotations__, *(name for name in vars(Game) if name[0] != "_"))

Options = Sequence[Action]
Choose = Callable[[Any, Any, Seat, Options, Random], Action]  # by settings, view, seat, options


class PluginPart(Protocol):
    """A contract that a part of a plugin keeps."""

    part: ClassVar[str]  # its name in a plugin


P = TypeVar("P", bound=PluginPart)


class GamePlugin:
    """A game and where its parts lie, as `module:name` within its package."""

    def __init__(self, game: type[Game[Any]] | str, package: str, *, order: int = 99, **parts: str):
        if unknown := sorted({*parts} - {*PARTS}):
            raise TypeError(
                f"a plugin has no {', '.join(unknown)}, but may have {', '.join(PARTS)}"
            )
        self._game, self.package = game, package
        self.order = order  # among the games that somebody can choose
        self._lie = parts
        self.found: dict[str, object] = {}  # its parts, once they were asked for

    @cached_property
    def game(self) -> type[Game[Any]]:
        if not isinstance(self._game, str):
            return self._game
        kind: type[Game[Any]] = self._at(self._game)
        return kind

    def part(self, contract: type[P]) -> P | None:
        """Return the part that keeps a contract; None: this game has none."""
        name = contract.part
        if name not in self.found:
            self.found[name] = self._import(name, contract)
        return cast("P | None", self.found[name])

    def demand(self, name: str) -> None:
        """Raise TypeError if its rules do not keep the contract of games under this name."""
        kind = self.game
        if missing := [part for part in Game.__annotations__ if not hasattr(kind, part)]:
            raise TypeError(f"{kind.__name__} has no {', '.join(missing)}")
        if kind.name != name:
            raise TypeError(f"{kind.__name__} calls itself {kind.name}")
        if wrong := [*flaws(kind)]:
            raise TypeError("; ".join(wrong))

    def load(self) -> None:
        """Import all that the game has, so that nobody waits for it in the middle of a match."""
        for place in self._lie.values():
            import_module(f"{self.package}.{place.partition(':')[0]}")

    def do_without(self, *names: str) -> bool:
        """Have these parts of another package left out from now on; False: nothing changes."""
        given = [name for name in names if name in self._lie and self.found.get(name, self)]
        if self.package.startswith(OURS) or not given:
            return False
        self.found.update(dict.fromkeys(given))
        return True

    def _import(self, name: str, contract: type[Any]) -> object:
        """Return a part; one of another package that cannot be used costs no more than itself."""
        if name not in self._lie:
            return None
        place = self._lie[name]
        try:
            return demanded(contract, self._at(place))
        except Exception as fault:
            if self.package.startswith(OURS):
                raise
            _leave_out(f"{self.package}.{place}", fault)
            return None

    def _at(self, place: str) -> Any:
        module, _, attribute = place.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), attribute)


def flaws(game: type[Any]) -> Iterator[str]:
    """Yield what is wrong with what a game declares, as its author has to put it right."""
    kinds = (*game.actions, *game.rulings)
    for kind in kinds:
        if not (isinstance(kind, type) and issubclass(kind, Action)) or not is_dataclass(kind):
            yield f"{kind} is no dataclass derived from Action"
            return
        if "__dataclass_params__" not in vars(kind):
            yield f"{kind.__name__} lacks its @dataclass(frozen=True, slots=True)"
    for word, count in Counter(map(verb, kinds)).items():
        if count > 1:
            yield f"{count} actions are called {word}"
    for kind in kinds:
        yield from _flaws_of_seal(kind, kinds)
    settings = game.settings_type
    if lacking := [part.name for part in parts(settings) if part.needed]:
        yield f"{settings.__name__} has no default for {', '.join(lacking)}"
    elif not any(part.name == "seats" for part in parts(settings)):
        yield f"{settings.__name__} has no seats"
    elif missing := [part for part in CONTRACT if not hasattr(made := game(), part)]:
        yield f"{game.__name__} has no {', '.join(missing)}"
    else:
        yield from _flaws_at_start(made)


def _flaws_of_seal(kind: type[Action], kinds: Sequence[type[Action]]) -> Iterator[str]:
    seal, fields = kind.sealed, {part.name: part for part in parts(kind)}
    if "sealed" in fields or (seal is not None and not isinstance(seal, Sealed)):
        yield f"{kind.__name__}.sealed must be a ClassVar that is Sealed(...)"
        return
    if seal is None:
        return
    for name in (*seal.hides, *((seal.known_to,) if seal.known_to else ())):
        if name not in fields:
            yield f"{kind.__name__} has no {name}, which its seal names; it has {', '.join(fields)}"
        elif name in seal.hides and not fields[name].optional:
            yield f"{kind.__name__}.{name} is None where hidden: write {name}: … | None = None"
    for other in (*((seal.opened_by,) if seal.opened_by else ()), *seal.lost_by):
        if other not in kinds:
            yield f"{kind.__name__} is unsealed by {other.__name__}, which is no action of the game"
        elif other in seal.lost_by and not any(part.name == "player" for part in parts(other)):
            yield f"{other.__name__} has no player whose {kind.__name__} is lost"


def _flaws_at_start(game: Game[Any]) -> Iterator[str]:
    for name in ("unasked", "from_hand"):
        for kind in getattr(game, name):
            if kind not in game.actions:
                yield f"{name} names {kind.__name__}, which is no action of the game"
            elif name == "from_hand" and not any(part.name == "seat" for part in parts(kind)):
                yield f"{kind.__name__} is chosen from a hand, but has no seat whose hand that is"
    view = game.view(game.start(), None)
    if lacking := [name for name in ("turns", "choices") if not hasattr(view, name)]:
        yield f"{type(view).__name__} has no {', '.join(lacking)}"
    elif not is_dataclass(view):
        yield f"{type(view).__name__} is no dataclass"


def demanded(kind: type[Any], part: object) -> Any:
    """Return what was found, or raise TypeError if it is of another kind."""
    if not isinstance(part, kind):
        raise TypeError(f"this is not a {kind.__name__}")
    return part


def _leave_out(what: str, fault: Exception) -> None:
    """Log why something cannot be imported, which betrays nothing, or raise a lack of memory."""
    if isinstance(fault, MemoryError):
        raise fault
    LOG.error("%s is left out. %s: %s", what, type(fault).__name__, fault, exc_info=fault)


def installed_games() -> list[EntryPoint]:
    """Return where each game lies: ours are found without metadata, as on an installed table."""
    ours = [
        EntryPoint(module.name.replace("_", "-"), f"{OURS}games.{module.name}:PLUGIN", GROUP)
        for module in iter_modules([str(PACKAGE / "games")])
        if module.ispkg
    ]
    return [*entry_points(group=GROUP), *ours]


class GamePlugins(Mapping[str, GamePlugin]):
    """All games that are installed, by name; one is imported when it is first asked for.

    A game of another package that cannot be used is left out, and the log says why.
    """

    def __init__(self, entry_points_of: Callable[[], Sequence[EntryPoint]]) -> None:
        self._find = entry_points_of
        self.loaded: dict[str, GamePlugin | None] = {}

    @cached_property
    def _points(self) -> dict[str, EntryPoint]:
        return {point.name: point for point in self._find()}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        sound = [name for name in self._points if name in self]
        return tuple(sorted(sound, key=lambda name: (self[name].order, name)))

    @property
    def packages(self) -> tuple[str, ...]:
        """Return the packages that bring games along; none of them is imported for it."""
        return tuple(sorted({point.module.partition(".")[0] for point in self._points.values()}))

    def __getitem__(self, name: str) -> GamePlugin:
        if name not in self.loaded:
            self.loaded[name] = _sound(self._points[name])
        if (plugin := self.loaded[name]) is None:
            raise KeyError(name)
        return plugin

    def __iter__(self) -> Iterator[str]:
        """Go through the names, in the order in which people choose."""
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _sound(point: EntryPoint) -> GamePlugin | None:
    """Return the plugin that an entry point names; None: it cannot be used."""
    if point.module.startswith(OURS):
        ours: GamePlugin = point.load()  # its rules are imported when they are needed
        return ours
    try:
        plugin: GamePlugin = demanded(GamePlugin, point.load())
        plugin.demand(point.name)
    except Exception as fault:  # noqa: BLE001 - whatever another package does
        _leave_out(f"The game {point.name}", fault)
        return None
    return plugin


class Games(Mapping[str, type[Game[Any]]]):
    """The rules of all games that are installed, by name."""

    def __init__(self, plugins: Mapping[str, GamePlugin]) -> None:
        self._plugins = plugins

    def __getitem__(self, name: str) -> type[Game[Any]]:
        game = self._plugins[name].game
        if game.name != name:
            raise TypeError(f"the entry point {name} names the game {game.name}")
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._plugins)

    def __len__(self) -> int:
        return len(self._plugins)


PLUGINS: Final = GamePlugins(installed_games)
GAMES: Final = Games(PLUGINS)


USUAL: Final = "casual"  # whom one gets who does not choose


@dataclass(frozen=True, slots=True)
class Players:
    """Players that the companion can seat at a game: they see what one seat sees, never a state."""

    part: ClassVar[str] = "players"

    choose: Mapping[str, Choose]  # by name, the best first
    how: Mapping[str, Text] = field(default_factory=dict)  # by name: how somebody plays, in a line
    earlier: Mapping[str, str] = field(
        default_factory=dict
    )  # names that a journal may still say, and today's


def seats_of(game: str) -> tuple[str, ...]:
    """Return the words of all seats at which people sit in a game, clockwise."""
    (seats,) = (part for part in parts(GAMES[game].settings_type) if part.name == "seats")
    return tuple(word for word in SEATS if word in members(seats.kind))


def players(game: str) -> Mapping[str, Choose]:
    """Return those that can be seated at a game; nobody, where hands are needed.

    A game that brings no player is played by one who chooses at random.
    """
    return _players(game).choose


def _players(game: str) -> Players:
    if game not in PLUGINS:
        return NOBODY
    part = PLUGINS[game].part(Players)
    return AT_RANDOM if part is None else part


def called(game: str, player: str) -> str:
    """Return what a player is called today; names of earlier versions are still known."""
    return _players(game).earlier.get(player, player)


def how_played(game: str) -> Mapping[str, Text]:
    """Return in a line how each player of a game plays, the best first."""
    return _players(game).how


def usual(names: Sequence[str]) -> str:
    """Return whom one gets who does not choose: the usual one, else the best.

    >>> usual(("expert", "casual", "child")), usual(("greedy", "random"))
    ('casual', 'greedy')
    """
    return USUAL if USUAL in names else names[0]


def at_random(_s: Any, _view: Any, _seat: Seat, options: Options, chance: Random) -> Action:
    """Return any of what may be done: a player who knows no better."""
    return chance.choice(options)


AT_RANDOM: Final = Players({"random": at_random})
NOBODY: Final = Players({})
