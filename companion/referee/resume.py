"""Resumes the match that was cut off last, or shows that there is none.

A match that was over is gone on with, too: its end can be taken back. Where the disk comes later
than the table starts, so does the match, unless another was begun meanwhile.
"""

from contextlib import AbstractContextManager, suppress

from companion.journal import Journal
from companion.referee.referee import Referee


class MatchResumer:
    """Resumes once the journal can be read; with `guard`, no bug in it prevents the start."""

    def __init__(
        self, journal: Journal, referee: Referee, guard: AbstractContextManager[object]
    ) -> None:
        self._journal, self._referee = journal, referee
        self._guard = guard
        self._comes_later = False  # nothing was resumed, and the journal could not be written

    def resume(self, now_us: int) -> None:
        """Go on with the match, or wait for one to begin."""
        listed = self._journal.listed
        going = next((match for match in listed if not match.last.ends), None)
        choice = dict.fromkeys(match for match in (going, *listed[:1]) if match is not None)
        last = {match: self._journal.resume(match.id) for match in choice}
        for match, entries in last.items():
            with self._guard, suppress(ValueError, RecursionError):  # a newer version wrote it
                if entries:  # otherwise the disk failed since it told which matches there are
                    self._referee.resume(match.id, entries, now_us)
                    return
        self._comes_later = not self._journal.writable
        unread = all(entries and not match.last.ends for match, entries in last.items())
        self._referee.wait_for_match(now_us, unread=len(last) == 1 and unread)

    def tick(self, now_us: int) -> None:
        """Go on as soon as the disk is there."""
        playing = self._referee.match is not None
        if self._comes_later and (self._journal.writable or playing):
            self._comes_later = False
            if not playing:
                self.resume(now_us)
