"""Everything there is to be seen on the pages: each page in each state that looks different."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from types import SimpleNamespace
from typing import Final
from weakref import finalize

from playwright.sync_api import Page

from companion.cli.install.care import WentBack
from companion.core.codec import pack
from companion.core.notation import write
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.journal import JournalState
from companion.maintenance import care
from companion.maintenance.stopper_status import TrailPoint
from companion.maintenance.view import (
    CalibrationShown,
    EnrolmentShown,
    MaintenanceDetails,
    MaintenanceSnapshot,
    MeasuringShown,
    SeatTried,
    StopperShown,
    Version,
)
from companion.referee.commands import NewMatch
from companion.referee.events import HouseRules
from companion.sensing.enrolment import Guess, Next
from companion.sensing.events import BarrelMotion
from companion.system.certificates import PagesCertificate
from companion.system.config import TableWiring
from companion.system.status import Condition
from companion.system.text import Text
from companion.web.common.addresses import OwnAddresses
from companion.web.common.tls import HttpsState
from companion.web.context import WebContext
from companion.web.first_run_page import FirstRun
from companion.web.table_page import ear_moment
from companion.web.wifi_page import OWN, OwnWifi
from tests.browser.recorded_hand import RecordedHand
from tests.games.zapp_zerapp.coach.matches import listened
from tests.maintenance.examples import ASKED, MEASURED, RESTING
from tests.web.playing import do, moving, peek, table, won
from tests.web.room import FakeRoom
from tests.web.running import accused, remembering


@dataclass(frozen=True, slots=True)
class Sight:
    """One page in one state."""

    name: str
    room: Callable[[], FakeRoom]
    path: str = "/"
    role: str | None = "table"
    then: Callable[[Page], object] = lambda _: None  # what is tapped before one looks


def practised(actions: int) -> FakeRoom:
    """Return a table at which the coach tells during the match, after so many actions."""
    room, log = FakeRoom(), listened(1)
    do(room, NewMatch(ZappZerapp.name, pack(log.game.settings), HouseRules(coached=True)))
    do(room, *(write(action) for action in log.actions[:actions]))
    return room


def coached() -> FakeRoom:
    """Return a table at which people who listen have played to the end."""
    room = FakeRoom()
    log = listened(1)
    do(room, NewMatch(ZappZerapp.name, pack(log.game.settings), HouseRules()))
    do(room, *(write(action) for action in log.actions))
    return room


class _Secured(FakeRoom):
    """A table whose pages come by https, too, as far as one sees."""

    def arrange(self, whole: WebContext) -> None:
        """Show a certificate that stays the same in every picture."""
        names, now = frozenset({"127.0.0.1"}), datetime(2026, 11, 28, tzinfo=UTC)
        certificate = PagesCertificate(b"root", "Rappelwacht zapp 3F2A", names, now, now)
        whole.https.certificate = certificate
        whole.https.line = SimpleNamespace(port=8443, stop=lambda: None)  # type: ignore[assignment]
        values = {"port": 8443, "date": "2027-11-28"}
        whole.https.condition = Condition(HttpsState.SERVED, 0, values)


def secured() -> FakeRoom:
    """Return a table that a phone may trust."""
    return _Secured()


# --- tables --------------------------------------------------------------------------------------


def joining() -> FakeRoom:
    """Return a table at which two have pressed their buttons, and nothing is played yet."""
    room = FakeRoom()
    room.press("red")
    room.press("blue")
    return room


def shaking() -> FakeRoom:
    """Return a table at which red has placed and the others still shake."""
    room = table()
    do(room, "roll 7", "place red")
    return room


def unread() -> FakeRoom:
    """Return a table at which numbers have to be read aloud."""
    room = table()
    do(room, "roll 7", *(f"place {one.name.lower()}" for one in Colour), "flip", "say red 3")
    return room


def flipping() -> FakeRoom:
    """Return a table at which all have placed."""
    room = table()
    do(room, "roll 7", *(f"place {one.name.lower()}" for one in Colour))
    return room


def caught() -> FakeRoom:
    """Return a table at which a peek was seen, and nobody has ruled on it yet."""
    room = table()
    do(room, "roll 9", "place green")
    room.tell(peek(1))
    return room


class AwayFromHome(FakeRoom):
    """A table in its own Wi-Fi."""

    def arrange(self, whole: WebContext) -> None:
        """Open the Wi-Fi."""
        here = OwnAddresses(whole.here.port, lambda: (OWN,), "zapp", named=lambda: True)
        object.__setattr__(whole, "here", here)
        object.__setattr__(whole, "own_wifi", OwnWifi("Rappelwacht-k7", "hxq4mdk7ze"))


class Service(FakeRoom):
    """A table that is installed as a service, and went back from a version that was not well."""

    def arrange(self, whole: WebContext) -> None:
        """Lay everything there."""
        root = Path(mkdtemp())
        finalize(self, rmtree, root)
        folder = root.joinpath(*care.TABLE)
        for made in (folder, root / care.ANSWERED, root / "boot/firmware"):
            made.mkdir(parents=True)
        (root / "boot/firmware/rappelwacht-0.3.0-card.zip").touch()
        for name, version in (("current", "0.1.0-aaaaaaaaaa"), ("previous", "0.0.9-bbbbbbbbbb")):
            (root / care.BESIDE / "releases" / version).mkdir(parents=True)
            (root / care.BESIDE / name).symlink_to(Path("releases", version))
        fault = Text("its page does not open")
        sentence = WentBack("0.1.0-aaaaaaaaaa", fault).sentence
        back = care.CareAnswer("0" * 16, "update", care.CareState.BACK, sentence)
        (root / care.ANSWERED / care.ANSWER).write_bytes(care.to_json(back))
        object.__setattr__(whole, "folder", folder)


# --- workshops -----------------------------------------------------------------------------------

PARTS: Final = (Condition(JournalState.FULL, 0, {"file": "journal.sqlite3"}),)
TRAIL: Final = tuple(
    TrailPoint(100 * at, 12 * (at % 9), 30 * (at % 7), at % 20 < 8) for at in range(90)
)
STOPPERS: Final = tuple(
    StopperShown(
        number,
        number,
        97 - 4 * number,
        -50 - number,
        "0.2.0",
        BarrelMotion.LIFTED if number == 4 else BarrelMotion.STANDING,
        trail=TRAIL if number in (4, 9) else (),
    )
    for number in range(1, 14)
)
VERSIONS: Final = (Version(2, "2026-11-21T20:15:00Z"), Version(1, "2026-11-01T19:00:00Z"))


def bench(enrolment: EnrolmentShown | None = None, **general: object) -> FakeRoom:
    """Return a table whose workshop is open."""
    opened = MaintenanceDetails(
        STOPPERS,
        (SeatTried("red", True, 2, 1), SeatTried("blue")),
        CalibrationShown(12, 13, 2, VERSIONS, ()),
        enrolment,
    )
    room = FakeRoom()
    shown = MaintenanceSnapshot(1, PARTS, 13, 12, 44, True, opened)
    room.workshop = replace(shown, **general)  # type: ignore[arg-type]
    return room


def measuring(asked: MeasuringShown | None = None) -> FakeRoom:
    """Return a table that is measured, or was."""
    room = bench()
    opened = room.workshop.opened
    assert opened is not None
    opened = replace(opened, measuring=asked, measured=MEASURED)
    room.workshop = replace(room.workshop, opened=opened)
    return room


def shut() -> FakeRoom:
    """Return a table at which a match is played, so that its workshop is closed."""
    room = bench(opened=None)
    do(room, NewMatch(ZappZerapp.name, pack(Settings()), HouseRules()))
    return room


LIFT: Final = EnrolmentShown(False, 13, (2, 5, 11), Next.LIFT, (2, 5, 11))
READ: Final = EnrolmentShown(
    False, 13, (), Next.READ, (5, 8), (Guess(7, 0.62), Guess(8, 0.31), Guess(6, 0.07))
)


# --- what is tapped ------------------------------------------------------------------------------


def unfolds(page: Page) -> None:
    """Open all that is folded."""
    page.evaluate("document.querySelectorAll('main details').forEach(one => { one.open = true; })")


def asks(page: Page) -> None:
    """Ask the coach for a hint."""
    page.locator(".hint > summary").click()


def chooses(page: Page) -> None:
    """Choose the first pawn that may move."""
    page.locator("input[name=way]").first.check()


def agrees(page: Page) -> None:
    """Let a phone be recorded, and lay it on either side."""
    RecordedHand(page).agrees()


def records(page: Page) -> None:
    """Do what is asked for, and stop before all is done."""
    hand = RecordedHand(page)
    hand.agrees()
    hand.records(6)
    page.locator("#stop").click()


def paints(page: Page) -> None:
    """Paint a ring that is no good: two colours enter on one field."""
    page.locator("#rules > summary").click()
    page.locator("input[name=board][value=own]").check()
    page.locator("input[name=brush][value=entry-1]").check()
    page.locator("#painting [data-field='0']").click()
    page.locator("#faults").wait_for()


def lending(word: str) -> FakeRoom:
    """Return a table at which red shakes for blue, who is far away and has said something."""
    room = table()
    do(room, "roll 7")

    def arrange(pages: WebContext) -> None:
        pages.people.lend_hands("blue", "red")
        pages.people.say_by_ear("blue", word, ear_moment(pages, room.now))

    room.arrange = arrange  # type: ignore[assignment, method-assign]
    return room


def unpacked() -> FakeRoom:
    """Return a table that nobody has set up yet, with a light board."""
    room = FakeRoom()
    room.first_run = FirstRun(Path("/nowhere"), TableWiring(), frozenset({"lights"}))
    return room


def cares(page: Page) -> None:
    """Unfold how a backup is made and restored."""
    for part in ("#care", "#care-backup", "#care-restore", "#care-bundle"):
        page.locator(f"{part} > summary").click()
    page.locator("#care").scroll_into_view_if_needed()


def waits(page: Page) -> None:
    """Ask to be let in by a seat's button."""
    page.locator("#by-button > summary").click()
    page.locator("input[name=seat][value=blue]").check()
    page.locator("#ask").click()  # a second phone may not wait for the same one
    page.locator("#press:visible").wait_for()


