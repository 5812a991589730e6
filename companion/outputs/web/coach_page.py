"""The coach's pages: one match after its end, and how people decide and hear over evenings."""

from __future__ import annotations

from flask import Blueprint, abort, render_template
from markupsafe import Markup

from companion.frame.reader import reader
from companion.outputs.web.history_page import LISTED, day
from companion.outputs.web.phones import Phones
from companion.outputs.web.standings import standings
from companion.present import coach_ears, coach_plots, coach_words
from companion.present.animals import animal_svg
from companion.present.page import titles
from companion.present.reader import Reader
from companion.present.signs import SIGNS, face_svg


def pages(phones: Phones) -> Blueprint:
    """Return the coach's pages."""
    coach = Blueprint("coach", __name__)

    @coach.get("/history/<match>/coach")
    def one_match(match: str) -> str:
        listed = phones.library.find(match)
        coached = phones.reports.of(listed) if listed else None
        if coached is None:
            abort(404)
        by = reader().as_all(phones.people.in_match(match))
        found = coached.report
        return render_template(
            "coach.html",
            **_words(by),
            past=coached.past,
            titles=titles(),
            day=day,
            found=found,
            coach=coached.coach,
            sure=coach_words.sure(found, by),
            mostly=coach_words.mostly(found, coached.coach, coached.past.winners[0]),
            curve=coach_plots.curve(
                coach_words.stands(found),
                found.seats,
                coach_words.flags(found),
                coach_words.curve_told(found, by),
            ),
            rounds=[*coach_words.rounds(found)],
            sums=coach_words.sums(found, coached.coach, by),
            bar=coach_plots.bar,
            dear=[*coach_words.dear(coached.log, found, coached.coach, by)],
            jokers=coach_words.jokers(found, coached.coach, by),
            decided=[coach_words.decided_told(one, by) for one in coach_words.decided(found, by)],
            ears=[(one, _ear(one)) for one in coach_ears.ears(found, by)],
        )

    @coach.get("/history/coach")
    def evenings() -> str:
        found, left = standings(phones, phones.room.matches()[:LISTED])
        by = reader()
        return render_template(
            "coach_evenings.html",
            **_words(by),
            found=[(one, coach_ears.standing_told(one.standing, by)) for one in found],
            left=left,
            animal=animal_svg,
        )

    return coach


def _words(by: Reader) -> dict[str, object]:
    return {"by": by, "say": by.say, "name": by.name, "face": face_svg, "signs": SIGNS}


def _ear(one: coach_ears.Ear) -> Markup:
    return coach_plots.ears(one.lost, one.blindly, one.seat, one.told)
