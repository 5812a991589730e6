"""The document of the API, in OpenAPI 3.1: every route, what it takes and what it answers.

A test holds it against the routes of the app.
"""

from dataclasses import dataclass
from typing import Final

from companion import __version__
from companion.coach.text import CoachTold
from companion.core.codec import LARGEST
from companion.journal.entry import LONGEST_WORD
from companion.maintenance import care
from companion.maintenance.view import MaintenanceSnapshot
from companion.present import command_json, simulated_hands, viewer
from companion.present.api_schema import (
    BoardCheck,
    CommandDone,
    Error,
    GamesAnswer,
    Matches,
    MatchTold,
    Now,
    PeopleTold,
)
from companion.web import (
    care_page,
    history_page,
    join_page,
    simulated_page,
    update_page,
    wifi_page,
)
from companion.web.common.live import SNAPSHOT
from companion.web.common.validation import Schema, integer, record
from companion.web.people_page import FORGETS, HEARS, LEAVES, LENDS, SEAT, SITS
from companion.web.schemas import board, components, reference, sent, wishes

JSON: Final = "application/json"
EVENTS: Final = "text/event-stream"
VIEWS: Final = ("table", "workshop")
ABOUT: Final = (
    "What a table of Rappelwacht shows, and how to act at it. Everybody may look; acting needs a "
    "paired phone, known by its cookie. A program that posts says in the header Origin "
    "which address of the companion it posts to, such as http://rappelwacht.local:8000; otherwise "
    "it is refused, like any other website (403). Sentences come in the language that "
    "Accept-Language asks for, or in English. Nothing here tells a barrel's number before the "
    "flip. Whatever goes wrong is reported as a Fault, including a wrong method (405, with "
    "Allow), a wrong address (404) and malformed HTTP (400)."
)
COMMANDS: Final = (
    "The sender chooses the id of a request at random: a wish that is sent again under the same "
    "id is carried out once. `match` and `version` are what its sender saw, as the "
    "snapshot tells them; if the match has gone on since, or it is another one, the wish is "
    "refused (409). Without `version` only the match must be the same. A `version` of 0 or more "
    "needs its `match`, or the wish is refused (400)."
)
FOLLOW: Final = (
    "Each event is a snapshot, or the HTML of a view; its id is a mark of its text. A client "
    "that names the mark that it saw last, as `seen` or in the header Last-Event-ID, is sent "
    "what is newer."
)
RING: Final = (
    "`ring`: 24 fields, as a text or a list; `entries` and `gates`: the number of a field for "
    "each colour. A playable ring comes back in the form that the settings of a match take, "
    "and that /api/games gives. Whatever is sent is judged."
)
PAIRING: Final = (
    "With the PIN at once; with a seat alone, once that seat's button was held for three "
    "seconds. Where buttons are simulated, the latter is for a browser on that computer, and for "
    "a phone that is already in (otherwise 403). After too many wrong PINs from an address, that "
    "address has to wait (429), and others do not."
)
COACHED: Final = (
    "Only once it is won, and if its game can be judged (otherwise 404). Every worth is a "
    "chance to win, and those of all seats add up to 1."
)
WHY: Final = {
    304: "It has not changed since it was last asked for.",
    400: "The request is malformed; the sentence names the part.",
    403: "This phone may not do that, or the request came from another website.",
    404: "There is no such thing.",
    406: "This address serves live streams only.",
    409: "The match went on meanwhile, or another phone was faster.",
    413: "The request is too large.",
    415: "The body must be JSON.",
    421: "The companion does not have this name.",
    422: "The rules or the table do not allow it now.",
    429: "Too much at once; Retry-After says when to try again.",
    500: "Something broke; the match is safe.",
    503: "Too many streams, or nobody can look just now; ask again after Retry-After.",
    504: "The table does not answer.",
}
ALWAYS: Final = (403, 413, 421, 500)  # foreign pages and names, floods, what nobody foresaw
CHANGES: Final = (400, 415, *ALWAYS)
RECORDS: Final = (
    *(Now, MaintenanceSnapshot, GamesAnswer, Matches, MatchTold, CommandDone, BoardCheck, Error),
    *(PeopleTold, simulated_page.SimulatedTableView, simulated_hands.HandActResult, CoachTold),
    simulated_hands.PhoneFelt,
)
FAULT: Final = {**record(error=sent(Error), version={"type": "integer"}), "required": ["error"]}
TEXT: Final[Schema] = {"type": "string"}
ANYTHING: Final[Schema] = {"type": "object"}


