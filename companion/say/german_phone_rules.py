"""The rules in the manual, and what its pictures show, in German."""

from typing import Final

RULES: Final = {
    "Manual": "Anleitung",
    "In this manual": "In dieser Anleitung",
    "How to play": "So wird gespielt",
    "Other ways to play": "Andere Spielweisen",
    "What is forbidden": "Was verboten ist",
    "What cannot be noticed": "Was niemand merken kann",
    "Buttons and phones": "Knöpfe und Handys",
    "How to build the table": "So baut ihr den Tisch",
    "When something fails": "Wenn etwas nicht klappt",
    "Three apprentices of each guild want to go once around the mountain and into their own city. "
    "Whoever brings the third one home wins, and the game ends at once.": (
        "Drei Zauberlehrlinge jeder Zunft wollen einmal um den Berg herum und in ihre eigene "
        "Stadt. Wer den dritten heimbringt, gewinnt, und das Spiel ist sofort zu Ende."
    ),
    "The way is a ring of 24 fields, and everybody walks clockwise. Each colour joins the ring on "
    "its own entry field, the first after its start, and leaves it from the field before its "
    "city.": (
        "Der Weg ist ein Ring aus 24 Feldern, und alle gehen im Uhrzeigersinn. Jede Farbe betritt "
        "den Ring auf ihrem eigenen Einstiegsfeld gleich nach dem Start und verlässt ihn vom Feld "
        "vor ihrer Stadt."
    ),
    "Most fields have one colour and protect the apprentices of that colour. The others show two "
    "castles.": (
        "Die meisten Felder haben eine Farbe und schützen die Zauberlehrlinge dieser Farbe. Die "
        "anderen zeigen zwei Burgen."
    ),
    "Thirteen barrels hold 1 to 13 stones. The number stands underneath, where nobody may look: "
    "you choose by ear.": (
        "In dreizehn Fässern stecken 1 bis 13 Steine. Die Zahl steht unten, wo niemand hinsehen "
        "darf: Ihr wählt nach Gehör."
    ),
    "First: the magic number": "Zuerst: die magische Zahl",
    "Somebody rolls both dice. Their sum, 2 to 12, is the magic number of this round, the same for "
    "all. Who rolls is free; clockwise is a good habit.": (
        "Jemand wirft beide Würfel. Ihre Summe, 2 bis 12, ist die magische Zahl dieser Runde, für "
        "alle dieselbe. Wer würfelt, ist egal; am besten reihum im Uhrzeigersinn."
    ),
    "Then: shake and choose": "Dann: schütteln und wählen",
    "All shake at the same time. Take barrels, at most two in your hands, listen, put them back, "
    "try others. You want as many stones as possible, but not more than the magic number.": (
        "Alle schütteln gleichzeitig. Nimm Fässer, höchstens zwei in den Händen, horch, stell sie "
        "zurück, versuch andere. Du willst möglichst viele Steine, aber nicht mehr als die "
        "magische Zahl."
    ),
    "Once you have decided, stand one barrel in front of you. With that you are done: no more "
    "shaking, no changing. What others hold or have placed stays theirs.": (
        "Hast du dich entschieden, stell ein Fass vor dich. Damit bist du fertig: kein Schütteln "
        "mehr, kein Tauschen. Was andere halten oder gewählt haben, bleibt bei ihnen."
    ),
    "Nobody looks underneath. Shaking may tilt a barrel as it likes; holding it still and so far "
    "over that the number can be read is peeking.": (
        "Niemand schaut darunter. Beim Schütteln darf ein Fass kippen, wie es will; es still und "
        "so schräg zu halten, dass man die Zahl lesen kann, ist Spicken."
    ),
    "All together: flip": "Alle zusammen: umdrehen",
    "When all have placed a barrel, all turn theirs over and say the number. Up to the magic "
    "number the spell works. Above it, the spell fails: the barrel goes straight back, and its "
    "player sits this round out.": (
        "Haben alle ein Fass vor sich stehen, drehen alle um und nennen die Zahl. Bis zur "
        "magischen Zahl wirkt der Zauber. Darüber misslingt er: Das Fass geht sofort zurück, und "
        "sein Spieler setzt diese Runde aus."
    ),
    "1 always works, 13 never does.": "Die 1 wirkt immer, die 13 nie.",
    "Last: move": "Zuletzt: ziehen",
    "Those whose spell works move, the greatest number first. Each moves one own apprentice "
    "exactly that many fields and returns the barrel. No number is there twice, so nobody ever "
    "ties.": (
        "Wessen Zauber wirkt, der zieht, die größte Zahl zuerst: mit einem eigenen Zauberlehrling "
        "genau so viele Felder weit. Danach kommt das Fass zurück. Keine Zahl gibt es zweimal, "
        "also ist die Reihenfolge immer klar."
    ),
    "Never backwards, never past the own city, never into a foreign one, and never shared between "
    "two apprentices. Any number of apprentices may stand on one field. Whoever enters the city "
    "lets the points lapse that are left over.": (
        "Nie rückwärts, nie an der eigenen Stadt vorbei, nie in eine fremde, und nie auf zwei "
        "Zauberlehrlinge verteilt. Auf einem Feld dürfen beliebig viele stehen. Wer in die Stadt "
        "kommt, lässt übrige Punkte verfallen."
    ),
    "Banish": "Verbannen",
    "Whom you overtake, or catch up with on the field where you end, has to go back to its start, "
    "unless it stands on a field of its own colour.": (
        "Wen du überholst oder auf deinem Zielfeld einholst, der muss zurück an seinen Start – es "
        "sei denn, er steht auf einem Feld seiner eigenen Farbe."
    ),
    "Your own apprentices are never banished, nor is anybody on the field where you began.": (
        "Eigene Zauberlehrlinge werden nie verbannt, und auch niemand auf dem Feld, von dem du "
        "losgehst."
    ),
    "Whoever comes from the start banishes nobody in that whole move.": (
        "Wer vom Start kommt, verbannt im ganzen Zug niemanden."
    ),
    "Whoever enters the city banishes on all fields that were passed on the way.": (
        "Wer in die Stadt zieht, verbannt auf allen Feldern, über die der Weg führt."
    ),
    "After that all barrels are mixed, and the next round begins.": (
        "Danach werden alle Fässer gemischt, und die nächste Runde beginnt."
    ),
    "Without mixing": "Ohne Mischen",
    "The barrels go back to the plateau but are not mixed: a good memory becomes as precious as "
    "good ears.": (
        "Die Fässer kommen zurück aufs Plateau, werden aber nicht gemischt: Ein gutes Gedächtnis "
        "ist dann so viel wert wie gute Ohren."
    ),
    "Overlooked banishments": "Übersehene Verbannungen",
    "The mover must name whom it banishes. Whoever is not named was lucky and stays; the lights "
    "give no hint until the move is confirmed.": (
        "Wer zieht, muss nennen, wen er verbannt. Wer nicht genannt wird, hat Glück und bleibt; "
        "die Lichter verraten nichts, bis der Zug bestätigt ist."
    ),
    "Profi version": "Profi-Version",
    "Castle fields become take-along fields. An apprentice on a castle of its own colour cannot be "
    "banished there; on a castle of two other colours it can.": (
        "Burgfelder werden zu Mitnahmefeldern. Auf einer Burg der eigenen Farbe kann ein "
        "Zauberlehrling nicht verbannt werden; auf einem Burgfeld mit zwei anderen Farben schon."
    ),
    "When you overtake apprentices on castles of their own colour, your own ones too, you may take "
    "any of them along to the field where you end, also when you come from the start. Not from the "
    "field where you began, and not from the one where you end.": (
        "Überholst du Zauberlehrlinge auf Burgen ihrer Farbe, auch eigene, darfst du beliebige von "
        "ihnen auf dein Zielfeld mitnehmen, auch wenn du vom Start kommst. Nicht von dem Feld, von "
        "dem du losgehst, und nicht von dem, auf dem du ankommst."
    ),
    "If you enter your city, your own ones enter with you and count; others stop on the field "
    "before it. Whoever is carried past its own city owes another lap. Whoever is taken along is "
    "not banished by the same move.": (
        "Ziehst du in deine Stadt, kommen eigene mit hinein und zählen; fremde bleiben auf dem "
        "Feld davor stehen. Wer an der eigenen Stadt vorbeigetragen wird, muss noch eine Runde "
        "laufen. Wer mitgenommen wird, wird vom selben Zug nicht verbannt."
    ),
    "A ring of your own": "Ein eigener Ring",
    "Two rings are prepared, and you can paint your own: in the set-up, by tapping its fields.": (
        "Zwei Ringe sind vorbereitet, und ihr könnt einen eigenen malen: in den Einstellungen zur "
        "Partie, indem ihr auf seine Felder tippt."
    ),
}

