"""What the workshop says, in German, found by the English template."""

from typing import Final

WORKSHOP: Final = {
    "The workshop is closed while a match is played; finish it or give it up first.": (
        "Die Werkstatt ist zu, solange eine Partie läuft; spielt sie zu Ende oder gebt sie auf."
    ),
    "The barrel with stopper {stopper} is not being enrolled.": (
        "Das Fass mit Stopfen {stopper} wird gerade nicht angelernt."
    ),
    "No barrel bears a {number}; write a number from 1 to 13.": (
        "Auf keinem Fass steht eine {number}; gib eine Zahl von 1 bis 13 ein."
    ),
    "Nothing is being enrolled; begin with that.": (
        "Es wird gerade nichts angelernt; fang damit an."
    ),
    "Not all barrels are known yet; first do what is asked for.": (
        "Noch sind nicht alle Fässer bekannt; tu zuerst, was da steht."
    ),
    "Stopper {stopper} does not belong to this table.": (
        "Stopfen {stopper} gehört nicht zu diesem Tisch."
    ),
    "This table has no stoppers; 'stoppers.toml' would name them.": (
        "Dieser Tisch hat keine Stopfen; in „stoppers.toml“ stünden sie."
    ),
    "There is no light {light}; they are numbered from 0 to {last}.": (
        "Ein Licht {light} gibt es nicht; sie sind von 0 bis {last} nummeriert."
    ),
    "There is no seat '{colour}'.": "Einen Platz „{colour}“ gibt es nicht.",
    "Lift these empty barrels for a second, three times each, and set them down again.": (
        "Hebe diese leeren Fässer je dreimal eine Sekunde lang an und stelle sie wieder hin."
    ),
    "All empty barrels are weighed: save it, fill them, and then enrol them.": (
        "Alle leeren Fässer sind gewogen: Speichere das, fülle sie und lerne sie dann an."
    ),
    "This calibration cannot be read: look at the card and at who may read the file.": (
        "Diese Kalibrierung lässt sich nicht lesen: Sieh nach der Karte und danach, wer die Datei "
        "lesen darf."
    ),
    "The calibration could not be saved: look whether the card is full or read-only.": (
        "Die Kalibrierung ließ sich nicht speichern: Sieh nach, ob die Karte voll oder gesperrt "
        "ist."
    ),
    "There is no such calibration.": "Eine solche Kalibrierung gibt es nicht.",
    "The card has room enough.": "Auf der Karte ist genug Platz.",
    "The card has only {mb} MB left; remove what you do not need.": (
        "Auf der Karte sind nur noch {mb} MB frei; lösche, was du nicht brauchst."
    ),
    "The card is nearly full ({mb} MB left); make room before you play.": (
        "Die Karte ist fast voll (noch {mb} MB frei); schaffe Platz, bevor ihr spielt."
    ),
    "How much room the card has cannot be known here.": (
        "Wie viel Platz die Karte hat, lässt sich hier nicht feststellen."
    ),
    "The clock is set by the network.": "Die Uhr wird vom Netz gestellt.",
    "The clock goes without the network, so it may be wrong; play does not depend on it.": (
        "Die Uhr geht ohne Netz, also vielleicht falsch; das Spiel hängt nicht davon ab."
    ),
    "The clock is wrong, so matches get wrong dates; connect the computer to the network once. "
    "Play does not depend on it.": (
        "Die Uhr geht falsch, darum bekommen Partien ein falsches Datum; verbinde den Rechner "
        "einmal mit dem Netz. Das Spiel hängt nicht davon ab."
    ),
    "The power supply is strong enough.": "Das Netzteil ist stark genug.",
    "The power supply is too weak now; use the one that belongs to the computer.": (
        "Das Netzteil ist gerade zu schwach; nimm das, das zum Rechner gehört."
    ),
    "The power supply was too weak since the start; use the one that belongs to the computer, and "
    "a short cable.": (
        "Das Netzteil war seit dem Start schon einmal zu schwach; nimm das, das zum Rechner "
        "gehört, und ein kurzes Kabel."
    ),
    "Whether the power supply is strong enough cannot be known here.": (
        "Ob das Netzteil stark genug ist, lässt sich hier nicht feststellen."
    ),
    "The computer is not too warm.": "Der Rechner ist nicht zu warm.",
    "The computer is warm ({celsius} °C); give it some air.": (
        "Der Rechner ist warm ({celsius} °C); gib ihm etwas Luft."
    ),
    "The computer is too hot ({celsius} °C) and slows down; give it air, or a heat sink.": (
        "Der Rechner ist zu heiß ({celsius} °C) und wird langsamer; gib ihm Luft oder einen "
        "Kühlkörper."
    ),
    "How warm the computer is cannot be known here.": (
        "Wie warm der Rechner ist, lässt sich hier nicht feststellen."
    ),
}
