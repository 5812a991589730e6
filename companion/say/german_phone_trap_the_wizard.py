"""What the pages of Trap the Wizard say, in German, found by the English template."""

from typing import Final

PHONE_TRAP_THE_WIZARD: Final = {
    "Trap the Wizard": "Fang den Zauberer",
    "A dice game of capture: end on others to trap them, and bring them home. The joker in the "
    "middle helps.": (
        "Ein Würfelspiel: Wer auf einem fremden Zauberer landet, fängt ihn und bringt ihn heim. "
        "Der Joker in der Mitte hilft dabei."
    ),
    # settings
    "How long is the game?": "Wie lange spielt ihr?",
    "{count} {count:#round|rounds}": "{count} {count:#Runde|Runden}",
    "A wizard may turn back within one move.": "Ein Zauberer darf innerhalb eines Zuges umkehren.",
    "A wizard may pass over others.": "Ein Zauberer darf über andere hinwegziehen.",
    "The number must lead home exactly; nothing is left over.": (
        "Nach Hause geht es nur mit genauer Zahl; es bleibt nichts übrig."
    ),
    "Whoever captures a captor gets its captives, too; else they are free.": (
        "Wer einen Fänger fängt, bekommt auch dessen Gefangene; sonst sind sie frei."
    ),
    "Captives count even if they are not home when the round ends.": (
        "Gefangene zählen auch, wenn sie am Ende der Runde noch nicht zu Hause sind."
    ),
    "The joker goes back to the middle when its captor comes home.": (
        "Der Joker geht zurück in die Mitte, wenn sein Fänger nach Hause kommt."
    ),
    "The joker counts as a captured wizard.": "Der Joker zählt als gefangener Zauberer.",
    "A six that nobody can use gives another roll, too.": (
        "Auch nach einer Sechs, die niemandem nützt, wird noch einmal gewürfelt."
    ),
    "How many sixes in a row, before the next player's turn?": (
        "Wie viele Sechsen hintereinander, bevor der Nächste dran ist?"
    ),
    "two at most": "höchstens zwei",
    "three at most": "höchstens drei",
    "as many as come": "so viele, wie fallen",
    # what is to be done
    "{seat}: roll the die.": "{seat}: Würfle!",
    "{seat} rolls again: it was a six.": "{seat} würfelt noch einmal: Es war eine Sechs.",
    "{seat} moves a wizard by {points}.": (
        "{seat} zieht einen Zauberer um {points} {points:#Feld|Felder}."
    ),
    "{seat} may move another wizard by {points}.": (
        "{seat} darf einen anderen Zauberer um {points} ziehen."
    ),
    "rolls": "würfelt",
    "all captured": "alle gefangen",
    "What does the die show?": "Was zeigt der Würfel?",
    "The die shows {number}": "Der Würfel zeigt {number}",
    "Tap a wizard on the board, or choose here:": (
        "Tippe auf dem Spielplan einen Zauberer an, oder wähle hier:"
    ),
    "Where does it go?": "Wohin zieht er?",
    "Home": "Nach Hause",
    "Field {field}": "Feld {field}",
    "Field {field}: a catch": "Feld {field}: ein Fang",
    "On the start": "Auf dem Start",
    "On field {field}": "Auf Feld {field}",
    "On field {field}, holding {held:and}": "Auf Feld {field}, hält {held:and}",
    "Leave the points unused": "Den Rest verfallen lassen",
    "Bring the wizard on field {start} home": "Den Zauberer von Feld {start} nach Hause bringen",
    "Move a wizard from the start to field {end}": (
        "Einen Zauberer vom Start auf Feld {end} ziehen"
    ),
    "Move the wizard on field {start} to field {end}": (
        "Den Zauberer von Feld {start} auf Feld {end} ziehen"
    ),
    # how it stands
    "The board with all wizards; a list below says where each stands.": (
        "Der Spielplan mit allen Zauberern; eine Liste darunter sagt, wo jeder steht."
    ),
    "Show the numbers of the fields on the board": "Die Nummern der Felder auf dem Plan zeigen",
    "Round {round} of {rounds}": "Runde {round} von {rounds}",
    "free": "frei",
    "holds": "hält",
    "taken home": "daheim",
    "before": "zuvor",
    "Where the wizards stand": "Wo die Zauberer stehen",
    "The joker": "Der Joker",
    "{seat} holds it": "{seat} hat ihn",
    "Out until the next round": "Bis zur nächsten Runde aus dem Spiel",
}