# --- what requests carry -------------------------------------------------------------------------


PAIRED: Final = record(role={"enum": [*viewer.ROLES, None]}, waits_s=integer(0, 60))
COMMAND: Final[Schema] = {
    **record(
        request={"type": "string", "pattern": f"^{command_json.REQUEST.pattern}$"},
        match={"anyOf": [{"type": "string", "maxLength": LONGEST_WORD}, {"type": "null"}]},
        version={"anyOf": [integer(command_json.NO_MATCH, LARGEST), {"type": "null"}]},
        wish=wishes(),
    ),
    "required": ["request", "wish"],
    "anyOf": [  # who names an entry names its match
        {"properties": {"match": {"type": "string"}}, "required": ["match"]},
        {"properties": {"version": {"enum": [command_json.NO_MATCH, None]}}},
    ],
}
PIN: Final[Schema] = {"type": "string", "pattern": "^[0-9]{6}$"}
PAIR: Final[Schema] = {"oneOf": [record({"seat": SEAT}, pin=PIN), record(seat=SEAT)]}
ACT: Final[Schema] = {"oneOf": [*simulated_page.ACTS.values()]}


# --- the routes ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Route:
    """One route: what it does, what it answers and takes, and what else it may answer."""

    path: str
    summary: str
    answer: Schema
    also: tuple[int, ...] = ()  # besides what any of its method may answer
    body: Schema | None = None  # what a POST takes; None: it is a GET
    about: str = ""
    query: tuple[tuple[str, Schema], ...] = ()
    form: str = JSON

    @property
    def method(self) -> str:
        return "get" if self.body is None else "post"

    @property
    def faults(self) -> tuple[int, ...]:
        """Return all that it may answer but 200."""
        return (*self.also, *(ALWAYS if self.body is None else CHANGES))


