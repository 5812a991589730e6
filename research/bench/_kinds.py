"""The magnitudes of each kind of stoppers as a table for the page, out of the simulator's own."""

from collections.abc import Callable

from companion.simulator.chips.load_cell import KNOWN_SPAN
from companion.simulator.stopper_kinds import BARREL_G, WEIGHING, CellKind, Range
from rappelwacht_research.breadboard import BREADBOARD

NOTHING = "–"


def table() -> str:
    """Return the magnitudes: the stopper that is planned, and the breadboard."""
    rows = ["| | the stopper | the breadboard |", "|---|---|---|"]
    masses = (f"{kind.mass_g:g} g" for kind in (WEIGHING, BREADBOARD))
    rows.append(f"| weighs, below a barrel of {BARREL_G:g} g | {' | '.join(masses)} |")
    for words, told in TOLD:
        cells = [told(kind.cell) for kind in (WEIGHING, BREADBOARD) if kind.cell]
        rows.append(f"| {words} | {' | '.join(cells)} |")
    return "\n".join(rows)


def _reach(ends: Range, unit: str, times: float = 1.0) -> str:
    """Return from where to where something is.

    >>> _reach((0.01, 0.2), "%", 100.0), _reach((20.0, 20.0), "mg"), _reach((0.0, 0.0), "g")
    ('1 to 20 %', '20 mg', '–')
    """
    low, high = (f"{times * end:.3g}" for end in ends)
    if not ends[1]:
        return NOTHING
    return (high if low == high else f"{low} to {high}") + (f" {unit}" if unit else "")


def _creep(cell: CellKind) -> str:
    times = " and ".join(f"{one:g}" for one in cell.creep_s)
    return f"{_reach(cell.creep, '%', 100.0)}, within {times} s"


def _middle(cell: CellKind) -> str:
    leans = cell.leans_mm_per_deg
    sloping = f" and {leans:g} mm for each degree of slope" if leans else ""
    return f"{100 * cell.eccentric_per_mm:g} % a mm; {cell.wanders_mm:g} mm{sloping}"


def _hz(hz: float | None) -> str:
    return NOTHING if hz is None else f"{hz:g} Hz"


def _crumb(cell: CellKind) -> str:
    if cell.crumb is None:
        return NOTHING
    return f"{_reach(cell.crumb, '%', 100.0)}, once in {cell.crumb_lifts:,} lifts"


TOLD: tuple[tuple[str, Callable[[CellKind], str]], ...] = (
    ("foot that hangs on the cell", lambda cell: f"{cell.foot_g:g} ± {cell.foot_spread_g:g} g"),
    ("a gram is", lambda cell: f"{1000 * cell.mv_per_v_g:g} µV/V"),
    ("noise in half a second", lambda cell: f"{cell.noise_mg:.2g} mg"),
    ("zero, for each °C", lambda cell: _reach(cell.zero_mg_per_c, "mg")),
    ("what a gram shows, as built", lambda cell: f"± {100 * cell.span:g} %"),
    ("… after one known mass", lambda _: f"± {100 * KNOWN_SPAN:g} %"),
    ("… for each °C", lambda cell: f"{100 * cell.span_per_c:g} %"),
    ("creep", _creep),
    ("hysteresis", lambda cell: _reach(cell.hysteresis_mg, "mg")),
    ("off the middle; how far", _middle),
    ("rubs: standing, lifted",
     lambda cell: f"{_reach(cell.rubs_standing_g, 'g')}; {_reach(cell.rubs_lifted_g, 'g')}"),
    ("resonance of a standing barrel", lambda cell: _hz(cell.stands_hz)),
    ("… of a foot in the air", lambda cell: _hz(cell.hangs_hz)),
    ("damping", lambda cell: _reach(cell.damping, "") if cell.stands_hz else NOTHING),
    ("a crumb in the gap carries", _crumb),
    ("a fall shifts the zero by", lambda cell: _reach((cell.fall_mg, cell.fall_mg), "mg")),
    ("a stop carries more than", lambda cell: f"{cell.stop_g:g} g"),
)  # fmt: skip
