"""When Python looks through memory for what nobody needs any more, which stops every thread.

Looking through all that a started table or hall consists of takes 30 ms on a PC and some 300 ms on
a small Pi, and finds nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def only_what_is_new() -> Iterator[None]:
    """Have whatever is there by now not looked through again."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
