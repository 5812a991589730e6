"""Whether a hall makes a table slower: from what people do until the lights show it.

A simulated table in real time, whose own thread writes the journal and then has the lights drawn
before it answers. The same events are done without a hall, and with a broker that is absent, one
that reads a byte now and then, and one that sends nonsense and floods.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from operator import truediv
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from typing import Final

from companion.core.codec import pack
from companion.core.notation import write
from companion.core.plugin import GAMES
from companion.referee.commands import Command, DoAction, NewMatch
from companion.referee.events import HouseRules
from companion.simulator.live.live import SIMULATED, Live, calibration_of, stoppers_of
from companion.system import config
from companion.table.table import Table
from companion.table.table_config import TableConfig

HERE: Final = "127.0.0.1"
GAME: Final = "trap-the-wizard"  # one needs no hands to play it
DEEDS: Final = 20  # by each kind in a turn, in mixed order…
TURNS: Final = 20  # …and compared within it: what else the computer does changes from turn to turn
LET_IN: Final = bytes([0x20, 3, 0, 0, 0])  # CONNACK: it says yes
FLOOD: Final = bytes([0x30, 0xFF, 0x7F]) + bytes(16_383)  # PUBLISH with nonsense in it
Serve = Callable[[socket.socket, Event], None]


def slow(line: socket.socket, over: Event) -> None:
    """Let somebody in, and read a byte now and then."""
    line.recv(1_000)
    line.sendall(LET_IN)
    while not over.wait(0.1) and line.recv(1):
        pass


def hostile(line: socket.socket, over: Event) -> None:
    """Let somebody in, then send nonsense as fast as it goes."""
    line.recv(1_000)
    line.sendall(LET_IN)
    while not over.wait(0.001):
        line.sendall(FLOOD)


@contextmanager
def broker(serve: Serve | None) -> Iterator[int]:
    """Provide the port of a broker that serves so; None: nobody listens there."""
    over = Event()
    with closing(socket.create_server((HERE, 0))) as server:
        port: int = server.getsockname()[1]
        if serve is None:
            server.close()
            yield port
            return

        def accept() -> None:
            while not over.is_set():
                with suppress(OSError):
                    line, _ = server.accept()
                    line.settimeout(1.0)
                    with line, suppress(OSError):
                        serve(line, over)

        thread = Thread(target=accept, daemon=True)
        thread.start()
        try:
            yield port
        finally:
            over.set()
            server.close()


def deeds_ms(folder: Path, hall: config.HallConfig | None) -> list[float]:
    """Return how long a table takes for each of some events, until its lights show it."""
    ports = folder / "ports"
    ports.mkdir(parents=True)
    found: list[float] = []
    with closing(Live(ports, 1)) as live, live:
        plan = TableConfig(
            replace(SIMULATED, hall=hall),
            folder,
            stoppers_of(live.table),
            calibration_of(live.table),
            live.ports,
            live.outside.open_pins,
            live.clock_us,
            Random(1),
        )
        with Table(plan) as table:
            settings = pack(GAMES[GAME].settings_type())
            asked = table.ask(Command("new", NewMatch(GAME, settings, HouseRules()), "red"))
            assert asked is not None
            assert asked.refused is None
            time.sleep(0.5)  # so that a broker has its say
            chance = Random(2)
            for number in range(DEEDS):
                match = table.referee.match
                assert match is not None
                game, state = match.game, match.state
                action = chance.choice(game.legal(state, game.turns(state)[0]))
                command = Command(f"d{number}", DoAction(write(action)), "red")
                begun_s = time.perf_counter()
                table.ask(command)
                found.append(1000 * (time.perf_counter() - begun_s))
                time.sleep(0.01)
    return found


def ratio() -> dict[str, object]:
    """Return the greatest ratio of what is usual with a hall and without one, and both of them."""
    kinds: dict[str, Serve | None] = {"absent": None, "slow": slow, "hostile": hostile}
    usual: dict[str, list[float]] = {"without": [], **{name: [] for name in kinds}}
    with ExitStack() as life, TemporaryDirectory(prefix="hall-latency-") as kept:
        ports = {name: life.enter_context(broker(one)) for name, one in kinds.items()}
        order, chance = [*usual], Random(3)
        for turn in range(TURNS):
            chance.shuffle(order)
            for name in order:
                hall = None
                if name in ports:
                    hall = config.HallConfig(HERE, ports[name], "attic", home_assistant=True)
                usual[name].append(median(deeds_ms(Path(kept) / f"{name}-{turn}", hall)))
    ratios = {name: median(map(truediv, usual[name], usual["without"])) for name in kinds}
    return {
        "table_latency_ratio": round(max(ratios.values()), 3),
        "table_latency_ratios": {name: round(one, 3) for name, one in ratios.items()},
        "table_latency_ms": {name: round(median(one), 2) for name, one in usual.items()},
    }