SIGHTS: Final = (
    Sight("table-nobody", FakeRoom, role=None),
    Sight("table-joining", joining, then=unfolds),
    Sight("table-watching", moving, role=None, then=unfolds),
    Sight("table-rolling", table, then=unfolds),
    Sight("table-shaking", shaking, role="blue"),
    Sight("table-flipping", flipping),
    Sight("table-reading", unread),
    Sight("table-choosing", lambda: moving(profi=True), then=chooses),
    Sight("table-overlooking", lambda: moving(overlook=True), role="red", then=chooses),
    Sight("table-caught", caught, role="red"),
    Sight("table-accused", accused, then=unfolds),
    Sight("table-over", won, then=unfolds),
    Sight("table-practising", lambda: practised(32), role="red"),
    Sight("table-hinted", lambda: practised(28), role="red", then=asks),
    Sight("right", moving, "/right", then=unfolds),
    Sight("setup", FakeRoom, "/setup"),
    Sight("setup-playing", moving, "/setup", "red"),
    Sight("setup-painting", FakeRoom, "/setup", then=paints),
    Sight("join", FakeRoom, "/join", None),
    Sight("join-waiting", FakeRoom, "/join", None, waits),
    Sight("join-table", FakeRoom, "/join", then=unfolds),
    Sight("join-seat", FakeRoom, "/join", "blue"),
    Sight("join-own-wifi", AwayFromHome, "/join", None),
    Sight("own-wifi", AwayFromHome, "/own-wifi", None),
    Sight("trust", secured, "/trust", then=unfolds),
    Sight("away", FakeRoom, "/away", None),
    Sight("people", FakeRoom, "/people", "blue"),
    Sight("ear", lambda: lending("keep"), role="blue"),
    Sight("hands", lambda: lending("back"), role="red"),
    Sight("welcome", unpacked),
    Sight("welcome-built", unpacked, "/welcome?step=built"),
    Sight("welcome-name", unpacked, "/welcome?step=name"),
    Sight("workshop", bench, "/workshop", then=unfolds),
    Sight("workshop-care", bench, "/workshop", then=cares),
    Sight("workshop-watching", bench, "/workshop", None),
    Sight("workshop-lifting", lambda: bench(LIFT), "/workshop"),
    Sight("workshop-reading", lambda: bench(READ), "/workshop"),
    Sight("workshop-measuring", lambda: measuring(ASKED), "/workshop"),
    Sight("workshop-resting", lambda: measuring(RESTING), "/workshop"),
    Sight("workshop-measured", measuring, "/workshop/measured"),
    Sight("workshop-closed", shut, "/workshop"),
    Sight("recording", FakeRoom, "/workshop/recording"),
    Sight("recording-asks", FakeRoom, "/workshop/recording", then=agrees),
    Sight("recording-over", FakeRoom, "/workshop/recording", then=records),
    Sight("recording-busy", moving, "/workshop/recording", "red"),
    Sight("workshop-service", Service, "/workshop", then=unfolds),
    Sight("history-empty", FakeRoom, "/history"),
    Sight("history", remembering, "/history", then=unfolds),
    Sight("history-match", remembering, "/history/m0?step=30", then=unfolds),
    Sight("history-playing", remembering, "/history/m4"),
    Sight("coach", coached, "/history/m0/coach", then=unfolds),
    Sight("coach-evenings", coached, "/history/coach"),
    Sight("manual", FakeRoom, "/manual", then=unfolds),
    Sight("fault", FakeRoom, "/nowhere"),
)
