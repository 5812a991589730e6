"""What happens at the table, in German, in the words of those who play."""

from typing import Final

from companion.core.game import SeatName
from companion.say.catalogue import Catalogue
from companion.say.german_blackmore import BLACKMORE
from companion.say.german_blackmore import EVENTS as IN_BLACKMORE
from companion.say.german_blackmore import WORDS as OF_BLACKMORE
from companion.say.german_devices import CONFIG, DEVICES, PARTS, RECORDINGS, STOPPERS
from companion.say.german_doctor import DOCTOR
from companion.say.german_errors import ERRORS
from companion.say.german_flash import FLASH
from companion.say.german_games import GAMES
from companion.say.german_install import INSTALL
from companion.say.german_journal import MATCHES
from companion.say.german_lights import LIGHTS
from companion.say.german_phone_api import PHONE_API
from companion.say.german_phone_blackmore import PHONE_BLACKMORE
from companion.say.german_phone_frame import PHONE_FRAME
from companion.say.german_phone_history import PHONE_HISTORY
from companion.say.german_phone_manual import PHONE_MANUAL
from companion.say.german_phone_simulated import PHONE_SIMULATED
from companion.say.german_phone_table import PHONE_TABLE
from companion.say.german_phone_trap_the_wizard import PHONE_TRAP_THE_WIZARD
from companion.say.german_phone_via_magica import PHONE_VIA_MAGICA
from companion.say.german_phone_workshop import PHONE_WORKSHOP
from companion.say.german_referee import JOURNAL, REFEREE
from companion.say.german_sensing import AILMENTS, ENROLMENT, WORDS
from companion.say.german_sim import SIMULATED
from companion.say.german_study import STUDY
from companion.say.german_table import TABLE
from companion.say.german_terminal import TERMINAL
from companion.say.german_trap_the_wizard import EVENTS as TRAPPING
from companion.say.german_trap_the_wizard import TRAP_THE_WIZARD
from companion.say.german_trap_the_wizard import WORDS as OF_TRAPPING
from companion.say.german_tune import TUNED
from companion.say.german_via_magica import ERRORS as VIA_MAGICA_ERRORS
from companion.say.german_via_magica import EVENTS as VIA_MAGICA_EVENTS
from companion.say.german_via_magica import WORDS as VIA_MAGICA_WORDS
from companion.say.german_workshop import WORKSHOP

EVENTS: Final = {
    "MagicNumber": "Runde {round}: Die magische Zahl ist {magic}",
    "Placed": "{seat} hat ein Fass gewählt; {waiting:and} {waiting:#schüttelt|schütteln} noch.",
    "Placed:last": "Auch {seat} hat ein Fass gewählt. Jetzt drehen alle um!",
    "Shown": "{seat} zeigt {number}: Der Schüttelzauber wirkt.",
    "Shown:fails": "{seat} zeigt {number}: zu viel. Das Fass geht zurück, {seat} geht leer aus.",
    "Order": "Zugreihenfolge: {seats}.",
    "Order:nobody": "Kein Schüttelzauber ist gelungen; niemand zieht.",
    "Moved": "{seat} zieht von Feld {start} auf Feld {end}.",
    "Moved:start": "{seat} verlässt den Start und kommt auf Feld {end}.",
    "Moved:city": "{seat} zieht von Feld {start} in die Stadt.",
    "Banished": "Verbannt: {pawn.colour} muss von seinem Feld {pawn.step} zurück zum Start.",
    "TakenAlong": (
        "Mitgenommen: {pawn.colour} kommt von seinem Feld {pawn.step} auf sein Feld {end}."
    ),
    "TakenAlong:own": "Mitgenommen: ein eigener Lehrling, von Feld {pawn.step} auf Feld {end}.",
    "TakenAlong:city": "Mitgenommen: ein eigener Lehrling, von Feld {pawn.step} in die Stadt.",
    "CameHome": "{seat} hat jetzt {pawns} Zauberlehrlinge in der Stadt.",
    "CameHome:first": "{seat} hat den ersten Zauberlehrling in der Stadt.",
    "Won": "{seat} hat alle drei Zauberlehrlinge in der Stadt und gewinnt!",
    "SatOut": "{seat} setzt in dieser Runde aus.",
    "WentBack": "Das Fass von {seat} geht zurück; {waiting:and} {waiting:#wählt|wählen} noch.",
    "Corrected": "Die Zauberlehrlinge von {seat} stehen anders; das ist jetzt berichtigt.",
    "RoundOver": "Alle Fässer kommen zurück und werden gemischt. {roller} darf würfeln.",
    "RoundOver:unshuffled": "Alle Fässer kommen zurück, ungemischt. {roller} darf würfeln.",
    **TRAPPING,
    **VIA_MAGICA_EVENTS,
    **IN_BLACKMORE,
}

PHRASES: Final = {
    "start": "Start",
    "city": "Stadt",
    "field": "Feld",
    "entry": "Einstiegsfeld",
    "gate": "Feld vor der Stadt",
    "none": "niemandem",
    "a whole number": "eine ganze Zahl",
    "true or false": "true oder false",
    "text": "ein Text",
    "an object": "ein Objekt",
    "a number of at most nine digits": "eine Zahl mit höchstens neun Ziffern",
    "a list": "eine Liste",
    "a list of 3": "eine Liste mit 3 Werten",
    "a list of 4": "eine Liste mit 4 Werten",
    **WORDS,
    **PARTS,
    **VIA_MAGICA_WORDS,
    **OF_BLACKMORE,
    **OF_TRAPPING,
}

GERMAN: Final = Catalogue(
    seats={
        SeatName.RED: "Rot",
        SeatName.GREEN: "Grün",
        SeatName.BLUE: "Blau",
        SeatName.YELLOW: "Gelb",
        SeatName.VIOLET: "Violett",
        SeatName.WHITE: "Weiß",
    },
    events=EVENTS,
    sentences=(
        ERRORS
        | BLACKMORE
        | TERMINAL
        | DEVICES
        | RECORDINGS
        | CONFIG
        | STOPPERS
        | DOCTOR
        | SIMULATED
        | FLASH
        | GAMES
        | INSTALL
        | JOURNAL
        | MATCHES
        | REFEREE
        | STUDY
        | TABLE
        | TRAP_THE_WIZARD
        | TUNED
        | AILMENTS
        | ENROLMENT
        | LIGHTS
        | WORKSHOP
        | PHONE_API
        | PHONE_BLACKMORE
        | PHONE_FRAME
        | PHONE_HISTORY
        | PHONE_MANUAL
        | PHONE_SIMULATED
        | PHONE_TABLE
        | PHONE_TRAP_THE_WIZARD
        | PHONE_VIA_MAGICA
        | PHONE_WORKSHOP
        | VIA_MAGICA_ERRORS
    ),
    phrases=PHRASES,
    conjunction="und",
    point=",",
)
