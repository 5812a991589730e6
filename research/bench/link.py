"""What the link costs: codec, port, radio, and the simulated table in virtual and in real time.

- port: frames through a pseudo-terminal and pyserial, then codec and gate, as fast as they go.
- motion: thirteen stoppers in full motion; the host's share of one core is its own thread's
  processor time, port, codec, gate and acknowledgement, without the simulator's.
- sensing: barrels that are shaken and tilted again and again while all choose, one to thirteen at
  once; the share of one core that sensing takes for them, and its longest turn with thirteen.
- hour: simulated play, and what the process holds in memory before and after; by default a
  shortened hour, which `virtual_minutes` names, with `--full` the whole one.

    ./run bench link [--json] [--full] [--seed 1]
"""

import argparse
import gc
import json
import os
import platform
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion import wire
from companion.games.zapp_zerapp.simulated.guests import Guests
from companion.simulator.boards import HUB, key, node
from companion.simulator.hand_params import ScriptVigour
from companion.simulator.live.live import PeriodicTask
from companion.simulator.live.parts import PUMP_US
from companion.simulator.shaking import Shaking, shake
from companion.simulator.traits import HONEST
from rappelwacht_research.rounds import rounds
from rappelwacht_research.scene import ScriptedTable
from rappelwacht_research.sim_driver import SimulationDriver
from rappelwacht_research.stepped import SteppedCable
from research.bench import _sensing_cost

FRAMES, SINGLE, BURST = 40_000, 5_000, 8
MOTION_S, LIVE_S = 20, 6
SHORT_MIN, FULL_MIN, WARM_MIN = 20, 60, 4
AFTER_S = 4  # from power-on until all is calibrated
Figures = dict[str, float | int | str | bool]


def nothing(*_: object) -> None:
    """Do nothing with what is told."""


def packets(count: int) -> list[bytes]:
    """Return frames of moving stoppers as a hub would say them."""
    seals = {number: wire.Seal(key(number), node(number), 1) for number in range(1, 14)}
    names = [name for name, _ in wire.NAMED["FEATURES"].limits]
    fields: dict[str, Any] = dict.fromkeys(names, 1234)
    found = []
    for turn in range(count):
        packet = seals[turn % 13 + 1].packet("FEATURES", turn * 1000, **fields)
        found.append(wire.say("RELAYED", turn * 1000, rssi=-60, packet=packet))
    return found


class Stopwatch:
    """Adds up the processor time that one thread spends in calls."""

    def __init__(self, call: Callable[[int], None]) -> None:
        self._call = call
        self.spent_ns = 0

    def __call__(self, now_us: int) -> None:
        """Call, and count."""
        begun = time.thread_time_ns()
        self._call(now_us)
        self.spent_ns += time.thread_time_ns() - begun


@contextmanager
def table_of(seed: int) -> Iterator[SimulationDriver]:
    """Provide a table with its host."""
    with TemporaryDirectory() as folder, SteppedCable(Path(folder)) as cable:
        evening = SimulationDriver(
            ScriptedTable((), cable, seed, traits=HONEST), Path(folder), nothing
        )
        receivers = evening.table.light_path

        def see(until_us: int) -> None:  # as pads do, else all light is kept
            receivers.edges(until_us)

        evening.also.append(PeriodicTask(PUMP_US, see))
        try:
            yield evening
        finally:
            evening.close()


