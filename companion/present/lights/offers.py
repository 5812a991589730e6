"""What the lights show of a choice that a seat's button has brought up, until it is confirmed.

Here is what all games share; a game draws its own actions, or leaves it to a light that runs from
a start to its city.
"""

from typing import Final

from companion.core.game import Seat
from companion.present.lights.canvas import AMBER, FIELDS, WHITE, LightCanvas, colour_of, lamps, way
from companion.present.lights.contract import DrawOffer
from companion.present.lights.patterns import comet, sparkle
from companion.referee import commands, snapshot
from companion.system.text import SEATS

WAITS_US: Final = 300_000  # a comet of two lights runs slowly, or nobody sees where to
DIM: Final = 0.45
OPEN: Final = 3  # a dismissed foul: every third field, a ring that is not closed


def draw(picture: LightCanvas, now: snapshot.Snapshot, draw_action: DrawOffer, at_us: int) -> None:
    """Show what buttons have brought up until it is confirmed."""
    for seat in now.seats:
        if seat.lit is not None:
            for lamp in lamps([SEATS.index(seat.colour)]):
                picture.seat(lamp, 1.0)
            offer = seat.offers[seat.lit]
            if not (
                _shared(picture, offer, at_us) or draw_action(picture, now, seat, offer, at_us)
            ):
                backwards = isinstance(offer.wish, commands.ClearTable | commands.Decline)
                draw_wait(picture, seat_of_offer(offer.wish, seat), at_us, backwards=backwards)


def _shared(picture: LightCanvas, offer: snapshot.ButtonOption, at_us: int) -> bool:
    """Draw what can be offered in every game."""
    match offer.wish:
        case commands.Undo():
            for place in range(FIELDS):
                picture.draw(FIELDS - 1 - place, WHITE, comet(place, FIELDS, at_us))
        case commands.Rule(upheld=upheld):
            _waiting_ring(picture, range(0, FIELDS, 1 if upheld else OPEN), at_us)
        case commands.RollForUs():
            picture.clear(range(FIELDS))
            for place in range(FIELDS):
                picture.draw(place, WHITE, sparkle(place, at_us))
        case _:
            return False
    return True


def draw_number(picture: LightCanvas, first: int, number: int, at_us: int) -> None:
    """That many fields, alone, with a comet along them: it is not confirmed yet."""
    picture.clear(range(FIELDS))
    for place in range(min(number, FIELDS)):
        picture.draw(first + place, WHITE, max(DIM, comet(place, number, at_us)))


def _waiting_ring(picture: LightCanvas, lights: range, at_us: int) -> None:
    """A closed ring upholds, an open one dismisses; the comet says that it is not confirmed."""
    picture.clear(range(FIELDS))
    for place, light in enumerate(lights):
        picture.draw(light, AMBER, max(DIM, comet(place, len(lights), at_us)))


def seat_of_offer(wish: commands.CommandBody, seat: snapshot.SeatView) -> Seat:
    """Return the seat that a wish is about: whom it names, or else whose button it is."""
    words = wish.text.split() if isinstance(wish, commands.DoAction) else []
    return SEATS.index(next((word for word in words if word in SEATS), seat.colour))


def draw_wait(picture: LightCanvas, seat: Seat, at_us: int, *, backwards: bool = False) -> None:
    """Whatever else waits: from the seat's start to its city, or backwards."""
    lights = way(seat)
    picture.clear(lights)
    for place, light in enumerate(reversed(lights) if backwards else lights):
        picture.draw(light, colour_of(seat), comet(place, len(lights), at_us, WAITS_US))
