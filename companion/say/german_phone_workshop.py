"""The workshop on phones, in German."""

from typing import Final

GENERAL: Final = {
    "The workshop is closed while a match is played, so that it betrays nothing.": (
        "Die Werkstatt ist zu, solange eine Partie läuft, damit sie nichts verrät."
    ),
    "It opens by itself as soon as the match is over.": (
        "Sie öffnet von selbst, sobald die Partie vorbei ist."
    ),
    "Back to the table": "Zurück zum Tisch",
    "You are watching. Join with this phone to try parts and to enrol barrels.": (
        "Du schaust zu. Mach mit diesem Handy mit, um Teile zu prüfen und Fässer anzulernen."
    ),
    "Enough for tonight?": "Reicht es für heute Abend?",
    "This table has no smart stoppers: people tap what barrels do, and nothing has to be "
    "charged.": (
        "Dieser Tisch hat keine klugen Stopfen: Ihr tippt, was die Fässer tun, und nichts muss "
        "geladen werden."
    ),
    "No battery has been heard of yet.": "Noch hat sich kein Akku gemeldet.",
    "Yes: all batteries last for the evening.": "Ja: Alle Akkus halten den Abend durch.",
    "No: charge before you play.": "Nein: Ladet vor dem Spielen.",
    "The weakest battery has {percent} %.": "Der schwächste Akku hat {percent} %.",
    "{awake} of {all} stoppers are awake.": "{awake} von {all} Stopfen sind wach.",
    "Those at rest sleep after five minutes; lifting one wakes it.": (
        "Wer fünf Minuten ruht, schläft ein; Anheben weckt ihn."
    ),
    "Parts of the table": "Teile des Tisches",
    "Nothing is connected: this table is played with phones.": (
        "Nichts ist angeschlossen: An diesem Tisch wird mit Handys gespielt."
    ),
    "This is Rappelwacht {version}.": "Das ist Rappelwacht {version}.",
    "Look again": "Noch einmal nachsehen",
}

ENROLLING: Final = {
    "Which stopper closes which barrel?": "Welcher Stopfen steckt in welchem Fass?",
    "{done} of {all} are ready": "{done} von {all} sind fertig",
    "ready": "fertig",
    "not needed": "nicht nötig",
    "which number?": "welche Zahl?",
    "not heard yet": "noch nicht gehört",
    "lift it": "anheben",
    "The number under the barrel with stopper {stopper}": (
        "Die Zahl unter dem Fass mit Stopfen {stopper}"
    ),
    "The likeliest numbers stand first. Whoever reads the number knows it: let somebody do it who "
    "does not play tonight, or mix the barrels well afterwards.": (
        "Die wahrscheinlichsten Zahlen stehen vorn. Wer die Zahl liest, kennt sie: Lasst es "
        "jemanden tun, der heute nicht mitspielt, oder mischt die Fässer danach gut."
    ),
    "{percent} %": "{percent} %",
    "Finish and save": "Fertig, speichern",
    "Stop, and leave all as it was": "Abbrechen, alles bleibt wie vorher",
    "{known} of {all} barrels are known.": "{known} von {all} Fässern sind bekannt.",
    "Lift each barrel for a second and set it down again: the companion weighs them all and finds "
    "out by itself which is which. Only where the weights are too much alike it asks for a "
    "number.": (
        "Hebt jedes Fass eine Sekunde lang an und stellt es wieder hin: Rappelwacht wiegt alle und "
        "findet selbst heraus, welches welches ist. Nur wo die Gewichte zu ähnlich sind, fragt es "
        "nach einer Zahl."
    ),
    "Enrol all barrels": "Alle Fässer anlernen",
    "First time: weigh them empty": "Beim ersten Mal: leer wiegen",
    "With its stopper and without stones, each barrel is lifted three times. It takes five "
    "minutes, is done once, and makes enrolling surer for years. {count} of {all} are weighed.": (
        "Mit Stopfen und ohne Steine wird jedes Fass dreimal angehoben. Das dauert fünf Minuten, "
        "ist nur einmal nötig und macht das Anlernen auf Jahre sicherer. {count} von {all} sind "
        "gewogen."
    ),
    "Weigh empty barrels": "Leere Fässer wiegen",
    "What was saved before": "Was früher gespeichert wurde",
    "Number {number}, saved {when}": "Nummer {number}, gespeichert {when}",
    "in use": "gilt jetzt",
    "Use this one again": "Wieder diese nehmen",
}

