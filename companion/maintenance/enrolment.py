"""Enrolment of stoppers, calibration of load cells, and going back to an earlier calibration.

Whoever began it has to save it; until then, and whenever the power is cut before, the calibration
that served goes on serving.
"""

from collections.abc import Collection
from dataclasses import replace
from datetime import UTC, datetime

from companion.maintenance.known_weights import KnownWeights
from companion.maintenance.view import CalibrationShown, EnrolmentShown, Version
from companion.referee import calibration_store
from companion.sensing import pipeline, settings
from companion.sensing.calibration import Calibration, StopperCalibration, with_enrolment
from companion.sensing.enrolment import Next, Read
from companion.sensing.tracking import ALOFT
from companion.system.errors import CompanionError
from companion.system.status import Report


def wall_clock() -> str:
    """Return the time as people read it, for them to choose a calibration by."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def chosen_stoppers(wanted: tuple[int, ...] | None, known: Collection[int]) -> tuple[int, ...]:
    """Return those that somebody wants of a table's stoppers, or all; CompanionError: none are."""
    chosen = tuple(sorted(set(known if wanted is None else wanted)))
    for stopper in chosen:
        if stopper not in known:
            raise CompanionError(
                "Stopper {stopper} does not belong to this table.", stopper=stopper
            )
    if not chosen:
        raise CompanionError("This table has no stoppers; 'stoppers.toml' would name them.")
    return chosen


