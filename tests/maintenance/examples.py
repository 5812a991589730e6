"""Measures as the workshop shows them: one that asks, one that waits, and what came of one."""

from typing import Final

from companion.maintenance.measurement import MeasuredShare, MeasuredTable, Task
from companion.maintenance.measuring import Hint
from companion.maintenance.view import MeasuringShown
from companion.system.status import Condition
from companion.system.text import SeatName

SHAKEN: Final = Condition(Task.SHAKE, 0, {"stopper": 13})
ASKED: Final = MeasuringShown(
    Condition(Task.PLACE, 0, {"stopper": 3, "seat": SeatName.RED}),
    41,
    67,
    up=False,
    hint=Condition(Hint.OTHER, 0, {"other": 5, "stopper": 3}),
    last=SHAKEN,
)
RESTING: Final = MeasuringShown(Condition(Task.REST, 0), 1, 67, up=False, rested_percent=40)
MEASURED: Final = MeasuredTable(
    "2026-11-22T20:15:00Z",
    simulated=True,
    stoppers=13,
    seconds=583,
    looks=MeasuredShare(12, 13),
    accused=MeasuredShare(0, 52),
    warned=MeasuredShare(1, 52),
    handled=MeasuredShare(65, 65),
    known=MeasuredShare(12, 13),
    wrong=MeasuredShare(0, 13),
    look_ms=(1240, 1100, 980, 1320, 1060, 900, 1180, 1020, 0, 1140, 1360, 940, 1080),
    clean_ms=(*(0,) * 51, 260),
    lifted_ms=(*range(96, 140, 2), 180, 240, 122, 118),
    placed_ms=(84, 115, 900, 120, 240, 260, 330, 280, 180, 95, 410, 220),
    pad_ms={
        "red": (27, 31, 22, 60),
        "green": (15, 12, 9),
        "blue": (120, 96, 150),
        "yellow": (-4, 8),
    },
    spread_mg=44,
    spread_df=52,
    foul_ms=320,
    warn_ms=260,
)
