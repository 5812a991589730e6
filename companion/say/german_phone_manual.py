"""The manual beside the rules, in German."""

from typing import Final

from companion.say.german_phone_rules import PICTURES, RULES

FOULS: Final = {
    "Rappelwacht accuses nobody. It shows what it noticed and how sure it is; you look at it "
    "together, and you decide.": (
        "Rappelwacht beschuldigt niemanden. Es zeigt, was es bemerkt hat und wie sicher es ist; "
        "ihr schaut es euch gemeinsam an, und ihr entscheidet."
    ),
    "Peeking": "Spicken",
    "A barrel is held nearly still and so far past 60° that its number is in sight. A quarter of a "
    "second is a warning: a soft light that points at nobody. Half a second is shown as a foul, "
    "with a chart of how the barrel was held.": (
        "Ein Fass wird fast still und so weit über 60° hinaus gehalten, dass seine Zahl zu sehen "
        "ist. Eine Viertelsekunde ist eine Warnung: ein sanftes Licht, das auf niemanden zeigt. "
        "Eine halbe Sekunde wird als Regelverstoß gezeigt, mit einem Bild davon, wie das Fass "
        "gehalten wurde."
    ),
    "More than two in one player's hands": "Mehr als zwei in den Händen",
    "More barrels are lifted than those who still choose can hold.": (
        "Es sind mehr Fässer in der Luft, als die halten können, die noch wählen."
    ),
    "Putting a placed barrel back": "Ein gewähltes Fass zurückstellen",
    "The pad of the seat opens, and that barrel is lifted.": (
        "Das Pad am Platz geht auf, und dieses Fass ist in der Luft."
    ),
    "Shaking on after placing": "Weiterschütteln nach der Wahl",
    "Placing a second barrel": "Ein zweites Fass wählen",
    "Another barrel is set down while the first still stands on the pad.": (
        "Ein anderes Fass wird abgestellt, während das erste noch auf dem Pad steht."
    ),
    "Flipping too early": "Zu früh umdrehen",
    "A barrel is turned over before all have placed one.": (
        "Ein Fass wird umgedreht, bevor alle eines gewählt haben."
    ),
    "Snatching a barrel from others": "Anderen ein Fass wegnehmen",
    "No sensor knows it: you call it, on the phone.": (
        "Das weiß kein Sensor: Ihr meldet es am Handy."
    ),
    "Peeking is only forbidden from the magic number until the last barrel is placed; turning "
    "barrels over after that is the game. What an upheld foul costs, you agree on before the "
    "match: nothing, the rest of the round, or the barrel goes back.": (
        "Spicken ist nur von der magischen Zahl bis zum letzten gewählten Fass verboten; danach "
        "gehört das Umdrehen zum Spiel. Was ein bestätigter Verstoß kostet, macht ihr vor der "
        "Partie aus: nichts, den Rest der Runde, oder das Fass geht zurück."
    ),
    "A barrel above eye level: from below, its number can be read while it stands quite upright.": (
        "Ein Fass über Augenhöhe: Von unten lässt sich die Zahl lesen, während es ganz aufrecht "
        "ist."
    ),
    "A glimpse in the midst of shaking: hard shaking tilts a barrel again and again, and nobody "
    "can tell a look from a shake.": (
        "Ein Blick mitten im Schütteln: Wer kräftig schüttelt, kippt das Fass immer wieder, und "
        "ein Blick ist davon nicht zu unterscheiden."
    ),
    "Whose hand holds a barrel: a stopper feels that it is lifted, not by whom. Whose it was is "
    "known once it is placed.": (
        "Wessen Hand ein Fass hält: Ein Stopfen spürt, dass er angehoben ist, nicht von wem. Wem "
        "es gehörte, zeigt sich, sobald es gewählt ist."
    ),
    "Whether anybody looked: the number may be in sight while all eyes are elsewhere. That is why "
    "you decide.": (
        "Ob jemand hingesehen hat: Die Zahl kann zu sehen sein, während alle woandershin schauen. "
        "Darum entscheidet ihr."
    ),
    "Three barrels in one player's hands, while others hold fewer than two.": (
        "Drei Fässer bei einem Spieler, solange andere weniger als zwei halten."
    ),
    "Until the flip, the companion itself does not ask which number a barrel bears. No light, no "
    "sound and no phone can tell you, not even by mistake.": (
        "Bis zum Umdrehen fragt Rappelwacht selbst nicht danach, welche Zahl ein Fass trägt. Kein "
        "Licht, kein Ton und kein Handy kann es verraten, auch nicht aus Versehen."
    ),
    "All this was measured at a simulated table with simulated hands. Nobody has built a real one "
    "yet; what it can tell there, and how surely, remains to be seen.": (
        "All das wurde an einem simulierten Tisch mit simulierten Händen gemessen. Gebaut hat ihn "
        "noch niemand; was er wirklich merkt und wie sicher, muss sich zeigen."
    ),
}

