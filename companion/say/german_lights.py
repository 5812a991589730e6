"""What the lights mean, in German, found by the English template."""

from typing import Final

from companion.say.german_lights_games import GAMES

SCENES: Final = {
    "Who plays?": "Wer spielt mit?",
    "Red and blue have joined; two are enough to begin. Hold a button to begin.": (
        "Rot und Blau spielen mit; zwei genügen. Wer seinen Knopf lange drückt, beginnt."
    ),
    "A joined start is steady and its city breathes; the other starts breathe, dimly.": (
        "Wer mitspielt: Start ruhig, Stadt pulsiert; die anderen Starts pulsieren schwach."
    ),
    "Waiting for the roll": "Warten auf den Wurf",
    "Red may roll the dice. All pawns stand at their starts.": (
        "Rot darf würfeln. Alle Zauberlehrlinge stehen am Start."
    ),
    "One start and its seat breathe; the ring is dark.": (
        "Ein Start und sein Platz pulsieren; der Ring ist dunkel."
    ),
    "Where the pawns stand": "Wo die Zauberlehrlinge stehen",
    "What the companion believes, so that a wrong position is seen; red may roll.": (
        "Was Rappelwacht glaubt, damit man sieht, wenn etwas falsch steht; Rot darf würfeln."
    ),
    "Steady and dim; a field that two colours share takes turns.": (
        "Ruhig und schwach; ein Feld mit zwei Farben zeigt sie abwechselnd."
    ),
    "Shall the companion roll?": "Soll Rappelwacht würfeln?",
    "Red's button offers that the companion rolls; hold it to have it done.": (
        "Rots Knopf bietet an, dass Rappelwacht würfelt; lange drücken, und es geschieht."
    ),
    "The whole ring sparkles, like dice in a hand.": (
        "Der ganze Ring funkelt, wie Würfel in der Hand."
    ),
    "Was it this number?": "War es diese Zahl?",
    "Red's button offers 8 as what the dice show; hold it to confirm.": (
        "Rots Knopf bietet die 8 als Wurf an; lange drücken bestätigt."
    ),
    "That many fields are lit, with a comet along them; the rest of the ring is dark.": (
        "So viele Felder leuchten, ein Komet läuft über sie; der übrige Ring ist dunkel."
    ),
    "Shake and choose": "Schütteln und wählen",
    "The magic number is 8. Green and yellow have placed, red and blue have not.": (
        "Die magische Zahl ist 8. Grün und Gelb haben gewählt, Rot und Blau noch nicht."
    ),
    "Careful!": "Vorsicht!",
    "Somewhere a barrel was tilted far. It is pointed at nobody, and nothing sounds.": (
        "Irgendwo wurde ein Fass weit gekippt. Auf niemanden wird gezeigt, und nichts tönt."
    ),
    "All fields beyond the magic number swell once, slowly, in place of the comet.": (
        "Statt des Kometen schwellen alle Felder hinter der magischen Zahl einmal langsam an."
    ),
    "Which barrel stands there?": "Welches Fass steht da?",
    "Nobody is sure what stands at green and yellow; a button or a tap settles it.": (
        "Was bei Grün und Gelb steht, ist unsicher; ein Knopf oder ein Tippen klärt es."
    ),
    "A start and its seat blink fast, together.": (
        "Ein Start und sein Platz blinken schnell, zusammen."
    ),
    "Placed?": "Gewählt?",
    "Red's button offers that red has placed its barrel; hold it to confirm.": (
        "Rots Knopf bietet an, dass Rot sein Fass gewählt hat; lange drücken bestätigt."
    ),
    "A light runs from the start to the city of one colour.": (
        "Ein Licht läuft vom Start zur Stadt einer Farbe."
    ),
    "Flip now!": "Jetzt umdrehen!",
    "All have placed a barrel: turn them over, together.": (
        "Alle haben ein Fass gewählt: Dreht sie um, gemeinsam."
    ),
    "The magic number, all starts and all seats breathe as one.": (
        "Magische Zahl, alle Starts und alle Plätze pulsieren im Gleichtakt."
    ),
    "Read the numbers": "Die Zahlen lesen",
    "Green and yellow are read; the numbers of red and blue have to be told.": (
        "Grün und Gelb sind gelesen; die Zahlen von Rot und Blau fehlen noch."
    ),
    "The magic number is dim; what has to be told blinks fast, what is read is steady.": (
        "Die magische Zahl ist schwach; was fehlt, blinkt schnell, was gelesen ist, ist ruhig."
    ),
    "Whose turn it is": "Wer am Zug ist",
    "Red moves by 8. These are the fields on which its pawns may end.": (
        "Rot zieht 8 weit. Auf diesen Feldern können seine Zauberlehrlinge ankommen."
    ),
    "A start and its seat breathe; so do the fields, dimly, where pawns are steady.": (
        "Start und Platz pulsieren, schwächer auch die Felder; Zauberlehrlinge leuchten ruhig."
    ),
    "This pawn?": "Diesen Zauberlehrling?",
    "Red's button offers the pawn that still stands at the start; hold it to confirm.": (
        "Rots Knopf bietet den Zauberlehrling am Start an; lange drücken bestätigt."
    ),
    "A comet from the pawn to its end, which breathes; other ends breathe dimly.": (
        "Ein Komet läuft zum Zielfeld, das pulsiert; andere Zielfelder pulsieren schwach."
    ),
    "Who would be banished": "Wer verbannt würde",
    "Red's pawn would banish two blue ones and could take a green one along.": (
        "Rot würde zweimal Blau verbannen und könnte Grün mitnehmen."
    ),
    "They blink fast, and so does their start; who could come along flashes dimly.": (
        "Sie und ihr Start blinken schnell; wer mitkommen könnte, blitzt schwach."
    ),
    "Who would be taken along": "Wer mitgenommen würde",
    "Red's pawn would take the green one along to the field where it ends.": (
        "Rot nähme Grün mit auf das Feld, auf dem es ankommt."
    ),
    "Its field and the end flash twice, then pause.": (
        "Sein Feld und das Zielfeld blitzen zweimal, dann kommt eine Pause."
    ),
    "Moved!": "Gezogen!",
    "Confirmed: move these pawns on the board. It stays so for some seconds.": (
        "Bestätigt: Stellt diese Zauberlehrlinge um. Das bleibt einige Sekunden so."
    ),
    "No comet any more: the end is steady, the banished blink fast.": (
        "Kein Komet mehr: Das Zielfeld ist ruhig, die Verbannten blinken schnell."
    ),
    "Take back?": "Zurücknehmen?",
    "Red's button offers to take back the last decision; hold it to do so.": (
        "Rots Knopf bietet an, die letzte Entscheidung zurückzunehmen; lange drücken tut es."
    ),
    "A comet runs backwards around the whole ring.": (
        "Ein Komet läuft rückwärts um den ganzen Ring."
    ),
    "No foul?": "Kein Regelverstoß?",
    "Red's button offers to dismiss a foul; hold it if the table agrees.": (
        "Rots Knopf bietet an, einen Verstoß zu verwerfen; lange drücken, wenn alle es so sehen."
    ),
    "Every third field, an open ring, and a comet that jumps along it.": (
        "Jedes dritte Feld, ein offener Ring, und ein Komet, der darüber springt."
    ),
    "A foul?": "Ein Regelverstoß?",
    "Red's button offers to uphold a foul; hold it if the table agrees.": (
        "Rots Knopf bietet an, einen Verstoß zu bestätigen; lange drücken, wenn alle es so sehen."
    ),
    "Every field, a closed ring, and a comet that runs along it.": (
        "Jedes Feld, ein geschlossener Ring, und ein Komet, der darüber läuft."
    ),
    "Victory": "Sieg",
    "Red has all three pawns in its city.": "Rot hat alle drei Zauberlehrlinge in der Stadt.",
    "Two comets chase each other round the ring; one city is steady.": (
        "Zwei Kometen jagen sich um den Ring; eine Stadt leuchtet ruhig."
    ),
    "Something is out of order": "Etwas ist gestört",
    "A part of the table does not work; play goes on, and the phone says what to do.": (
        "Ein Teil des Tisches geht nicht; das Spiel geht weiter, und das Handy sagt, was hilft."
    ),
    "Every eight seconds all four cities flash twice, over whatever else is shown.": (
        "Alle acht Sekunden blitzen alle vier Städte zweimal, was sonst auch zu sehen ist."
    ),
}

