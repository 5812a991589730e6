"""The simulated table on the command line, in German, found by the English template."""

from typing import Final

OPTIONS: Final = {
    "{program} sim          a simulated table: hands, stoppers, radio, hub": (
        "{program} sim           ein simulierter Tisch: Hände, Stopfen, Funk, Hub"
    ),
    "A script or bots at a simulated table: what hands do, what the host hears of it.": (
        "Drehbuch oder Bots am simulierten Tisch: was Hände tun und was davon ankommt."
    ),
    "2 to 4 bots play rounds, each with a temperament, instead of a script": (
        "2 bis 4 Bots spielen Runden, jeder nach seiner Art, statt eines Drehbuchs"
    ),
    "how many rounds the bots play; otherwise 3": "wie viele Runden die Bots spielen; sonst 3",
    "--rounds needs --bots; a script says itself what is done.": (
        "--rounds braucht --bots; ein Drehbuch sagt selbst, was getan wird."
    ),
    "Either a script or bots: leave out --script or --bots.": (
        "Entweder ein Drehbuch oder Bots: Lass --script oder --bots weg."
    ),
    "--bots {bots} does not fit; there are seats for 2 to {most}.": (
        "--bots {bots} passt nicht; es gibt Plätze für 2 bis {most}."
    ),
    "0 rounds are nothing to see; write --rounds 1 or more.": (
        "Bei 0 Runden ist nichts zu sehen; schreib --rounds 1 oder mehr."
    ),
    "what hands do; otherwise one round that ships": (
        "was Hände tun; sonst eine Runde, die beiliegt"
    ),
    "repeat an evening: the same number and script, the same bytes": (
        "ein Abend noch einmal: gleiche Zahl und gleiches Drehbuch, gleiche Bytes"
    ),
    "write every byte of the link to this file": "jedes Byte der Verbindung in diese Datei",
    "1: as fast as a clock, 2: twice that; otherwise max, as fast as can be": (
        "1: so schnell wie die Uhr, 2: doppelt so schnell; sonst max, so schnell es geht"
    ),
    "'{word}' is no speed; write max, or a number such as 1 or 2.5.": (
        "„{word}“ ist kein Tempo; schreib max oder eine Zahl wie 1 oder 2.5."
    ),
    "Show what the host heard when a link was recorded.": (
        "Zeigen, was ankam, als eine Verbindung aufgezeichnet wurde."
    ),
    "the recording": "die Aufzeichnung",
}

FILES: Final = {
    "{file}: {fault}": "{file}: {fault}",
    "{file}: this is no script; it is not UTF-8 text.": (
        "{file}: Das ist kein Drehbuch; es ist kein UTF-8-Text."
    ),
    "{file}: this is no script; one has at most {most} bytes.": (
        "{file}: Das ist kein Drehbuch; eines hat höchstens {most} Bytes."
    ),
    "'{file}' is the script itself; choose another name for the recording.": (
        "„{file}“ ist das Drehbuch selbst; wähle für die Aufzeichnung einen anderen Namen."
    ),
    "{file}: the recording cannot be written ({reason}).": (
        "{file}: Die Aufzeichnung lässt sich nicht schreiben ({reason})."
    ),
    "The firmware's source is not at {folder}; start the simulated table from a whole copy of the "
    "project.": (
        "Der Quelltext der Firmware liegt nicht unter {folder}; starte den simulierten Tisch aus "
        "einer vollständigen Kopie des Projekts."
    ),
}

