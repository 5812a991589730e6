"""The breadboard of a stopper, which is no kind of a simulated table: one of them, on the bench.

Its modules are wired by hand, and its cell, for 100 g, is a bought one. As in `stopper_kinds`:
S: a data sheet or a measurement says so; E: estimated. Benches and tests compare it with the
others, by the names in `KINDS`.

>>> round(BOUGHT.counts_per_g), round(BREADBOARD.empty_g)
(21475, 60)
"""

from typing import Final

from companion.simulator.stopper_kinds import LIGHT, WEIGHING, CellKind, StopperKind

BOUGHT: Final = CellKind(
    mv_per_v_g=1.0 / 100,  # S: 1.0 ± 0.15 mV/V at 100 g
    stop_g=150.0,  # S
    foot_g=5.0,  # E: with screws, label and the cell's free end
    foot_spread_g=0.5,  # E
    noise_mg=1.06,  # S: the converter's
    zero_g=2.5,  # S: ± 5 % of full scale
    zero_mg_per_c=(20.0, 20.0),  # S
    span=0.07,  # S
    even=False,
    span_per_c=0.0001,  # S
    creep=(0.0005 / 0.95, 0.001 / 0.95),  # S: in three minutes
    creep_s=(60.0,),
    hysteresis_mg=(30.0, 100.0),  # S: 0.03 to 0.1 % of full scale
    eccentric_per_mm=0.002,  # S: 0.6 % of each setting down
    wanders_mm=3.0,  # E: a ring wider than its foot
    leans_mm_per_deg=0.0,
    rubs_standing_g=(0.1, 0.2),  # E
    rubs_lifted_g=(0.0, 0.5),  # E
    fall_mg=0.0,
)
BREADBOARD: Final = StopperKind("breadboard", 38.0, BOUGHT)  # its parts, added up
KINDS: Final = {kind.name: kind for kind in (WEIGHING, LIGHT, BREADBOARD)}