PAGE: Final = {
    "What the lights say": "Was die Lichter sagen",
    "The board from above: 24 fields clockwise from the arrow, a square for each start, a house "
    "for each city, and a round button for each seat. The same meaning always moves the same way, "
    "so nobody has to tell colours apart, and nothing flashes more than three times a second.": (
        "Das Brett von oben: 24 Felder im Uhrzeigersinn ab dem Pfeil, ein Quadrat für jeden Start, "
        "ein Haus für jede Stadt, ein runder Knopf für jeden Platz. Gleiches bewegt sich immer "
        "gleich, also muss niemand Farben unterscheiden, und nichts blitzt öfter als dreimal in "
        "der Sekunde."
    ),
    "steady": "ruhig",
    "so it is; dim: what is only noted, such as where the pawns stand": (
        "so ist es; schwach: was nur vermerkt ist, etwa wo die Zauberlehrlinge stehen"
    ),
    "slow pulse": "langsames Pulsieren",
    "this may be done: whose turn it is, where a pawn may end": (
        "das geht jetzt: wer am Zug ist, wo ein Zauberlehrling ankommen kann"
    ),
    "fast blink": "schnelles Blinken",
    "banished, captured; at a start with its seat: something has to be told": (
        "verbannt, gefangen; an einem Start mit seinem Platz: Hier fehlt eine Angabe"
    ),
    "double blink": "Doppelblitz",
    "taken along, won; at all cities: something is out of order": (
        "mitgenommen, gewonnen; an allen Städten: etwas ist gestört"
    ),
    "comet": "Komet",
    "under way, or not confirmed yet; backwards: it will be taken back": (
        "unterwegs oder noch nicht bestätigt; rückwärts: wird zurückgenommen"
    ),
    "A short press of a seat's button brings up the next choice, holding it confirms. The buzzer "
    "sounds when all have placed a barrel and when somebody has won, and never for a warning.": (
        "Ein kurzer Druck auf den Knopf am Platz zeigt die nächste Wahl, ein langer bestätigt. Der "
        "Summer tönt, wenn alle ein Fass gewählt haben und wenn jemand gewonnen hat, und nie zur "
        "Warnung."
    ),
    "Each seat has a quarter of the ring: the six fields clockwise from its start. What is counted "
    "there goes on in its city, the seventh.": (
        "Jeder Platz hat ein Viertel des Rings: die sechs Felder im Uhrzeigersinn ab seinem Start. "
        "Was dort gezählt wird, geht in seiner Stadt weiter, der siebten."
    ),
    "Violet and white have no lights of their own. When it is their turn, a light goes round the "
    "four cities, clockwise for violet, the other way for white: quickly where something has to be "
    "told, dimly if they win the trick so far. What they have opened only a phone shows.": (
        "Violett und Weiß haben keine eigenen Lichter. Sind sie dran, läuft ein Licht um die vier "
        "Städte, für Violett im Uhrzeigersinn, für Weiß andersherum: schnell, wo etwas anzusagen "
        "ist, schwach, wenn sie bisher den Stich gewinnen. Was sie geöffnet haben, zeigt nur ein "
        "Handy."
    ),
    "This page and its pictures are made by `rappelwacht lights --svg hardware/lights`; every "
    "picture is what the lights really show at a table that is made up.": (
        "Diese Seite und ihre Bilder macht `rappelwacht lights --svg hardware/lights`; jedes Bild "
        "ist, was die Lichter an einem erdachten Tisch wirklich zeigen."
    ),
    "pattern": "Muster",
    "what it means": "was es heißt",
    "scene": "Szene",
    "how to tell it without colour": "woran man es ohne Farbe erkennt",
}

