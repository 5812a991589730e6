"""What the stoppers' firmware and sensing make of other people's recordings of motion.

Each recording is played into the accelerometer of one simulated stopper while people choose, six
times over: each axis of the recorded thing is taken for the barrel's. A handling is one such
playing. A look is a label that was truly in sight (tilted by 70° or more, turning by less than
120° a second, moving at less than 0.3 m/s) for half a second; a foul is false if the barrel was
never tilted by 60° near it. Of the looks that were told, the time from readable to a foul: half of
them, and 90 %.
The recordings are not part of this project; each folder that is named is one corpus.

With `--hands`, what simulated hands are assumed to do is compared with these recordings instead,
assumption by assumption, and drawn into a file with `--svg`: hardware/hand-model.md says how.

    ./run bench corpora FOLDER... [--json] [--rate 26] [--lying stationary] [--processes 2]
    ./run bench corpora FOLDER... --hands [--svg FILE] [--json]
"""

import argparse
import json
import multiprocessing
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from companion.sensing.events import FoulCode, FoulFinding, Weight
from research.bench import _gestures, _habits
from research.bench._corpora import (
    AXES,
    NotReadableError,
    StrangersMotion,
    look_spans,
    read_folder,
)
from research.bench._figures import share
from research.bench._recorded_hands import HandHeld, feel_barrel

INNOCENT_DEG: Final = 60.0
ON_ITS_HEAD_DEG: Final = 150.0  # so everybody sees the label of what is in nobody's hand
NEAR_US: Final = 500_000


@dataclass(slots=True)
class CorpusScore:
    """Counts of one corpus, or of a part of it."""

    recordings: set[str] = field(default_factory=set)
    truths: set[str] = field(default_factory=set)
    rates_hz: list[float] = field(default_factory=list)
    handlings: int = 0
    fouls: int = 0
    false_fouls: list[str] = field(default_factory=list)  # which they were
    looks: int = 0
    missed: list[str] = field(default_factory=list)
    told_ms: list[float] = field(default_factory=list)  # from readable to a foul

    def add(self, other: "CorpusScore") -> None:
        """Count another one's as well."""
        self.recordings |= other.recordings
        self.truths |= other.truths
        self.rates_hz += other.rates_hz
        self.handlings += other.handlings
        self.fouls += other.fouls
        self.false_fouls += other.false_fouls
        self.looks += other.looks
        self.missed += other.missed
        self.told_ms += other.told_ms

    def figures(self) -> dict[str, Any]:
        """Return them by name, shares with their intervals."""
        told, rates = sorted(self.told_ms), sorted(self.rates_hz)
        return {
            "recordings": len(self.recordings),
            "rate_hz": round(_gestures.quantile(rates, 0.5), 1) if rates else None,
            "truth": ", ".join(sorted(self.truths)),
            "handlings": self.handlings,
            "fouls": self.fouls,
            "false_fouls": len(self.false_fouls),
            **share("false_foul_share", len(self.false_fouls), self.handlings),
            "false_fouls_were": sorted(self.false_fouls),
            "looks": self.looks,
            "missed": len(self.missed),
            **share("missed_share", len(self.missed), self.looks),
            "missed_were": sorted(self.missed),
            "told_p50_ms": round(_gestures.quantile(told, 0.5)) if told else None,
            "told_p90_ms": round(_gestures.quantile(told, 0.9)) if told else None,
        }


