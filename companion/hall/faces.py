"""People's animals on the pages of an evening: each is drawn once per page, then only referred to.

An evening of thirty people shows two hundred faces; drawn each time, they made up half of the page.
"""

from __future__ import annotations

from functools import cache

from markupsafe import Markup

from companion.people.person import Animal
from companion.present.animals import SHAPES


@cache
def face(animal: Animal) -> Markup:
    """Return the picture of an animal, where the page has `drawings`."""
    return Markup('<svg class="animal" aria-hidden="true"><use href="#animal-{}"/></svg>').format(
        animal.value
    )


@cache
def drawings() -> Markup:
    """Return what a page needs once: all animals, hidden."""
    each = Markup(
        '<symbol id="animal-{}" viewBox="0 0 48 48">'
        '<path fill="currentColor" fill-rule="evenodd" d="{}"/></symbol>'
    )
    drawn = Markup("").join(each.format(one.value, SHAPES[one]) for one in Animal)
    return Markup('<svg class="unseen" aria-hidden="true">{}</svg>').format(drawn)