SCRIPT: Final = {
    "line {line}: {at} s lies before {before} s; write a later time, or +{at}.": (
        "Zeile {line}: {at} s liegt vor {before} s; schreib eine spätere Zeit oder +{at}."
    ),
    "line {line}: {figure} is too little or too much; write {least} to {most}{unit}.": (
        "Zeile {line}: {figure} ist zu wenig oder zu viel; schreib {least} bis {most}{unit}."
    ),
    "line {line}: this line is too long; write at most {most} characters.": (
        "Zeile {line}: Diese Zeile ist zu lang; schreib höchstens {most} Zeichen."
    ),
    "line {line}: a script has at most {most} lines; make it two.": (
        "Zeile {line}: Ein Drehbuch hat höchstens {most} Zeilen; mach zwei daraus."
    ),
    "line {line}: this would be after more than {hours} hours; end the script before, or make it "
    "two.": (
        "Zeile {line}: Das wäre nach mehr als {hours} Stunden; beende das Drehbuch vorher oder "
        "mach zwei daraus."
    ),
    "line {line}: nobody can '{word}'; write one of {words}.": (
        "Zeile {line}: Niemand kann „{word}“; schreib eines von {words}."
    ),
    "line {line}: there is no fault '{word}'; write one of {words}.": (
        "Zeile {line}: Einen Fehler „{word}“ gibt es nicht; schreib eines von {words}."
    ),
    "line {line}: '{text}' does not fit here; write for example: {example}": (
        "Zeile {line}: „{text}“ passt hier nicht; schreib zum Beispiel: {example}"
    ),
    "line {line}: there is no barrel {barrel}; barrels are 1 to {last}.": (
        "Zeile {line}: Ein Fass {barrel} gibt es nicht; es gibt 1 bis {last}."
    ),
    "line {line}: '{word}' is no seat; begin with {colours}, kick, all flip, all mix or fault.": (
        "Zeile {line}: „{word}“ ist kein Platz; beginne mit {colours}, kick, all flip, all mix "
        "oder fault."
    ),
    "barrel {number} is busy until {free} µs; begin '{name}' then, not at {start} µs.": (
        "Fass {number} ist bis {free} µs beschäftigt; beginne „{name}“ dann, nicht bei {start} µs."
    ),
    "{seat} cannot reach barrel {number} at {at} s: {holder} holds it; let {holder} hand it over "
    "or put it back before.": (
        "{seat} kommt bei {at} s nicht an Fass {number}: {holder} hält es; lass es {holder} vorher "
        "weitergeben oder zurückstellen."
    ),
}

HANDS: Final = {
    "time": "Zeit",
    "what hands do": "was Hände tun",
    "what the host hears": "was ankommt",
    "{seat} lifts {barrel} (stopper {stopper})": "{seat} hebt {barrel} (Stopfen {stopper})",
    "{seat} shakes {barrel}": "{seat} schüttelt {barrel}",
    "{seat} weighs {barrel} in the hand": "{seat} wiegt {barrel} in der Hand",
    "{seat} tilts {barrel} to peek": "{seat} kippt {barrel}, um zu spicken",
    "{seat} hands {barrel} to {to}": "{seat} gibt {barrel} an {to}",
    "{seat} puts {barrel} back": "{seat} stellt {barrel} zurück",
    "{seat} places {barrel}": "{seat} stellt {barrel} vor sich",
    "{seat} places {barrel} at {to}": "{seat} stellt {barrel} vor {to}",
    "{seat} has flipped {barrel}": "{seat} hat {barrel} umgedreht",
    "{seat} carries {barrel} about": "{seat} trägt {barrel} umher",
    "{seat} drops {barrel}": "{seat} lässt {barrel} fallen",
    "all mix the barrels": "alle mischen die Fässer",
    "somebody kicks the table": "jemand tritt gegen den Tisch",
    "{seat} presses the button": "{seat} drückt den Knopf",
    "{seat} rolls {magic}": "{seat} würfelt {magic}",
    "{barrel} can be read for {s} s": "{barrel} ist {s} s lang lesbar",
    "fault {words}": "Fehler: {words}",
}

