"""The first run (onboarding): language, backup, what is built, a name, the practice round.

Whoever is the first to be let in sees it at a table that was never set up, skips it, or comes back
to it from the workshop. What is chosen lies in the table's folder, in `first-run.json`: a
`table.toml` that names any part counts alone, and nothing is ever written into it.
"""

import os
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, redirect, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from companion.maintenance.checks.result import severity
from companion.maintenance.practice import KeptPractice, PracticeStep
from companion.present import to_json, viewer
from companion.referee import commands, handlers, maintenance_commands
from companion.referee.events import HouseRules, Roller
from companion.referee.people.person import proper_name
from companion.system import config, paths, small_files, status
from companion.system.errors import CompanionError
from companion.web import context, table_page, views
from companion.web.common import errors, flask_app

STEPS: Final = ("language", "restore", "built", "name", "practice")
PLACES: Final = ("/", "/join", "/simulated")  # where it comes first, once
HOUSE: Final = HouseRules(roller=Roller.COMPANION)  # where all barrels are software
PARTS: Final = ("hub", "light_board", "seats", "buzzer", "stoppers")  # of a wiring, that one builds


class Built(StrEnum):
    """What somebody has built of the table."""

    NOTHING = "nothing"  # not even the game lies here: barrels are software, too
    GAME = "game"  # people tap what they do
    SEATS = "seats"  # pads, buttons and lights
    STOPPERS = "stoppers"  # and all else


@dataclass(frozen=True, slots=True)
class TableSetup:
    done: bool = False  # or skipped
    built: Built = Built.GAME
    name: str = ""


def _read(data: bytes) -> TableSetup:
    values = small_files.object_in(data)
    done, built, name = (values[part.name] for part in fields(TableSetup))
    return TableSetup(bool(done), Built(built), proper_name(name))


SETUP_FILE: Final[small_files.SmallFile[TableSetup]] = small_files.SmallFile(
    "first-run.json", lambda setup: small_files.to_json(asdict(setup)), _read, 2000
)


class FirstRun:
    """What was chosen, what the table runs as, and whether it has to begin anew for it."""

    def __init__(
        self,
        folder: Path,
        wiring: config.TableWiring,
        there: frozenset[str] = frozenset(),  # of "lights", "hub" and "stoppers"
    ) -> None:
        self.folder, self.wired, self.there = folder, wiring, there
        self.by_hand = any(getattr(wiring, part) for part in PARTS)  # the file says what is built
        self.troubles = list[status.Condition]()
        self.now = SETUP_FILE.load(folder, TableSetup(), self.troubles.append)
        self.running = Built.GAME if self.by_hand else self.now.built
        self.ended = False  # now, by somebody who has answered, or skipped
        self.begins_anew = False  # once that phone has read the answer

    @property
    def wiring(self) -> config.TableWiring:
        """Return how the table is wired: as its file says or, if that names no part, as usual."""
        if self.by_hand or self.running not in (Built.SEATS, Built.STOPPERS):
            return self.wired
        usual = config.parse(config.EVERY_PART, "config_template.toml")
        parts = PARTS if self.running is Built.STOPPERS else ("light_board", "seats", "buzzer")
        return replace(self.wired, **{part: getattr(usual, part) for part in parts})

    def folder_of(self, built: Built) -> Path:
        """Return where matches are kept: what software made lies apart."""
        return self.folder / "simulated" if built is Built.NOTHING else self.folder

    def keep(self, **chosen: Any) -> None:
        """Save what was chosen; RequestError: the disk fails, and nothing changes."""
        setup = replace(self.now, **chosen)
        try:
            SETUP_FILE.save(self.folder, setup)
        except OSError as fault:
            raise errors.unsaved(fault) from fault
        self.now = setup

    @property
    def waits(self) -> bool:
        """Tell whether another table was chosen than this one."""
        return self.ended and not self.by_hand and self.now.built is not self.running


def pages(site: context.WebContext) -> Blueprint:
    """Return the pages; nothing of them exists at a table that was begun for another purpose."""
    blueprint = Blueprint("first_run", __name__)
    if site.first_run is not None:
        _shown(blueprint, site, site.first_run)
        _chosen(blueprint, site, site.first_run)
    return blueprint


