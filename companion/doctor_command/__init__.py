"""`doctor`: looks at everything, says what is wrong and the one thing to do about it.

While a table runs, its parts are left to it, and it is asked what it knows of them.
"""

from __future__ import annotations

import json
import socket
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Final

from companion import config, ending, stoppers
from companion.condition import State
from companion.doctor import computer, hall, network, voice
from companion.doctor.finding import FINE, SEE_TO, Finding, Told, found, told
from companion.doctor_command.bench import Trial
from companion.doctor_command.parts import Outside, listened, tried
from companion.doctor_command.running_table import asked
from companion.errors import CompanionError, ConfigError
from companion.folders import JOURNAL, kept_in, wiring_file
from companion.format_names import format_name
from companion.frame.addresses import own_addresses
from companion.frame.port import USUAL_PORT
from companion.hall.broker import kept_address
from companion.journal import Journal, JournalState
from companion.memory import PADS_FILE
from companion.outputs.hall.membership import joined
from companion.outputs.voice.speaker import command
from companion.outputs.web.kept_phones import PHONES_FILE
from companion.people.kept_people import PEOPLE_FILE
from companion.present.screen import BOLD, FAINT, Screen
from companion.say import LANGUAGES, say
from companion.say.catalogue import ENGLISH
from companion.stoppers import HEARD_FILE, Stopper
from companion.text import Text
from companion.workshop import health
from companion.workshop.measures import MEASURED_FILE

SICK: Final = 1  # the exit code where something is to be seen to
HALL: Final = ("hall", "hall-certificate", "hall-clock", "hall-account", "hall-version")
COMPUTER: Final = {"python", "groups", "i2c-speed", "name", *HALL, *computer.CHECKS}  # asked here
SIGNS: Final = {FINE: "  ", SEE_TO: "! "}


@format_name("Files")
class Files(State):
    """Whether the table's own files can be used."""

    READ = "The configuration {file} can be used."
    NONE = (
        "No parts are configured here, so only the computer was checked; to check the parts of "
        "your own table, name its file with --config."
    )
    FAULTY = "A file of the table cannot be used: {fault}"

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is not Files.FAULTY


@format_name("Running")
class Running(State):
    """Whether the table runs now."""

    STOPPED = "The table is not running, so all its parts were tried."
    RUNS = "The table is running, so its parts were left alone, and it was asked how they are."
    MUTE = (
        "The table is running, but nothing answers at port {port}; name its port with --port, or "
        "restart it with: sudo systemctl restart rappelwacht"
    )

    @property
    def fine(self) -> bool:
        """Whether there is nothing that anybody should see to."""
        return self is not Running.MUTE


def doctor(options: Namespace, screen: Screen) -> int:
    """Look at everything; return 0 if all is well, 1 if somebody should see to something."""
    folder = kept_in(options.folder, "table")
    path = wiring_file(options.config)
    port = USUAL_PORT if options.port is None else options.port
    if options.stopper is None:
        if options.picture is not None:
            raise CompanionError(
                "{file}: a picture is drawn only with --stopper and its number.",
                file=options.picture,
            )
        all_found = []
        for one in examined(path, folder, port, screen, Outside(), options.listen):
            ending.check()
            all_found.append(one)
    else:
        hub, stopper = _for_the_bench(path, folder, options.stopper)
        trial = Trial(hub, stopper, Outside(), options.listen, None if options.json else screen)
        all_found = [told(one, screen.say) for one in trial.findings()]
        if options.picture is not None:
            trial.draw(Path(options.picture), screen)
    sick = [one for one in all_found if one.mark == SEE_TO]
    if options.json:
        found_all = {"fine": not sick, "findings": [asdict(one) for one in all_found]}
        screen.line(json.dumps(found_all, ensure_ascii=False, indent=2))
        return SICK if sick else 0
    for one in all_found:
        style = BOLD if one.mark == SEE_TO else FAINT
        screen.lines(SIGNS.get(one.mark, "? ") + one.told, hang="    ", style=style)
    screen.line()
    if sick:
        screen.tell("{count} {count:#thing needs|things need} attention (!).", count=len(sick))
    else:
        screen.tell("All is well.")
    return SICK if sick else 0


