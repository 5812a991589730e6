"""The icons under which a phone keeps the pages: what the manifest says of them is so."""

import json
import re
import struct

import pytest

from release.icons import ICONS, PICTURE, STATIC, Icon
from tests.web.room import FakeRoom, client

MANIFEST = json.loads((STATIC / "manifest.json").read_text("utf-8"))
HEAD = struct.Struct(">8x4x4sIIBB")  # of a PNG: what comes first, width, height, depth, colours
WITH_ALPHA = 6


def head(icon: Icon) -> tuple[int, int, int]:
    """Return width, height and kind of a file."""
    first, width, height, _, kind = HEAD.unpack((STATIC / icon.name).read_bytes()[: HEAD.size])
    assert first == b"IHDR"
    return width, height, kind


@pytest.mark.parametrize("icon", ICONS, ids=lambda icon: icon.name)
def test_an_icon_is_as_large_as_it_says(icon: Icon) -> None:
    width, height, kind = head(icon)
    assert (width, height) == (icon.side_px, icon.side_px)
    assert kind == WITH_ALPHA or icon.whole


def test_the_manifest_names_files_that_are_there_in_their_sizes() -> None:
    sides = {f"/static/{icon.name}": icon.side_px for icon in ICONS}
    drawn = [one for one in MANIFEST["icons"] if one["type"] == "image/png"]
    assert {f"{sides[one['src']]}x{sides[one['src']]}" for one in drawn} == {"192x192", "512x512"}
    assert all(one["sizes"].startswith(str(sides[one["src"]])) for one in drawn)
    assert [one["sizes"] for one in drawn if one.get("purpose") == "maskable"] == ["512x512"]
    assert f"/static/{PICTURE.name}" in [one["src"] for one in MANIFEST["icons"]]


def test_a_page_says_what_a_phone_keeps_it_by_in_light_and_dark() -> None:
    html = client(FakeRoom()).get("/").text
    style = (STATIC / "theme.css").read_text("utf-8")
    light, dark = re.findall(r"--ground: (#[0-9a-f]{6})", style)
    assert f'content="{light}" media="(prefers-color-scheme: light)"' in html
    assert f'content="{dark}" media="(prefers-color-scheme: dark)"' in html
    (touched,) = re.findall(r'rel="apple-touch-icon" href="/static/([^"?]+)', html)
    assert touched in [icon.name for icon in ICONS if icon.whole]