def measure_port(seed: int) -> Figures:
    """Return how many frames a second come through, and how long the host needs for one."""
    said = packets(FRAMES)
    with table_of(seed) as evening:
        meet(evening)
        begun = time.perf_counter()
        for turn in range(0, FRAMES, BURST):
            burst = b"".join(said[turn : turn + BURST])
            assert evening.table.cable.push(burst) == len(burst)
            evening.port.tick(turn)
        spent_s = time.perf_counter() - begun
        assert evening.listening.frames == FRAMES
    with table_of(seed) as evening:
        meet(evening)
        spans = sorted(alone(evening, frame) for frame in said[:SINGLE])
        assert evening.listening.frames == SINGLE
    return {
        "frames_per_s": round(FRAMES / spent_s),
        "frame_p50_us": round(spans[SINGLE // 2], 1),
        "frame_p99_us": round(spans[SINGLE * 99 // 100], 1),
    }


def meet(evening: SimulationDriver) -> None:
    """Let the host find a hub that only says who it is."""
    cable = evening.table.cable
    assert isinstance(cable, SteppedCable)
    cable.in_step = True
    evening.port.tick(0)
    hash_ = wire.DICTIONARY_HASH
    cable.push(wire.say("HUB_HELLO", 0, hub=HUB, boot=1, firmware=1, dictionary=hash_))
    evening.port.tick(1)


def alone(evening: SimulationDriver, frame: bytes) -> float:
    """Return the µs from a frame's bytes at the port to its observation."""
    cable, descriptor = evening.table.cable, evening.port.fileno()
    assert descriptor is not None
    assert isinstance(cable, SteppedCable)
    cable.push(frame)
    cable.arrive(descriptor)  # the kernel's time is not the host's
    begun = time.perf_counter_ns()
    evening.port.tick(2)
    return (time.perf_counter_ns() - begun) / 1000


def set_in_motion(evening: SimulationDriver, for_s: float) -> None:
    """Have all thirteen shaken at once and without a pause: more than eight hands could."""
    world = evening.table.world
    for barrel in world.barrels.values():
        at_us = evening.table.now_us + 100_000
        motion = world.hand.lift(at_us, barrel.pose)
        barrel.add(motion)
        while barrel.free_us < at_us + round(for_s * 1e6):
            how = Shaking(barrel.stones_g, barrel.shell_g, ScriptVigour.AS_USUAL, 2.0)
            barrel.add(shake(world.hand, barrel.free_us, barrel.pose, how))
    evening.table.act(())


def measure_motion(seed: int) -> Figures:
    """Return what thirteen stoppers in full motion cost air, line and host."""
    with table_of(seed) as evening:
        table, air = evening.table, evening.table.air
        host = Stopwatch(evening.port.tick)
        evening.play(AFTER_S * 1_000_000, host)
        set_in_motion(evening, MOTION_S)
        before = (host.spent_ns, air.traffic.bytes, air.traffic.airtime_us, table.cable.wrote)
        frames = evening.listening.frames
        begun = time.perf_counter()
        evening.play((AFTER_S + MOTION_S) * 1_000_000, host)
        spent_s = time.perf_counter() - begun
        after = (host.spent_ns, air.traffic.bytes, air.traffic.airtime_us, table.cable.wrote)
        spent_ns, on_air, airtime_us, on_line = (
            new - old for new, old in zip(after, before, strict=True)
        )
        frames = evening.listening.frames - frames
    return {
        "host_cpu_percent": round(spent_ns / 1e7 / MOTION_S, 2),
        "motion_frames_per_s": round(frames / MOTION_S, 1),
        "air_bytes_per_s": round(on_air / MOTION_S),
        "airtime_percent": round(airtime_us / 1e4 / MOTION_S, 2),
        "line_bytes_per_s": round(on_line / MOTION_S),
        "motion_times_real": round(MOTION_S / spent_s, 1),
    }


def measure_live(seed: int) -> Figures:
    """Return the share of one core that table and host take at the pace of a clock."""
    with table_of(seed) as evening:
        evening.play(AFTER_S * 1_000_000)
        set_in_motion(evening, LIVE_S)
        begun_s, spent_s = time.monotonic(), time.process_time()
        evening.play_live()
        passed_s = time.monotonic() - begun_s
        spent_s = time.process_time() - spent_s
    return {"live_cpu_percent": round(100 * spent_s / passed_s, 1)}


def measure_hour(seed: int, minutes: int) -> Figures:
    """Return what the process holds more after a long time in which guests play round by round."""
    begun = time.perf_counter()
    with table_of(seed) as evening:
        table = evening.table
        table.go_on(rounds(Guests(table.world, random.Random(seed))))
        evening.play(WARM_MIN * 60_000_000)
        warm_mb = resident_mb()
        evening.play(minutes * 60_000_000)
        grown_mb = resident_mb() - warm_mb
        spent_s = time.perf_counter() - begun
        frames = evening.listening.frames
    return {
        "rss_growth_mb": round(grown_mb, 2),
        "virtual_minutes": minutes,
        "virtual_minutes_before": WARM_MIN,
        "hour_is_whole": minutes >= FULL_MIN,
        "play_frames": frames,
        "play_times_real": round(minutes * 60 / spent_s, 1),
    }


def resident_mb() -> float:
    """Return what the process holds in memory."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench link", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--full", action="store_true", help="a whole virtual hour for the memory")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    minutes = FULL_MIN if options.full else SHORT_MIN
    found = measure_hour(options.seed, minutes)  # first, or it would grow into what others freed
    for measure in (measure_port, measure_motion, measure_live, _sensing_cost.measure):
        found |= measure(options.seed)
    if not options.json:
        for name, figure in found.items():
            print(f"{name:24} {figure:>12,}")
        return
    found |= {"python": platform.python_version(), "seed": options.seed, "world": "honest"}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
