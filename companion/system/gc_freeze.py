"""Tunes memory: Python's garbage collector, and when the C library gives freed heaps back.

The garbage collector stops every thread. Looking through all that a started table or hall consists
of takes 30 ms on a PC and some 300 ms on a small Pi, and finds nothing.
"""

import ctypes
import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

LARGE_BYTES: Final = 128 * 1024
MALLOPT: Final = {  # of GNU's C library, by the numbers in malloc.h
    -8: 1,  # M_ARENA_MAX: threads share one heap, instead of each keeping what it once needed
    -3: LARGE_BYTES,  # M_MMAP_THRESHOLD: what is large is given back as soon as it is freed …
    -1: LARGE_BYTES,  # M_TRIM_THRESHOLD: … and so is what is free at the end of the heap
}


def limit_heaps() -> None:
    """Have the C library return freed memory; call it before there are other threads."""
    with suppress(OSError, AttributeError):  # another C library
        mallopt = ctypes.CDLL(None).mallopt
        for option, value in MALLOPT.items():
            mallopt(option, value)


def trim_heap() -> None:
    """Return all freed memory to the system now, wherever it lies in the heap."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextmanager
def frozen() -> Iterator[None]:
    """Freeze all that exists by now: the garbage collector does not look through it."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
