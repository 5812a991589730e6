"""What the table page and the set-up page say, in German, found by the English template."""

from typing import Final

SEATS: Final = {
    "More than one phone has seen the hand of {seat}. If one is not yours, let all go and join "
    "anew.": (
        "Mehrere Handys haben die Hand von {seat} gesehen. War ein fremdes dabei, trennt alle und "
        "macht neu mit."
    ),
    "A phone asks for the seat of {seat}: the seat's button lets it in if it is held for three "
    "seconds. If nobody of you asked, play on as usual.": (
        "Ein Handy möchte den Platz von {seat}: Wird der Knopf des Platzes drei Sekunden lang "
        "gehalten, lässt er es ein. War es keiner von euch, dann spielt einfach weiter."
    ),
    "magic number": "magische Zahl",
    "plays too": "spielt mit",
    "may roll": "darf würfeln",
    "shakes": "schüttelt",
    "has placed": "hat gewählt",
    "flips": "dreht um",
    "shows?": "zeigt?",
    "moves now": "zieht jetzt",
    "is number {place}": "ist {place}. dran",
    "has moved": "hat gezogen",
    "sits out": "setzt aus",
    "has won": "hat gewonnen",
    "which barrel?": "welches Fass?",
    "you": "du",
    "{count} home": "{count} in der Stadt",
}

DOING: Final = {
    "You are watching.": "Du schaust zu.",
    "Join to act": "Mitmachen",
    "Play goes on, but see to this:": "Das Spiel geht weiter, aber schaut danach:",
    "The button of {seat} shows: {offer}. Hold it to confirm.": (
        "Der Knopf von {seat} zeigt: {offer}. Lange drücken bestätigt."
    ),
    "Begin with these {count}": "Mit diesen {count} beginnen",
    "Press the buttons of the seats that play, or choose on this phone who plays and how.": (
        "Drückt die Knöpfe der Plätze, die mitspielen, oder wählt auf diesem Handy, wer mitspielt "
        "und wie."
    ),
    "What do the dice show together?": "Was zeigen die Würfel zusammen?",
    "I have placed my barrel": "Mein Fass steht",
    "{seat}: no, not placed yet": "{seat}: nein, noch nicht gewählt",
    "It is not sure which barrel stands before {seat}. Then its number is read aloud after the "
    "flip.": (
        "Es ist nicht sicher, welches Fass vor {seat} steht. Dann wird seine Zahl nach dem "
        "Umdrehen vorgelesen."
    ),
    "{seat}: that is all right": "{seat}: passt so",
    "Which number does the barrel of {seat} show?": "Welche Zahl zeigt das Fass von {seat}?",
    "Tap a pawn on the board, or choose here:": (
        "Tippe auf dem Spielplan einen Zauberlehrling an, oder wähle hier:"
    ),
    "Nobody is banished by this move.": "Dieser Zug verbannt niemanden.",
    "Who comes along? You may choose.": "Wer kommt mit? Du darfst wählen.",
    "Whom do you banish? Whoever you overlook stays.": (
        "Wen verbannst du? Wen du übersiehst, der bleibt."
    ),
    "{colour}, from its field {step}": "{colour}, von seinem Feld {step}",
    "Confirm this move": "Diesen Zug bestätigen",
    "{seat} can move like this:": "So kann {seat} ziehen:",
    "What happened last": "Was zuletzt geschah",
    "{count} later {count:#action|actions} did not fit any more and {count:#is|are} left out.": (
        "{count} spätere {count:#Aktion hat|Aktionen haben} nicht mehr gepasst und "
        "{count:#fällt|fallen} weg."
    ),
    "Each colour counts its own fields, from the one on which it joins the ring.": (
        "Jede Farbe zählt ihre eigenen Felder, von ihrem Einstiegsfeld an."
    ),
    "What the lights show": "Was die Lichter zeigen",
}

