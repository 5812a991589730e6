"""Every game at the referee's table: dealt, played against the companion, kept, and with hands."""

from random import Random
from typing import Any

import pytest

from companion.core.codec import pack
from companion.core.game import TABLE, seats_by_word
from companion.core.notation import write
from companion.core.plugin import GAMES, players, usual
from companion.referee.commands import (
    ClearTable,
    CorrectAction,
    DoAction,
    GiveUp,
    NewMatch,
    RollForUs,
    Undo,
)
from companion.referee.events import Bot, HouseRules
from companion.referee.faults import STOPPER_FAULT, TableFault
from companion.sensing.stopper_faults import StopperFault
from companion.system.status import Condition
from companion.system.text import SEATS, SeatName, seat_word
from tests.referee.tables import Round
from tests.referee.twins import at_random, leaks

RED, GREEN, BLUE, *_ = SeatName
OTHERS = [name for name in GAMES if name != "zapp-zerapp"]
SEALED = [name for name in GAMES if any(kind.sealed for kind in GAMES[name].actions)]
SHORT: dict[str, dict[str, Any]] = {"trap-the-wizard": {"rounds": 1}}


def seats_of(game: str, count: int) -> list[str]:
    """Return so many seats of a game, or all that it has."""
    return [*seats_by_word(GAMES[game])][:count]


def bots(game: str, count: int, player: str = "usual") -> tuple[Bot, ...]:
    """Return a bot at every seat but the first; `player`: the usual one, or the worst."""
    known = [*players(game)]
    found = usual(known) if player == "usual" else known[-1]
    return tuple(Bot(SeatName[word.upper()], found) for word in seats_of(game, count)[1:])


def begun(game: str, *bots: Bot, count: int = 3, **settings: Any) -> Round:
    table = Round()
    chosen = {"seats": seats_of(game, count)} | SHORT.get(game, {}) | settings
    refused = table.wish(NewMatch(game, chosen, HouseRules(bots=bots))).refused
    assert refused is None, refused
    return table


def step(table: Round, chance: Random) -> None:
    """Do what one of the people at the table could do by what its seat sees."""
    now = table.now
    bots = {bot.seat for bot in now.house.bots} if now.house else set()
    turns = [seat for seat in now.view.turns if seat not in bots]
    if turns == [TABLE]:
        answer = table.wish(RollForUs())
    else:
        seat = seat_word(chance.choice(turns))
        action = chance.choice(now.seen_by(seat).choices)
        answer = table.wish(DoAction(write(action)), by=seat)
    assert answer.refused is None, answer.refused


@pytest.mark.parametrize("game", OTHERS)
@pytest.mark.parametrize("player", ["usual", "worst"])
def test_one_person_plays_a_whole_match_against_the_companion(game: str, player: str) -> None:
    table, chance = begun(game, *bots(game, 3, player)), Random(7)
    for _ in range(5000):
        if table.now.over:
            break
        step(table, chance)
    assert table.now.over
    outcome = table.now.outcome
    assert outcome is not None
    scores = dict(outcome.scores)
    assert [seat_word(seat) for seat in scores] == seats_of(game, 3)
    assert set(outcome.winners) == {s for s, points in scores.items() if s in outcome.winners}
    assert max(scores.values()) == scores[outcome.winners[0]]


@pytest.mark.parametrize("game", OTHERS)
def test_after_a_loss_of_power_all_stands_as_it_stood(game: str) -> None:
    table, chance = begun(game, *bots(game, 3)[-1:]), Random(3)
    for _ in range(25):
        if table.now.over:
            break
        again = table.again().now
        assert (again.view, again.seen, again.can_undo) == (
            table.now.view,
            table.now.seen,
            table.now.can_undo,
        )
        step(table, chance)


@pytest.mark.parametrize("game", OTHERS)
def test_what_the_companion_did_is_taken_back_together_with_what_led_to_it(game: str) -> None:
    table, chance = begun(game, *bots(game, 3)[:1], *bots(game, 3, "worst")[1:]), Random(5)
    for _ in range(12):
        if table.now.over:
            break
        step(table, chance)
        before = table.now
        if before.over:
            break
        step(table, chance)
        assert table.wish(Undo()).refused is None
        assert (table.now.view, table.now.seen) == (before.view, before.seen)
        step(table, chance)


@pytest.mark.parametrize("game", OTHERS)
def test_people_are_never_left_with_what_the_companion_does_itself(game: str) -> None:
    bot, chance = bots(game, 3)[-1], Random(11)
    table, kind = begun(game, bot, count=4), GAMES[game]()
    for _ in range(40):
        if table.now.over:
            break
        match = table.referee.match
        assert match is not None
        turns = match.game.turns(match.state)
        assert bot.seat not in turns
        if TABLE in turns:
            assert type(match.game.legal(match.state, TABLE)[0]) not in kind.unasked
            assert match.game.asked(match.state) != bot.seat
        step(table, chance)


