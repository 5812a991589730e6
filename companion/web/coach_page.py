"""The coach's pages: one match after its end, and how people decide and hear over evenings."""

from collections.abc import Sequence
from dataclasses import dataclass

from flask import Blueprint, abort, render_template
from markupsafe import Markup

from companion.coach import plots, text
from companion.coach.history import PlayedSeat, SeatHistory, standing
from companion.journal import ListedMatch
from companion.present import page
from companion.referee.people.person import Person
from companion.system.text import SeatName
from companion.web import context, history_page
from companion.web.common.flask_app import current_viewer, words


@dataclass(frozen=True, slots=True)
class PersonStanding:
    """Somebody, and what the matches came to."""

    person: Person
    standing: SeatHistory


def standings(
    site: context.WebContext, matches: Sequence[ListedMatch]
) -> tuple[list[PersonStanding], int]:
    """Return everybody who is known and was judged, and how many matches are still to be read."""
    pasts = {past.id: past for past in site.library.pasts(matches, patient=True)}
    known = {match: pasts[match.id] for match in matches if match.id in pasts}
    known = {match: past for match, past in known.items() if not past.coached}
    judged, left = site.library.played(known)
    played_by: dict[str, list[PlayedSeat]] = {}
    for match in reversed(matches):  # the oldest first
        if match not in judged:
            continue
        for seat, person in site.people.in_match(match.id).people:
            if (seat_played := judged[match].get(SeatName[seat.upper()])) is not None:
                played_by.setdefault(person.id, []).append(seat_played)
    people = [
        PersonStanding(person, stand)
        for person in site.people.known
        if (stand := standing(played_by.get(person.id, []))) is not None
    ]
    people.sort(key=lambda person: -person.standing.matches)
    return people, left + len(matches) - len(pasts)


def pages(site: context.WebContext) -> Blueprint:
    coach = Blueprint("coach", __name__)

    @coach.get("/history/<match>/coach")
    def one_match(match: str) -> str:
        listed = site.library.find(match)
        coached = site.library.report_on(listed) if listed else None
        if coached is None:
            abort(404)
        by = current_viewer().as_all(site.people.in_match(match))
        report = coached.report
        return render_template(
            "coach.html",
            **words(by),
            by=by,
            past=coached.past,
            titles=page.titles(),
            day=history_page.day,
            found=report,
            coach=coached.coach,
            sure=text.certainty(report, by),
            mostly=text.mostly(report, coached.coach, coached.past.winners[0]),
            curve=plots.curve(
                text.stands(report),
                report.seats,
                text.flags(report),
                text.curve_description(report, by),
            ),
            rounds=[*text.rounds(report)],
            sums=text.sums(report, coached.coach, by),
            bar=plots.bar,
            dear=[*text.costly_decisions(coached.log, report, coached.coach, by)],
            jokers=text.jokers(report, coached.coach, by),
            decided=[*text.decided(report, by)],
            ears=[(ear, _ear(ear)) for ear in text.ears(report, by)],
        )

    @coach.get("/history/coach")
    def evenings() -> str:
        people, left = standings(site, site.room.matches()[: history_page.LISTED])
        by = current_viewer()
        return render_template(
            "coach_evenings.html",
            **words(by),
            by=by,
            found=[(person, text.history_sentences(person.standing, by)) for person in people],
            left=left,
        )

    return coach


def _ear(ear: text.Ear) -> Markup:
    return plots.ears(ear.lost, ear.blindly, ear.seat, ear.sentence)