COMMAND: Final = {
    "{program} lights       what the lights of the board mean": (
        "{program} lights        was die Lichter des Bretts bedeuten"
    ),
    "Show what the lights of the board say, scene after scene.": (
        "Zeigt, was die Lichter des Bretts sagen, Szene für Szene."
    ),
    "SCENE": "SZENE",
    "only this one, until Ctrl-C": "nur diese, bis Strg-C",
    "only the names of the scenes": "nur die Namen der Szenen",
    "one picture each, which does not move": "je ein Bild, das sich nicht bewegt",
    "FOLDER": "ORDNER",
    "write a picture of each scene there, and a page about them beside it": (
        "dorthin ein Bild jeder Szene schreiben, daneben eine Seite darüber"
    ),
    "{count} files are written, the page is {file}.": (
        "{count} Dateien sind geschrieben, die Seite ist {file}."
    ),
    "There is no scene '{name}'; there are {names}.": (
        "Es gibt keine Szene „{name}“; es gibt {names}."
    ),
    "{file} cannot be written ({reason}); name a folder of yours.": (
        "{file} kann nicht geschrieben werden ({reason}); nenne einen Ordner, der dir gehört."
    ),
    "seat": "Platz",
}

LIGHTS: Final = SCENES | GAMES | PAGE | COMMAND
