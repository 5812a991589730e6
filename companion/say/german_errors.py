"""What does not work, in German, found by its English template. Notation and keys stay English."""

from typing import Final

RULES: Final = {
    "Two dice cannot give {magic}; roll a sum of 2 to 12.": (
        "Zwei Würfel können nicht {magic} zeigen; ihre Summe liegt zwischen 2 und 12."
    ),
    "'{action}' is not an action of this game.": "„{action}“ gibt es in diesem Spiel nicht.",
    "'{verb}' is not possible now: first the dice are rolled, 'roll 2' to 'roll 12'.": (
        "„{verb}“ geht jetzt nicht: Zuerst wird gewürfelt, „roll 2“ bis „roll 12“."
    ),
    "'{verb}' is not possible now: first {waiting} must place a barrel.": (
        "„{verb}“ geht jetzt nicht: Zuerst {waiting:#muss|müssen} {waiting:and} ein Fass vor sich "
        "abstellen."
    ),
    "'{verb}' is not possible now: first all barrels are flipped, 'flip'.": (
        "„{verb}“ geht jetzt nicht: Zuerst werden alle Fässer umgedreht, „flip“."
    ),
    "'{verb}' is not possible now: first the numbers of {unread} are read aloud.": (
        "„{verb}“ geht jetzt nicht: Zuerst {unread:#nennt|nennen} {unread:and} die Geheimzahl."
    ),
    "'{verb}' is not possible now: it is the turn of {mover} to move a pawn by {number}.": (
        "„{verb}“ geht jetzt nicht: {mover} ist am Zug und zieht {number} {number:#Feld|Felder} "
        "weit."
    ),
    "'{verb}' is not possible any more: the game is over; begin a new one.": (
        "„{verb}“ geht nicht mehr: Das Spiel ist zu Ende; beginnt ein neues."
    ),
    "No round is being played that {player} could sit out.": (
        "Es läuft keine Runde, in der {player} aussetzen könnte."
    ),
    "{player} sits this round out already.": "{player} setzt in dieser Runde schon aus.",
    "{player} does not move any more in this round.": (
        "{player} zieht in dieser Runde nicht mehr."
    ),
    "A barrel goes back before the flip; now it is too late, or too early.": (
        "Ein Fass geht nur vor dem Umdrehen zurück; jetzt ist es zu spät oder zu früh."
    ),
    "{player} has not placed a barrel.": "{player} hat kein Fass abgestellt.",
    "The game is over; take back its last move first.": (
        "Das Spiel ist zu Ende; nehmt zuerst den letzten Zug zurück."
    ),
    "{colour} has three pawns; name where each of them stands, not {count}.": (
        "{colour} hat drei Zauberlehrlinge; nennt für jeden das Feld, nicht für {count}."
    ),
    "Steps go from start over 1 to 24 to city.": (
        "Die Felder gehen vom Start über 1 bis 24 zur Stadt."
    ),
    "So the game would be over; the last pawn must come home by a move.": (
        "So wäre das Spiel zu Ende; der letzte Zauberlehrling muss durch einen Zug heimkommen."
    ),
    "'{text}' lacks {parts}; the pattern is '{usage}'.": (
        "In „{text}“ fehlt {parts}; das Muster ist „{usage}“."
    ),
    "There is no barrel {number}; they bear 1 to 13.": (
        "Ein Fass mit der Geheimzahl {number} gibt es nicht; es gibt 1 bis 13."
    ),
    "{seat} does not play; {seats} do.": "{seat} spielt nicht mit; es spielen {seats:and}.",
    "{seat} has placed a barrel already; now {waiting} must place one.": (
        "{seat} hat schon ein Fass vor sich abgestellt; jetzt {waiting:#muss|müssen} {waiting:and} "
        "eines abstellen."
    ),
    "Barrel {number} belongs to another player in this round; take one from the plateau.": (
        "Das Fass mit der {number} hat in dieser Runde schon jemand anders; nimm eines vom "
        "Bergplateau."
    ),
    "No number of {player} is missing; still to be read aloud: {unread}.": (
        "Von {player} fehlt keine Geheimzahl; es {unread:#fehlt|fehlen} noch: {unread}."
    ),
    "Another barrel shows {number} already; read the number of {player} again.": (
        "Die {number} steht schon auf einem anderen Fass; lest die Geheimzahl von {player} noch "
        "einmal."
    ),
    "It is not the turn of {seat}; {mover} moves a pawn by {number}.": (
        "{seat} ist nicht am Zug; {mover} zieht {number} {number:#Feld|Felder} weit."
    ),
    "{pawn} is home; move one of {pawns}.": (
        "{pawn} ist schon in der Stadt; zu ziehen {pawns:#ist|sind} noch {pawns}."
    ),
    "No pawn stands on {pawn}; move one of {pawns}.": (
        "Auf {pawn} steht kein Zauberlehrling; zu ziehen {pawns:#ist|sind} {pawns}."
    ),
    "Nobody is named for banishing at this table, because every banishment happens; leave "
    "'banish' out.": (
        "An diesem Tisch nennt niemand, wen er verbannt, denn verbannt werden alle; lass „banish“ "
        "weg."
    ),
    "At this table the mover names whom it banishes; add 'banish none' or some of {banishable}.": (
        "An diesem Tisch nennt man beim Ziehen, wen man verbannt; ergänze „banish none“ oder "
        "„banish“ mit einer Auswahl aus {banishable}."
    ),
    "At this table the mover names whom it banishes; this move banishes nobody, so add 'banish "
    "none'.": (
        "An diesem Tisch nennt man beim Ziehen, wen man verbannt; dieser Zug verbannt niemanden, "
        "ergänze also „banish none“."
    ),
    "This move takes nobody along; leave 'take' out.": (
        "Dieser Zug kann niemanden mitnehmen; lass „take“ weg."
    ),
    "This move cannot take along {named}; it may take some of {takeable}, or none.": (
        "Dieser Zug kann {named} nicht mitnehmen; möglich {takeable:#ist|sind} {takeable}, oder "
        "niemand."
    ),
    "This move banishes nobody; write 'banish none'.": (
        "Dieser Zug verbannt niemanden; schreib „banish none“."
    ),
    "This move cannot banish {named}; it may banish some of {banishable}, or none.": (
        "Dieser Zug kann {named} nicht verbannen; möglich {banishable:#ist|sind} {banishable}, "
        "oder niemand."
    ),
    "Pawns are named by colour and step, ascending; write {right}.": (
        "Zauberlehrlinge werden nach Farbe und Feld geordnet genannt; schreib {right}."
    ),
    "A game takes 2 to 4 players, not {count}.": (
        "Mit {count} {count:#Mitspieler|Mitspielern} geht es nicht; es müssen 2 bis 4 sein."
    ),
    "The colours {seats} are not each named once and clockwise; write {right}.": (
        "Die Farben {seats} sind nicht jede einmal und im Uhrzeigersinn genannt; schreib {right}."
    ),
}

