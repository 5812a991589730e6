"""Anonymises a recording, so that it can be given away: without what is only this table's business.

The radio ids and keys of stoppers and hub are replaced by those that every simulated table has, so
that whoever has it can play it, and nobody can speak to the table with what is in it. Voices, names
and places were never in it; times are since the start.

    anonymise(path, stoppers)     # packed, for a file whose name ends in .link.gz
"""

import gzip
import json
import struct
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from io import StringIO
from pathlib import Path
from typing import Any, Final

from companion import wire
from companion.devices import hub_discovery, recording
from companion.devices.stopper_registry import Stopper, simulated_stopper
from companion.sensing.name_word import name_of

HUB: Final = simulated_stopper(0).node


def anonymise(path: Path, stoppers: Iterable[Stopper]) -> bytes:
    """Return the recording, packed; the same each time."""
    out, own = StringIO(), {stopper.node: stopper for stopper in stoppers}
    for line in _lines(path, own):
        out.write(line)
    return gzip.compress(out.getvalue().encode("ascii"), mtime=0)


def _lines(path: Path, own: Mapping[bytes, Stopper]) -> Iterator[str]:
    yield recording.NOTED_LINE
    names = {
        name_of(stopper.key): name_of(simulated_stopper(stopper.number).key)
        for stopper in own.values()
    }
    begun = False
    for entry in recording.replay_all(path):
        if isinstance(entry, hub_discovery.HubMessage):
            if not begun:
                yield f"{entry.at_us} open - given\n"
                begun = True
            if (frame := _frame(entry.said, own)) is not None:
                yield f"{entry.at_us} in {frame.hex()}\n"
        else:
            what = entry.what
            if what.get("kind") == "about":
                numbers = sorted(stopper.number for stopper in own.values())
                what = what | {
                    "stoppers": {simulated_stopper(number).node.hex(): number for number in numbers}
                }
            if what.get("kind") == "name":
                what = what | {"name": names.get(int(what["name"]), 0)}
            yield f"{entry.at_us} note {json.dumps(what, separators=(',', ':'))}\n"


def _frame(message: wire.Said, own: Mapping[bytes, Stopper]) -> bytes | None:
    fields: dict[str, Any] = message.fields._asdict()
    if "hub" in fields:
        fields["hub"] = HUB
    if message.name == "RELAYED":
        packet = _resealed(fields["packet"], own)
        if packet is None:
            return None
        fields["packet"] = packet
    return wire.say(message.name, message.time_us, **fields)


def _resealed(packet: bytes, own: Mapping[bytes, Stopper]) -> bytes | None:
    """Return a packet under the name and key that everybody knows; None: it is not authentic."""
    stopper = own.get(wire.node_of(packet))
    if stopper is None or len(packet) < wire.PACKET_SIZE + wire.TAG_SIZE:
        return None
    sealed, tag = packet[: -wire.TAG_SIZE], packet[-wire.TAG_SIZE :]
    if _tag(stopper.key, sealed) != tag:
        return None
    version, number, _, *rest = struct.unpack_from(wire.PACKET, sealed)
    public = simulated_stopper(stopper.number)
    head = struct.pack(wire.PACKET, version, number, public.node, *rest)
    sealed = head + sealed[wire.PACKET_SIZE :]
    return sealed + _tag(public.key, sealed)


def _tag(key: bytes, sealed: bytes) -> bytes:
    return sha256(key + sealed).digest()[: wire.TAG_SIZE]