def _shown(blueprint: Blueprint, site: context.WebContext, first_run: FirstRun) -> None:
    @blueprint.before_app_request
    def come_first() -> AnyResponse | None:
        """Lead there whoever may act, as long as nobody has ever played or skipped it."""
        if request.method != "GET" or request.path not in PLACES:
            return None
        if _plays(site) or first_run.now.done:
            _begin_anew(site, first_run)
            return None
        fresh = flask_app.current_viewer().acts and table_page.newcomer(site)
        return redirect("/welcome") if fresh else None

    @blueprint.get("/welcome")
    def show() -> str | AnyResponse:
        reader = flask_app.current_viewer()
        if not reader.acts or _plays(site):
            return redirect(site.home if reader.acts else "/join")
        step = request.args.get("step", STEPS[0])
        if step not in STEPS:
            abort(404)
        parts = site.room.workshop.parts
        return render_template(
            "welcome.html",
            step=step,
            number=STEPS.index(step) + 1,
            count=len(STEPS),
            first_run=first_run,
            suggested=_suggested(first_run),
            parts=[(severity(part), to_json.sentence(part, reader)) for part in parts],
            called=first_run.now.name or _host(),
            simulated=first_run.now.built is Built.NOTHING and not first_run.by_hand,
            match=views.as_attribute(replace(handlers.usual_match(config.COLOURS), house=HOUSE)),
        )

    @blueprint.get("/welcome/ready")
    def ready() -> Response:
        """Say whether this table is the one that was chosen, or have it begin."""
        _begin_anew(site, first_run)
        return Response(status=503 if first_run.waits else 204)


def _chosen(blueprint: Blueprint, site: context.WebContext, first_run: FirstRun) -> None:
    @blueprint.post("/welcome/built")
    def build() -> AnyResponse:
        if (built := _asked(site, "built")) not in [*Built]:
            raise errors.Malformed(
                "'{where}' must be one of {words}.", where="built", words=[*Built]
            )
        first_run.keep(built=Built(built))
        return redirect("/welcome?step=name", 303)

    @blueprint.post("/welcome/name")
    def call() -> AnyResponse:
        try:
            name = proper_name(_asked(site, "name"))
        except CompanionError as why:
            raise errors.RequestError(422, "refused", why) from None
        first_run.keep(name=name)
        return redirect("/welcome?step=practice", 303)

    @blueprint.post("/welcome/done")
    def end() -> str | AnyResponse:
        practises = _asked(site, "practise") == "on"
        first_run.keep(done=True)
        first_run.ended = True
        if not first_run.waits:
            if practises:
                site.room.ask(
                    commands.Command(
                        os.urandom(8).hex(), maintenance_commands.BeginPractice(), viewer.TABLE
                    )
                )
            return redirect(site.home, 303)
        if practises:
            begins = paths.ensure_private_folder(first_run.folder_of(first_run.now.built))
            KeptPractice(begins).keep(PracticeStep.GOAL)
        return render_template("welcome_wait.html")


def _begin_anew(site: context.WebContext, first_run: FirstRun) -> None:
    """Have another table than this one begin if it was chosen, and no match before."""
    if not first_run.begins_anew:
        first_run.begins_anew = first_run.waits and site.room.hold(on=True)


def _plays(site: context.WebContext) -> bool:
    now = site.room.snapshot
    return now.match is not None and not now.over


def _asked(site: context.WebContext, name: str) -> str:
    """Return what a form says, of whoever may say it and while no match is played."""
    if not flask_app.current_viewer().acts:
        abort(403)
    if unknown := request.form.keys() - {name}:
        raise errors.Malformed("'{where}' has no place in this request.", where=min(unknown)[:40])
    if _plays(site):
        why = CompanionError("A match is being played; finish it or give it up first.")
        raise errors.RequestError(409, "playing", why)
    return request.form.get(name, "")


def _suggested(first_run: FirstRun) -> Built:
    """Return what is likely: what somebody has said, or what is found."""
    if first_run.now.done or first_run.now.built is not Built.GAME:
        return first_run.now.built
    if first_run.there & {"hub", "stoppers"}:
        return Built.STOPPERS
    return Built.SEATS if "lights" in first_run.there else Built.NOTHING


def _host() -> str:
    """Return what this computer is called, if a table may be called so."""
    try:
        return proper_name(os.uname().nodename.partition(".")[0].title())
    except CompanionError:
        return "Rappelwacht"
