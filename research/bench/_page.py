"""Writes figures into the page about sensing, between its marks, or tables and plots into a folder.

A mark is a comment:

    <!-- peeks -->        what stands between these two lines is made again
    <!-- /peeks -->
"""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from research.bench import _drawings, _enrolment
from research.bench._figures import Figures
from research.bench._scoring import Score
from research.bench._sweep import STANDING
from research.bench._work import FAIR, Done

PAGE = Path(__file__).parents[2] / "hardware" / "what-it-can-tell.md"
FOLDER = "what-it-can-tell"
CONDITIONS = {
    "loss_30": "30 % of all packets lost",
    "flat_3": "three flat batteries",
    "stuck_cell": "a stuck load cell",
    "stuck_accelerometer": "a stuck accelerometer",
    "reflex_pads": "reflex sensors as pads",
}
AIMS: tuple[tuple[str, str, float, str], ...] = (
    ("enrol_all13_right", "all 13 barrels enrolled right, balls of 4.5 mm", 100, "≥ 99.5 %"),
    ("enrol_wrong_and_certain", "… wrong, and certain", 100, "≤ 0.1 %"),
    ("peek_miss_500ms", "peeks of 0.5 s or more that are missed", 100, "≤ 1 %"),
    ("false_fouls_per_1000", "false accusations in 1,000 handlings", 1, "≤ 1"),
    ("warnings_per_200", "needless warnings in 200 handlings", 1, "≤ 1"),
    ("seat_right", "who placed what, set down 150 ms or more apart", 100, "≥ 99.9 %"),
    ("seat_wrong_and_certain", "… wrong, and certain", 100, "0"),
    ("seat_close_wrong_and_certain", "… wrong, and certain, closer than that", 100, "0"),
)


def write(found: Figures, results: Sequence[Done], folder: Path) -> None:
    """Write a page of all tables and plots into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [f"## {name.capitalize()}\n\n{block}" for name, block in blocks(found).items()]
    for name, svg in plots(results).items():
        (folder / f"{name}.svg").write_text(svg, encoding="utf-8")
        parts.append(f"![{name}]({name}.svg)")
    (folder / "sensing.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")


def inserted(text: str, name: str, block: str) -> str:
    r"""Return a text with a block made again; one that the page does not have is left out.

    >>> inserted("<!-- a -->\nold\n<!-- /a -->", "a", "new")
    '<!-- a -->\n\nnew\n\n<!-- /a -->'
    """
    begin, end = f"<!-- {name} -->", f"<!-- /{name} -->"
    pattern = re.compile(f"{re.escape(begin)}.*?{re.escape(end)}", re.DOTALL)
    return pattern.sub(lambda _: f"{begin}\n\n{block}\n\n{end}", text)


def plots(results: Sequence[Done]) -> dict[str, str]:
    """Return all drawings by name."""
    every, evenings, sweep = Score(), Score(), dict[str, Score]()
    for done in results:
        if done.task.kind != "evening" or done.task.what.condition != FAIR:
            continue
        every.add(done.found)
        if done.task.what.occasion == "evening":
            evenings.add(done.found)
        for name, score in done.sweep.items():
            swept = sweep.setdefault(name, Score())
            swept.looks += score.looks
            if done.task.what.occasion == "evening":
                swept.accusations += score.accusations
                swept.handlings += score.handlings
    found = {
        "noticed": _drawings.noticed(every.looks),
        "promptness": _drawings.promptness(every.looks),
        "seats": _drawings.seats(every.set_downs),
    }
    if sweep:
        found["trade"] = _drawings.trade(sweep, STANDING)
    weighed = [done.found for done in results if done.task.kind == "enrolment"]
    return found | _enrolment.plots(weighed)


def blocks(found: Figures) -> dict[str, str]:
    """Return all tables by name."""
    makers: dict[str, Callable[[Figures], str]] = {
        "summary": _summary,
        "accused": _accused,
        "peeks": _peeks,
        "hands": _hands,
        "enrolment": _enrolment.table,
        "broken": _broken,
        "made": _made,
    }
    return {name: make(found) for name, make in makers.items()}


def _summary(found: Figures) -> str:
    rows = ["| | measured | 95 % interval | aim |", "|---|---|---|---|"]
    for key, words, times, aim in AIMS:
        rows.append(
            f"| {words} | {_figure(found, key, times)} | {_reach(found, key, times)} | {aim} |"
        )
    p50, p99 = found["peek_latency_p50_ms"], found["peek_latency_p99_ms"]
    rows.append(
        f"| from readable to told, half of them · 99 % | {p50:.0f} · {p99:.0f} ms | | 600 ms |"
    )
    return "\n".join(rows)


def _figure(found: Figures, key: str, times: float = 100.0) -> str:
    value = found.get(key)
    if value is None:
        return "–"
    return f"{value * times:.3g}" + (" %" if times == 100 else "")


def _reach(found: Figures, key: str, times: float = 100.0) -> str:
    reach: Any = found.get(f"{key}_ci95")
    if not reach:
        return "–"
    low, high = (f"{end * times:.3g}" for end in reach)
    of = found.get(f"{key}_of")
    return f"{low} to {high}" + (" %" if times == 100 else "") + (f" of {of:,}" if of else "")


ACCUSED = """\
- {handlings:,} handlings: a barrel taken into a hand, until it leaves it.
- In them: {acts}.
- False accusations: {false_fouls_per_1000_count}{fouls}; withdrawn: {false_fouls_withdrawn}.
- Needless warnings: {warnings_per_200_count}{warnings}.
- {acts_dropped} barrels were dropped. One that lies with its label in sight, in nobody's hand, was
  told as a foul {fouls_over_lying} times and as a warning {warnings_over_lying} times.
