"""Stores calibrations: each saving is a new file, and the older versions stay a while.

A file is either whole or not there: it is written under another name, forced onto the disk, and
then renamed. What cannot be read is a fact to tell, and the newest good one before it serves.

    calibration-000001.json … calibration-000012.json     the greatest number is the newest
"""

import errno
import re
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from companion.sensing import calibration_json
from companion.sensing.calibration import Calibration
from companion.system import format_names, private_files, status, text

KEPT: Final = 12  # good ones; an evening saves one or two
LARGEST_BYTES: Final = 200_000  # 13 stoppers take 25,000
NAMED: Final = re.compile(r"calibration-(\d{6,9})\.json")


@format_names.format_name("Trouble")
class CalibrationFileFault(status.Status):
    """What can be wrong with a file or the folder beyond what `Unusable` says, as a sentence."""

    UNREADABLE = "This calibration cannot be read: check the card and the file's permissions."
    UNWRITABLE = "The calibration could not be saved: check whether the card is full or read-only."
    ABSENT = "There is no such calibration."


@format_names.format_name("Serving")
class ActiveCalibration(status.Status):
    """Which calibration is used when the newest one is not."""

    NEWEST = status.Fine("The newest calibration is in use.")
    OLDER = (
        "{file} cannot be used, so an older calibration is in use: barrels weighed since then "
        "may be mistaken for others. {fault} Look at the workshop."
    )
    NONE = (
        "{file} cannot be used, and there is no other calibration: no barrel's number is known, so "
        "people say them. {fault} Look at the workshop."
    )


@dataclass(frozen=True, slots=True)
class CalibrationFault:
    what: calibration_json.Unusable | CalibrationFileFault
    file: str


@dataclass(frozen=True, slots=True)
class StoredCalibration:
    """The calibration that is used, which version it is, and what was wrong with newer ones."""

    calibration: Calibration | None
    version: int | None
    facts: tuple[CalibrationFault, ...] = ()

    @property
    def condition(self) -> status.Condition:
        """Return what people are told of it while they play."""
        if not self.facts:
            return status.Condition(ActiveCalibration.NEWEST, 0)
        newest = self.facts[0]
        values = {"file": newest.file, "fault": text.Text(str(newest.what.value))}
        return status.Condition(
            ActiveCalibration.OLDER if self.calibration else ActiveCalibration.NONE, 0, values
        )


class CalibrationStore:
    """One folder; only one companion uses it at a time."""

    def __init__(self, folder: Path, kept: int = KEPT) -> None:
        self._folder, self._kept = folder, kept

    def versions(self) -> tuple[int, ...]:
        """Return what lies there, good or not, the newest first."""
        with suppress(OSError):
            names = [NAMED.fullmatch(path.name) for path in self._folder.iterdir()]
            return tuple(sorted((int(name[1]) for name in names if name), reverse=True))
        return ()

    def newest(self) -> StoredCalibration:
        """Return the newest good calibration; having none is no trouble, but newer bad ones are."""
        facts: list[CalibrationFault] = []
        for version in self.versions():
            result = self.version(version)
            if isinstance(result, Calibration):
                return StoredCalibration(result, version, tuple(facts))
            facts.append(result)
        return StoredCalibration(None, None, tuple(facts))

    def version(self, version: int) -> Calibration | CalibrationFault:
        """Return one of them, or why it cannot be used."""
        path = self._path(version)
        try:
            calibration = calibration_json.read(private_files.read(path, LARGEST_BYTES))
        except FileNotFoundError:
            return CalibrationFault(CalibrationFileFault.ABSENT, path.name)
        except OSError as error:
            large = error.errno == errno.EFBIG
            return CalibrationFault(
                calibration_json.Unusable.FOREIGN if large else CalibrationFileFault.UNREADABLE,
                path.name,
            )
        if isinstance(calibration, Calibration):
            return calibration
        return CalibrationFault(calibration, path.name)

    def save(self, calibration: Calibration) -> int | CalibrationFault:
        """Keep a calibration as the newest; return its version, or why that was impossible."""
        version = max(self.versions(), default=0) + 1
        path = self._path(version)
        data = calibration_json.write(calibration)
        if isinstance(again := calibration_json.read(data), calibration_json.Unusable):
            return CalibrationFault(again, path.name)
        try:
            self._folder.mkdir(private_files.FOLDER, parents=True, exist_ok=True)
            private_files.write(path, data)
        except OSError:
            return CalibrationFault(CalibrationFileFault.UNWRITABLE, path.name)
        self._clear(version)
        return version

    def roll_back(self, version: int, saved: str) -> int | CalibrationFault:
        """Make an earlier one the newest, by saving it again: what lies between stays readable."""
        calibration = self.version(version)
        if not isinstance(calibration, Calibration):
            return calibration
        return self.save(calibration.with_stoppers(saved, ()))

    def _path(self, version: int) -> Path:
        return self._folder / f"calibration-{version:06}.json"

    def _clear(self, newest: int) -> None:
        """Remove what is too old; bad ones count, too, but the last good one always stays."""
        old = [version for version in self.versions() if version <= newest]
        for version in old[self._kept :]:
            with suppress(OSError):
                self._path(version).unlink()
        with suppress(OSError):
            for part in self._folder.glob(".calibration-*.new"):  # left by a power cut
                part.unlink()
