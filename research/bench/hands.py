"""How much the simulated hands are like recorded ones: the same figures of both, side by side.

The recordings are not part of this project; the first argument is the folder that has them
(X.tsv, Y.tsv and Z.tsv: one movement a line, its kind in the first column, then its samples).

    ./run bench hands FOLDER [--json] [--svg FILE] [--copies 8] [--seed 5]
"""

import argparse
import json
import math
import sys
from pathlib import Path

from research.bench._chart import Panel, draw
from research.bench._gestures import (
    NAMES,
    PICK_UP,
    SHAKE,
    columns,
    distance,
    quantile,
    read,
    simulated,
    upright,
)

KINDS = {"lift": PICK_UP, "shake": SHAKE}
SHARES = (0.1, 0.25, 0.5, 0.75, 0.9)
SHOWN = {
    "lift": ("rms_g", "jerk_g_s", "line_share", "tilt_p95_deg"),
    "shake": ("frequency_hz", "rms_g", "jerk_g_s", "tilt_deg"),
}
TITLES = {
    "frequency_hz": ("dominant frequency", "Hz"),
    "rms_g": ("acceleration, r.m.s.", "g"),
    "jerk_g_s": ("jerk, r.m.s.", "g/s"),
    "line_share": ("share of power along one line", ""),
    "tilt_deg": ("apparent tilt, half of the time", "°"),
    "tilt_p95_deg": ("apparent tilt, 95 % of the time", "°"),
}
Columns = dict[str, list[float]]


def compare(folder: Path, copies: int, seed: int) -> dict[str, tuple[Columns, Columns]]:
    """Return the figures of recorded and of simulated movements, by kind."""
    found = {}
    for name, kind in KINDS.items():
        recorded = read(folder, kind)
        ours = simulated(kind, [len(one) for one in recorded], copies, seed)
        found[name] = columns(recorded), columns(ours)
        if kind == PICK_UP:  # a tilt is known only from those that begin at rest, with 1 g
            sound = columns([one for one in recorded if upright(one)])
            found[name][0].update({tilt: sound[tilt] for tilt in NAMES if "tilt" in tilt})
    return found


def figures(found: dict[str, tuple[Columns, Columns]]) -> dict[str, float]:
    """Return medians and distances, by name."""
    report = {}
    for kind, (recorded, ours) in found.items():
        for name in NAMES:
            report[f"{kind}_{name}_recorded"] = round(quantile(recorded[name], 0.5), 3)
            report[f"{kind}_{name}_simulated"] = round(quantile(ours[name], 0.5), 3)
            report[f"{kind}_{name}_distance"] = round(distance(recorded[name], ours[name]), 3)
    return report


def limit(recorded: int, ours: int) -> float:
    """Return the distance that two samples of one kind exceed once in twenty times.

    >>> round(limit(30, 240), 3)
    0.263
    """
    return 1.358 * math.sqrt(1 / recorded + 1 / ours)


def table(found: dict[str, tuple[Columns, Columns]]) -> str:
    """Return the comparison as a table in Markdown."""
    lines = [
        "| movement | figure | recorded 10 · 50 · 90 % | simulated 10 · 50 · 90 % | distance |",
        "|---|---|---|---|---|",
    ]
    for kind, (recorded, ours) in found.items():
        for name in NAMES:
            shown = [
                " · ".join(f"{quantile(sample[name], share):.3g}" for share in (0.1, 0.5, 0.9))
                for sample in (recorded, ours)
            ]
            far = distance(recorded[name], ours[name])
            lines.append(f"| {kind} | {name} | {shown[0]} | {shown[1]} | {far:.2f} |")
    return "\n".join(lines)


def chart(found: dict[str, tuple[Columns, Columns]]) -> str:
    """Return the comparison as a drawing."""
    rows = []
    for kind, (recorded, ours) in found.items():
        panels = []
        for name in SHOWN[kind]:
            far = distance(recorded[name], ours[name])
            title, unit = TITLES[name]
            panels.append(Panel(title, unit, recorded[name], ours[name], f"distance {far:.2f}"))
        counts = f"{len(recorded['rms_g'])} recorded, {len(ours['rms_g'])} simulated"
        rows.append((f"{kind.capitalize()} ({counts})", panels))
    return draw("Hands, recorded and simulated: share of movements up to a figure", rows)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench hands", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("folder", type=Path, help="where the recordings are")
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--svg", type=Path, help="draw the comparison into this file")
    parser.add_argument(
        "--copies", type=int, default=8, help="simulated movements per recorded one"
    )
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()
    if not (options.folder / "X.tsv").exists():
        sys.exit(f"There are no recordings (X.tsv, Y.tsv, Z.tsv) in {options.folder}.")
    found = compare(options.folder, options.copies, options.seed)
    if options.svg:
        options.svg.write_text(chart(found), encoding="utf-8")
    if options.json:
        print(json.dumps(figures(found)))
    else:
        print(table(found))


if __name__ == "__main__":
    main()
