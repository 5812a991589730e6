"""What the stoppers make known, and what is wrong with them, in German."""

from typing import Final

AILMENTS: Final = {
    "{stopper:=Stopper|A stopper} speaks another version of the link and is not understood; flash "
    "it anew. All others play on.": (
        "{stopper:=Stopfen|Ein Stopfen} spricht eine andere Fassung der Funksprache und wird nicht "
        "verstanden; spiele seine Firmware neu auf. Alle anderen spielen weiter."
    ),
    "The firmware of {stopper:=stopper|a stopper} does not quite fit this program; flash it "
    "anew.": (
        "Die Firmware {stopper:=von Stopfen|eines Stopfens} passt nicht ganz zu diesem Programm; "
        "spiele sie neu auf."
    ),
    "{stopper:=Stopper|A stopper} says what cannot be, and that is not believed; switch it off and "
    "on, and if that does not help, flash it anew. All others play on.": (
        "{stopper:=Stopfen|Ein Stopfen} sagt, was nicht sein kann, und das wird nicht geglaubt; "
        "schalte ihn aus und wieder ein, und wenn das nicht hilft, spiele ihn neu auf. Alle "
        "anderen spielen weiter."
    ),
    "{stopper:=Stopper|A stopper} says nothing any more; charge it, or bring it nearer to the hub. "
    "Until then people tap what it does.": (
        "{stopper:=Stopfen|Ein Stopfen} sagt nichts mehr; lade ihn auf oder bringe ihn näher an "
        "den Hub. Bis dahin tippt ein, was er tut."
    ),
    "The battery of {stopper:=stopper|a stopper} is nearly empty; charge it.": (
        "Der Akku {stopper:=von Stopfen|eines Stopfens} ist fast leer; lade ihn auf."
    ),
    "{stopper:=Stopper|A stopper} has started in somebody's hand; stand it on the table for a "
    "second.": (
        "{stopper:=Stopfen|Ein Stopfen} ist in jemandes Hand neu gestartet; stelle ihn eine "
        "Sekunde auf den Tisch."
    ),
    "{stopper:=Stopper|A stopper} starts again and again; look for a loose wire at its battery.": (
        "{stopper:=Stopfen|Ein Stopfen} startet immer wieder neu; suche nach einem lockeren Draht "
        "an seinem Akku."
    ),
    "Some of what {stopper:=stopper|a stopper} says is lost; bring the hub nearer, or take away "
    "what stands between.": (
        "Von dem, was {stopper:=Stopfen|ein Stopfen} sagt, geht etwas verloren; stelle den Hub "
        "näher heran oder räume weg, was dazwischen steht."
    ),
    "The motion sensor of {stopper:=stopper|a stopper} does not answer; look at its four wires. "
    "Until then nobody is suspected of peeking with it.": (
        "Der Bewegungssensor {stopper:=von Stopfen|eines Stopfens} antwortet nicht; sieh nach "
        "seinen vier Drähten. Bis dahin wird niemand verdächtigt, mit ihm zu spicken."
    ),
    "The motion sensor of {stopper:=stopper|a stopper} always shows the same; switch the stopper "
    "off and on, and if that does not help, change the sensor.": (
        "Der Bewegungssensor {stopper:=von Stopfen|eines Stopfens} zeigt immer dasselbe; schalte "
        "den Stopfen aus und wieder ein, und wenn das nicht hilft, tausche den Sensor."
    ),
    "The motion sensor of {stopper:=stopper|a stopper} is at the end of its range; shake it less "
    "hard, or, if nobody shakes it, change the sensor.": (
        "Der Bewegungssensor {stopper:=von Stopfen|eines Stopfens} ist am Ende seines "
        "Messbereichs; schüttle weniger fest, oder, wenn niemand schüttelt, tausche den Sensor."
    ),
    "{stopper:=Stopper|A stopper} has another motion sensor than it should; put in an LIS2DW12.": (
        "{stopper:=Stopfen|Ein Stopfen} hat einen anderen Bewegungssensor, als er soll; baue einen "
        "LIS2DW12 ein."
    ),
    "{stopper:=Stopper|A stopper} has another converter at its load cell than it should; put in an "
    "NAU7802.": (
        "{stopper:=Stopfen|Ein Stopfen} hat an seiner Wägezelle einen anderen Wandler, als er "
        "soll; baue einen NAU7802 ein."
    ),
    "{stopper:=Stopper|A stopper} reaches none of its sensors; look whether a wire or some solder "
    "joins SDA or SCL with something else.": (
        "{stopper:=Stopfen|Ein Stopfen} erreicht keinen seiner Sensoren; sieh nach, ob ein Draht "
        "oder etwas Lötzinn SDA oder SCL mit etwas anderem verbindet."
    ),
    "The program of {stopper:=stopper|a stopper} had stopped and was started anew; if it happens "
    "again, flash it anew.": (
        "Das Programm {stopper:=von Stopfen|eines Stopfens} war stehen geblieben und wurde neu "
        "gestartet; passiert es noch einmal, spiele es neu auf."
    ),
    "The load cell of {stopper:=stopper|a stopper} does not answer: look at the four wires to its "
    "converter; until then people tap who placed it.": (
        "Die Wägezelle {stopper:=von Stopfen|eines Stopfens} antwortet nicht: Sieh nach den vier "
        "Drähten zu ihrem Wandler; bis dahin tippt ein, wer ihn hingestellt hat."
    ),
    "The load cell of {stopper:=stopper|a stopper} always shows the same: look whether the foot "
    "ring moves freely, and whether the cell's wires hold.": (
        "Die Wägezelle {stopper:=von Stopfen|eines Stopfens} zeigt immer dasselbe: Sieh nach, ob "
        "der Fußring sich frei bewegt und ob die Drähte der Zelle halten."
    ),
    "The load cell of {stopper:=stopper|a stopper} is at the end of its range: look for a broken "
    "wire at the cell, or for something that wedges the foot ring.": (
        "Die Wägezelle {stopper:=von Stopfen|eines Stopfens} ist am Ende ihres Messbereichs: Suche "
        "nach einem gebrochenen Draht an der Zelle oder nach etwas, das den Fußring verklemmt."
    ),
    "The load cell of {stopper:=stopper|a stopper} is never quiet: look for a loose wire, and for "
    "something that touches the foot ring.": (
        "Die Wägezelle {stopper:=von Stopfen|eines Stopfens} ist nie ruhig: Suche nach einem "
        "lockeren Draht und nach etwas, das den Fußring berührt."
    ),
    "The load cell of {stopper:=stopper|a stopper} drifts: let it stand for ten minutes to warm "
    "up; if it goes on, the cell was overloaded or its glue gives way, and it needs a new one.": (
        "Die Wägezelle {stopper:=von Stopfen|eines Stopfens} wandert: Lass ihn zehn Minuten "
        "stehen, damit er warm wird; hört es nicht auf, war die Zelle überlastet oder ihr Kleber "
        "gibt nach, und er braucht eine neue."
    ),
}

