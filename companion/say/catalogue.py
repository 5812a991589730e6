"""What a language has to offer. It must not know any sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.core.game import SeatName


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The words and sentences of one language."""

    seats: Mapping[SeatName, str]  # as names of players
    events: Mapping[str, str]  # by the event's class name, with ':' and the special case
    sentences: Mapping[str, str]  # by the English template
    phrases: Mapping[str, str]  # English values that are put into sentences
    conjunction: str
    point: str  # in decimal numbers
