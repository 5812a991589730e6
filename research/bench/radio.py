"""How soon events of a stopper in a hand are heard, and looks told, by where its radio stands.

One stopper's own firmware sends event after event from a hand that holds, carries and shakes it,
over the radio of `link_budget.py`; the host acknowledges what it hears. An event's time is from its
first try until the hub has it. Looks are those of `bench handlings`.

    ./run bench radio [--json] [--evenings 40] [--events 100] [--looks 200] [--seed 1]
                      [--processes 2] [--page]
"""

import multiprocessing
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from companion import wire
from companion.sensing.receiver import further_events
from companion.simulator.boards import HUB, SECOND_HUB, key, load, node
from companion.simulator.link_budget import (
    RadioPlan,
    StopperAir,
    Whereabouts,
    exponential,
)
from companion.simulator.radio import RadioChannel
from companion.simulator.traits import HONEST
from research.bench import handlings
from research.bench._figures import Figures, quantile
from research.bench._page import PAGE, inserted
from research.bench._report import parser, tell
from research.bench._scoring import total

STOPPER: Final = 1
STEP_US: Final = 1_000
EAGER_US, USUAL_US = 15_000, 30_000  # a step, while it waits for an answer and else
EVERY_S: Final = 1.5
HOST_US: Final = 12_000  # until the hub has the host's answer
SPEEDS_M_S: Final = (0.05, 1.5)
TOLD: Final = (
    ("events_p50_ms", "events: half are heard within"),
    ("events_p99_ms", "… 99 %"),
    ("events_p999_ms", "… 99.9 %"),
    ("events_given_up", "… never"),
    ("look_p50_ms", "looks: from readable to a foul, half of them"),
    ("look_p99_ms", "… 99 %"),
    ("look_missed", "… missed"),
)


class Hand:
    """A hand that has a stopper all the time, now still and now fast."""

    def __init__(self, rng: Random) -> None:
        self._rng, self._until_us = rng, 0
        self._now = Whereabouts()

    def where(self, at_us: int) -> Whereabouts:
        """Return where it is."""
        while at_us >= self._until_us:
            rng, (slow, fast) = self._rng, SPEEDS_M_S
            self._until_us += 1 + round(1e6 * exponential(rng))
            at_m = (0.3 * rng.random(), 0.3 * rng.random(), 0.2)
            self._now = Whereabouts(True, at_m, slow * (fast / slow) ** rng.random())
        return self._now


