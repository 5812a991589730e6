"""Which firmware came with this program, and whether the boards run it.

The version stands in the firmware's own source, so that it is written down once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

from companion.condition import State
from companion.doctor.finding import Finding, found
from companion.format_names import format_name
from companion.project_files import project_file
from companion.workshop.vitals import version as written

FOLDER: Final = project_file("firmware")
SOURCES: Final = {"stopper": "stopper/stopper.py", "hub": "hub/hub.py"}


@format_name("Firmware")
class Firmware(State):
    """Whether the boards run what came with this program."""

    NEWEST = "Every stopper that was heard runs the newest firmware, {version}."
    STOPPERS_OLD = (
        "{stoppers:#Stopper|Stoppers} {stoppers:and} {stoppers:#does|do} not run firmware "
        "{version}, which came with this program; update {stoppers:#it|them} by radio, in the "
        "workshop or by: {program} update"
    )
    HUB_OLD = (
        "The hub runs firmware {found}, and {version} came with this program; run: {program} "
        "flash hub"
    )
    UNKNOWN = "No board has said yet which firmware it runs."

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self in {Firmware.NEWEST, Firmware.UNKNOWN}


@cache
def shipped(kind: str, folder: Path = FOLDER) -> str | None:
    """Return the version of a board's firmware that came with this program.

    >>> shipped("tumbler", Path("/"))
    """
    with suppress(OSError, KeyError):
        source = (folder / SOURCES[kind]).read_text("utf-8")
        if told := re.search(r"^FIRMWARE = (0x[0-9a-fA-F]+)$", source, re.MULTILINE):
            return written(int(told[1], 16))
    return None


def judge(
    stoppers: Mapping[int, str], hub: str | None = None, folder: Path = FOLDER
) -> tuple[Finding, ...]:
    """Return what is to be said of the versions that boards told."""
    ours, hubs = shipped("stopper", folder), shipped("hub", folder)
    if ours is None or hubs is None or not (stoppers or hub is not None):
        return (found("firmware", Firmware.UNKNOWN),)
    faults = []
    others = tuple(sorted(number for number, one in stoppers.items() if one != ours))
    if others:
        faults.append(found("firmware", Firmware.STOPPERS_OLD, stoppers=others, version=ours))
    if hub is not None and hub != hubs:
        faults.append(found("firmware", Firmware.HUB_OLD, found=hub, version=hubs))
    return tuple(faults) or (found("firmware", Firmware.NEWEST, version=ours),)
