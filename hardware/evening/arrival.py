"""How an evening begins: phones and a television come in, people get names, one practises."""

from typing import Final

from playwright.sync_api import Page, expect

from hardware.evening.evening import Persons

NAMES: Final = {"de": ("Oma", "Ben"), "en": ("Grandma", "Ben")}
ANIMALS: Final = ("owl", "fox")


def arrive(persons: Persons, language: str) -> None:
    """Come to the table, and say who one is."""
    evening, film = persons.evening, persons.film
    evening.open(persons.television, f"/tv?language={language}")
    evening.open(persons.other, "/", "table")
    evening.open(persons.hands, "/join")
    film.shoot("invited")
    film.runs(1.0)
    evening.open(persons.hands, "/people?seat=red&next=/simulated", "red")
    evening.open(persons.other, "/people?seat=blue&next=/")
    for page, name, animal in zip(
        (persons.other, persons.hands), reversed(NAMES[language]), reversed(ANIMALS), strict=True
    ):
        _says(page, name, animal)
        film.shoot("named")
        page.locator("#who .wide-key").first.tap()
    expect(persons.hands.locator("#world[data-plays]")).to_be_attached()
    persons.hands.locator("#sit-down").tap()
    practises(persons)
    evening.begin()
    persons.wait(lambda: evening.mixed)


def _says(page: Page, name: str, animal: str) -> None:
    page.locator(f".animals input[value={animal}]").check()
    page.locator("#person-name").fill(name)


def practises(persons: Persons) -> None:
    """Go through the practice round, with two barrels in hand, and put one back."""
    hands = persons.hands
    hands.locator("#practise [data-wish]:visible").first.tap()
    for told in ("goal", "dice"):
        mark(persons, told)
        goes_on(persons)
    mark(persons, "shake")
    for barrel in (2, 3):
        persons.drags(hands.locator(f"[data-barrel='{barrel}'].free .reach"))
    while not hands.locator("#world[data-mark=place]").count():  # as often as it takes
        hands.locator("#compare").tap()
        persons.wait(lambda: persons.evening.idle)
    mark(persons, "place")
    hands.locator(".hand:not([hidden]) [data-do=place]").first.tap()
    mark(persons, "flip")
    hands.locator("#own-pad [data-do=flip]").tap()
    for told in ("move", "banish", "peek", "done"):
        mark(persons, told)
        persons.side("board")
        goes_on(persons)
    persons.side("barrels")
    hands.locator(".two [data-do=put_back]:visible").tap()
    persons.wait(lambda: persons.evening.idle)
    hands.locator("#own-pad [data-do=put_back]").tap()
    persons.wait(lambda: persons.evening.rests)


def goes_on(persons: Persons) -> None:
    persons.hands.locator("#practice [data-wish]:visible").first.tap()


def mark(persons: Persons, name: str) -> None:
    """Wait until the practice round has come so far."""
    expect(persons.hands.locator(f"#world[data-mark={name}]")).to_be_attached()
    persons.film.runs(1.0)
    persons.film.shoot(f"practised-{name}")
