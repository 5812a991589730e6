"""Two brokers that are bridged: tables speak to one, the hall to the other, and that is killed."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.core.codec import pack
from companion.games.trap_the_wizard.rules import Settings
from companion.hall.server_app import HallServer
from companion.mqtt.payloads import HallProposal
from companion.mqtt.signing import password, signing_key
from tests.hall.tables import GAME, Table, equal, played
from tests.mqtt.broker import LOOPBACK, Broker, secret, wait_until
from tests.table.mqtt.telling import Telling

SECRET = "a secret"  # noqa: S105 - not a real one
BRIDGE = "bridge"  # its account at the upper one, which may do what all its tables may
UP, DOWN = ("online", "state", "events", "answer"), ("have", "command")
ACCESS = "\n".join(
    ["", f"user {BRIDGE}"]
    + [f"topic readwrite rappelwacht/1/+/{kind}" for kind in (*UP, *DOWN)]
    + [""]
)


def bridged(upper: Broker) -> str:
    """Return what makes a broker hand on what a hall needs, and nothing else."""
    lines = ["connection hall", f"address {LOOPBACK}:{upper.port}"]
    lines += ["bridge_protocol_version mqttv50", "cleansession false", "restart_timeout 1"]
    lines += [f"remote_username {BRIDGE}", f"remote_password {password(secret(BRIDGE))}"]
    lines += ["notifications false", "try_private true"]
    lines += [f"topic rappelwacht/1/+/{kind} out 1" for kind in UP]
    lines += [f"topic rappelwacht/1/+/{kind} in 1" for kind in DOWN]
    return "\n".join(lines) + "\n"


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[tuple[Broker, Broker]]:
    """Return the upper one, where the hall is, and the lower one, where tables are."""
    with ExitStack() as life:
        for name in ("upper", "lower"):
            (tmp_path / name).mkdir()
        upper = Broker(tmp_path / "upper", (BRIDGE,))
        with (upper.folder / "access").open("a") as access:
            access.write(ACCESS)
        life.enter_context(upper)
        lower = life.enter_context(Broker(tmp_path / "lower", more=bridged(upper)))
        yield upper, lower


@pytest.mark.slow
def test_the_upper_of_two_bridged_brokers_is_killed_and_nothing_is_lost(
    tmp_path: Path, brokers: tuple[Broker, Broker]
) -> None:
    upper, lower = brokers
    attic, cellar = (Table(name, lower.of(name)) for name in ("attic", "cellar"))
    with HallServer(tmp_path / "hall") as hall:
        hall.follow(upper.of("hall"))
        for number in range(3):
            for moment in played(8, f"m{number}", number):
                attic.do(f"m{number}", moment)
                cellar.do(f"m{number}", moment)
            if number:
                upper.kill()
                for moment in played(8, f"n{number}", number):  # tables play on without it
                    attic.do(f"n{number}", moment)
                assert attic.speaker.client.connected
                upper.start()
            equal(hall, attic, cellar)
        upper.kill()
        cellar.speaker.close()  # it goes while nobody above hears that
        upper.start()
        wait_until(lambda: online(hall) == {"attic": True, "cellar": False})
    attic.speaker.close()


def online(hall: HallServer) -> dict[str, bool]:
    return {one.name: one.online.online for one in hall.tables}


def test_commands_and_answers_pass_a_bridge_with_all_that_belongs_to_them(
    brokers: tuple[Broker, Broker],
) -> None:
    upper, lower = brokers
    wish = HallProposal(GAME, pack(Settings()) | {"seats": ["red", "green"]})
    with HallServer(None) as hall, Telling(lower.of("attic"), key=signing_key(SECRET)) as table:
        hall.join_table("attic", SECRET)
        link = hall.follow(upper.of("hall"))
        wait_until(lambda: online(hall).get("attic"))
        link.propose("attic", wish, "Grace")
        assert table.room.now.proposal is not None
