"""Tables of all four games in the middle of a match, and of a foul, for whoever looks at pages."""

from collections.abc import Callable
from typing import Final

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Robe, TrapTheWizard
from companion.games.trap_the_wizard.rules import Settings as TrapSettings
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.referee.commands import Call, DoAction, GiveUp, NewMatch, Rule
from companion.referee.events import HouseRules
from tests.games.zapp_zerapp.test_summary import GAME
from tests.games.zapp_zerapp.test_summary import play as play_zapp_zerapp
from tests.web.games.magic import caught, mages, taking, to_open
from tests.web.games.witches import play, witches
from tests.web.playing import do, moving, peek, table
from tests.web.room import FakeRoom


def accused() -> FakeRoom:
    """Return a table at which a peek was seen, another foul was called, and one is noted."""
    room = table()
    do(room, "roll 9", "place green")
    room.tell(peek(1))
    do(room, Call("early-flip", "blue"), Call("second-placed", None))
    do(room, Rule(room.snapshot.fouls[-1].raised.foul, upheld=False))
    return room


def remembering() -> FakeRoom:
    """Return a table at which matches were won and given up, and one is played."""
    room = FakeRoom()
    for seats in ((Colour.RED, Colour.GREEN, Colour.BLUE),) * 3:
        do(room, NewMatch(ZappZerapp.name, pack(Settings(seats, profi=True)), HouseRules()))
        play_zapp_zerapp(room, GAME)
    do(
        room,
        NewMatch(ZappZerapp.name, pack(Settings()), HouseRules()),
        DoAction("roll 8"),
        GiveUp(),
    )
    do(room, NewMatch(ZappZerapp.name, pack(Settings()), HouseRules()), DoAction("roll 5"))
    return room


def trapping(*wishes: str) -> FakeRoom:
    """Return a table of four who play Trap the Wizard, and have done this."""
    room = FakeRoom()
    seats = (Robe.RED, Robe.GREEN, Robe.BLUE, Robe.YELLOW)
    do(
        room,
        NewMatch(TrapTheWizard.name, pack(TrapSettings(seats, rounds=3)), HouseRules()),
        *wishes,
    )
    return room


def following() -> FakeRoom:
    """Return a table of three at which the first card of a trick lies."""
    room = witches("red:1", "blue:4")
    play(room, "play red red:1")
    return room


def trick_won() -> FakeRoom:
    """Return a table at which Blue has won a trick, and may change the trump."""
    room = witches("yellow:2", "red:7", "blue:4")
    play(room, "play red yellow:2", "play green red:7", "play blue blue:4")
    return room


RUNNING: Final[dict[str, tuple[str, Callable[[], FakeRoom]]]] = {  # and by whom it is looked at
    "zapp-zerapp": ("table", moving),
    "zapp-zerapp-foul": ("table", accused),
    "trap-rolling": ("table", trapping),
    "trap-moving": ("table", lambda: trapping("roll 3", "move red start 7", "roll 6")),
    "via-magica-keeping": ("red", mages),
    "via-magica-placing": ("table", lambda: caught("water", "earth", "air", "joker")),
    "via-magica-calling": ("green", to_open),
    "via-magica-taking": ("red", taking),
    "blackmore-following": ("green", following),
    "blackmore-changing": ("table", trick_won),
}