STOPPERS: Final = {
    "Stoppers": "Stopfen",
    "Sensors, live": "Sensoren, live",
    "Stopper {stopper}": "Stopfen {stopper}",
    "The last ten seconds, of the stoppers that moved last. Above: the tilt; over the dashed line, "
    "at 60°, the number could be read. In the middle: how much it is shaken. Below: filled while "
    "it stands, empty while it is lifted.": (
        "Die letzten zehn Sekunden der Stopfen, die sich zuletzt bewegt haben. Oben die Schräge; "
        "über der gestrichelten Linie, bei 60°, wäre die Zahl zu lesen. In der Mitte, wie stark "
        "geschüttelt wird. Unten voll, solange es steht, leer, solange es in der Luft ist."
    ),
    "Lift a barrel and tilt it: here you see what its sensors feel.": (
        "Hebt ein Fass an und kippt es: Hier seht ihr, was seine Sensoren spüren."
    ),
    "How stopper {stopper} was held: last tilted {degrees}°.": (
        "Wie Stopfen {stopper} gehalten wurde: zuletzt {degrees}° schräg."
    ),
    "heard very well": "sehr gut zu hören",
    "heard well": "gut zu hören",
    "heard faintly": "leise zu hören",
    "hardly heard": "kaum zu hören",
    "battery {percent} %": "Akku {percent} %",
    "last heard {seconds} s ago": "zuletzt vor {seconds} s gehört",
    "In the last match its barrel did not weigh what it should: count its stones, and look whether "
    "it has its own stopper. Then enrol it again.": (
        "In der letzten Partie wog sein Fass nicht, was es sollte: Zählt die Steine und seht nach, "
        "ob es seinen eigenen Stopfen hat. Lernt es dann neu an."
    ),
    "Its battery does not last for an evening; charge it.": (
        "Sein Akku reicht nicht für einen Abend; ladet ihn."
    ),
}

TRYING: Final = {
    "Seats": "Plätze",
    "Press each button and put a barrel on each pad: what is noticed lights up here.": (
        "Drückt jeden Knopf und stellt auf jedes Pad ein Fass: Was bemerkt wird, leuchtet hier auf."
    ),
    "pad: something stands there": "Pad: da steht etwas",
    "pad: empty": "Pad: leer",
    "button: {short} short, {long} long": "Knopf: {short}-mal kurz, {long}-mal lang",
    "Try its light": "Licht prüfen",
    "Lights and buzzer": "Lichter und Summer",
    "Tap a light: for a minute it goes through red, green, blue and white, and all others are "
    "dark.": (
        "Tippt auf ein Licht: Eine Minute lang wird es rot, grün, blau und weiß, und alle anderen "
        "sind dunkel."
    ),
    "field {number}": "Feld {number}",
    "start of {seat}": "Start von {seat}",
    "city of {seat}": "Stadt von {seat}",
    "Round keys are starts, square ones are cities.": "Runde sind Starts, eckige sind Städte.",
    "All lights": "Alle Lichter",
    "Buzzer": "Summer",
    "Stop trying": "Prüfen beenden",
    "Whoever has joined can try each light and the buzzer here.": (
        "Wer mitmacht, kann hier jedes Licht und den Summer prüfen."
    ),
}

PHONE_WORKSHOP: Final = GENERAL | ENROLLING | STOPPERS | TRYING
