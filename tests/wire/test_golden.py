"""The golden vectors, on this Python."""

from pathlib import Path

import pytest

from companion import wire
from tests.wire.golden import made, told, vectors

VECTORS = vectors((Path(__file__).parent / "vectors.txt").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("words", "code"), VECTORS, ids=[words[:24] for words, _ in VECTORS])
def test_golden(words: str, code: str) -> None:
    assert made(wire, words) in ("", code)
    assert told(wire, words, code) == words


def test_every_message_and_every_loss_has_a_vector() -> None:
    lines = {tuple(words.split()[:2]) for words, _ in VECTORS}
    for name, number, _ in wire.MESSAGES:
        assert ("line" if number > 128 else "packet", name) in lines
    reasons = {name for kind, name in lines if kind in ("refused", "lost")}
    assert reasons == {*wire.LOSSES} - {"reordered", "missed"}  # which take more than one packet