def judge(motions: Sequence[StrangersMotion], axis: str, lying: str | None) -> CorpusScore:
    """Return what is told of these motions, one after another, against how they truly were."""
    turned = [motion.along(axis) for motion in motions]
    barrel = HandHeld([forces for forces, _ in turned], [one.times_us for one in motions])
    evening = feel_barrel(barrel)
    told: dict[int, list[tuple[int, FoulFinding]]] = {}
    for at, one in evening.heard:
        if isinstance(one, FoulFinding) and one.foul is FoulCode.PEEK:
            told.setdefault(one.number, []).append((at, one))
    fouls = []
    for findings in told.values():
        ruled = [at for at, one in findings if one.weight is Weight.FOUL]
        if ruled:
            fouls.append((findings[-1][1].from_us, findings[-1][1].to_us, ruled[0]))
    found = CorpusScore(fouls=len(fouls))
    for turn, (motion, (_, tilts)) in enumerate(zip(motions, turned, strict=True)):
        begin, end = barrel.spans[turn]
        name = f"{motion.name} {axis}"
        found.recordings.add(motion.name)
        found.truths.add(motion.truth)
        found.rates_hz.append(motion.rate_hz)
        found.handlings += 1
        ats = [barrel.first_us(turn) + at for at in motion.times_us]
        mine = [one for one in fouls if begin - NEAR_US < one[0] < end + NEAR_US]
        in_hand = lying is None or lying not in motion.name
        for from_us, to_us, _ in mine:
            near = [
                tilt
                for at, tilt in zip(ats, tilts, strict=True)
                if from_us - NEAR_US <= at <= to_us + NEAR_US
            ]
            if max(near, default=0.0) < (INNOCENT_DEG if in_hand else ON_ITS_HEAD_DEG):
                found.false_fouls.append(name)
        if in_hand and (looks := look_spans(ats, motion, tilts)):
            found.looks += 1
            if mine:
                first_told = min(at for _, _, at in mine)
                begun = max((one[0] for one in looks if one[0] < first_told), default=looks[0][0])
                found.told_ms.append(max(0, first_told - begun) / 1000)
            else:
                found.missed.append(name)
    return found


def _judged(task: tuple[Sequence[StrangersMotion], str, str | None]) -> CorpusScore:
    return judge(*task)


def figures(
    folder: Path, rate_hz: float | None = None, lying: str | None = None, processes: int = 1
) -> dict[str, Any]:
    """Return the figures of one corpus."""
    motions = list(read_folder(folder, rate_hz))
    if not motions:
        raise NotReadableError("no recording there")
    parts = [motions[begin : begin + 25] for begin in range(0, len(motions), 25)]
    tasks = [(part, axis, lying) for part in parts for axis in AXES]
    found = CorpusScore()
    for done, score in enumerate(_each(tasks, processes), 1):
        found.add(score)
        print(f"\r{folder.name}: {done} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print("\r" + " " * 60, end="\r", file=sys.stderr)
    return found.figures()


def _each(
    tasks: Sequence[tuple[Sequence[StrangersMotion], str, str | None]], processes: int
) -> Iterable[CorpusScore]:
    if processes < 2:
        yield from map(_judged, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_judged, tasks)


def table(found: dict[str, dict[str, Any]]) -> str:
    """Return the figures as a table in Markdown."""
    lines = [
        "| corpus | recordings | rate | truth | handlings | false fouls | looks | missed | told |",
        "|---" * 9 + "|",
    ]
    for name, one in found.items():
        lines.append(
            f"| {name} | {one['recordings']} | {one['rate_hz']} Hz | {one['truth']} | "
            f"{one['handlings']} | {one['false_fouls']} ({_reach(one['false_foul_share_ci95'])}) | "
            f"{one['looks']} | {one['missed']} ({_reach(one['missed_share_ci95'])}) | "
            f"{one['told_p50_ms']} · {one['told_p90_ms']} ms |"
        )
    return "\n".join(lines)


def _reach(interval: tuple[float, float] | None) -> str:
    return "–" if interval is None else f"{100 * interval[0]:.2g} to {100 * interval[1]:.2g} %"


def _compare_hands(options: argparse.Namespace) -> None:
    """Print, and draw, what recordings say of the simulated hands."""
    found = {
        folder.name: _habits.compared(list(read_folder(folder, options.rate)), options.lying)
        for folder in options.folders
    }
    if options.svg:
        options.svg.write_text(_habits.drawing(found), encoding="utf-8")
    print(json.dumps(found) if options.json else _habits.table(found))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench corpora", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="one corpus each")
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--rate", type=float, help="samples a second, where no file says it")
    parser.add_argument("--lying", help="a word in the names of what was in nobody's hand")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--hands", action="store_true", help="compare them with simulated hands")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw that comparison")
    options = parser.parse_args()
    try:
        if options.hands or options.svg:
            _compare_hands(options)
            return
        found = {
            folder.name: figures(folder, options.rate, options.lying, options.processes)
            for folder in options.folders
        }
    except NotReadableError as error:
        sys.exit(f"This cannot be read: {error}")
    print(json.dumps(found) if options.json else table(found))


if __name__ == "__main__":
    main()
