"""What phones read of the table at this moment, and what the API answers, in German."""

from typing import Final

KEEPING: Final = {
    "Which phones are let in is written down.": (
        "Welche Handys zugelassen sind, ist aufgeschrieben."
    ),
    "Which phones are let in cannot be written into {file} ({reason}): after a restart, phones "
    "that were let go may be in again, and new ones are not. Make room or mend the disk; it is "
    "tried again until it is written.": (
        "Welche Handys zugelassen sind, lässt sich nicht in {file} schreiben ({reason}): Nach "
        "einem Neustart sind abgemeldete vielleicht wieder dabei und neue nicht. Schaffe Platz "
        "oder richte den Datenträger; es wird versucht, bis es geschrieben ist."
    ),
}

HEADLINES: Final = {
    "Who plays? Press your seat's button, or begin from a phone.": (
        "Wer spielt mit? Drückt den Knopf an eurem Platz, oder beginnt am Handy."
    ),
    "{seats:and} play? Hold a button to begin.": (
        "{seats:and} spielen? Haltet einen Knopf gedrückt, dann geht es los."
    ),
    "{seat} wins!": "{seat} gewinnt!",
    "This match was given up. Play another one?": (
        "Diese Partie wurde aufgegeben. Spielt ihr noch eine?"
    ),
    "{seats:and} {seats:#is|are} still shaking.": (
        "{seats:and} {seats:#schüttelt|schütteln} noch."
    ),
    "Shake! Keep a barrel with at most {magic} {magic:#stone|stones}.": (
        "Schüttelt! Jeder behält ein Fass mit höchstens {magic} {magic:#Stein|Steinen}."
    ),
    "Flip all barrels!": "Alle Fässer umdrehen!",
    "Which number {seats:#does|do} {seats:and} show?": (
        "Welche Zahl {seats:#zeigt|zeigen} {seats:and}?"
    ),
    "{seat} moves by {steps} {steps:#field|fields}.": (
        "{seat} zieht {steps} {steps:#Feld|Felder}."
    ),
    "{seat} moves by {steps} {steps:#field|fields}: tap a pawn.": (
        "{seat} zieht {steps} {steps:#Feld|Felder}: Tippe einen Zauberlehrling an."
    ),
    "{seat} moves by {steps} {steps:#field|fields}: confirm the move.": (
        "{seat} zieht {steps} {steps:#Feld|Felder}: Bestätige den Zug."
    ),
    "{seat}: roll the dice.": "{seat}: Würfle!",
}

LABELS: Final = {
    "Roll for us": "Würfle für uns",
    "Take back the last decision": "Die letzte Entscheidung zurücknehmen",
    "Put right: {action}": "Berichtigen: {action}",
    "Stand by it: foul": "Es bleibt dabei: Regelverstoß",
    "Dismiss it: no foul": "Verwerfen: kein Regelverstoß",
    "Call a foul: {foul}": "Regelverstoß melden: {foul}",
    "{seat}: call a foul, {foul}": "{seat}: Regelverstoß melden, {foul}",
    "{seat}: nobody knows which barrel": "{seat}: Niemand weiß, welches Fass es ist",
    "{seat}: it is stopper {stopper}": "{seat}: Es ist Stopfen {stopper}",
    "Begin another match": "Noch eine Partie beginnen",
    "Choose anew who plays": "Neu wählen, wer mitspielt",
    "Give this match up": "Diese Partie aufgeben",
    "The dice show {magic}": "Die Würfel zeigen {magic}",
    "{seat} has placed a barrel": "{seat} hat ein Fass gewählt",
    "{seat} takes the barrel back": "{seat} nimmt das Fass zurück",
    "All barrels are flipped": "Alle Fässer sind umgedreht",
    "{seat} shows {number}": "{seat} zeigt {number}",
    "{seat} sits this round out": "{seat} setzt diese Runde aus",
    "The pawns stand like this": "So stehen die Zauberlehrlinge",
    "Move the apprentice on field {start} into the city": (
        "Zieh den Zauberlehrling von Feld {start} in die Stadt"
    ),
    "Move an apprentice from the start": "Zieh einen Zauberlehrling vom Start",
    "Move the apprentice on field {start}": "Zieh den Zauberlehrling auf Feld {start}",
    "Move an apprentice from the start to field {end}": (
        "Zieh einen Zauberlehrling vom Start auf Feld {end}"
    ),
    "Move the apprentice from field {start} to field {end}": (
        "Zieh den Zauberlehrling von Feld {start} auf Feld {end}"
    ),
    "{move}, taking {colours:and} along": "{move}, nimm {colours:and} mit",
    "{move}, banishing {colours:and}": "{move}, verbanne {colours:and}",
    "{move}, banishing nobody": "{move}, verbanne niemanden",
}