class Evening:
    """One stopper in a hand, and the host that acknowledges."""

    def __init__(self, site: str, seed: int) -> None:
        self.now_us, name = 0, f"{site} {seed}"
        plan = RadioPlan(handlings.SITES[site], HONEST, name)
        air = RadioChannel(Random(f"air {name}"), lambda: self.now_us, shared=plan.shared)
        hand = Hand(Random(f"hand {name}"))
        stopper = StopperAir(handlings.SITES[site], HONEST, name, hand.where)
        self._hubs = [
            air.join(address, air=plan.hub(number))
            for number, address in enumerate((HUB, SECOND_HUB)[: handlings.SITES[site].hubs])
        ]
        radio = air.join(node(STOPPER), air=stopper)
        self.link: Any = load("stopper.link").Link(radio, node(STOPPER), key(STOPPER), 1)
        self._rng = Random(f"events {name}")
        self._gate = wire.Gate(key(STOPPER), node(STOPPER), wire.UP)
        self._seal = wire.Seal(key(STOPPER), node(STOPPER), 1)
        self._told_us: dict[int, int] = {}
        self._heard_us: dict[int, int] = {}
        self._answers: list[tuple[int, int]] = []  # when the hub sends them, and for which event

    def play(self, events: int) -> list[float | None]:
        """Return after how many ms each of some events was heard; None: never."""
        next_us = step_us = 0
        while len(self._told_us) < events or self.link.waiting:
            self.now_us += STEP_US
            self._hear()
            if self.now_us >= next_us and len(self._told_us) < events:
                next_us = self.now_us + round(1e6 * EVERY_S * exponential(self._rng))
                self.link.tell("FLIP", {"at_us": self.now_us, "tilt_cdeg": 1, "swing_mg": 0})
                self._told_us[len(self._told_us) + 1] = self.now_us
                step_us = self.now_us
            if self.now_us >= step_us:
                self.link.hear(self.now_us // 1000)
                self.link.speak(self.now_us)
                usual_us = EAGER_US if self.link.waiting else USUAL_US
                step_us = self.now_us + round(usual_us * (0.7 + 0.6 * self._rng.random()))
        return [
            (self._heard_us[event] - at_us) / 1000 if event in self._heard_us else None
            for event, at_us in self._told_us.items()
        ]

    def _hear(self) -> None:
        for hub in self._hubs:
            while (heard := hub.receive()) is not None:
                first = self._gate.open(heard[1])
                if not isinstance(first, wire.Frame):
                    continue  # a second copy
                for frame in (first, *further_events(first, heard[1])):
                    self._heard_us.setdefault(frame.fields.event, self.now_us)
                    self._answers.append((self.now_us + HOST_US, frame.fields.event))
        while self._answers and self._answers[0][0] <= self.now_us:
            _, event = self._answers.pop(0)
            self._hubs[0].send(node(STOPPER), self._seal.packet("ACK", self.now_us, event=event))


def heard(task: tuple[str, int, int]) -> list[float | None]:
    """Return after how many ms events of one evening were heard."""
    site, seed, events = task
    return Evening(site, seed).play(events)


def of_events(waits: Sequence[float | None]) -> Figures:
    """Return how soon events are heard."""
    known = sorted(wait for wait in waits if wait is not None)
    return {
        "events": len(waits),
        "events_given_up": round(1.0 - len(known) / len(waits), 5),
        "events_p50_ms": quantile(known, 0.5),
        "events_p99_ms": quantile(known, 0.99),
        "events_p999_ms": quantile(known, 0.999),
    }


def table(found: Figures) -> str:
    """Return the figures as a table for the page."""
    rows = ["| | " + " | ".join(name.replace("-", " ") for name in handlings.SITES) + " |"]
    rows.append("|---" * (1 + len(handlings.SITES)) + "|")
    for name, words in TOLD:
        figures = [found[site].get(name) for site in handlings.SITES]
        share = name in ("events_given_up", "look_missed")
        cells = [
            "–" if one is None else f"{100 * one:.2g} %" if share else f"{one:,.0f} ms"
            for one in figures
        ]
        rows.append(f"| {words} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def main() -> None:
    """Measure, print, and put it on the page."""
    words = parser("radio", __doc__)
    words.add_argument("--evenings", type=int, default=40, help="at each site")
    words.add_argument("--events", type=int, default=100, help="of each evening")
    words.add_argument("--looks", type=int, default=200, help="at each site")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--processes", type=int, default=2)
    words.add_argument("--page", action="store_true", help="put it on the page, too")
    options = words.parse_args()
    found: Figures = {}
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        for site in handlings.SITES:
            seeds = [1000 * options.seed + turn for turn in range(options.evenings)]
            tasks = [(site, seed, options.events) for seed in seeds]
            waits = [wait for part in pool.imap_unordered(heard, tasks) for wait in part]
            looking = [
                (1000 * options.seed + turn, min(10, options.looks - turn), True, None, site)
                for turn in range(0, options.looks, 10)
            ]
            found[site] = of_events(waits)
            if looking:
                figures = handlings.measured(total(pool.imap_unordered(handlings.handled, looking)))
                found[site] |= {
                    "looks": figures["peek_miss_500ms_of"],
                    "look_missed": figures["peek_miss_500ms"],
                    "look_p50_ms": figures["peek_latency_p50_ms"],
                    "look_p99_ms": figures["peek_latency_p99_ms"],
                }
    if options.page:
        PAGE.write_text(inserted(PAGE.read_text("utf-8"), "radio", table(found)), "utf-8")
    tell(found, as_json=options.json)


if __name__ == "__main__":
    main()