FOULS: Final = {
    "The machine has only seen; you decide.": ("Die Technik hat nur hingesehen; ihr entscheidet."),
    "It lasted {seconds} seconds. The machine has only seen; you decide.": (
        "Es dauerte {seconds} Sekunden. Die Technik hat nur hingesehen; ihr entscheidet."
    ),
    "Somebody at the table has called it; all of you decide.": (
        "Jemand am Tisch hat es gemeldet; ihr alle entscheidet."
    ),
    "If you uphold it, it is noted; in this house it costs nothing.": (
        "Bestätigt ihr den Regelverstoß, wird er notiert; bei eurer Hausregel kostet er nichts."
    ),
    "If you uphold it, the barrel of {seat} goes back.": (
        "Bestätigt ihr den Regelverstoß, geht das Fass von {seat} zurück."
    ),
    "If you uphold it, {seat} sits this round out.": (
        "Bestätigt ihr den Regelverstoß, setzt {seat} in dieser Runde aus."
    ),
    "Uphold: it was a foul": "Bestätigen: ein Regelverstoß",
    "Dismiss: it was none": "Verwerfen: es war keiner",
    "Upheld.": "Bestätigt.",
    "Dismissed.": "Verworfen.",
    "Not decided yet.": "Noch nicht entschieden.",
    "What the sensors saw": "Was die Sensoren sahen",
    "Round {round}: {foul}": "Runde {round}: {foul}",
    "Uphold it": "Bestätigen",
    "Dismiss it": "Verwerfen",
    "Uphold it after all": "Doch bestätigen",
    "Dismiss it after all": "Doch verwerfen",
    "{seats:#The barrel|The barrels} of {seats:and} {seats:#is|are} still upright, say the "
    "sensors.": (
        "{seats:#Das Fass|Die Fässer} von {seats:and} {seats:#steht|stehen} noch aufrecht, sagen "
        "die Sensoren."
    ),
    "They are flipped, and it was not noticed?": "Umgedreht, und es wurde nicht bemerkt?",
    "{count} more to decide": "Noch {count} zu entscheiden",
    "Noted quietly: {count}": "Still notiert: {count}",
    "How far the barrel was tilted over time: at most {degrees}°; readable from {limit}°.": (
        "Wie weit das Fass gekippt war: höchstens {degrees}°; ab {limit}° ist die Zahl lesbar."
    ),
    "How many barrels were in hands over time: at most {count}.": (
        "Wie viele Fässer jeweils in den Händen waren: höchstens {count}."
    ),
    "barrels: solid line in hands, dashed line placed": (
        "Fässer: durchgezogen in Händen, gestrichelt abgestellt"
    ),
    "above the dashed line the underside can be read": (
        "über der gestrichelten Linie lesbar von unten"
    ),
    "tilt; 0° is upright": "Neigung; 0° ist aufrecht",
    "seconds since it began": "Sekunden seit dem Anfang",
    "held still": "stillgehalten",
    "moving": "bewegt",
    "stands": "steht",
    "lifted": "in der Luft",
    "not known": "unbekannt",
}

WRONG: Final = {
    "Something is wrong?": "Stimmt etwas nicht?",
    "Take back": "Zurücknehmen",
    "This is taken back:": "Das wird zurückgenommen:",
    "What was put right last.": "Was zuletzt berichtigt wurde.",
    "The match is given up.": "Die Partie ist aufgegeben.",
    "Take back: {what}": "Nimm zurück: {what}",
    "Taken back: {what}": "Zurückgenommen: {what}",
    "Put right": "Berichtigen",
    "A wrong roll, a wrong number, pawns that stand elsewhere:": (
        "Ein falscher Wurf, eine falsche Zahl, Zauberlehrlinge, die woanders stehen:"
    ),
    "Put something right": "Etwas berichtigen",
    "Call a foul": "Einen Regelverstoß melden",
    "Who?": "Wer?",
    "What?": "Was?",
    "nobody knows": "weiß niemand",
    "Call this foul": "Diesen Verstoß melden",
    "Whatever you change here can be taken back at the table.": (
        "Alles, was ihr hier ändert, lässt sich am Tisch wieder zurücknehmen."
    ),
    "Rolls and numbers": "Würfe und Zahlen",
    "Nothing has been rolled or read yet.": "Noch ist nichts gewürfelt oder vorgelesen.",
    "This is right": "So stimmt es",
    "Tap a pawn, then the place where it truly stands; or choose from the lists.": (
        "Tippe einen Zauberlehrling an, dann den Ort, an dem er wirklich steht; oder wähle in den "
        "Listen."
    ),
    "Pawn {number} of {seat}": "Zauberlehrling {number} von {seat}",
    "So they stand": "So stehen sie",
    "A house ruling": "Was der Tisch entscheidet",
    "Who sits this round out?": "Wer setzt in dieser Runde aus?",
    "Sits out": "Setzt aus",
    "It stays in the history, and nobody has won. This can be taken back, too.": (
        "Sie bleibt im Rückblick, und niemand hat gewonnen. Auch das lässt sich zurücknehmen."
    ),
    "Give it up": "Gib sie auf",
}

