"""A study on many computers: a scheduler of Dask hands out its matches, and workers play them.

A match is what its seed makes of it, whoever plays it. So it changes nothing how many workers there
are, and what one had that died is played again by another one. It must not know what is counted.
"""

import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, Final

from companion import __version__
from companion.system import signals
from companion.system.errors import CompanionError
from rappelwacht_research.study.match import Part, PlayedMatch, Plays, here

BUNDLES: Final = 1000  # at most, because the scheduler remembers each
ANSWERS_S: Final = 10
LOOK_S: Final = 0.05

Bundle = tuple[str, list[PlayedMatch]]  # by which version, and what came of it


@contextmanager
def playing(address: str | None) -> Iterator[Plays]:
    """Have parts of a study played by the workers of a scheduler; None: here."""
    if address is None:
        yield here
        return
    try:
        from distributed import Client, KilledWorker  # noqa: PLC0415 - an optional library
    except ImportError:
        raise CompanionError(
            "A scheduler needs Dask; install it with: {python} -m pip install distributed",
            python=sys.executable,
        ) from None
    try:
        client = Client(address, timeout=ANSWERS_S, set_as_default=False)
    except (OSError, ValueError) as error:
        raise CompanionError(
            "No Dask scheduler answers at {address}: {reason}. Start one with: dask scheduler",
            address=address,
            reason=str(error) or type(error).__name__,
        ) from None
    with client:
        try:
            yield lambda parts: _handed_out(client, [*parts])
        except KilledWorker as error:
            raise CompanionError(
                "Workers kept dying at the same matches: {reason}", reason=error
            ) from None
        except CancelledError:
            raise CompanionError(
                "The scheduler at {address} is gone; the same seed plays the same matches again.",
                address=address,
            ) from None


def _handed_out(client: Any, parts: Sequence[Part]) -> Iterator[PlayedMatch]:
    """Yield what came of parts, in their order."""
    size = -(-len(parts) // BUNDLES) or 1
    bundles = [parts[begin : begin + size] for begin in range(0, len(parts), size)]
    waiting = deque(client.map(_played, bundles, pure=False))
    while waiting:
        newest = waiting.popleft()
        while not newest.done():
            signals.sleep(LOOK_S)
        try:
            version, played = newest.result()
        except ImportError as error:
            raise CompanionError(
                "A worker lacks what it needs ({reason}); install the same there as here.",
                reason=error,
            ) from None
        if version != __version__:
            raise CompanionError(
                "A worker has Rappelwacht {theirs}, and this is {ours}; the same matches need the "
                "same version.",
                theirs=version,
                ours=__version__,
            )
        yield from played


def _played(bundle: Iterable[Part]) -> Bundle:
    """Play a bundle, on a worker."""
    return __version__, [*here(bundle)]
