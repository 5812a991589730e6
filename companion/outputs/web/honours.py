"""The awards of the match that has just been won, read from its journal once for all phones."""

from __future__ import annotations

from companion.errors import NoAnswer
from companion.outputs.web.library import Library
from companion.present.awards import Award, awards
from companion.referee.snapshot import Snapshot


class Honours:
    """What the last match that ended is honoured for."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._kept: tuple[tuple[str, int], tuple[Award, ...]] | None = None

    def of(self, now: Snapshot) -> tuple[Award, ...]:
        """Return the awards; none while it is played, nor where its journal cannot be read now."""
        if now.match is None or now.outcome is None:
            return ()
        key = now.match, now.version
        if self._kept is None or self._kept[0] != key:
            try:
                match = self._library.find(now.match)
                steps = self._library.opened(match).steps if match else ()
            except NoAnswer:
                return ()
            self._kept = key, awards(steps[-1].after) if steps else ()
        return self._kept[1]
