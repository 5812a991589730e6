"""What speaks against people's claims: what sensors surely see, and what is asked back.

It must not decide: whoever is asked back says yes or no, and nobody is asked about what sensors do
not see for sure. All of it is lost with the power, and then nobody is asked until barrels are
chosen again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from companion.errors import CompanionError, RulesError
from companion.referee import wishes
from companion.referee.claims import Claim, Objection, Senses, seat_of
from companion.referee.commands import Act, Insist
from companion.referee.deeds import Deed, Did
from companion.referee.match import Match
from companion.referee.surroundings import Knowledge
from companion.referee.things import things
from companion.sensing.findings import BarrelDoes, Doing

Cut = AbstractSet[str]  # seats whose pad's cable seems to be out


class Watch:
    """Takes down what sensors tell, as far as it can contradict anybody."""

    def __init__(self, stoppers: Callable[[], AbstractSet[int]]) -> None:
        self._stoppers = stoppers
        self._pads: dict[str, bool] = {}
        self._standing: set[int] = set()  # when they were last heard of…
        self._sure: set[int] = set()  # …and these for sure
        self._touched: set[int] = set()
        self._turned: set[int] = set()
        self._whole = False  # whether it was watched since barrels are being chosen

    def pad(self, colour: str, occupied: bool) -> None:
        """Note that a pad closed or opened: so it works."""
        self._pads[colour] = occupied

    def heard(self, told: BarrelDoes) -> None:
        """Take what a barrel does."""
        stopper, stands = told.stopper, told.doing is Doing.STANDING
        if not stands or (stopper in self._sure and not told.sure):  # then something was missed
            self._touched.add(stopper)
        (self._standing.add if stands else self._standing.discard)(stopper)
        (self._sure.add if stands and told.sure else self._sure.discard)(stopper)
        if told.doing is Doing.FLIPPED:
            self._turned.add(told.stopper)

    def begin(self, *, whole: bool) -> None:
        """Note that barrels are being chosen from now on, or were before anybody watched."""
        self._whole = whole
        self._touched = {*self._stoppers()} - self._standing
        self._turned = set()

    def senses(self, cut_off: AbstractSet[str]) -> Senses | None:
        """Return what is known now; None: not enough."""
        if not self._whole:
            return None
        pads = {colour: on for colour, on in self._pads.items() if colour not in cut_off}
        return Senses(pads, self._sure, self._touched, self._turned, self._stoppers())


class Claims:
    """What is asked back now."""

    def __init__(self, knows: Knowledge) -> None:
        self._knows, self.watch = knows, Watch(knows.stoppers)
        self._asked: dict[str, Claim] = {}

    @property
    def asked(self) -> tuple[Claim, ...]:
        """Return all that is asked back."""
        return tuple(self._asked.values())

    def asks(self, text: str) -> bool:
        """Return whether that is already being asked back."""
        return text in self._asked

    def withdraw(self, text: str) -> None:
        """Note that it is not so."""
        self._asked.pop(text, None)

    def taken(
        self, match: Match, wish: Act | Insist, by: str, deeds: Sequence[Deed], cut_off: Cut
    ) -> Sequence[Deed]:
        """Return the deeds of a claim; none, if it is asked back first."""
        asked = self._asked.get(wish.text) if isinstance(wish, Insist) else None
        objection = asked.objection if asked else self._objection(match, deeds, cut_off)
        if objection is None:
            return deeds
        if isinstance(wish, Act):
            self._asked[wish.text] = Claim(wish.text, by, _whose(deeds), objection)
            return ()
        told = objection.value
        return [replace(one, against=told) if isinstance(one, Did) else one for one in deeds]

    def review(self, match: Match | None, cut_off: Cut) -> None:
        """Stop asking about what is no longer possible, or what the sensors see by now."""
        for text, claim in tuple(self._asked.items()):
            if match is None or match.over or not self._stands(match, claim, cut_off):
                del self._asked[text]

    def _stands(self, match: Match, claim: Claim, cut_off: Cut) -> bool:
        try:
            action = wishes.read(match, claim.text, claim.by, None)
        except (CompanionError, RulesError):
            return False
        return self._objection(match, [Did(action, claim.by)], cut_off) is claim.objection

    def _objection(self, match: Match, deeds: Iterable[Deed], cut_off: Cut) -> Objection | None:
        senses, played_with = self.watch.senses(cut_off), things(match)
        if senses is None or played_with is None:
            return None
        sealed = played_with.choosing(match) or played_with.standing(match)
        number_of = wishes.nobody_knows if sealed else self._knows.number_of
        found = (
            played_with.objection(match, deed.action, senses, number_of)
            for deed in deeds
            if isinstance(deed, Did)
        )
        return next((one for one in found if one is not None), None)


def _whose(deeds: Iterable[Deed]) -> str | None:
    return next((seat_of(one.action) for one in deeds if isinstance(one, Did)), None)
