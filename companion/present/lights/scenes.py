"""What the lights show, and what it means: pure functions of a snapshot and the time.

Of a snapshot they take what everybody may know. What a match shows, its game says by `Lights`; here
is what all games share. Of a choice that a button has brought up a game draws its own actions, or
leaves it to a light that runs from a start to its city.
"""

from collections.abc import Iterator
from typing import Final

from companion.core.game import Event, Seat
from companion.present.lights import canvas, contract, legend, patterns
from companion.present.lights.canvas import FIELDS, WHITE, LightCanvas, ask, breathe, hold, lamps
from companion.referee import commands, snapshot
from companion.system.text import SEATS

WARNED_US: Final = 2_000_000  # one breath
DONE_US: Final = 4_800_000  # this long it is shown what an action has brought about


def warns(now: snapshot.Snapshot, at_us: int) -> bool:
    """Whether somebody was seen doing what is forbidden just now."""
    return now.warned_us is not None and 0 <= at_us - now.warned_us < WARNED_US


def lit_offers(now: snapshot.Snapshot) -> tuple[snapshot.ButtonOption, ...]:
    """Return what buttons have brought up, which waits to be confirmed."""
    return tuple(seat.offers[seat.lit] for seat in now.seats if seat.lit is not None)


def recent(now: snapshot.Snapshot, at_us: int) -> tuple[Event, ...]:
    """Return what the newest action has brought about, unless a button has something lit."""
    if now.acted_us is None or now.over or lit_offers(now):
        return ()
    return now.happened if 0 <= at_us - now.acted_us < DONE_US else ()


FAULT_US: Final = 7 * patterns.DOUBLE_US  # this often a fault is hinted at, while play goes on
OTHERS, CALM = 0.45, 0.5  # how bright to the eye


def meanings(now: snapshot.Snapshot) -> Iterator[legend.LegendEntry]:
    """Yield what the lights mean now, what matters most first.

    What fades by itself is told as long as its snapshot is the newest.
    """
    lights = contract.lights_of(now.game)
    for offer in lit_offers(now):
        yield from _offered(now, lights, offer)
    if any(seat.asked for seat in now.seats):
        yield legend.ASKED
    if now.match is None:
        yield legend.SET_UP
    elif now.outcome is not None:
        yield legend.VICTORY
    else:
        yield from (lights.tell_left if now.over else lights.tell)(now, now.view)
    if _ill(now):
        yield legend.FAULT


def _ill(now: snapshot.Snapshot) -> bool:
    """Tell whether something does not work that is missed now."""
    return any(not trouble.state.quiet for trouble in now.troubles)


def _offered(
    now: snapshot.Snapshot, lights: contract.Lights, offer: snapshot.ButtonOption
) -> Iterator[legend.LegendEntry]:
    match offer.wish:
        case commands.RollForUs():
            yield legend.DICE
        case commands.Undo():
            yield legend.TAKE_BACK
        case commands.Rule(upheld=upheld):
            yield legend.UPHOLD if upheld else legend.DISMISS
        case commands.DoAction():
            yield from lights.tell_offer(now, offer)


def scene(now: snapshot.Snapshot, at_us: int) -> canvas.LightScene:
    """Return what there is to see and hear at a time."""
    lights = contract.lights_of(now.game)
    playing = [SEATS.index(seat.colour) for seat in now.seats]
    picture = LightCanvas(seats={SEATS[seat]: 0.0 for seat in lamps(playing)})
    if warns(now, at_us):  # below all else, so that it hides nothing
        brightness = CALM * patterns.swell(at_us - (now.warned_us or 0), WARNED_US)
        picture.fill(range(FIELDS), canvas.AMBER, brightness)
    if now.match is None:
        _set_up(picture, now, at_us)
    elif now.outcome is not None:
        _victory(picture, now.outcome.winners, at_us)
    elif now.over:  # given up: the seats may begin another match
        lights.draw_left(picture, now, now.view, at_us)
        for seat in lamps(playing):
            picture.seat(seat, patterns.pulse(at_us))
    else:
        lights.draw(picture, now, now.view, at_us)
    _draw_offers(picture, now, lights.draw_offer, at_us)
    ask(picture, [SEATS.index(seat.colour) for seat in now.seats if seat.asked], at_us)
    if _ill(now) and at_us % FAULT_US < patterns.DOUBLE_US:
        picture.clear(range(canvas.CITIES, canvas.COUNT))
        picture.fill(range(canvas.CITIES, canvas.COUNT), WHITE, patterns.double(at_us))
    melody = lights.melody(now) if now.outcome is None else patterns.VICTORY
    return picture.scene(patterns.tone(now, melody, at_us))


