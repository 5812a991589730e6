"""`doctor`: looks at everything, says what is wrong and the one thing to do about it.

While a table runs, its parts are left to it, and it is asked what it knows of them.
"""

import json
import secrets
import socket
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from typing import Final

from companion.cli.doctor_parts import BenchTrial, DoctorWiring, listened, tried
from companion.cli.files import write_new
from companion.cli.install import match_guard
from companion.devices import stopper_registry
from companion.devices.stopper_registry import HEARD_FILE, Stopper
from companion.hall.broker import kept_address
from companion.i18n import translate
from companion.journal import Journal, JournalState
from companion.maintenance import bundle as bundles
from companion.maintenance import health, measuring
from companion.maintenance.backup import SIMULATED
from companion.maintenance.checks import computer, network, result, stoppers
from companion.mqtt import accounts, join_code, payloads, topics
from companion.mqtt.client import Broker, Client, ConnectionStatus, MqttMessage, distrust, today
from companion.present.terminal import BOLD, FAINT, TerminalScreen
from companion.referee.people.store import PEOPLE_FILE
from companion.system import config, format_names, paths, signals, status, text
from companion.system.errors import CompanionError, ConfigError, Unreadable
from companion.table.outputs import mqtt, voice
from companion.web.common import tls
from companion.web.common.addresses import own_addresses
from companion.web.common.server import USUAL_PORT
from companion.web.pairing_store import PHONES_FILE, PIN_FILE

PATH: Final = "/workshop/doctor.json"
WORKSHOP: Final = "/api/workshop"


def findings_of_table(port: int, language: str) -> tuple[result.CheckText, ...] | None:
    """Return what the table at a port says of itself; None: nobody there is such a table."""
    try:
        findings = match_guard.RunningTable(port, language).facts(PATH)["findings"]
        return tuple(result.CheckText(**finding) for finding in findings)
    except (KeyError, TypeError):
        return None


TRY_S: Final = 5.0
HAVE_S: Final = 1.0  # the broker keeps what the hall said last
CLOCK: Final = {ConnectionStatus.TOO_EARLY, ConnectionStatus.TOO_LATE}


@format_names.format_name("Hall")
class HallCheck(status.Status):
    ANSWERS = status.Fine("The hall's broker at {host}, port {port}, answers.")
    PROVEN = status.Fine(
        "It has proved to be the hall that this table joined, and the connection is encrypted."
    )
    BY_THE_CLOCK = status.Fine("By this computer's clock, the hall's certificate is valid.")
    OPEN = status.Fine(
        "The connection to the hall at {host} is not encrypted; that is fine on a network of "
        "your own. Elsewhere, have the table join again with a new code."
    )


@format_names.format_name("Here")
class Here(status.Status):
    """How the hall is that this computer is itself."""

    SERVES = status.Fine("This computer is a hall, and its broker lets tables in at port {port}.")
    STOPPED = (
        "This computer is a hall, and at port {port} its broker does not answer; start it with: "
        "sudo systemctl restart rappelwacht-hall"
    )
    UNPROVEN = (
        "This computer is a hall, and what answers at port {port} would not be trusted by its "
        "tables; check the clock with: date – and then run: sudo systemctl restart "
        "rappelwacht-hall"
    )


def this_hall(broker: Broker) -> result.CheckResult:
    """Try the broker of this computer's own hall, as tables do."""
    reached = [*judge(broker)][-1].condition.state
    states = {ConnectionStatus.JOINED: Here.SERVES, ConnectionStatus.UNREACHABLE: Here.STOPPED}
    known = reached if isinstance(reached, ConnectionStatus) else ConnectionStatus.UNREACHABLE
    return result.check_result("hall-here", states.get(known, Here.UNPROVEN), port=broker.port)


def judge(broker: Broker) -> Iterator[result.CheckResult]:
    """Try the way to a broker, as the table goes it, and tell how far that is."""
    where: dict[str, object] = {"port": broker.port, "date": today()}
    reason: object = "?"
    for host in broker.hosts:
        where["host"] = host
        try:
            with socket.create_connection((host, broker.port), TRY_S) as line:
                yield result.check_result("hall", HallCheck.ANSWERS, **where)
                yield from _trusted(broker, line, where)
                return
        except OSError as error:
            reason = error.strerror or error
    yield result.check_result("hall", ConnectionStatus.UNREACHABLE, **where, reason=reason)