TABLE: Final = {
    "A short press brings up your next choice, and the lights show it. A long press, about a "
    "second, confirms it. The last choice is always to take back.": (
        "Ein kurzer Druck bringt deine nächste Wahl, und die Lichter zeigen sie. Ein langer Druck, "
        "etwa eine Sekunde, bestätigt sie. Die letzte Wahl ist immer: zurücknehmen."
    ),
    "Before a match a short press joins or leaves, and a long one begins: two are enough.": (
        "Vor einer Partie meldet ein kurzer Druck dich an oder ab, und ein langer beginnt: Zwei "
        "genügen."
    ),
    "A whole game can be played with the buttons alone: roll, placed, flip, the number, the "
    "apprentice, and what the table thinks of a foul. A phone can do all of that too; everybody "
    "may watch, and whoever joins may act.": (
        "Eine ganze Partie geht mit den Knöpfen allein: Würfeln, Gewählt, Umdrehen, die Zahl, der "
        "Zauberlehrling, und was der Tisch von einem Verstoß hält. Ein Handy kann das alles auch; "
        "zuschauen dürfen alle, und wer mitmacht, darf handeln."
    ),
    "The same meaning always moves the same way, so nobody has to tell colours apart, and nothing "
    "flashes more than three times a second.": (
        "Gleiches bewegt sich immer gleich, also muss niemand Farben unterscheiden, und nichts "
        "blitzt öfter als dreimal in der Sekunde."
    ),
    "The buzzer sounds when all have placed a barrel and when somebody has won, and never for a "
    "warning.": (
        "Der Summer tönt, wenn alle ein Fass gewählt haben und wenn jemand gewonnen hat, und nie "
        "zur Warnung."
    ),
    "All scenes, with an example of each": "Alle Szenen, jede mit einem Beispiel",
    "You need nothing but a computer to begin, and can add part after part. What is missing is "
    "replaced by a tap on a phone, also when it fails in the middle of a game.": (
        "Zum Anfangen genügt ein Computer, und ihr könnt Teil um Teil dazubauen. Was fehlt, "
        "ersetzt ein Tippen am Handy, auch wenn es mitten im Spiel ausfällt."
    ),
    "Stage 1: phones only": "Stufe 1: nur Handys",
    "A Raspberry Pi 3, 4, 5 or Zero 2 W, or any laptop, and phones in the same Wi-Fi. You tap what "
    "the dice show, that you have placed a barrel, and what it bears after the flip. The companion "
    "knows the rules, counts, and writes everything down.": (
        "Ein Raspberry Pi 3, 4, 5 oder Zero 2 W oder irgendein Laptop, und Handys im selben WLAN. "
        "Ihr tippt, was die Würfel zeigen, dass ihr gewählt habt, und welche Zahl nach dem "
        "Umdrehen dasteht. Rappelwacht kennt die Regeln, zählt und schreibt alles auf."
    ),
    "Stage 2: lights, buttons and pads": "Stufe 2: Lichter, Knöpfe und Pads",
    "A light board under the ring: 24 fields, 4 starts and 4 cities, 32 coloured lights on one "
    "driver chip IS31FL3729. At each seat a button, a light, and a pad: a switch or a reflex "
    "sensor under the coaster on which the chosen barrel is placed. One buzzer for all.": (
        "Ein Lichtbrett unter dem Ring: 24 Felder, 4 Starts und 4 Städte, 32 farbige Lichter an "
        "einem Treiberchip IS31FL3729. An jedem Platz ein Knopf, ein Licht und ein Pad: ein "
        "Schalter oder Reflexsensor unter dem Untersetzer, auf den das gewählte Fass kommt. Ein "
        "Summer für alle."
    ),
    "Now the table sees who has placed a barrel, shows where apprentices may go and who would be "
    "banished, and a game can be played without any phone. Which wire goes to which pin, you write "
    "into the file of the table.": (
        "Jetzt sieht der Tisch, wer gewählt hat, zeigt, wohin Zauberlehrlinge ziehen können und "
        "wer verbannt würde, und eine Partie geht ganz ohne Handy. Welcher Draht an welchem Pin "
        "liegt, schreibt ihr in die Datei des Tisches."
    ),
    "Stage 3: smart stoppers": "Stufe 3: kluge Stopfen",
    "Thirteen stoppers, each with a small ESP32-C3, a motion sensor LIS2DW12, a load cell with an "
    "NAU7802 between foot ring and stopper, and a 100 mAh cell; and a hub, an ESP32-S3 on the USB "
    "of the Pi.": (
        "Dreizehn Stopfen, jeder mit einem kleinen ESP32-C3, einem Bewegungssensor LIS2DW12, einer "
        "Wägezelle mit NAU7802 zwischen Fußring und Stopfen und einem Akku mit 100 mAh; dazu ein "
        "Hub, ein ESP32-S3 am USB des Pi."
    ),
    "Sink the label with the number into the foot by half its opening, so that it cannot be read "
    "before the barrel is tilted by about 60°. Fill the barrels with steel balls of 4 mm or more: "
    "with smaller ones the weights are too much alike, and you will be asked for numbers.": (
        "Versenkt das Schild mit der Zahl um die halbe Öffnung im Fuß, damit man es erst lesen "
        "kann, wenn das Fass etwa 60° gekippt ist. Füllt die Fässer mit Stahlkugeln ab 4 mm: Bei "
        "kleineren sind die Gewichte zu ähnlich, und ihr werdet nach Zahlen gefragt."
    ),
    "Part list, drawings and guide are in the folder hardware. Nobody has built the table yet; "
    "firmware and drivers run against models of the chips.": (
        "Teileliste, Zeichnungen und Anleitung liegen im Ordner hardware. Gebaut hat den Tisch "
        "noch niemand; Firmware und Treiber laufen gegen Modelle der Chips."
    ),
    "Put the firmware on hub and stoppers as the folder firmware explains, in five commands each. "
    "Then open the workshop and enrol all thirteen: lift each barrel once, and the weights tell "
    "which is which.": (
        "Bringt die Firmware auf Hub und Stopfen, wie es im Ordner firmware steht, je fünf "
        "Befehle. Dann öffnet die Werkstatt und lernt alle dreizehn an: Jedes Fass einmal "
        "anheben, und die Gewichte sagen, welches welches ist."
    ),
    "To the workshop": "Zur Werkstatt",
}

