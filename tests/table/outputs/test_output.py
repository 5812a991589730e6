"""Another output takes a file and a section of the configuration; when it fails, it fails alone."""

from pathlib import Path
from random import Random

import pytest

from companion.core.codec import pack
from companion.games.zapp_zerapp.rules import Colour, Settings, ZappZerapp
from companion.present.headline import headline
from companion.present.output import NEVER_US, OFTEN_US, CallbackOutput, PluginOutput
from companion.present.viewer import Viewer
from companion.referee.commands import Command, CommandBody, DoAction, NewMatch, RollForUs, Undo
from companion.referee.events import HouseRules
from companion.referee.snapshot import Snapshot
from companion.system import config
from companion.system.errors import ConfigError
from companion.table.inbox import PendingCommand
from companion.table.loop import BugStatus
from companion.table.table import Table
from companion.table.table_config import TableConfig
from tests.table.outputs import paper

BEGIN = NewMatch(ZappZerapp.name, pack(Settings((Colour.RED, Colour.BLUE))), HouseRules())


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a package installed that brings outputs along."""
    about = tmp_path / "site" / "paper-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: paper\nVersion: 1\n", "utf-8")
    points = "[rappelwacht.outputs]\npaper = tests.table.outputs.paper:Paper\nlost = nowhere:Lost\n"
    (about / "entry_points.txt").write_text(points, "utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")


class Evening:
    """A table whose thread and clock are the test's, with what was published."""

    def __init__(self, folder: Path, *sections: str) -> None:
        self.file = folder / "paper.txt"
        toml = folder / "table.toml"
        toml.write_text("\n".join(sections).replace("PAPER", str(self.file)), "utf-8")
        self.now_us, self.published = 1_000_000, list[Snapshot]()
        plan = TableConfig(
            config.load(toml), folder, clock_us=lambda: self.now_us, chance=Random(3)
        )
        self.table = Table(plan)
        self.table.outputs.join(CallbackOutput(self.published.append))
        self.table.resume()
        self.does(
            BEGIN,
            RollForUs(),
            DoAction("place red"),
            DoAction("place blue"),
            DoAction("flip"),
            Undo(),
        )
        self.table.stop()

    def does(self, *wishes: CommandBody) -> None:
        for number, wish in enumerate(wishes):
            asked = PendingCommand(Command(str(number), wish, "red"))
            self.now_us += 1_000_000
            self.table.turn(asked)
            assert asked.answer is not None
            assert asked.answer.refused is None

    @property
    def lines(self) -> list[str]:
        return self.file.read_text("utf-8").splitlines()


def test_another_output_is_a_short_file() -> None:
    assert len(Path(paper.__file__).read_text("utf-8").splitlines()) <= 60


def test_one_section_joins_it_and_it_gets_all_that_is_published(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "[paper]", "file = 'PAPER'", "language = 'de'")
    *lines, end = evening.lines
    shown = [line for line in lines if not line.startswith("*")]
    reader = Viewer("de")
    assert shown == [
        f"{one.at_us} {one.version} {headline(one, reader)}" for one in evening.published
    ]
    assert len({one.version for one in evening.published}) == 7
    assert len({headline(one, reader) for one in evening.published}) > 3
    happened = [line for line in lines if line.startswith("*")]
    assert happened[0] == "* Es spielen Rot und Blau."
    assert happened[1].startswith("* Runde 1: ")
    assert end.endswith(" end")


def test_without_its_section_it_is_not_joined(tmp_path: Path) -> None:
    assert not Evening(tmp_path).file.exists()


@pytest.mark.mistakes
def test_one_that_fails_is_called_no_more_and_the_table_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    evening = Evening(tmp_path, "[paper]", "file = 'PAPER'", "torn_at = 2")
    versions = [line.split()[1] for line in evening.lines if not line.startswith("*")]
    assert [*dict.fromkeys(versions)] == ["-1", "0", "1", "end"]
    assert evening.published[-1].version == 5
    assert [one.state for one in evening.published[-1].troubles] == [BugStatus.MADE]
    assert len([one for one in caplog.records if one.name == "companion.table.loop"]) == 1
    assert "The output paper failed; it is not called again." in caplog.messages


@pytest.mark.mistakes
def test_one_that_cannot_be_built_leaves_the_others_and_the_table_as_they_are(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path, "[lost]", "[paper]", "file = 'PAPER'")
    assert len([line for line in evening.lines if line[0] != "*"]) == len(evening.published) + 1
    assert [one.state for one in evening.published[-1].troubles] == [BugStatus.MADE]


def test_it_is_called_again_when_it_wants_to_be_but_never_in_haste(tmp_path: Path) -> None:
    joined = PluginOutput("paper", {"file": str(tmp_path / "paper.txt")})
    assert joined.due_us == NEVER_US
    joined.on_update(Snapshot(-1), ())
    assert joined.due_us == NEVER_US
    hasty = PluginOutput("paper", {"file": str(tmp_path / "paper.txt"), "due_us": 0})
    hasty.tick(1_000)
    assert hasty.due_us == 1_000 + OFTEN_US


def test_a_section_that_nobody_claims_is_a_fault_that_names_all_that_there_are() -> None:
    with pytest.raises(ConfigError, match=r"piano: .*lost"):
        config.parse("[piano]", "table.toml")
    with pytest.raises(ConfigError, match=r"\[paper\]"):
        config.parse("paper = 3", "table.toml")
    with pytest.raises(ConfigError, match="outputs: "):
        config.parse("[outputs.paper]", "table.toml")
