"""The fixture `colourless`: an eye that sees no colours."""

import pytest

from companion.present.lights.canvas import WHITE, LightCanvas, Rgb


@pytest.fixture
def colourless(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every light as white as all others."""
    draw = LightCanvas.draw

    def white(self: LightCanvas, light: int, _colour: Rgb, brightness: float) -> None:
        draw(self, light, WHITE, brightness)

    monkeypatch.setattr(LightCanvas, "draw", white)
