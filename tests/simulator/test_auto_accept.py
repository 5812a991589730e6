"""Guests alone at a simulated table agree to what a hall proposes, once they have read it."""

from dataclasses import replace

from companion.referee.commands import Accept, NewMatch
from companion.referee.events import HouseRules
from companion.referee.snapshot import Proposal, ProposalVerdict, Snapshot
from companion.simulator.live.live import READ_US, AutoAccept

PROPOSED = Proposal("r1", "hall", NewMatch("zapp-zerapp", {}, HouseRules()))
IDLE = Snapshot(-1, proposal=PROPOSED)


def test_they_read_before_they_agree_and_say_so_once() -> None:
    guests = AutoAccept()
    assert guests.to(Snapshot(-1), 0) is None
    assert guests.to(IDLE, 1_000) is None
    assert guests.to(IDLE, READ_US) is None
    assert guests.to(IDLE, 1_000 + READ_US) == Accept("r1")
    assert guests.to(IDLE, 9 * READ_US) is None
    another = replace(IDLE, proposal=replace(PROPOSED, request="r2"))
    assert guests.to(another, 10 * READ_US) is None
    assert guests.to(another, 11 * READ_US) == Accept("r2")


def test_a_match_that_is_played_and_what_was_decided_are_left_alone() -> None:
    guests = AutoAccept()
    for now in (
        replace(IDLE, match="m"),
        replace(IDLE, proposal=replace(PROPOSED, verdict=ProposalVerdict.REFUSED)),
    ):
        assert guests.to(now, 0) is None
        assert guests.to(now, 9 * READ_US) is None
    over = replace(IDLE, match="m", over=True)
    assert guests.to(over, 0) is None
    assert guests.to(over, READ_US) == Accept("r1")