def _trusted(
    broker: Broker, line: socket.socket, where: dict[str, object]
) -> Iterator[result.CheckResult]:
    """Yield whether whoever answers is to be believed; if so, whether the table is let in."""
    if broker.authority is None:
        yield result.check_result("hall-certificate", HallCheck.OPEN, **where)
    else:
        try:
            join_code.pinned(broker.authority, str(where["host"])).wrap_socket(line).close()
        except OSError as error:
            wrong, reason = distrust(error), error.strerror or error
            check = "hall-clock" if wrong in CLOCK else "hall-certificate"
            yield result.check_result(check, wrong, **where, reason=reason)
            return
        yield result.check_result("hall-certificate", HallCheck.PROVEN)
        yield result.check_result("hall-clock", HallCheck.BY_THE_CLOCK)
    yield from _let_in(broker, where)


def _let_in(broker: Broker, where: dict[str, object]) -> Iterator[result.CheckResult]:
    """Yield whether the table is let in; if so, also that nobody there understands it."""
    changed, answered, messages = Event(), Event(), list[bytes]()

    def hear(heard: MqttMessage) -> None:
        messages.append(heard.data)
        answered.set()

    client = Client(replace(broker, host=str(where["host"])), "", hear, changed.set)
    if topics.is_name(broker.account):
        client.subscribe(topics.topic(broker.account, topics.TopicKind.HAVE))
    client.start()
    changed.wait(TRY_S)
    if client.reach is ConnectionStatus.JOINED and broker.account not in {"", *accounts.RESERVED}:
        answered.wait(HAVE_S)
    reach, why = client.reach or ConnectionStatus.UNREACHABLE, client.why or "it does not answer"
    client.close()
    yield result.check_result("hall-account", reach, **where, reason=why)
    if any(map(_is_foreign, messages)):
        yield result.check_result("hall-version", ConnectionStatus.OTHER_VERSION, **where)


def _is_foreign(data: bytes) -> bool:
    """Tell whether what a hall says is of a version that is not understood here."""
    try:
        return bool(data) and not topics.fits(payloads.read(payloads.Have, data).protocol)
    except Unreadable:
        return True


SICK: Final = 1  # the exit code where something is to be seen to
HALL: Final = ("hall", "hall-certificate", "hall-clock", "hall-account", "hall-version")
COMPUTER: Final = {"python", "groups", "i2c-speed", "name", *HALL, *computer.CHECKS}  # asked here
SIGNS: Final = {result.FINE: "  ", result.SEE_TO: "! "}


@format_names.format_name("Files")
class Files(status.Status):
    """Whether the table's own files can be used."""

    READ = status.Fine("The configuration {file} can be used.")
    NONE = status.Fine(
        "No parts are configured here, so only the computer was checked; to check the parts of "
        "your own table, name its file with --config."
    )
    FAULTY = "A file of the table cannot be used: {fault}"


@format_names.format_name("Running")
class Running(status.Status):
    STOPPED = status.Fine("The table is not running, so all its parts were tried.")
    RUNS = status.Fine(
        "The table is running, so its parts were left alone, and it was asked how they are."
    )
    MUTE = (
        "The table is running, but nothing answers at port {port}; name its port with --port, or "
        "restart it with: sudo systemctl restart rappelwacht"
    )