def _set_up(picture: LightCanvas, now: snapshot.Snapshot, at_us: int) -> None:
    """Before a match: who has joined is lit, the others breathe; enough may begin."""
    enough = len(now.joining) > 1
    for seat in canvas.COLOURS:
        joined = SEATS[seat] in now.joining
        hold(picture, [seat], patterns.steady(at_us) if joined else OTHERS * patterns.pulse(at_us))
        if joined and enough:
            picture.draw(canvas.CITIES + seat, canvas.COLOURS[seat], patterns.pulse(at_us))


def _victory(picture: LightCanvas, winners: tuple[Seat, ...], at_us: int) -> None:
    """Comets chase each other round the ring, in the winners' colours."""
    comets = max(2, len(winners))
    for comet in range(comets):
        colour = canvas.colour_of(winners[comet % len(winners)])
        for field in range(FIELDS):
            light = (field + FIELDS * comet // comets) % FIELDS
            picture.draw(light, colour, patterns.swirl(field, FIELDS, at_us))
    breathe(picture, winners, at_us)
    for seat in lamps(winners):
        picture.draw(canvas.CITIES + seat, canvas.COLOURS[seat], 1.0)
        picture.seat(seat, 1.0)


# --- what a seat's button has brought up, until it is confirmed -----------------------------------

WAITS_US: Final = 300_000  # a comet of two lights runs slowly, or nobody sees where to
WAITING: Final = 0.45
OPEN: Final = 3  # a dismissed foul: every third field, a ring that is not closed


def _draw_offers(
    picture: LightCanvas, now: snapshot.Snapshot, draw_own: contract.DrawOffer, at_us: int
) -> None:
    """Show what buttons have brought up until it is confirmed."""
    for seat in now.seats:
        if seat.lit is not None:
            for lamp in lamps([SEATS.index(seat.colour)]):
                picture.seat(lamp, 1.0)
            offer = seat.offers[seat.lit]
            if not (_shared(picture, offer, at_us) or draw_own(picture, now, seat, offer, at_us)):
                backwards = isinstance(offer.wish, commands.ClearTable | commands.Decline)
                draw_wait(picture, seat_of_offer(offer.wish, seat), at_us, backwards=backwards)


def _shared(picture: LightCanvas, offer: snapshot.ButtonOption, at_us: int) -> bool:
    """Draw what can be offered in every game."""
    match offer.wish:
        case commands.Undo():
            for place in range(FIELDS):
                picture.draw(FIELDS - 1 - place, WHITE, patterns.comet(place, FIELDS, at_us))
        case commands.Rule(upheld=upheld):
            _waiting_ring(picture, range(0, FIELDS, 1 if upheld else OPEN), at_us)
        case commands.RollForUs():
            picture.clear(range(FIELDS))
            for place in range(FIELDS):
                picture.draw(place, WHITE, patterns.sparkle(place, at_us))
        case _:
            return False
    return True


def draw_number(picture: LightCanvas, first: int, number: int, at_us: int) -> None:
    """That many fields, alone, with a comet along them: it is not confirmed yet."""
    picture.clear(range(FIELDS))
    for place in range(min(number, FIELDS)):
        picture.draw(first + place, WHITE, max(WAITING, patterns.comet(place, number, at_us)))


def _waiting_ring(picture: LightCanvas, lights: range, at_us: int) -> None:
    """A closed ring upholds, an open one dismisses; the comet says that it is not confirmed."""
    picture.clear(range(FIELDS))
    for place, light in enumerate(lights):
        picture.draw(light, canvas.AMBER, max(WAITING, patterns.comet(place, len(lights), at_us)))


def seat_of_offer(wish: commands.CommandBody, seat: snapshot.SeatView) -> Seat:
    """Return the seat that a wish is about: whom it names, or else whose button it is."""
    words = wish.text.split() if isinstance(wish, commands.DoAction) else []
    return SEATS.index(next((word for word in words if word in SEATS), seat.colour))


def draw_wait(picture: LightCanvas, seat: Seat, at_us: int, *, backwards: bool = False) -> None:
    """Whatever else waits: from the seat's start to its city, or backwards."""
    lights = canvas.way(seat)
    picture.clear(lights)
    for place, light in enumerate(reversed(lights) if backwards else lights):
        picture.draw(
            light, canvas.colour_of(seat), patterns.comet(place, len(lights), at_us, WAITS_US)
        )
