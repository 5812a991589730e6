"""What happens in Trap the Wizard, in German, and why something is refused.

It must not know the rules.
"""

from typing import Final

EVENTS: Final = {
    "DieCast": "{seat} würfelt eine {number}.",
    "NoWay": "Kein Zauberer von {seat} kann die {points} nutzen; sie verfallen.",
    "WizardSetOut": "{seat} verlässt den Start und kommt auf Feld {end}.",
    "WizardWalked": "{seat} zieht von Feld {start} auf Feld {end}.",
    "WizardReturned": "{seat} kommt von Feld {start} mit seinen Gefangenen nach Hause.",
    "WizardCaptured": "Gefangen: {seat} fängt auf Feld {field} einen Zauberer von {victim}.",
    "CaptivesHandedOver": "{victim} hielt {captives:and} gefangen; das tut jetzt {seat}.",
    "CaptivesReleased": "{victim} hielt {captives:and} gefangen: jetzt wieder frei.",
    "JokerCaptured": "{seat} fängt auf Feld {field} den Joker.",
    "CaptivesBroughtHome": "{seat} nimmt aus dem Spiel: {captives}.",
    "CaptivesFreed": (
        "Befreit: {wizards} {wizards:#eigener|eigene} Zauberer von {seat} "
        "{wizards:#beginnt|beginnen} neu."
    ),
    "JokerWentBack": "Der Joker geht zurück auf Feld {field}.",
    "JokerLeft": "Der Joker von {seat} ist bis zur nächsten Runde aus dem Spiel.",
    "PointsLeftOver": "Übrig: {points}, die ein anderer Zauberer von {seat} nutzen darf.",
    "PointsGivenUp": "{seat} lässt {points} verfallen.",
    "AnotherTurn": "Eine Sechs: {seat} würfelt noch einmal.",
    "TrapShut": "Runde {round} ist vorbei: Nur {seat} hat noch freie Zauberer.",
    "CatchCounted": "{seat} bekommt {points} und hat jetzt {total}.",
    "TrapWon": "{seats:and} {seats:#gewinnt|gewinnen} das Spiel!",
}

WORDS: Final = {
    "Robe.JOKER": "Joker",
}

TRAP_THE_WIZARD: Final = {
    "'{part}' is {count}; it must be at least 1.": (
        "„{part}“ ist {count}; es muss mindestens 1 sein."
    ),
    "The fields of the paths must be numbered from 0, without a gap.": (
        "Die Felder der Wege müssen von 0 an lückenlos gezählt sein."
    ),
    "A board has at most {fields} fields, each joined to at most {ways} others.": (
        "Ein Spielplan hat höchstens {fields} Felder, jedes mit höchstens {ways} anderen verbunden."
    ),
    "Each of four starts must be joined to a field of its own.": (
        "Jeder der vier Starts muss an einem eigenen Feld liegen."
    ),
    "No path leads from field 0 to field {field}.": ("Von Feld 0 führt kein Weg zu Feld {field}."),
    "'{part}' names field {field}; the board has fields 0 to {last}.": (
        "„{part}“ nennt Feld {field}; der Spielplan hat die Felder 0 bis {last}."
    ),
    "One die cannot give {number}; roll 1 to {sides}.": (
        "Ein Würfel kann nicht {number} zeigen; möglich ist 1 bis {sides}."
    ),
    "'{verb}' is not possible now: first the die is rolled for {seat}, 'roll 1' to 'roll 6'.": (
        "„{verb}“ geht jetzt nicht: Erst wird für {seat} gewürfelt, „roll 1“ bis „roll 6“."
    ),
    "'{verb}' is not possible now: {seat} moves a wizard by {points}.": (
        "„{verb}“ geht jetzt nicht: {seat} zieht einen Zauberer um {points} {points:#Feld|Felder}."
    ),
    "'{verb}' is not possible now: {seat} moves another wizard by the {points} left over, or "
    "leaves them, 'leave'.": (
        "„{verb}“ geht jetzt nicht: {seat} zieht mit den restlichen {points} einen anderen "
        "Zauberer oder lässt sie verfallen, „leave“."
    ),
    "It is not the turn of {seat}; {mover} moves a wizard by {points}.": (
        "{seat} ist nicht am Zug; {mover} zieht einen Zauberer um {points} {points:#Feld|Felder}."
    ),
    "{seat} has no wizard '{wizard}'; its wizards: {camp}.": (
        "{seat} hat keinen Zauberer „{wizard}“; vorhanden: {camp}."
    ),
    "What is left over is for another wizard than the one that came home.": (
        "Der Rest ist für einen anderen Zauberer als den, der heimgekommen ist."
    ),
    "A wizard comes home only with a captured opponent, and this one has none.": (
        "Nach Hause kommt ein Zauberer nur mit einem gefangenen Gegner, und dieser hat keinen."
    ),
    "Two wizards stand on field {field}; there is no room.": (
        "Auf Feld {field} stehen zwei Zauberer; da ist kein Platz mehr."
    ),
    "The wizard '{wizard}' cannot end there; {points} lead it to {ends}.": (
        "Der Zauberer „{wizard}“ kann dort nicht enden; {points} führen ihn nach {ends}."
    ),
}