BOARD: Final = {
    "{faults}": "{faults}",
    "A board has no part called '{name}'; its parts are ring, entries and gates.": (
        "Ein Spielplan hat keinen Teil „{name}“; seine Teile heißen ring, entries und gates."
    ),
    "The ring is not a list of fields such as 'B B RG Y'.": (
        "ring ist keine Reihe von Feldern wie „B B RG Y“."
    ),
    "The {what} of {colour} is missing; name one of the fields 0 to 23.": (
        "Das {what} von {colour} fehlt; nenne eines der Felder 0 bis 23."
    ),
    "The {what} of {colour} is {index}; it must be one of the fields 0 to 23.": (
        "Das {what} von {colour} ist {index}; es muss eines der Felder 0 bis 23 sein."
    ),
    "'{name}' among the {what} fields is no colour; the colours are red, green, blue and yellow.": (
        "„{name}“ ist keine Farbe (bei: {what}); die Farben heißen red, green, blue und yellow."
    ),
    "The ring needs 24 fields, clockwise, not {count}.": (
        "Der Rundweg hat {count} {count:#Feld|Felder}; er braucht 24, im Uhrzeigersinn."
    ),
    "Field {index} is '{kind}'; write R, G, B or Y, or two of them for a castle field.": (
        "Feld {index} ist „{kind}“; schreib R, G, B oder Y, oder zwei davon für ein Burgenfeld."
    ),
    "Castle field {index} shows '{kind}'; its two castles must differ in colour.": (
        "Burgenfeld {index} zeigt „{kind}“; seine zwei Burgen müssen verschiedene Farben haben."
    ),
    "The gate of {colour} is field {gate}; it must be field {right}, the one before its entry, so "
    "that the way round has 24 fields.": (
        "Vor der Stadt von {colour} liegt Feld {gate}; es muss Feld {right} sein, das vor dem "
        "Einstiegsfeld, damit die Runde 24 Felder hat."
    ),
    "A board has one entry and one gate for each of four colours.": (
        "Ein Spielplan hat für jede der vier Farben ein Einstiegsfeld und ein Feld vor der Stadt."
    ),
    "{other} and {colour} both enter on field {entry}; each needs an entry of its own.": (
        "{other} und {colour} steigen beide auf Feld {entry} ein; jede Farbe braucht ein eigenes "
        "Einstiegsfeld."
    ),
}