NOW: Final = (
    Route("/api/snapshot", "The table now", sent(Now), (304,)),
    Route(
        "/api/stream",
        "The table, whenever it is new",
        TEXT,
        (404, 406, 503),
        about=FOLLOW,
        query=(("view", {"enum": [SNAPSHOT, *VIEWS]}), ("seen", TEXT)),
        form=EVENTS,
    ),
    Route("/api/view/{view}", "A live part of a page", record(html=TEXT), (304, 404)),
    Route("/api/workshop", "The workshop now", sent(MaintenanceSnapshot), (304,)),
    Route("/api/games", "What a new match is made of", sent(GamesAnswer), (304,)),
    Route("/api/openapi.json", "This document", ANYTHING, (304,)),
)
PAST: Final = (
    Route(
        "/api/matches",
        "The matches in the journal, the newest first",
        sent(Matches),
        (304, 400, 503),
        query=(("limit", integer(1, 500)), ("skip", integer(0, 1_000_000))),
    ),
    Route("/api/matches/{match}", "A match, step by step", sent(MatchTold), (304, 404, 503)),
    Route(
        "/api/matches/{match}/coach",
        "How much of a match was luck, and how much skill",
        sent(CoachTold),
        (304, 404, 503),
        about=COACHED,
    ),
    Route(
        "/api/matches/{match}/export",
        "A match as a file",
        TEXT,
        (404, 503),
        about="Without what is still sealed, and without which stopper stood where.",
        form=history_page.JSONL,
    ),
)
ACTING: Final = (
    Route(
        "/api/commands",
        "Send a wish",
        sent(CommandDone),
        (409, 422, 429, 503, 504),
        COMMAND,
        COMMANDS,
    ),
    Route(
        "/api/boards/check",
        "Check whether a ring is playable",
        sent(BoardCheck),
        body=board(),
        about=RING,
    ),
    Route("/api/pair", "What this phone may do", PAIRED),
    Route("/api/pair", "Pair this phone", PAIRED, (409, 429), PAIR, PAIRING),
    Route("/api/unpair", "Let this phone go, or all of them", PAIRED, body=join_page.UNPAIR),
)
SEATED: Final = (
    "A phone of a seat says who sits there, the one in the middle of the table says it of every "
    "seat. A `name` has at most 12 letters; without one, the animal's name is used. `person` is "
    "somebody whom the table knows already; `kept`: even after the evening is over. No file of a "
    "match contains names."
)
SITTING: Final = sent(PeopleTold)
PEOPLE: Final = (
    Route("/api/people", "Who sits where", SITTING),
    Route("/api/people", "Say who sits at a seat", SITTING, (422,), SITS, SEATED),
    Route("/api/people/leave", "Call a seat by its colour again", SITTING, body=LEAVES),
    Route(
        "/api/people/hands", "Name who shakes and places for a seat far away", SITTING, body=LENDS
    ),
    Route(
        "/api/people/ear",
        "Say what a seat far away wants of a barrel that it hears",
        SITTING,
        (409,),
        HEARS,
    ),
    Route("/api/people/forget", "Erase somebody, or all, everywhere", SITTING, body=FORGETS),
)
HANDS: Final = "Only at a simulated table: what a person's hands do there, and what they feel."
MOVES: Final = (
    "Only at a simulated table: the phone is the barrel in hand. Each sample is the ms of its own "
    "clock, and what it feels along its three axes in a unit of its own, gravity included, as "
    "browsers tell it; `down` and `up` are what it feels lying on its screen and on its back. What "
    "that was, the simulated sensors tell."
)
SIMULATED: Final = (
    Route(
        "/api/simulated/table",
        "The simulated table as the eye sees it",
        sent(simulated_page.SimulatedTableView),
        (404, 504),
        about=HANDS,
    ),
    Route(
        "/api/simulated/act",
        "Do something with a barrel",
        sent(simulated_hands.HandActResult),
        (404, 422),
        ACT,
        HANDS,
    ),
    Route(
        "/api/simulated/motion",
        "Move a barrel as a phone is moved",
        sent(simulated_hands.PhoneFelt),
        (404, 422, 429),
        simulated_page.MOTION,
        MOVES,
    ),
)
CARED: Final = (
    "Where seats have real buttons, one of them has to be held for three seconds; elsewhere the "
    "phone asks `again`. What is confirmed may be done once, within two minutes."
)
CONFIRMED: Final = record(
    confirmed={"type": "boolean"}, by={"enum": ["button", "tap"]}, waits_s=integer(0, 120)
)
MOVED: Final = (
    "Only a table that is installed as a service. The table has to confirm it; a few seconds later "
    "it is elsewhere, or within a minute back where it was. `ssid` is the name in bytes."
)
ASKED: Final = record(asked={"const": True})
SSID, WIFI_KEY = (
    {"type": "string", "pattern": f"^({word.pattern})$"} for word in care.WIFI_WORDS.values()
)
WIFI_NAME: Final[Schema] = {
    "type": "string",
    "minLength": 1,
    "maxLength": wifi_page.LONGEST_NAME,  # bytes
}
KEY: Final = {"key": WIFI_KEY}  # which some need none of
LISTED: Final[Schema] = {"type": "array", "items": TEXT}
ROOT_ASKED: Final = record(request={"type": "string", "pattern": "^[0-9a-f]{16}$"})
BY_ROOT: Final = (
    "Only a table that is installed as a service. The table has to confirm it; then the answer of "
    "`/api/care/answer` with the same `request` says how far it is."
)
CARE: Final = (
    Route(
        "/api/care/confirm",
        "Have the table confirm an act of care",
        CONFIRMED,
        (409,),
        care_page.CONFIRM,
        CARED,
    ),
    Route(
        "/api/care/wifi-own", "Have the table open its own Wi-Fi", ASKED, (409,), record(), MOVED
    ),
    Route(
        "/api/care/wifi-home",
        "Have the table join another Wi-Fi",
        ASKED,
        (409, 422),
        {"oneOf": [record(KEY, ssid=SSID), record(KEY, name=WIFI_NAME)]},
        MOVED,
    ),
    Route(
        "/api/care/backup",
        "Make a backup, which this phone may then fetch",
        record(name=TEXT, kb=integer(0, 10**9), holds=LISTED, note=TEXT),
        (409, 422),
        care_page.PASSPHRASE,
        "It has to be confirmed as `backup`. It lies at /workshop/fetch for ten minutes; `note` "
        "says what else to know of it.",
    ),
    Route(
        "/api/care/bundle",
        "A report for those who help",
        record(text=TEXT),
        (409,),
        record(),
        "It has to be confirmed as `bundle`, and no match may be played. Instead of names, "
        "addresses and numbers of boards it has marks; no PIN and no key is in it.",
    ),
    Route(
        "/api/care/upload",
        "Send a file, part by part",
        record(at=integer(0, care_page.UPLOAD_BYTES)),
        (409, 422),
        care_page.PART,
        "`at` is where a part begins, and in the answer the next one; `data` is in base64.",
    ),
    Route(
        "/api/care/look",
        "What is in the backup that was sent",
        record(locked={"type": "boolean"}, made=TEXT, version=TEXT, holds=LISTED, other=TEXT),
        (409, 422, 429),
        care_page.PASSPHRASE,
        "If it is `locked`, it needs its passphrase; after three wrong ones one has to wait. "
        "`other` says what else to know before it is restored.",
    ),
    Route(
        "/api/care/restore",
        "Put the backup that was sent in the place of what the table keeps",
        record(before=TEXT, then=TEXT),
        (409, 422),
        record(),
        "It has to be confirmed as `restore`, and no match may be played. The table then "
        "begins anew. What it kept before is in the folder `before`; go on at the page `then`, if "
        "one is named.",
    ),
    Route(
        "/api/care/answer",
        "How far the computer is with what was asked last",
        record(
            busy={"type": "boolean"},
            request={"type": "string"},
            state={"enum": ["none", *(state.value for state in care.CareState)]},
            sentence={"type": "string"},
        ),
        about="Of a table that is installed as a service, for whoever acts.",
    ),
    Route(
        "/api/care/update",
        "Install another version of the program",
        ROOT_ASKED,
        (409,),
        update_page.INSTALL,
        BY_ROOT,
    ),
    *(
        Route(f"/api/care/{act}", what, ROOT_ASKED, (409,), record(), BY_ROOT)
        for act, what in {
            "roll-back": "Go back to the version before",
            "restart": "Restart the computer",
            "shut-down": "Shut the computer down",
        }.items()
    ),
)
ROUTES: Final = (*NOW, *PAST, *ACTING, *PEOPLE, *CARE, *SIMULATED)


def document() -> Schema:
    paths: dict[str, Schema] = {}
    for route in ROUTES:
        paths.setdefault(route.path, {})[route.method] = _operation(route)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rappelwacht", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {"schemas": {**components(*RECORDS), "Fault": FAULT}},
    }


def _operation(route: Route) -> Schema:
    answers: Schema = {"200": _answer("As asked.", route.form, route.answer)}
    for status in sorted(route.faults):
        held = {} if status == 304 else _answer("", JSON, reference("Fault"))
        answers[str(status)] = {**held, "description": WHY[status]}
    operation: Schema = {"summary": route.summary, "responses": answers}
    if route.about:
        operation["description"] = route.about
    in_path = [(part[1:-1], TEXT) for part in route.path.split("/") if part.startswith("{")]
    parameters = [
        {"name": name, "in": place, "required": place == "path", "schema": schema}
        for place, named in (("path", in_path), ("query", route.query))
        for name, schema in named
    ]
    if parameters:
        operation["parameters"] = parameters
    if route.body is not None:
        content = {JSON: {"schema": route.body}}
        operation["requestBody"] = {"required": True, "content": content}
    return operation


def _answer(why: str, form: str, schema: Schema) -> Schema:
    return {"description": why, "content": {form: {"schema": schema}}}
