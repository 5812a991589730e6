"""Reads a KiCad board file, and tells in what it and the netlist do not agree.

board = read(file)["U4"]        # Placed(footprint='Package_TO_SOT_SMD:SOT-23-5', value=…, nets=…)
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gerbonara.cad.kicad.sexp import parse_sexp

from hardware.tests.plan import Circuit, Leg

NONE: Final = frozenset({""})


@dataclass(frozen=True, slots=True)
class Placed:
    """One part on a board."""

    footprint: str
    value: str
    below: bool
    nets: Mapping[str, frozenset[str]]  # of each pad with a number; "" is none


def read(file: Path) -> dict[str, Placed]:
    """Return the parts that a board file places, by their references."""
    board = parse_sexp(file.read_text("utf-8"))
    return dict(_placed(one) for one in _each(board, "footprint"))


def faults(circuit: Circuit, board: Mapping[str, Placed]) -> Iterator[str]:
    """Yield a sentence for everything in which a board is not what the netlist says."""
    wanted = {ref: part for ref, part in circuit.parts.items() if part.footprint}
    yield from (f"{ref} is not on the board" for ref in wanted.keys() - board.keys())
    numbered = {ref for ref, placed in board.items() if placed.nets}  # the rest are holes and marks
    yield from (f"{ref} is on the board only" for ref in numbered - wanted.keys())
    for ref in sorted(wanted.keys() & board.keys()):
        if board[ref].footprint != wanted[ref].footprint:
            yield f"{ref} is a {board[ref].footprint} on the board, not {wanted[ref].footprint}"
        value = wanted[ref].value or wanted[ref].mpn
        if board[ref].value != value:
            yield f"{ref} is called {board[ref].value} on the board, not {value}"
        nets = {pad: frozenset(nets) for pad, nets in board[ref].nets.items()}
        yield from pad_faults(circuit, ref, nets)


def pad_faults(circuit: Circuit, ref: str, nets: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield a sentence for each pad of a part that hangs on another net than it should."""
    net_of, pads = circuit.net_of(), circuit.parts[ref].pads()
    for pad in sorted(pads.keys() | nets.keys()):
        if pad not in nets:
            yield f"{ref} has no pad {pad}"
        elif pad not in pads:
            yield f"{ref} has a pad {pad} that nobody knows"
        else:
            wanted = frozenset({net_of.get(Leg(ref, pads[pad]), "")})
            if nets[pad] != wanted:
                yield f"{ref} pad {pad} hangs on {_named(nets[pad])}, not on {_named(wanted)}"


def _named(nets: frozenset[str]) -> str:
    return " and ".join(sorted(net or "nothing" for net in nets))


def _placed(told: list[Any]) -> tuple[str, Placed]:
    words = {one[1]: one[2] for one in _each(told, "property")}
    nets: dict[str, set[str]] = {}
    for pad in _each(told, "pad"):
        if str(pad[1]):
            (net,) = [one[2] for one in _each(pad, "net")] or [""]
            free = str(net).startswith("unconnected-")  # so KiCad names what hangs on nothing
            nets.setdefault(str(pad[1]), set()).add("" if free else str(net))
    (layer,) = _each(told, "layer")
    frozen = {pad: frozenset(names) for pad, names in nets.items()}
    below = str(layer[1]) == "B.Cu"
    return str(words["Reference"]), Placed(str(told[1]), str(words["Value"]), below, frozen)


def _each(told: list[Any], name: str) -> Iterator[list[Any]]:
    return (one for one in told if isinstance(one, list) and one and str(one[0]) == name)