def own_choice(table: Round) -> bool:
    """Tell whether somebody now chooses from a hand."""
    seat = table.now.view.turns[0]
    if seat == TABLE:
        return False
    kinds = GAMES[str(table.now.game)]().from_hand
    return any(isinstance(one, kinds) for one in table.now.seen_by(seat_word(seat)).choices)


@pytest.mark.parametrize("game", [name for name in OTHERS if GAMES[name]().from_hand])
def test_a_hand_is_played_and_put_right_by_its_own_seat_alone(game: str) -> None:
    table, chance = begun(game), Random(13)
    while not own_choice(table):
        step(table, chance)
    seat = table.now.view.turns[0]
    action = table.now.seen_by(seat_word(seat)).choices[0]
    own, text = seat_word(seat), write(action)
    other = next(seat.colour for seat in table.now.seats if seat.colour != own)
    for by in ("table", "phone", other):
        for wish in (
            DoAction(text),
            DoAction(" ".join(text.split()[:2])),
            CorrectAction(table.now.acted, text),
        ):
            assert table.wish(wish, by=by).refused is not None
    assert table.wish(DoAction(text), by=own).refused is None


@pytest.mark.parametrize("game", SEALED)
def test_nobody_learns_what_is_sealed_before_it_is_opened(game: str, full: bool) -> None:
    """At every move of a match, all ways out tell the same of one that differs in secrets alone."""
    kind = GAMES[game]
    rules = kind(kind.settings_type(seats=kind().seats[:3]))
    for seed in range(10 if full else 1):
        log, chance = at_random(rules, Random(seed), 200 if full else 25), Random(seed)
        for viewer in (None, *rules.seats[: None if full else 1]):
            assert next(leaks(log, viewer, chance), None) is None


@pytest.mark.parametrize(
    ("game", "bots", "settings", "why"),
    [
        ("blackmore", (Bot(RED, "clever"),), {}, "cannot play 'blackmore' as 'clever'"),
        ("blackmore", (Bot(SeatName.WHITE, "greedy"),), {}, "white does not play"),
        ("blackmore", (Bot(RED, "greedy"),), {"by_hand": True}, "real cards"),
        ("zapp-zerapp", (Bot(RED, "greedy"),), {}, "cannot play 'zapp-zerapp'"),
        (
            "trap-the-wizard",
            (Bot(RED, "greedy"), Bot(GREEN, "greedy"), Bot(BLUE, "random")),
            {},
            "At least one seat must be played by a person",
        ),
    ],
)
def test_a_house_in_which_the_companion_cannot_play_so_is_refused(
    game: str, bots: tuple[Bot, ...], settings: dict[str, Any], why: str
) -> None:
    table = Round()
    wish = NewMatch(game, {"seats": list(SEATS[:3]), **settings}, HouseRules(bots=bots))
    assert why in str(table.wish(wish).refused)
    assert not table.paper.matches


def test_a_house_without_players_of_the_companion_is_read_as_before() -> None:
    assert pack(HouseRules())["bots"] == []


def test_which_stopper_ails_is_said_before_and_after_a_match_only() -> None:
    table = Round()
    silent = Condition(STOPPER_FAULT(StopperFault.BATTERY_LOW.value), 0, {"stopper": 3})
    table.referee.handle_conditions((silent,), 0)
    told = [table.now.troubles]
    chosen = pack(GAMES["zapp-zerapp"].settings_type())
    assert table.wish(NewMatch("zapp-zerapp", chosen, HouseRules())).refused is None
    assert not any("3" in str(condition) for condition in table.now.troubles)
    table.wish(GiveUp())
    told.append(table.now.troubles)
    assert told == [(silent,), (silent,)]


@pytest.mark.parametrize("game", OTHERS)
def test_whoever_plays_without_barrels_is_not_told_of_stoppers(game: str) -> None:
    table = begun(game)
    silent = Condition(STOPPER_FAULT(StopperFault.BATTERY_LOW.value), 0, {"stopper": 3})
    dark = Condition(TableFault.PAD_CUT_OFF, 0, {"seat": "red"})
    table.referee.handle_conditions((silent, dark), 0)
    told = [table.now.troubles]
    table.wish(GiveUp())
    table.wish(ClearTable())
    told.append(table.now.troubles)
    assert told == [(dark,), (silent, dark)]


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_asked_by_its_own_seats(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the seat for which `legal` is asked may stand in an action."""
    kind, asked = GAMES[game], set[type]()
    legal = kind.legal

    def noted(rules: Any, state: Any, seat: Any) -> Any:
        if seat != TABLE:
            asked.add(type(seat))
        return legal(rules, state, seat)

    monkeypatch.setattr(kind, "legal", noted)
    table, chance = begun(game), Random(1)
    for _ in range(9):
        if not table.now.over:
            table.wish(DoAction("what nobody can do"))
            step(table, chance)
    assert asked == {type(kind().seats[0])}
