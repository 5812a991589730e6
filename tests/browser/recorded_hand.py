"""A simulated hand that does with a phone what the page asks for, as quickly as it can follow.

Time is what a sensor says, so minutes of it take a moment.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from playwright.sync_api import Page

from rappelwacht_research.phone_motions import USUAL, recorded

FEELS: Final = """samples => {
  for (const [at, x, y, z] of samples) {
    const felt = { accelerationIncludingGravity: { x, y, z } };
    const event = new DeviceMotionEvent("devicemotion", felt);
    Object.defineProperty(event, "timeStamp", { value: at });
    dispatchEvent(event);
  }
}"""
STEP_MS: Final = 1000 / USUAL.hz
Felt = Sequence[float]
SCRIPTS: Final = {
    "shake": "0.1 blue lifts 7\nblue shakes 7 for 2\nblue puts back 7",
    "weigh": "0.1 blue lifts 7\nblue carries 7 for 1\nblue puts back 7",
    "carry": "0.1 blue lifts 7\nblue carries 7 for 3\nblue puts back 7",
    "look": "0.1 blue lifts 7\nblue peeks 7 to 150 for 1.2\nblue puts back 7",
    "hand_over": "0.1 blue lifts 7\nblue hands 7 to red\nred puts back 7",
    "place": "0.1 blue lifts 7\nblue puts back 7",
}


class RecordedHand:
    """One phone that a simulated hand moves, with a sensor of its own."""

    def __init__(self, page: Page, seed: int = 1) -> None:
        self.page, self._seed, self.now_ms = page, seed, 1000.0

    def feels(self, forces: Iterable[Felt]) -> None:
        """Let the page feel something, 60 times a second."""
        samples = []
        for force in forces:
            samples.append([self.now_ms, *force])
            self.now_ms += STEP_MS
        self.page.evaluate(FEELS, samples)

    def lies(self, force: Felt, for_ms: float) -> None:
        """Lie still, or be held so."""
        self.feels([force] * round(for_ms / STEP_MS))

    def reads(self) -> None:
        """Have the screen turned up, and then towards the table until the page begins."""
        self.lies(USUAL.up, 600)
        self.lies(USUAL.down, 1000 + 600)

    def does(self, task: str, for_ms: float) -> None:
        """Do one thing, as long as the page asks for it, and then wait."""
        script = SCRIPTS.get(task)
        forces = [] if script is None else [force for _, force in recorded(script, self._seed)]
        most = round(for_ms / STEP_MS)
        self._seed += 1
        self.feels(forces[:most])
        self.lies(USUAL.down, 500 + max(0.0, for_ms - len(forces) * STEP_MS))

    def agrees(self) -> None:
        """Begin, and lay the phone on either side: the page asks for the first thing."""
        self.page.context.grant_permissions(["accelerometer", "gyroscope"])
        self.page.locator("#agree").click()
        self.page.locator("#lying").wait_for()
        self.lies(USUAL.up, 1500)
        self.lies(USUAL.down, 1500)

    def asked(self) -> list[tuple[str, float, int]]:
        """Return all that the page asks for: what, for how many ms, and how often."""
        found: list[tuple[str, float, int]] = self.page.evaluate(
            "() => [...document.querySelectorAll('template[data-task]')].map(one =>"
            " [one.dataset.task, 1000 * one.dataset.seconds, Number(one.dataset.times)])"
        )
        return [(task, ms, times) for task, ms, times in found]

    def saves(self) -> bytes:
        """Save the file."""
        with self.page.expect_download() as saved:
            self.page.locator("#save").click()
        return saved.value.path().read_bytes()

    def records(self, most: int = 99) -> None:
        """Do the first of all that is asked for, as often as it is."""
        for task, for_ms, times in self.asked()[:most]:
            self.reads()
            for _ in range(times):
                self.does(task, for_ms)
