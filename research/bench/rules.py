"""How many actions a second the rules core plays, beside well-known peers, in one alternating run.

An action is: whose turn, what is legal, choose one at random, apply; a roll, a placing, a flip and
a draw count too. Chance is weighed as each game says. Zapp Zerapp is played by two and by four, in
both versions; `trap_the_wizard`, `via_magica` and `blackmore` are the other three games, by four.

Every alternation plays each contestant for a slice of time; the figures are medians over the
alternations, the ratios medians of the ratios within one alternation, so that a machine whose speed
drifts does not favour anybody.

The peers play through their own fastest way, in place; ours through the public immutable API.
A peer that is not installed is reported as absent (null).

    ./run bench rules [--json] [--alternations 11] [--seconds 0.25] [--seed 1]
"""

import argparse
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from companion.core.game import TABLE, Game
from companion.games.blackmore.rules import Blackmore
from companion.games.trap_the_wizard.rules import TrapTheWizard
from companion.games.via_magica.rules import ViaMagica
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp

Playing = Callable[[random.Random], int]  # plays one whole game, returns its actions

PAIR = (Colour.RED, Colour.BLUE)


def ours(game: Game[Any]) -> Playing:
    """Return a player of random games through the contract that all our games share."""

    def play(rng: random.Random) -> int:
        turns, legal, apply, odds = game.turns, game.legal, game.apply, game.odds
        choice, choices = rng.choice, rng.choices
        state, actions = game.start(), 0
        while seats := turns(state):
            seat = seats[0]
            options = legal(state, seat)
            if seat == TABLE and len(options) > 1:
                action = choices(options, odds(state))[0]
            else:
                action = choice(options)
            state = apply(state, action)
            actions += 1
        return actions

    return play


def openspiel(name: str, **parameters: int) -> Playing | None:
    """Return a player of one of OpenSpiel's games, C++ behind Python, if it is installed."""
    try:
        import pyspiel  # noqa: PLC0415 - an optional peer
    except ImportError:
        return None
    game = pyspiel.load_game(name, parameters)

    def play(rng: random.Random) -> int:
        choice, choices = rng.choice, rng.choices
        state, actions = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                options, odds = zip(*outcomes, strict=True)
                action = choices(options, odds)[0]
            else:
                action = choice(state.legal_actions())
            state.apply_action(action)
            actions += 1
        return actions

    return play


def python_chess() -> Playing | None:
    """Return a player of random chess, pure Python, if python-chess is installed."""
    try:
        import chess  # noqa: PLC0415 - an optional peer
    except ImportError:
        return None

    def play(rng: random.Random) -> int:
        board, actions = chess.Board(), 0
        while not board.is_insufficient_material() and not board.is_seventyfive_moves():
            options = list(board.legal_moves)
            if not options:
                break
            board.push(rng.choice(options))
            actions += 1
        return actions

    return play


def contestants() -> dict[str, Playing | None]:
    """Return everybody who plays, by name; None for who is absent."""
    return {
        "2p": ours(ZappZerapp(Settings(PAIR))),
        "4p": ours(ZappZerapp(Settings())),
        "2p_profi": ours(ZappZerapp(Settings(PAIR, profi=True))),
        "4p_profi": ours(ZappZerapp(Settings(profi=True))),
        "trap_the_wizard": ours(TrapTheWizard()),
        "via_magica": ours(ViaMagica()),
        "blackmore": ours(Blackmore()),
        "maedn_2p": openspiel("maedn", players=2),
        "maedn_4p": openspiel("maedn", players=4),
        "backgammon": openspiel("backgammon"),
        "chess": python_chess(),
    }


RATIOS = {
    "vs_maedn_2p": ("2p", "maedn_2p"),
    "vs_maedn_4p": ("4p", "maedn_4p"),
    "vs_maedn_2p_profi": ("2p_profi", "maedn_2p"),
    "vs_maedn_4p_profi": ("4p_profi", "maedn_4p"),
    "vs_backgammon_2p": ("2p", "backgammon"),
    "vs_backgammon_4p": ("4p", "backgammon"),
    "vs_backgammon_trap_the_wizard": ("trap_the_wizard", "backgammon"),
    "vs_backgammon_via_magica": ("via_magica", "backgammon"),
    "vs_backgammon_blackmore": ("blackmore", "backgammon"),
    "vs_chess_2p": ("2p", "chess"),
}


def speed(play: Playing, rng: random.Random, seconds: float) -> float:
    """Return the actions per second of computing, of whole games for about this long."""
    actions, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        actions += play(rng)
    return actions / spent


def measure(alternations: int, seconds: float, seed: int) -> dict[str, list[float] | None]:
    """Return each contestant's speeds, one for each alternation; None for who is absent."""
    players = contestants()
    speeds: dict[str, list[float] | None] = {
        name: None if play is None else [] for name, play in players.items()
    }
    rng = random.Random(seed)
    for turn in range(alternations + 1):
        print(f"\r{turn} of {alternations} ", end="", file=sys.stderr, flush=True)
        for name, play in players.items():
            measured = speeds[name]
            if play is not None and measured is not None:
                reached = speed(play, rng, seconds)
                if turn:  # the first one warms up
                    measured.append(reached)
    print("\r", end="", file=sys.stderr)
    return speeds


def report(speeds: dict[str, list[float] | None]) -> dict[str, Any]:
    """Return the medians of speeds and of ratios within an alternation."""
    found: dict[str, Any] = {
        f"actions_per_s_{name}": measured and round(statistics.median(measured))
        for name, measured in speeds.items()
    }
    for ratio, (mine, theirs) in RATIOS.items():
        one, other = speeds[mine], speeds[theirs]
        pairs = one and other and [a / b for a, b in zip(one, other, strict=True)]
        found[ratio] = pairs and round(statistics.median(pairs), 2)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="./run bench rules", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--json", action="store_true", help="only one JSON object on the last line")
    parser.add_argument("--alternations", type=int, default=11)
    parser.add_argument("--seconds", type=float, default=0.25, help="of each contestant's slice")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = report(measure(options.alternations, options.seconds, options.seed))
    if not options.json:
        for name, figure in found.items():
            shown = "absent" if figure is None else f"{figure:,}"
            print(f"{name:29} {shown:>12}")
        return
    found |= {"alternations": options.alternations, "python": platform.python_version()}
    print(json.dumps(found))


if __name__ == "__main__":
    main()