- A look of less than 0.3 s was told as a foul {fouls_below_300ms} times.
- Among {elsewhere_handlings:,} handlings of the peeks and set-downs below there were
  {elsewhere_false_fouls} false accusations and {elsewhere_warnings} needless warnings more."""


def _accused(found: Figures) -> str:
    acts = found["acts"]
    words = ", ".join(f"{count:,} × {name.replace('_', ' ')}" for name, count in acts.items())
    codes = {name: _codes(found[f"{key}_by_code"]) for name, key in (
        ("fouls", "false_fouls"), ("warnings", "warnings"))}  # fmt: skip
    return ACCUSED.format(**found | codes | {"acts": words, "acts_dropped": acts.get("dropped", 0)})


def _codes(codes: dict[str, int]) -> str:
    return f" ({', '.join(f'{count} {code}' for code, count in codes.items())})" if codes else ""


def _peeks(found: Figures) -> str:
    rows = ["| readable for | told as a foul | at least a warning | of |", "|---|---|---|---|"]
    missed, unnoticed = found["peek_miss_500ms"], found["peek_unnoticed_500ms"]
    long, short = found["peek_miss_500ms_of"], found["peek_ruled_300ms_of"]
    if missed is not None and unnoticed is not None:
        told = f"{100 * (1 - missed):.4g} % | {100 * (1 - unnoticed):.4g} %"
        rows.append(f"| 0.5 s or more | {told} | {long:,} |")
    if short:
        told = f"{_figure(found, 'peek_ruled_300ms')} | {_figure(found, 'peek_warned_300ms')}"
        rows.append(f"| 0.25 to 0.4 s | {told} | {short:,} |")
    return "\n".join(rows)


def _hands(found: Figures) -> str:
    hands: dict[str, Figures] | None = found["recorded_hands"]
    if not hands:
        return "The recordings were not at hand when this page was made."
    rows = ["| movement | reading | recordings | false accusations | warnings |"]
    rows.append("|---|---|---|---|---|")
    for name, one in hands.items():
        kind, _, way = name.partition("_")
        cells = f"{one['movements']} | {one['false_fouls']} | {one['warnings']}"
        rows.append(f"| {kind} | {way.replace('_', ' ')} | {cells} |")
    return "\n".join(rows)


def _broken(found: Figures) -> str:
    rows = ["| | fine | " + " | ".join(CONDITIONS.values()) + " |"]
    rows.append("|---" * (2 + len(CONDITIONS)) + "|")
    every = [found, *(found["conditions"][name] for name in CONDITIONS)]
    for key, words, times in (
        ("false_fouls_per_1000", "false accusations in 1,000 handlings", 1),
        ("warnings_per_200", "needless warnings in 200", 1),
        ("peek_miss_500ms", "peeks of 0.5 s or more missed, at stoppers that work", 100),
        ("seat_right", "who placed what: right", 100),
        ("seat_asked", "… asked", 100),
        ("seat_wrong_and_certain", "… wrong, and certain", 100),
        ("seat_close_wrong_and_certain", "… wrong, and certain, closer than 150 ms", 100),
    ):
        cells = [f"{_figure(one, key, times)} ({_reach(one, key, times)})" for one in every]
        rows.append(f"| {words} | " + " | ".join(cells) + " |")
    return "\n".join(rows)


def _made(found: Figures) -> str:
    occasions = sorted({name.split()[0] for name in found["seeds"]})
    rows = ["| | " + " | ".join(occasions) + " |", "|---" * (len(occasions) + 1) + "|"]
    for condition, words in ({FAIR: "fine"} | CONDITIONS).items():
        cells = [found["seeds"].get(f"{occasion} {condition}", "–") for occasion in occasions]
        rows.append(f"| {words} | " + " | ".join(cells) + " |")
    minutes = max(1, round(found["seconds"] / 60))
    return "\n".join([*rows, "", f"Minutes that this took: {minutes}."])
