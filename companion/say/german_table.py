"""What the command line says of a table that is refereed, in German."""

from typing import Final

TABLE: Final = {
    "This table is simulated (number {seed}): its barrels, hands, stoppers, radio and wires are "
    "software; all else is as on a Pi.": (
        "Dieser Tisch ist simuliert (Nummer {seed}): Fässer, Hände, Stopfen, Funk und Kabel sind "
        "Software; alles andere ist wie auf einem Pi."
    ),
    "A table that is refereed lives by a clock; write --speed 1, or up to about 10.": (
        "Ein Tisch mit Schiedsrichter lebt nach der Uhr; schreibe --speed 1 oder bis etwa 10."
    ),
    "{folder}: this folder cannot be made ({reason}).": (
        "{folder}: Dieser Ordner lässt sich nicht anlegen ({reason})."
    ),
    "  ! Somebody calls a foul: {foul}. The table decides.": (
        "  ! Jemand meldet einen Regelverstoß: {foul}. Der Tisch entscheidet."
    ),
    "  ! Perhaps a foul: {foul}, {percent} % sure. The table decides.": (
        "  ! Vielleicht ein Regelverstoß: {foul}, zu {percent} % sicher. Der Tisch entscheidet."
    ),
    "A match begins.": "Eine Partie beginnt.",
    "The match goes on where it was.": "Die Partie geht weiter, wo sie war.",
    "{program}              a simulated table is refereed, and you watch": (
        "{program}               ein simulierter Tisch wird geleitet; ihr schaut zu"
    ),
    "{program} table        referee your own table": (
        "{program} table         Schiedsrichter an eurem eigenen Tisch"
    ),
    "Referee a real table, as its configuration says it is wired.": (
        "Schiedsrichter an einem echten Tisch, verkabelt, wie die Konfiguration sagt."
    ),
    "1: as fast as a clock, 2: twice that": "1: so schnell wie die Uhr, 2: doppelt so schnell",
    "so many guests, 2 to 4": "so viele Gäste, 2 bis 4",
    "the seat that you can take in the browser: red, green, blue or yellow; or none": (
        "der Platz, den du im Browser einnehmen kannst: red, green, blue oder yellow; oder none"
    ),
    "so many games, one after another; then the table ends by itself": (
        "so viele Partien, eine nach der anderen; dann endet der Tisch von selbst"
    ),
    "The match is over; Ctrl-C ends the table.": (
        "Die Partie ist vorbei; Strg-C beendet den Tisch."
    ),
    "the same number, the same guests and barrels": "gleiche Zahl, gleiche Gäste und Fässer",
    "FOLDER": "ORDNER",
    "where the journal is kept; a match that was cut off goes on from there": (
        "wo das Journal liegt; eine unterbrochene Partie geht von dort weiter"
    ),
    "where phones find the pages; otherwise {usual}": (
        "wo Handys die Seiten finden; sonst {usual}"
    ),
    "8000, or any that is free": "8000 oder irgendein freier",
    "how the table is wired, as TOML": "wie der Tisch verkabelt ist, als TOML",
    "how the table is wired, as TOML; otherwise as an installed one, or not": (
        "wie der Tisch verkabelt ist, als TOML; sonst wie ein installierter, oder gar nicht"
    ),
}