def doctor(options: Namespace, screen: TerminalScreen) -> int:
    """Look at everything; return 0 if all is well, 1 if somebody should see to something."""
    folder = paths.kept_in(options.folder, "table")
    path = paths.wiring_file(options.config)
    port = USUAL_PORT if options.port is None else options.port
    if options.stopper is None:
        if options.picture is not None:
            raise CompanionError(
                "{file}: a picture is drawn only with --stopper and its number.",
                file=options.picture,
            )
        all_found = []
        eyes = DoctorWiring()
        for finding in examined(path, folder, port, screen.language, eyes, options.listen):
            signals.check()
            all_found.append(result.translated(finding, screen.say))
    else:
        hub, stopper = _for_the_bench(path, folder, options.stopper)
        trial = BenchTrial(
            hub, stopper, DoctorWiring(), options.listen, None if options.json else screen
        )
        all_found = [result.translated(finding, screen.say) for finding in trial.findings()]
        if options.picture is not None:
            trial.draw(Path(options.picture), screen)
    if options.bundle is not None:
        _write_bundle(Path(options.bundle), folder, path, all_found, port)
    sick = [finding for finding in all_found if finding.mark == result.SEE_TO]
    if options.json:
        found_all = {"fine": not sick, "findings": [asdict(finding) for finding in all_found]}
        screen.line(json.dumps(found_all, ensure_ascii=False, indent=2))
        return SICK if sick else 0
    for finding in all_found:
        style = BOLD if finding.mark == result.SEE_TO else FAINT
        screen.lines(SIGNS.get(finding.mark, "? ") + finding.told, hang="    ", style=style)
    screen.line()
    if options.bundle is not None:
        screen.tell(
            "The report is in {file}. Read it before you send it: names and addresses are marks.",
            file=options.bundle,
        )
    if sick:
        screen.tell("{count} {count:#thing needs|things need} attention (!).", count=len(sick))
    else:
        screen.tell("All is well.")
    return SICK if sick else 0


JOURNALCTL: Final = ("journalctl", "-u", "rappelwacht", "-n", str(bundles.LOG_LINES), "--no-pager")


def _write_bundle(
    file: Path,
    folder: Path,
    wiring: Path | None,
    findings: Sequence[result.CheckText],
    port: int,
) -> None:
    """Write a new file with all that somebody who helps wants to see."""
    signs = [SIGNS.get(finding.mark, "? ") + finding.told for finding in findings]
    pin = None
    with suppress(CompanionError):  # what is no PIN lets nobody in
        pin = PIN_FILE.read(folder)
    log = health.says(JOURNALCTL) or ""
    shown = bundles.link(_stoppers(port))
    facts = bundles.TableFacts(folder, wiring, "\n".join(signs), shown, log, pin)
    write_new(file, bundles.report(facts, secrets.token_bytes(16)).encode())


def _stoppers(port: int) -> list[dict[str, object]]:
    """Return what the workshop of a table that runs shows of its stoppers, while nobody plays."""
    opened = match_guard.RunningTable(port).facts(WORKSHOP).get("opened")
    return opened["stoppers"] if isinstance(opened, dict) else []


def examined(  # noqa: PLR0913, PLR0917 - what is looked at, and by whose eyes
    path: Path | None,
    folder: Path,
    port: int,
    language: str,
    outside: DoctorWiring,
    listen_s: float,
) -> Iterator[result.CheckResult | result.CheckText]:
    """Yield all that was found; what a table that runs tells is in words already."""
    wiring, files = _wiring(path)
    yield from files
    here = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    yield from computer.check_computer(wiring, here)
    yield network.check_name(own_addresses(), socket.gethostname())
    yield network.check_proxy(wiring.web.proxies if wiring.web else ())
    if wiring.hub is not None:
        yield network.check_wifi(wiring.hub.channel)
    yield from (*_hall(wiring, folder), *_own_hall())
    if path is None:
        yield result.check_result("configuration", Files.NONE)
        return
    aside = list[status.Condition]()
    journal = _journal(folder, aside.append)
    played = _journal(folder / SIMULATED)  # by a table of which nothing is built yet
    if any(
        its is not None and its.condition.state is JournalState.IN_USE for its in (journal, played)
    ):
        answered = findings_of_table(port, language)
        state = Running.RUNS if answered is not None else Running.MUTE
        yield result.check_result("table", state, port=port)
        yield from (finding for finding in answered or () if finding.check not in COMPUTER)
        return
    yield result.check_result("table", Running.STOPPED)
    yield from _small_files(folder)
    yield tls.check_kept(folder, datetime.now(UTC))
    yield from _parts(wiring, folder, port, outside, listen_s)
    yield from (result.CheckResult("files", condition) for condition in aside)
    if journal is not None:
        yield journal