ENROLMENT: Final = {
    "Lift these barrels for a second, one by one, and set them down again.": (
        "Hebe diese Fässer eines nach dem anderen eine Sekunde lang an und stelle sie wieder hin."
    ),
    "The weights do not tell these barrels apart: enter the number under the first of them.": (
        "Die Gewichte unterscheiden diese Fässer nicht: Gib die Zahl unter dem ersten davon ein."
    ),
    "These barrels fit no number: count their stones, and look whether each has its own stopper; "
    "then lift them again, or enter their numbers if all is as it should be.": (
        "Diese Fässer passen zu keiner Zahl: Zähle ihre Steine und sieh nach, ob jedes seinen "
        "eigenen Stopfen hat; dann hebe sie noch einmal an, oder gib ihre Zahlen ein, wenn alles "
        "ist, wie es sein soll."
    ),
    "Nearly all of these barrels fit no number, as if empty ones weighed something else: stop, and "
    "weigh them empty first, or write what one weighs as empty_g under [barrels] in table.toml.": (
        "Fast alle diese Fässer passen zu keiner Zahl, als wögen leere etwas anderes: Brich ab und "
        "wiege sie zuerst leer, oder schreib als empty_g unter [barrels] in table.toml, was eines "
        "wiegt."
    ),
    "All barrels are known.": "Alle Fässer sind bekannt.",
    "This calibration is damaged, perhaps by a power cut.": (
        "Diese Kalibrierung ist beschädigt, vielleicht durch einen Stromausfall."
    ),
    "This is not a calibration of Rappelwacht.": "Das ist keine Kalibrierung von Rappelwacht.",
    "This calibration was saved by a newer Rappelwacht: update this one to use it.": (
        "Diese Kalibrierung hat eine neuere Rappelwacht gespeichert: Aktualisiere diese, um sie zu "
        "benutzen."
    ),
    "This calibration says what cannot be, as if it had been changed by hand.": (
        "Diese Kalibrierung sagt, was nicht sein kann, als wäre sie von Hand geändert worden."
    ),
}

WORDS: Final = {  # of enums, by their class and name
    "Doing.UNKNOWN": "unbekannt",
    "Doing.STANDING": "steht",
    "Doing.LIFTED": "in der Hand",
    "Doing.SHAKEN": "wird geschüttelt",
    "Doing.TILTED": "wird gekippt",
    "Doing.FLIPPED": "umgedreht",
    "Doing.LOST": "verstummt",
    "Foul.PEEK": "gespickt",
    "Foul.TOO_MANY_IN_HAND": "zu viele Fässer in der Hand",
    "Foul.PLACED_BACK": "gewähltes Fass zurückgestellt",
    "Foul.STILL_SHAKING": "nach der Wahl weitergeschüttelt",
    "Foul.SECOND_PLACED": "zweites Fass gewählt",
    "Foul.EARLY_FLIP": "zu früh umgedreht",
    "Weight.WARNING": "Warnung",
    "Weight.FOUL": "Foul",
    "Weight.WITHDRAWN": "zurückgenommen",
}
