"""What happens at the table, in English. All other English stands where it is raised."""

from typing import Final

from companion.core.game import SeatName
from companion.say.catalogue import Catalogue
from companion.say.english_blackmore import EVENTS as IN_BLACKMORE
from companion.say.english_blackmore import WORDS as OF_BLACKMORE
from companion.say.english_trap_the_wizard import EVENTS as TRAPPING
from companion.say.english_trap_the_wizard import WORDS as OF_TRAPPING
from companion.say.english_via_magica import EVENTS as VIA_MAGICA_EVENTS
from companion.say.english_via_magica import WORDS as VIA_MAGICA_WORDS

EVENTS: Final = {
    "MagicNumber": "Round {round}: the magic number is {magic}",
    "Placed": "{seat} has chosen a barrel; {waiting:and} {waiting:#is|are} still shaking.",
    "Placed:last": "{seat} has chosen a barrel too. Now all flip theirs!",
    "Shown": "{seat} shows {number}: the spell works.",
    "Shown:fails": "{seat} shows {number}: too much. The barrel goes back, and {seat} sits out.",
    "Order": "Order of moves: {seats}.",
    "Order:nobody": "No spell has worked; nobody moves.",
    "Moved": "{seat} moves from field {start} to field {end}.",
    "Moved:start": "{seat} leaves the start and comes to field {end}.",
    "Moved:city": "{seat} moves from field {start} into the city.",
    "Banished": "Banished: {pawn.colour} has to go from its field {pawn.step} back to the start.",
    "TakenAlong": "Taken along: {pawn.colour} comes from its field {pawn.step} to its field {end}.",
    "TakenAlong:own": "Taken along: one of its own, from field {pawn.step} to field {end}.",
    "TakenAlong:city": "Taken along: one of its own, from field {pawn.step} into the city.",
    "CameHome": "{seat} has {pawns} apprentices in the city now.",
    "CameHome:first": "{seat} has the first apprentice in the city.",
    "Won": "{seat} has all three apprentices in the city and wins!",
    "SatOut": "{seat} sits this round out.",
    "WentBack": "The barrel of {seat} goes back; {waiting:and} {waiting:#has|have} to choose.",
    "Corrected": "The apprentices of {seat} stood otherwise; this is put right now.",
    "RoundOver": "All barrels go back and are shuffled. {roller} may roll next.",
    "RoundOver:unshuffled": "All barrels go back and are not shuffled. {roller} may roll next.",
    **TRAPPING,
    **VIA_MAGICA_EVENTS,
    **IN_BLACKMORE,
}

WORDS: Final = {  # of enums, by their class and name
    "Doing.UNKNOWN": "unknown",
    "Doing.STANDING": "stands",
    "Doing.LIFTED": "in the hand",
    "Doing.SHAKEN": "is shaken",
    "Doing.TILTED": "is tilted",
    "Doing.FLIPPED": "flipped",
    "Doing.LOST": "fallen silent",
    "Foul.PEEK": "peeked",
    "Foul.TOO_MANY_IN_HAND": "too many barrels in hand",
    "Foul.PLACED_BACK": "put a chosen barrel back",
    "Foul.STILL_SHAKING": "went on shaking after choosing",
    "Foul.SECOND_PLACED": "chose a second barrel",
    "Foul.EARLY_FLIP": "flipped too early",
    "Weight.WARNING": "warning",
    "Weight.FOUL": "foul",
    "Weight.WITHDRAWN": "withdrawn",
    **OF_BLACKMORE,
    **OF_TRAPPING,
}

ENGLISH: Final = Catalogue(
    seats={place: place.name.title() for place in SeatName},
    events=EVENTS,
    sentences={},
    phrases={"start": "start", "city": "city", "field": "field", **WORDS, **VIA_MAGICA_WORDS},
    conjunction="and",
    point=".",
)