OVER: Final = {
    "Best {best:#shaker|shakers}: {best:and}": "Am besten geschüttelt: {best:and}",
    "{rounds} {rounds:#round|rounds} and {moves} {moves:#move|moves}.": (
        "{rounds} {rounds:#Runde|Runden} und {moves} {moves:#Zug|Züge}."
    ),
    "Seat": "Platz",
    "Home": "In der Stadt",
    "Spells": "Zauber",
    "Lost": "Verlust",
    "Banished": "Verbannt",
    "Sent back": "Wurde verbannt",
    "Took along": "Nahm mit",
    "seat unknown": "Platz unbekannt",
    "{foul}, {seat}: {raised} seen or called, {upheld} upheld, {dismissed} dismissed.": (
        "{foul}, {seat}: {raised} gesehen oder gemeldet, {upheld} bestätigt, {dismissed} verworfen."
    ),
    "Spells: how many of them worked. Lost: how many stones each was short of the magic number on "
    "average; a spell that fails loses all of it. Who loses least shakes best.": (
        "Zauber: wie viele gelungen sind. Verlust: wie viele Steine im Schnitt zur magischen Zahl "
        "fehlten; misslingt ein Zauber, ist sie ganz verloren. Wer am wenigsten verliert, "
        "schüttelt am besten."
    ),
    "Another match, the same way": "Noch eine Partie, genauso",
    "Choose anew who plays and how": "Neu wählen, wer mitspielt und wie",
}

BOARD: Final = {
    "The board with all pawns; a list beside it says where each stands.": (
        "Der Spielplan mit allen Zauberlehrlingen; eine Liste daneben sagt, wo sie stehen."
    ),
    "The ring of your board; each field is a key that paints it.": (
        "Der Rundweg eures Spielplans; jedes Feld ist eine Taste, die es bemalt."
    ),
    "protected field of {colour}": "Schutzfeld von {colour}",
    "castle field of {colours:and}": "Burgenfeld von {colours:and}",
}

SETUP: Final = {
    "Which rules?": "Welche Regeln?",
    "Base game": "Grundspiel",
    "Castle fields are like any other; they protect nobody.": (
        "Burgenfelder sind wie alle anderen; sie schützen niemanden."
    ),
    "Castle fields protect their two colours, and whoever overtakes there may take apprentices "
    "along.": (
        "Burgenfelder schützen ihre zwei Farben, und wer dort überholt, darf Zauberlehrlinge "
        "mitnehmen."
    ),
    "Without shuffling": "Ohne Mischen",
    "The barrels go back to the plateau as they are, so a good memory helps.": (
        "Die Fässer kommen zurück auf das Bergplateau, ungemischt; ein gutes Gedächtnis hilft."
    ),
    "Banishing can be overlooked": "Verbannen kann man übersehen",
    "Whoever moves names whom it banishes; the board points at nobody, and the forgotten stay.": (
        "Wer zieht, nennt, wen er verbannt; der Spielplan zeigt auf niemanden, und wer vergessen "
        "wird, bleibt stehen."
    ),
    "House rules": "Hausregeln",
    "What does a foul cost that the table upholds?": (
        "Was kostet ein Regelverstoß, den der Tisch bestätigt?"
    ),
    "Nothing, it is only noted": "Nichts, er wird nur notiert",
    "The player sits this round out": "Wer ihn beging, setzt in dieser Runde aus",
    "The barrel goes back, and the player chooses anew": (
        "Das Fass geht zurück, und es wird neu gewählt"
    ),
    "Who rolls the dice?": "Wer würfelt?",
    "You, with real dice": "Ihr, mit echten Würfeln",
    "The companion, at a tap": "Rappelwacht, wenn ihr tippt",
    "Which board?": "Welcher Spielplan?",
    "Choose the one that looks like yours, or paint it.": (
        "Nimm den, der wie eurer aussieht, oder male ihn."
    ),
    "Two fields of a colour's own zone before its city": (
        "Zwei Felder der eigenen Zone liegen vor der Stadt"
    ),
    "Three fields of a colour's own zone before its city": (
        "Drei Felder der eigenen Zone liegen vor der Stadt"
    ),
    "Paint your own ring": "Eigenen Rundweg malen",
    "Choose a brush, then tap the fields below. The ring goes clockwise; each city lies before "
    "its colour's entry.": (
        "Wähle einen Pinsel und tippe unten die Felder an. Der Rundweg geht im Uhrzeigersinn; die "
        "Stadt einer Farbe liegt vor ihrem Einstieg."
    ),
    "Protected field of": "Schutzfeld von",
    "Castle field of": "Burgenfeld von",
    "Here enters": "Hier steigt ein",
    "So nobody can play yet:": "So kann noch niemand spielen:",
    "Give up the match that is being played": "Die laufende Partie aufgeben",
    "A match is being played.": "Es läuft gerade eine Partie.",
    "Begin the match": "Partie beginnen",
}

PHONE_TABLE: Final = SEATS | DOING | FOULS | WRONG | OVER | BOARD | SETUP