def examined(  # noqa: PLR0913, PLR0917 - what is looked at, and by whose eyes
    path: Path | None,
    folder: Path,
    port: int,
    screen: Screen,
    outside: Outside,
    listen_s: float,
) -> Iterator[Told]:
    """Yield all that was found, in words."""
    wiring, files = _wiring(path)
    yield from (told(one, screen.say) for one in files)
    here = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    facts = computer.read_facts(wiring, health.read(here))
    yield from (told(one, screen.say) for one in computer.judge(facts, wiring))
    yield told(network.name(own_addresses(), socket.gethostname()), screen.say)
    yield from (told(one, screen.say) for one in (*_hall(wiring, folder), *_own_hall()))
    if path is None:
        yield told(found("configuration", Files.NONE), screen.say)
        return
    journal = _journal(folder)
    if journal is not None and journal.condition.state is JournalState.IN_USE:
        answered = asked(port, screen.language)
        state = Running.RUNS if answered is not None else Running.MUTE
        yield told(found("table", state, port=port), screen.say)
        yield from (one for one in answered or () if one.check not in COMPUTER)
        return
    yield told(found("table", Running.STOPPED), screen.say)
    yield from (told(one, screen.say) for one in _small_files(folder))
    for one in _parts(wiring, folder, port, outside, listen_s):
        yield told(one, screen.say)
    if journal is not None:
        yield told(journal, screen.say)


def _for_the_bench(path: Path | None, folder: Path, number: int) -> tuple[config.Hub, Stopper]:
    """Return how the hub is found, and a stopper that can be tried; raise why it cannot."""
    wiring = config.Table() if path is None else config.load(path)
    stopper = next((one for one in stoppers.load(folder) if one.number == number), None)
    if stopper is None:
        raise CompanionError("Stopper {stopper} does not belong to this table.", stopper=number)
    journal = _journal(folder)
    if journal is not None and journal.condition.state is JournalState.IN_USE:
        raise CompanionError("The table is running and uses the hub; stop it first.")
    return wiring.hub or config.Hub(), stopper


def _wiring(path: Path | None) -> tuple[config.Table, list[Finding]]:
    """Return how the table is wired, as far as that can be read."""
    if path is None:
        return config.Table(), []
    try:
        return config.load(path), [found("configuration", Files.READ, file=path)]
    except ConfigError as error:
        faults = [found("configuration", Files.FAULTY, fault=fault) for fault in error.faults]
        return config.Table(), faults


def _journal(folder: Path) -> Finding | None:
    """Return how the journal is; None, where there is none yet."""
    path = folder / JOURNAL
    try:
        if not path.exists():
            return None
    except OSError as error:
        return found("journal", JournalState.FAILING, file=path, reason=error.strerror)
    journal = Journal(path)
    for match in journal.listed:
        journal.events(match.id)  # which keeps aside what is damaged
    condition = journal.condition
    journal.close()
    return Finding("journal", condition)


def _small_files(folder: Path) -> Iterator[Finding]:
    """Yield which files the table will do without when it starts."""
    for file in (PADS_FILE, PEOPLE_FILE, PHONES_FILE, HEARD_FILE, MEASURED_FILE):
        try:
            file.read(folder)
        except CompanionError as fault:
            yield found("files", Files.FAULTY, fault=fault)


def _hall(wiring: config.Table, folder: Path) -> Iterator[Finding]:
    """Try the way to the hall, if the table belongs to one."""
    try:
        membership = joined(wiring.hall, folder)
    except CompanionError as fault:
        yield found("hall", Files.FAULTY, fault=fault)
        return
    if membership is not None:
        yield from hall.judge(membership.broker)


def _own_hall() -> Iterator[Finding]:
    """Try the hall that this computer is, if it is one."""
    broker = kept_address(kept_in(None, "hall"))
    if broker is not None:
        yield hall.here(broker)


def _parts(
    wiring: config.Table, folder: Path, port: int, outside: Outside, listen_s: float
) -> Iterator[Finding]:
    yield network.door(port)
    yield from tried(wiring, outside)
    if wiring.voice is not None:
        language = wiring.voice.language
        sentence = say(Text("This table speaks."), language if language in LANGUAGES else ENGLISH)
        yield voice.judge(command(language), language, sentence)
    known: tuple[Stopper, ...] = ()
    try:
        known = stoppers.only(stoppers.load(folder), wiring.stoppers)
    except CompanionError as fault:
        yield found("stoppers", Files.FAULTY, fault=fault)
    except OSError as error:
        denied = CompanionError("{folder}: {reason}.", folder=folder, reason=error.strerror)
        yield found("stoppers", Files.FAULTY, fault=denied)
    if wiring.hub is not None:
        yield from listened(wiring.hub, known, folder, outside, listen_s)