HELP: Final = {
    "Something was entered wrongly": "Etwas wurde falsch eingegeben",
    "Take it back, on the phone or with a button; several steps, one after another. A wrong number "
    "or roll from before can be put right on the table page, and what followed is played again "
    "from there.": (
        "Nehmt es zurück, am Handy oder mit einem Knopf, auch mehrere Schritte nacheinander. Eine "
        "falsche Zahl oder ein falscher Wurf von vorhin lässt sich auf der Tischseite berichtigen; "
        "was folgte, wird von da an neu gerechnet."
    ),
    "The apprentices stand otherwise than shown": "Die Zauberlehrlinge stehen anders als gezeigt",
    "Put them right on the board, or tell the companion where they really stand: on the table "
    "page, under what is wrong.": (
        "Stellt sie auf dem Brett richtig, oder sagt Rappelwacht, wo sie wirklich stehen: auf der "
        "Tischseite, unter dem, was nicht stimmt."
    ),
    "The power was cut": "Der Strom war weg",
    "Switch on again. The match goes on where it was: everything is written down before anybody "
    "hears of it.": (
        "Schaltet wieder ein. Die Partie geht weiter, wo sie war: Alles wird aufgeschrieben, bevor "
        "jemand davon erfährt."
    ),
    "A phone does not follow any more": "Ein Handy kommt nicht mehr mit",
    "It says when it last heard of the table, and calls again by itself. Look whether it is still "
    "in the same Wi-Fi.": (
        "Es zeigt, wann es zuletzt vom Tisch gehört hat, und meldet sich von selbst wieder. "
        "Schaut, ob es noch im selben WLAN ist."
    ),
    "A barrel or a pad is not noticed": "Ein Fass oder ein Pad wird nicht bemerkt",
    "Tap it on the phone; the game waits for nobody else. A stopper that has fallen silent wants "
    "to be charged, or nearer to the hub.": (
        "Tippt es am Handy; das Spiel wartet auf nichts anderes. Ein verstummter Stopfen will "
        "geladen werden oder näher an den Hub."
    ),
    "A start and its seat blink fast": "Ein Start und sein Platz blinken schnell",
    "Two barrels were set down at nearly the same moment, and nobody is sure which one stands "
    "there. A press or a tap settles it.": (
        "Zwei Fässer wurden fast im selben Moment abgestellt, und es ist nicht sicher, welches da "
        "steht. Ein Druck oder ein Tippen klärt es."
    ),
    "The hub was unplugged": "Der Hub war ausgesteckt",
    "Plug it in again, wherever you like: it is recognised by its own name, not by the socket.": (
        "Steckt ihn wieder ein, egal wo: Er wird an seinem Namen erkannt, nicht an der Buchse."
    ),
    "The card is full or damaged": "Die Karte ist voll oder beschädigt",
    "Play goes on and a warning stays in sight. Make room, or change the card after the game; what "
    "was written stays.": (
        "Das Spiel geht weiter, und eine Warnung bleibt stehen. Schafft Platz oder tauscht die "
        "Karte nach dem Spiel; was geschrieben ist, bleibt."
    ),
    "All four cities flash twice, every few seconds": (
        "Alle vier Städte blitzen alle paar Sekunden zweimal"
    ),
    "Some part of the table does not work. The table page says which, and what to do about it.": (
        "Ein Teil des Tisches geht nicht. Die Tischseite sagt, welcher, und was hilft."
    ),
}

PHONE_MANUAL: Final = RULES | PICTURES | FOULS | TABLE | HELP
