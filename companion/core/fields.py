"""What the types of actions declare about themselves, in words and about secrets."""

from collections.abc import Iterable
from typing import Any

from companion.core.game import Action, Game
from companion.system import codec, format_names, text


def verb(kind: type[Any]) -> str:
    """Return the word that names a kind of action."""
    return format_names.format_name_of(kind).lower()


def is_blind(kind: type[Action]) -> bool:
    """Tell whether a seat chooses something that it does not know itself."""
    hidden = kind.sealed is not None and kind.sealed.known_to is None
    return hidden and any(part.name == "seat" for part in codec.parts(kind))


def seats_by_word(game: type[Game[Any]]) -> dict[str, Any]:
    """Return every seat that there is in a game, clockwise, by its word, such as "green"."""
    kind: Any = type(game().seats[0])
    return {word: seat for word, seat in codec.members(kind).items() if word in text.SEATS}


def has_hands(game: type[Game[Any]], settings: Any) -> bool:
    """Tell whether each seat knows of the game what others do not: what is sealed for it alone.

    Where people deal with cards of their own, the companion knows of no hands.
    """
    sealed = any(kind.sealed is not None and kind.sealed.known_to for kind in game.actions)
    return sealed and not getattr(settings, "by_hand", False)


def may_betray(actions: Iterable[type[Action]], kind: type[Action]) -> bool:
    """Tell whether actions of this kind name the like of what others hide: gaps betray hands.

    A card that cannot be turned up is in somebody's hand.
    """
    hidden = {
        part.kind
        for action in actions
        if action.sealed is not None
        for part in codec.parts(action)
        if part.name in action.sealed.hides
    }
    return any(part.kind in hidden for part in codec.parts(kind))