def _for_the_bench(path: Path | None, folder: Path, number: int) -> tuple[config.Hub, Stopper]:
    """Return how the hub is found, and a stopper that can be tried; raise why it cannot."""
    wiring = config.TableWiring() if path is None else config.load(path)
    stopper = next(
        (stopper for stopper in stopper_registry.load(folder) if stopper.number == number), None
    )
    if stopper is None:
        raise CompanionError("Stopper {stopper} does not belong to this table.", stopper=number)
    journal = _journal(folder)
    if journal is not None and journal.condition.state is JournalState.IN_USE:
        raise CompanionError("The table is running and uses the hub; stop it first.")
    return wiring.hub or config.Hub(), stopper


def _wiring(path: Path | None) -> tuple[config.TableWiring, list[result.CheckResult]]:
    """Return how the table is wired, as far as that can be read."""
    if path is None:
        return config.TableWiring(), []
    try:
        return config.load(path), [result.check_result("configuration", Files.READ, file=path)]
    except ConfigError as error:
        faults = [
            result.check_result("configuration", Files.FAULTY, fault=fault)
            for fault in error.faults
        ]
        return config.TableWiring(), faults


def _journal(folder: Path, report: status.Report = lambda _: None) -> result.CheckResult | None:
    """Return how the journal is; None, where there is none yet."""
    path = folder / paths.JOURNAL
    try:
        if not path.exists():
            return None
    except OSError as error:
        return result.check_result(
            "journal", JournalState.FAILING, file=path, reason=error.strerror
        )
    journal = Journal(path, report)
    for match in journal.listed:
        journal.events(match.id)  # which keeps aside what is damaged
    condition = journal.condition
    journal.close()
    return result.CheckResult("journal", condition)


def _small_files(folder: Path) -> Iterator[result.CheckResult]:
    """Yield which files the table will do without when it starts."""
    for file in (PEOPLE_FILE, PHONES_FILE, HEARD_FILE, measuring.MEASURED_FILE):
        try:
            file.read(folder)
        except CompanionError as fault:
            yield result.check_result("files", Files.FAULTY, fault=fault)


def _hall(wiring: config.TableWiring, folder: Path) -> Iterator[result.CheckResult]:
    """Try the way to the hall, if the table belongs to one."""
    try:
        membership = mqtt.joined(wiring.hall, folder)
    except CompanionError as fault:
        yield result.check_result("hall", Files.FAULTY, fault=fault)
        return
    if membership is not None:
        yield from judge(membership.broker)


def _own_hall() -> Iterator[result.CheckResult]:
    """Try the hall that this computer is, if it is one."""
    broker = kept_address(paths.kept_in(None, "hall"))
    if broker is not None:
        yield this_hall(broker)


def _parts(
    wiring: config.TableWiring, folder: Path, port: int, outside: DoctorWiring, listen_s: float
) -> Iterator[result.CheckResult]:
    yield network.check_port(port)
    yield from tried(wiring, outside)
    if wiring.voice is not None:
        language = wiring.voice.language
        sentence = translate.say(
            text.Text("This table speaks."),
            language if language in translate.LANGUAGES else translate.ENGLISH,
        )
        yield computer.judge_voice(voice.command(language), language, sentence)
    known: tuple[Stopper, ...] = ()
    try:
        known = stopper_registry.wired_only(stopper_registry.load(folder), wiring.stoppers)
    except CompanionError as fault:
        yield result.check_result("stoppers", Files.FAULTY, fault=fault)
    except OSError as error:
        denied = CompanionError("{folder}: {reason}.", folder=folder, reason=error.strerror)
        yield result.check_result("stoppers", Files.FAULTY, fault=denied)
    if alike := stopper_registry.alike(known):
        yield result.check_result("stoppers", stoppers.HeardCheck.ALIKE, stoppers=alike)
    if wiring.hub is not None:
        yield from listened(wiring.hub, known, folder, outside, listen_s)
