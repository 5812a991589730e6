"""What the guide for people far away has typed: keys, codes, names."""

import re
from pathlib import Path

from examples.readme.lines import ROOT, of, text
from examples.readme.typed import desk
from tests import programs
from tests.programs import need

GUIDE = "hardware/far-away.md"
SETUPS = ROOT / "hardware/service/far"
FILLED = ("TABLE_PRIVATE", "TABLE_PUBLIC", "PHONE_PRIVATE", "PHONE_PUBLIC")
LOOKED_AT = ("sudo nmcli", "sudo systemctl", "sudo certbot")  # nothing here has these to answer


def test_what_the_guide_says_can_be_typed(tmp_path: Path) -> None:
    need("wg", "qrencode")
    here = desk(tmp_path)
    (tmp_path / "table.toml").write_text(
        re.findall(r"^```toml\n(.*?)^```", text(GUIDE), re.MULTILINE | re.DOTALL)[-1], "utf-8"
    )
    known = {package for packages in programs.ALL.values() for package in packages}
    for line in dict.fromkeys(command.text for command in of("far away")):
        if line.startswith("sudo apt-get install"):
            wanted = {*line.split()[3:]} - {"certbot"}
            assert wanted <= known | {"nginx"}, line
        elif line.startswith("./run"):
            assert here.type(f"{line} --port 0", "PIN is in").err == ""
        elif not line.startswith(LOOKED_AT):
            if line.startswith("qrencode"):
                _fill_in(tmp_path)
            said = here.type(line)
            assert (said.code, said.err) == (0, ""), line
    assert re.fullmatch(r"[A-Za-z0-9+/]{43}=\n", (tmp_path / "table.pub").read_text("ascii"))


def _fill_in(folder: Path) -> None:
    """Put keys and an address into the places that the files have for them."""
    keys = [folder / name for name in ("table.key", "table.pub", "phone.key", "phone.pub")]
    for file in SETUPS.glob("*-wireguard.conf"):
        filled = file.read_text("utf-8").replace("HOME", "203.0.113.7")
        for place, key in zip(FILLED, keys, strict=True):
            filled = filled.replace(place, key.read_text("ascii").strip())
        assert not re.search(r"= *[A-Z_]+(?::|$)", filled, re.MULTILINE), filled
        (folder / file.name).write_text(filled, "utf-8")
