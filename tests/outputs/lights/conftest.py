"""The fixture `colourless`: an eye that sees no colours."""

from __future__ import annotations

import pytest

from companion.present.lights.picture import WHITE, Picture, Rgb


@pytest.fixture
def colourless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every light as white as all others."""
    draw = Picture.draw

    def white(self: Picture, light: int, _colour: Rgb, brightness: float) -> None:
        draw(self, light, WHITE, brightness)

    monkeypatch.setattr(Picture, "draw", white)
