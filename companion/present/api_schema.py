"""The records of the API: its answers, and the OpenAPI document, are made of them.

Colours, phases and the like are told by their English words, which never change; what people are to
read is in sentences, in the reader's language.
"""

from typing import Any

from companion.present.history import Result
from companion.referee import barrel_game, events
from companion.referee.people.person import Animal
from companion.system.format_names import record
from companion.system.text import SeatName


@record("Offer")
class ApiOffer:
    """Something to wish for now, what it is, and what it would bring about."""

    wish: dict[str, Any]
    label: str
    preview: tuple[str, ...]


@record("SeatNow")
class SeatNow:
    """A seat; `lit` is which of its offers its button has brought up, to be confirmed there."""

    colour: SeatName
    asked: bool
    offers: tuple[ApiOffer, ...]
    lit: int | None


@record("PersonNow")
class PersonNow:
    """Somebody who sits at a seat; without a name, the animal's is used."""

    seat: SeatName
    name: str
    animal: Animal


@record("PersonKnown")
class PersonKnown:
    """Somebody whom this table knows; kept: even after the evening is over."""

    id: str
    name: str
    animal: Animal
    kept: bool


@record("PeopleTold")
class PeopleTold:
    """Who sits where, and whom the table knows: that is told only to those who act."""

    people: tuple[PersonNow, ...]
    known: tuple[PersonKnown, ...]


@record("FoulNow")
class FoulNow:
    """A foul, how sure it is, and how the table ruled; None: it has not."""

    id: int
    code: str
    sentence: str
    seat: str | None
    percent: int
    called: bool  # by somebody at the table: then percent says nothing
    weight: str
    times: int  # so often it was seen, before anybody ruled…
    length_ms: int  # …for so long together
    upheld: bool | None
    evidence: tuple[events.ChartPoint, ...]


@record("ClaimNow")
class ClaimNow:
    """What somebody said although the sensors see otherwise: insist on its text, or withdraw it."""

    text: str
    seat: str | None
    question: str


@record("LightNow")
class LightNow:
    """One thing that the lights of the board show, and what it looks like."""

    name: str
    look: str


@record("ProposedSeat")
class ProposedSeat:
    """Who should sit where, by the name that somebody elsewhere wrote."""

    seat: str
    name: str


@record("ProposalNow")
class ProposalNow:
    """What a hall proposes to play next.

    While its verdict is `open`, the wishes `accept` and `decline` of its `request` answer it, and
    so do the seats' buttons.
    """

    request: str
    by: str
    game: str
    settings: dict[str, Any]
    names: tuple[ProposedSeat, ...]
    verdict: str


@record("Now")
class Now:
    """The table at one moment; what games without barrels show is in their `view`.

    A phone of a seat gets the view of that seat, with its hand and its choices.

    `unflipped` are the seats whose barrel is to be flipped now and, as its sensor says, still is
    upright; none if sensors know nothing.

    `warned` says that somebody was seen doing what is forbidden just when this was told: show it
    for a moment. It is no accusation.
    """

    version: int
    match: str | None
    game: str | None
    settings: dict[str, Any] | None
    house: events.HouseRules | None
    phase: barrel_game.RoundPhase | None  # of a game with barrels, like all that `BarrelRound` has
    round: int
    magic: int
    roller: SeatName | None
    turns: tuple[str, ...]
    placed: tuple[SeatName, ...]
    unflipped: tuple[str, ...]
    out: tuple[SeatName, ...]
    numbers: tuple[barrel_game.ShownNumber, ...]
    order: tuple[SeatName, ...]
    pawns: tuple[barrel_game.PawnAt, ...]
    winner: SeatName | None
    view: dict[str, Any] | None
    headline: str
    seats: tuple[SeatNow, ...]
    people: tuple[PersonNow, ...]
    fouls: tuple[FoulNow, ...]
    claims: tuple[ClaimNow, ...]
    insisted: tuple[str, ...]
    happened: tuple[str, ...]
    dropped: int
    troubles: tuple[str, ...]
    lights: tuple[LightNow, ...]
    warned: bool
    joining: tuple[str, ...]
    proposal: ProposalNow | None
    can_undo: bool
    over: bool
    summary: barrel_game.MatchSummary | None


@record("Listed")
class Listed:
    """A match in the list of all; when it began is the wall clock, in ms since 1970."""

    id: str
    at_ms: int
    game: str
    seats: tuple[str, ...]
    entries: int
    over: bool


@record("StepOf")
class StepOf:
    """What one entry of a match did, and how the table stood after it."""

    number: int
    at_ms: int
    kind: str
    sentences: tuple[str, ...]
    round: int
    phase: barrel_game.RoundPhase | None
    magic: int
    placed: tuple[SeatName, ...]
    numbers: tuple[barrel_game.ShownNumber, ...]
    pawns: tuple[barrel_game.PawnAt, ...]


@record("Told")
class MatchTold:
    """A match, as far as it is open; `sealed`: there is more, which is told after the flip."""

    id: str
    at_ms: int
    game: str | None
    settings: dict[str, Any] | None
    house: events.HouseRules | None
    result: Result
    sealed: bool
    summary: barrel_game.MatchSummary | None
    steps: tuple[StepOf, ...]


@record("Matches")
class Matches:
    """The newest matches first; `more`: there are older ones."""

    matches: tuple[Listed, ...]
    more: bool


@record("NamedBoard")
class NamedBoard:
    """A ring that comes with the game."""

    name: str
    board: dict[str, Any]


@record("GameKnown")
class GameKnown:
    """A game that can be played, its settings if nobody changes them, and who can be a bot."""

    name: str
    settings: dict[str, Any]
    boards: tuple[NamedBoard, ...]
    players: tuple[str, ...]


@record("FoulKnown")
class FoulKnown:
    """A foul that people can call, by its code, and what it is called."""

    code: str
    name: str


@record("Games")
class GamesAnswer:
    """What a new match is made of, and which fouls there are."""

    games: tuple[GameKnown, ...]
    house: events.HouseRules
    fouls: tuple[FoulKnown, ...]


@record("Checked")
class BoardCheck:
    """What is wrong with a board that somebody has painted; fine: it is playable."""

    fine: bool
    board: dict[str, Any] | None
    faults: tuple[str, ...]


@record("Done")
class CommandDone:
    """A wish was carried out; `version` is the number of the newest entry of the match."""

    request: str
    version: int


@record("Error")
class Error:
    """What is wrong: a code for programs, and a sentence for people in their language."""

    code: str
    sentence: str