LIT: Final = {
    "{magic} fields are steady, a dim comet circles over the others; who placed is steady.": (
        "{magic} Felder ruhig, über die anderen kreist schwach ein Komet; wer gewählt hat, ruhig."
    ),
}

API: Final = {
    "'{where}' is missing or no object.": "„{where}“ fehlt oder ist kein Objekt.",
    "'{where}' must be one of {words}.": "„{where}“ muss eines davon sein: {words}.",
    "'{where}' is longer than {count} characters.": "„{where}“ ist länger als {count} Zeichen.",
    "'{where}' has no place in this request.": "„{where}“ gehört nicht in diese Anfrage.",
    "'{where}' must be 1 to 64 letters, digits, hyphens or underscores.": (
        "„{where}“ muss aus 1 bis 64 Buchstaben, Ziffern, Binde- oder Unterstrichen bestehen."
    ),
    "'{where}' must be the id of the match that was seen, as /api/snapshot tells it.": (
        "„{where}“ muss die Kennung der Partie sein, die zu sehen war, wie /api/snapshot sie nennt."
    ),
    "'match' is missing, the id of the match that was seen, as /api/snapshot tells it. If this is "
    "a page of the companion, load it again: it is out of date.": (
        "Es fehlt „match“, die Kennung der Partie, die zu sehen war, wie /api/snapshot sie nennt. "
        "Ist das eine Seite der Rappelwacht, dann lade sie neu: Sie ist veraltet."
    ),
    "'{where}' must be a whole number, or null.": "„{where}“ muss eine ganze Zahl oder null sein.",
    "'{where}' must be a whole number from {least} to {most}.": (
        "„{where}“ muss eine ganze Zahl von {least} bis {most} sein."
    ),
    "'{where}' must be {count} digits.": "„{where}“ müssen {count} Ziffern sein.",
    "'{where}' must be true or false.": "„{where}“ muss true oder false sein.",
    "Say a PIN, or a seat whose button will be pressed.": (
        "Nenne eine PIN oder einen Platz, dessen Knopf gedrückt wird."
    ),
    "A number in this request is too large.": "Eine Zahl in dieser Anfrage ist zu groß.",
    "The body of this request is nested too deeply.": (
        "Der Inhalt dieser Anfrage ist zu tief verschachtelt."
    ),
    "'{where}' is nested too deeply.": "„{where}“ ist zu tief verschachtelt.",
    "The body of this request is no JSON object.": (
        "Der Inhalt dieser Anfrage ist kein JSON-Objekt."
    ),
    "'{where}' has more than {count} parts.": "„{where}“ hat mehr als {count} Teile.",
    "The journal cannot be read just now; ask again in a moment.": (
        "Das Journal lässt sich gerade nicht lesen; frag gleich noch einmal."
    ),
    "The table does not answer; look whether its program still runs.": (
        "Der Tisch antwortet nicht; sieh nach, ob sein Programm noch läuft."
    ),
    "Too much is asked at once; try it again in a moment.": (
        "Gerade wird zu viel auf einmal gewünscht; versuche es gleich noch einmal."
    ),
    "There is no match '{match}' in the journal.": "Im Journal gibt es keine Partie „{match}“.",
    "This phone only watches; pair it on the page 'Join' to act.": (
        "Dieses Handy schaut nur zu; verbinde es auf der Seite „Mitmachen“, dann kannst du handeln."
    ),
    "Before the flip nobody may say a barrel's number; leave it out.": (
        "Vor dem Umdrehen darf niemand die Zahl eines Fasses nennen; lass sie weg."
    ),
    "This phone acts for {seat}, and that is for another seat to do.": (
        "Dieses Handy handelt für {seat}, und das ist Sache eines anderen Platzes."
    ),
    "{file}: {reason}": "{file}: {reason}",
}

PHONE_API: Final = HEADLINES | LABELS | LIT | API | KEEPING