class Enrolment:
    """The calibration that serves, and the next one while it comes about."""

    def __init__(
        self,
        sensing: pipeline.Sensing,
        shelf: calibration_store.CalibrationStore,
        given: Calibration | None = None,
        report: Report = lambda _: None,
    ) -> None:
        self._sensing, self._shelf = sensing, shelf
        self._nodes = {number: node.hex() for node, number in sensing.names.items()}
        stored, self._report = shelf.newest(), report
        if given is None:
            report(stored.condition)
        self._facts = stored.facts
        self._version = stored.version if given is None else None
        self._versions: tuple[Version, ...] | None = None
        self._running = False
        self._known: KnownWeights | None = None
        self._activate(given or stored.calibration or Calibration(""))

    def number_of(self, stopper: int) -> int | None:
        """Return the number of the barrel that a stopper closes, if it is certain."""
        return self._numbers.get(stopper)

    # --- what people do -----------------------------------------------------------------------

    def start(self, stoppers: tuple[int, ...] | None, *, by_hand: bool = False) -> None:
        """Begin to find out which stopper closes which barrel: by weight, or by being told."""
        chosen, sensing = chosen_stoppers(stoppers, self._nodes), self._sensing
        candidates = {
            kept.stopper: replace(kept.candidate, weighs=sensing.weighs(kept.stopper))
            for kept in self._kept()
            if kept.stopper in chosen
        }
        self.stop()
        sensing.enrol(candidates, by_hand=by_hand)
        self._running = True

    def start_weighing(self, stoppers: tuple[int, ...] | None, known_mg: int | None = None) -> None:
        """Begin to weigh empty barrels, or barrels with a known mass in them."""
        sensing = self._sensing
        chosen = [
            stopper for stopper in chosen_stoppers(stoppers, self._nodes) if sensing.weighs(stopper)
        ]
        if not chosen:
            raise CompanionError("None of these stoppers has a load cell; enter their numbers.")
        kept = [stopper for stopper in self._kept() if stopper.stopper in chosen]
        known = KnownWeights(kept, sensing.weighed, sensing.settings.weighing, known_mg)
        self.stop()
        self._known = known

    def handle_number(self, read: Read) -> None:
        """Handle the number that people have read under a barrel."""
        state = self._sensing.enrolling
        if not self._running or read.stopper not in state.candidates:
            raise CompanionError(
                "The barrel with stopper {stopper} is not being enrolled.", stopper=read.stopper
            )
        if read.number is not None and not 1 <= read.number <= settings.BARRELS:
            raise CompanionError(
                "No barrel has the number {number}; write a number from 1 to 13.",
                number=read.number,
            )
        self._sensing.handle(read)

    def save(self) -> None:
        """Keep what was found, and go by it from now on."""
        if self._known is not None:
            at = wall_clock()
            kept = self._known.results(at)
            calibration = self._calibration.with_stoppers(at, kept) if kept else None
        elif self._running:
            before = replace(self._calibration, stoppers=self._kept())
            calibration = with_enrolment(before, self._sensing.enrolling, wall_clock())
        else:
            raise CompanionError("Nothing is being enrolled; start enrolling first.")
        if calibration is None:
            raise CompanionError("Not all barrels are known yet; first do what is asked.")
        self._keep(self._shelf.save(calibration), calibration)
        self.stop()

    def stop(self) -> None:
        """Leave all as it was."""
        self._running, self._known = False, None
        self._sensing.enrol({})

    def roll_back(self, version: int) -> None:
        """Go by an earlier calibration again."""
        calibration = self._shelf.version(version)
        if isinstance(calibration, calibration_store.CalibrationFault):
            raise CompanionError(str(calibration.what.value))
        self._keep(self._shelf.roll_back(version, wall_clock()), calibration)

    def tick(self) -> None:
        """Note what barrels weigh; this is called often."""
        if self._known is not None:
            self._known.tick()

    # --- what is shown ------------------------------------------------------------------------

    def shown(self) -> EnrolmentShown | None:
        """Return how far it has come; None: nothing is being enrolled."""
        if self._known is not None:
            left, whom = self._known.left, self._known.apart or self._known.left
            return EnrolmentShown(True, self._known.stoppers, left, self._known.next, whom)
        if not self._running:
            return None
        state = self._sensing.enrolling
        left, verdict = tuple(sorted(state.open)), state.verdict
        if verdict is None:
            return EnrolmentShown(False, len(state.candidates), left, Next.LIFT, left)
        whom = verdict.whom
        if verdict.next is Next.ENTER:  # who is in the hand is looked under
            whom = tuple(
                sorted(whom, key=lambda stopper: self._sensing.motion(stopper) not in ALOFT)
            )
        guesses = verdict.guesses.get(whom[0], ()) if verdict.next is Next.READ and whom else ()
        return EnrolmentShown(False, len(state.candidates), left, verdict.next, whom, guesses)

    def active(self) -> CalibrationShown:
        """Return which calibration serves, and which lie beside it."""
        if self._versions is None:
            versions = [
                (version, self._shelf.version(version)) for version in self._shelf.versions()
            ]
            self._versions = tuple(
                Version(number, kept.saved)
                for number, kept in versions
                if isinstance(kept, Calibration)
            )
        return CalibrationShown(
            len(self._numbers),
            sum(stopper.empty is not None for stopper in self._calibration.stoppers),
            self._version,
            self._versions,
            self._facts,
            sum(stopper.gain is not None for stopper in self._calibration.stoppers),
        )

    def calibrated(self, stopper: int) -> bool:
        """Return whether the gain of a stopper's cell is known."""
        kept = self._calibration.for_node(self._nodes[stopper])
        return kept is not None and kept.gain is not None

    # --- how ----------------------------------------------------------------------------------

    def _kept(self) -> tuple[StopperCalibration, ...]:
        """Return what is kept of each stopper of this table, also of the new ones."""
        return tuple(
            replace(
                self._calibration.for_node(node) or StopperCalibration(number, node), stopper=number
            )
            for number, node in sorted(self._nodes.items())
        )

    def _keep(
        self, saved: int | calibration_store.CalibrationFault, calibration: Calibration
    ) -> None:
        if isinstance(saved, calibration_store.CalibrationFault):
            raise CompanionError(str(saved.what.value))
        self._version, self._versions, self._facts = saved, None, ()
        self._report(calibration_store.StoredCalibration(calibration, saved).condition)
        self._activate(calibration)

    def _activate(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._numbers = calibration.numbers(self._sensing.settings.certain)
        self._sensing.watch_weights(calibration)
