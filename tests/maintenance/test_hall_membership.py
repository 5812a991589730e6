"""A table joins a hall from the workshop, which is closed while a match is played."""

from pathlib import Path

from companion.mqtt import join_code
from companion.mqtt.join_code import HALL_FILE, Joining
from companion.referee.maintenance_commands import JoinHall, LeaveHall
from tests.maintenance.benches import shown, untaught, wants
from tests.mqtt.broker import LOOPBACK, free_port


def test_a_hall_is_joined_and_left_by_a_phone_but_not_in_a_match(tmp_path: Path) -> None:
    joining = Joining(LOOPBACK, free_port(), "attic", "a secret", None)
    code = join_code.write(joining)
    evening = untaught(tmp_path)
    folder = evening.plan.folder
    assert wants(evening, JoinHall(code[:-1])).refused is not None
    assert HALL_FILE.read(folder) is None
    assert wants(evening, JoinHall(code)).refused is None
    evening.wait(2)
    assert HALL_FILE.read(folder) == joining
    assert shown(evening).hall.table == "attic"
    evening.cut_the_power().wait(2)  # and so it stays
    assert shown(evening).hall.table == "attic"
    evening.begins("red", "green")
    assert wants(evening, LeaveHall()).refused is not None
    assert shown(evening).hall.table == "attic"
    evening.__exit__(None, None, None)