HOST: Final = {
    "stopper {stopper} is lifted": "Stopfen {stopper} ist angehoben",
    "stopper {stopper} is set down": "Stopfen {stopper} ist abgestellt",
    "stopper {stopper} stands still: {load_g} g": "Stopfen {stopper} steht still: {load_g} g",
    "stopper {stopper} is tilted to {deg}°": "Stopfen {stopper} ist um {deg}° gekippt",
    "stopper {stopper} is readable no more, after {held_s} s": (
        "Stopfen {stopper} ist nicht mehr lesbar, nach {held_s} s"
    ),
    "stopper {stopper} stands upside down": "Stopfen {stopper} steht kopf",
    "stopper {stopper} has started anew: boot {boot}": (
        "Stopfen {stopper} hat neu begonnen: Start {boot}"
    ),
    "stopper {stopper} is well again": "Stopfen {stopper} ist wieder gesund",
    "stopper {stopper} reports: {faults}": "Stopfen {stopper} meldet: {faults}",
    "stopper {stopper} is shaken: {rms_g} g": "Stopfen {stopper} wird geschüttelt: {rms_g} g",
    "{seat}'s pad is closed": "Platte von {seat} ist belegt",
    "{seat}'s pad is open": "Platte von {seat} ist frei",
    "{seat}'s button is held down": "Knopf von {seat} wird gehalten",
    "{seat}'s button was pressed": "Knopf von {seat} wurde gedrückt",
}

SUMMARY: Final = {
    "This is table {seed}; '--seed {seed}' repeats it.": (
        "Das ist Tisch {seed}; „--seed {seed}“ wiederholt ihn."
    ),
    "The host had {frames} {frames:#packet|packets} of stoppers; {again} {again:#event|events} "
    "came again.": (
        "{frames} {frames:#Paket|Pakete} der Stopfen kamen an; {again} "
        "{again:#Ereignis kam|Ereignisse kamen} noch einmal."
    ),
    "Missing or refused: {losses}.": "Fehlend oder abgewiesen: {losses}.",
    "{count} {count:#packet|packets} came from stoppers whose key is not known.": (
        "{count} {count:#Paket|Pakete} von Stopfen, deren Schlüssel unbekannt ist."
    ),
    "On the air: {sent} packets for {ears} receivers in all; of these {lost} missed theirs, "
    "{twice} had it twice, {late} late, and {off} had the radio off.": (
        "In der Luft: {sent} Pakete für zusammen {ears} Empfänger; davon verpassten {lost} ihres, "
        "{twice} bekamen es doppelt, {late} spät, und {off} hatten das Funkgerät aus."
    ),
    "On the line: {count} {count:#piece|pieces} of what came could not be read ({losses}).": (
        "Auf der Leitung: {count} {count:#Stück|Stücke} waren nicht zu lesen ({losses})."
    ),
}

SEAT: Final = {
    "'{word}' is no seat; choose one of {seats}, or none.": (
        "„{word}“ ist kein Platz; wähle einen von {seats} oder none."
    ),
    "In this round a guest plays for you; the seat is yours from the next round on.": (
        "In dieser Runde spielt ein Gast für dich; ab der nächsten gehört der Platz dir."
    ),
    "Your hands are still busy; wait a moment.": (
        "Deine Hände sind noch beschäftigt; warte einen Moment."
    ),
    "{seat} has that barrel; take another one.": "Das Fass hat {seat}; nimm ein anderes.",
    "Somebody is busy with that barrel; take another one, or wait.": (
        "Mit diesem Fass ist gerade jemand beschäftigt; nimm ein anderes oder warte."
    ),
    "That barrel stands on its place already.": "Das Fass steht schon auf seinem Platz.",
    "One barrel alone cannot be compared; choose two.": (
        "Ein Fass allein lässt sich nicht vergleichen; wähle zwei."
    ),
    "There is no barrel {handle} on this table.": "Ein Fass {handle} gibt es auf dem Tisch nicht.",
    "The simulated table does not answer; it may have ended.": (
        "Der simulierte Tisch antwortet nicht; vielleicht ist er schon zu Ende."
    ),
    "A simulated table needs pseudo-terminals, and this computer has none to give ({reason}). In a "
    "container, mount a devpts at /dev/pts; 'play' does without.": (
        "Ein simulierter Tisch braucht Pseudo-Terminals, und dieser Rechner hat keine zu vergeben "
        "({reason}). In einem Container häng ein devpts unter /dev/pts ein; „play“ kommt ohne aus."
    ),
}

SIMULATED: Final = SEAT | OPTIONS | FILES | SCRIPT | HANDS | HOST | SUMMARY