PICTURES: Final = {
    "Two dice show 3 and 5: the magic number is 8.": (
        "Zwei Würfel zeigen 3 und 5: Die magische Zahl ist 8."
    ),
    "Two barrels are shaken, one in each hand.": (
        "Zwei Fässer werden geschüttelt, eines in jeder Hand."
    ),
    "Left: a barrel leans a little, which is fine. Right: it is tilted far and held still, so that "
    "an eye can read its number.": (
        "Links lehnt ein Fass ein wenig, das ist in Ordnung. Rechts wird es weit gekippt und still "
        "gehalten, sodass ein Auge die Zahl lesen kann."
    ),
    "A barrel is turned over; now its number 7 can be read.": (
        "Ein Fass wird umgedreht; jetzt ist seine Zahl 7 zu lesen."
    ),
    "An apprentice walks five fields, clockwise.": (
        "Ein Zauberlehrling geht fünf Felder weit, im Uhrzeigersinn."
    ),
    "Red overtakes blue, which must go back to its start. Yellow stands on a field of its own "
    "colour and stays.": (
        "Rot überholt Blau, und Blau muss zurück zum Start. Gelb steht auf einem Feld seiner Farbe "
        "und bleibt."
    ),
    "Green overtakes red on a castle of its colour and takes it along to the field where it "
    "ends.": (
        "Grün überholt Rot auf einer Burg in dessen Farbe und nimmt es auf sein Zielfeld mit."
    ),
    "A button with its light: pressed for a moment, and held.": (
        "Ein Knopf mit seinem Licht: kurz gedrückt und lange gehalten."
    ),
}