NOTATION: Final = {
    "'{text}' can mean {count} different actions; write one of {choices}.": (
        "„{text}“ kann {count} Verschiedenes heißen; schreib eines davon: {choices}."
    ),
    "'{text}' is not possible now; write one of {choices}.": (
        "„{text}“ geht jetzt nicht; schreib eines davon: {choices}."
    ),
    "'{text}' is no action; begin with one of {verbs}.": (
        "„{text}“ ist keine Aktion; beginne mit einem dieser Wörter: {verbs}."
    ),
    "'{word}' does not fit at its place in '{text}'; the pattern is '{usage}'.": (
        "„{word}“ passt in „{text}“ nicht an diese Stelle; das Muster ist „{usage}“."
    ),
    "'{word}' is no {field} for '{verb}'; the pattern is '{usage}'.": (
        "„{word}“ passt bei „{verb}“ nicht als {field}; das Muster ist „{usage}“."
    ),
}

SAVED: Final = {
    "{done} actions have been done; {count} cannot be taken back.": (
        "{count} {count:#Aktion kann|Aktionen können} nicht zurückgenommen werden; bisher "
        "gab es {done}."
    ),
    "Line {line}: {fault}": "Zeile {line}: {fault}",
    "'{line}' is no JSON; every line of a log is one JSON object.": (
        "„{line}“ ist kein JSON; jede Zeile eines Spielstands ist ein JSON-Objekt."
    ),
    "This is no game log: its first line must say 'rappelwacht', the game and its settings.": (
        "Das ist kein Spielstand: In der ersten Zeile müssen „rappelwacht“, das Spiel und seine "
        "Einstellungen stehen."
    ),
    "The game '{name}' is not known; known: {games}.": (
        "Das Spiel „{name}“ ist nicht bekannt; bekannt {games:#ist|sind} {games}."
    ),
    "The log has format {format}, schema {schema}; this Rappelwacht reads format {own}, schema "
    "{known}. Use the version that wrote it, or a newer one.": (
        "Der Spielstand hat Format {format}, Schema {schema}; diese Rappelwacht liest Format "
        "{own}, Schema {known}. Nimm die Version, die ihn geschrieben hat, oder eine neuere."
    ),
    "'{where}' has no part '{name}'; its parts are {parts}.": (
        "„{where}“ hat keinen Teil „{name}“; seine Teile heißen {parts}."
    ),
    "'{where}' lacks {parts}.": "In „{where}“ {parts:#fehlt|fehlen} {parts}.",
    "'{where}' is {data}; it must be {right}.": "„{where}“ ist {data}; richtig wäre: {right}.",
}

BARRELS: Final = {
    "There is no barrel on place {place}; there is one on each of {places}.": (
        "Auf Platz {place} steht kein Fass; Fässer stehen auf {places}."
    ),
    "Barrels are shuffled when all thirteen stand on the plateau.": (
        "Gemischt wird, wenn alle dreizehn Fässer auf dem Bergplateau stehen."
    ),
    "Barrel {place} is not in your hands; shake it first.": (
        "Fass {place} hast du nicht in der Hand; schüttle es zuerst."
    ),
    "Both hands are full; put a barrel back first.": (
        "Beide Hände sind voll; stell zuerst ein Fass zurück."
    ),
}

ERRORS: Final = RULES | BOARD | NOTATION | SAVED | BARRELS
