"""What the terminal says in games without barrels, in German, by the English template."""

from typing import Final

CHOOSING: Final = {
    "Type a number of what is listed; '?' helps, 'undo' takes back.": (
        "Tippe eine Zahl aus der Liste; „?“ hilft, „zurück“ nimmt zurück."
    ),
    "{seat}, 1 to {count}: ": "{seat}, 1 bis {count}: ",
    "Now it is {seat} who chooses.": "Jetzt wählt {seat}.",
    "Type a number from 1 to {count}, or an action such as '{example}'; '?' helps.": (
        "Tippe eine Zahl von 1 bis {count} oder eine Aktion wie „{example}“; „?“ hilft."
    ),
    "A number chooses; an action as above does, too.": (
        "Eine Zahl wählt; eine Aktion wie oben tut es auch."
    ),
    "The Enter key alone leads back to all choices.": (
        "Die Eingabetaste allein führt zurück zur ganzen Auswahl."
    ),
    "'undo' takes the last choice back, and all that followed from it.": (
        "„zurück“ nimmt die letzte Wahl zurück und alles, was daraus folgte."
    ),
    "{seat}, Enter shows what only you may see. ": (
        "{seat}: Die Eingabetaste zeigt, was nur du sehen darfst. "
    ),
    "Witch wheel": "Hexenrad",
    "{held} on the hand, {won} won": "{held} auf der Hand, {won} gewonnen",
    "Bag: {animi}": "Beutel: {animi}",
    "open: {portals}": "offen: {portals}",
    "builds: {portals}": "baut: {portals}",
    "start": "Start",
    "home": "heim",
    "pts": "Pkt",
    "»{field}  {seat} starts here": "»{field}  hier beginnt {seat}",
    "[ ]  nobody is captured there": "[ ]  dort fängt man niemanden",
    "J    the joker": "J    der Joker",
    "{letter}bj  {seat} holds Blue, joker": "{letter}bj  {seat} hält Blau, Joker",
}
