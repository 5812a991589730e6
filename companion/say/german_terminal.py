"""What the terminal says, in German, found by its English template."""

from typing import Final

from companion.say.german_choosing import CHOOSING

HELP: Final = {
    "Usage: ": "Aufruf: ",
    "Arguments": "Angaben",
    "Options": "Optionen",
    "COLOUR": "FARBE",
    "SEAT": "FARBE",
    "NAME": "NAME",
    "FILE": "DATEI",
    "The companion that lets Zapp Zerapp referee itself.": (
        "Die Rappelwacht: Mit ihr ist Zapp Zerapp sein eigener Schiedsrichter."
    ),
    "{program} play         play yourself, or choose who plays and by which rules": (
        "{program} play          selbst mitspielen, oder wählen, wer spielt"
    ),
    "'{program} play --help' and '{program} replay --help' tell more.": (
        "Mehr dazu: „{program} play --help“ und „{program} replay --help“."
    ),
    "Play a game in the terminal: watch, or take a seat with --you.": (
        "Ein Spiel im Terminal: zuschauen, oder mit --you selbst mitspielen."
    ),
    "Show a saved game; a faulty one as far as it is sound.": (
        "Zeigt ein gespeichertes Spiel; ein fehlerhaftes so weit, wie es stimmt."
    ),
    "show this help": "diese Hilfe zeigen",
    "German or English; otherwise what LC_ALL, LC_MESSAGES or LANG say": (
        "Deutsch oder Englisch; sonst das, was LC_ALL, LC_MESSAGES oder LANG sagen"
    ),
    "say which version this is": "sagen, welche Version das ist",
    "{names:and}; otherwise {usual}": "{names:and}; sonst {usual}",
    "play this colour yourself; several, such as red,blue, at one keyboard": (
        "diese Farbe selbst spielen; mehrere, etwa rot,blau, an einer Tastatur"
    ),
    "who plays; 2 to 4, or 6": "wer mitspielt; 2 bis 4, oder 6",
    "so many players of the companion's own, instead of --seats": (
        "so viele Spieler der Rappelwacht, statt --seats"
    ),
    "Profi version, with taking along": "Profiversion, mit Mitnehmen",
    "barrels go back to their places unshuffled": (
        "die Fässer kommen ungemischt an ihren Platz zurück"
    ),
    "banishments may be overlooked": "Verbannen kann übersehen werden",
    "{names}, or a TOML file of your own": "{names} oder eine eigene TOML-Datei",
    "repeat a game: the same number, the same game": (
        "ein Spiel wiederholen: gleiche Zahl, gleiches Spiel"
    ),
    "save the game, action by action, in a new file": (
        "das Spiel Schritt für Schritt in einer neuen Datei speichern"
    ),
    "words only, without pictures": "nur Worte, keine Bilder",
    "with pauses, for watching": "mit Pausen, zum Zuschauen",
    "the saved game": "das gespeicherte Spiel",
    "wait for the Enter key after every round": "nach jeder Runde auf die Eingabetaste warten",
    "also show what this colour could choose from; or spectator": (
        "auch zeigen, was diese Farbe wählen konnte; oder: zuschauer"
    ),
    "spectator": "zuschauer",
}

FAULTS: Final = {
    "{fault} '{program} --help' shows what there is.": (
        "{fault} „{program} --help“ zeigt, was es gibt."
    ),
    "{option} needs a value.": "{option} braucht einen Wert.",
    "{option} takes no value.": "{option} nimmt keinen Wert.",
    "'{words}' is not known here.": "„{words}“ ist hier nicht bekannt.",
    "{words} is missing.": "{words} fehlt.",
    "{option}: {reason}": "{option}: {reason}",
    "{reason}": "{reason}",
    "'{word}' is no colour; the colours are {colours:and}.": (
        "„{word}“ ist keine Farbe; die Farben sind {colours:and}."
    ),
    "'{word}' is no whole number from {least} to {most}.": (
        "„{word}“ ist keine ganze Zahl von {least} bis {most}."
    ),
    "No word of a command may have a NUL in it.": "Kein Wort eines Befehls darf ein NUL enthalten.",
    "also log what happens, where errors are told": (
        "auch melden, was geschieht, dort, wo Fehler stehen"
    ),
    "'{word}' is no language of ours; choose one of {languages}.": (
        "„{word}“ ist keine unserer Sprachen; wähle eine davon: {languages}."
    ),
    "{you} does not play in this game; {seats:and} do.": (
        "{you} spielt hier nicht mit; es spielen {seats:and}."
    ),
    "--bots {bots} does not fit --seats with {count} {count:#seat|seats} for them; one of both is "
    "enough.": (
        "--bots {bots} passt nicht zu --seats mit {count} {count:#Platz|Plätzen} dafür; eines von "
        "beiden genügt."
    ),
    "{bots} bots find no place; there are {count} {count:#seat|seats} for them.": (
        "{bots} {bots:#Spieler findet|Spieler finden} keinen Platz; frei {count:#ist|sind} {count}."
    ),
    "In this game nobody is {seat}; the colours are {colours:and}.": (
        "{seat} gibt es in diesem Spiel nicht; die Farben sind {colours:and}."
    ),
    "At one keyboard, one plays Zapp Zerapp: who shakes a barrel hears it alone.": (
        "An einer Tastatur spielt nur einer Zapp Zerapp: Wer ein Fass schüttelt, hört es allein."
    ),
    "--{option} belongs to {other}, not to '{game}'; leave it out.": (
        "--{option} gehört zu {other} und nicht zu „{game}“; lass es weg."
    ),
    "There is no board '{name}'; name one of {names}, or a TOML file.": (
        "Einen Spielplan „{name}“ gibt es nicht; nenne einen von {names} oder eine TOML-Datei."
    ),
    "'{file}' is no sound TOML: {reason}.": "„{file}“ ist kein richtiges TOML: {reason}.",
    "There is no file '{file}'.": "Eine Datei „{file}“ gibt es nicht.",
    "'{file}' is a folder; name a file in it.": (
        "„{file}“ ist ein Ordner; nenne eine Datei darin."
    ),
    "'{file}' is a pipe or a device; save what comes from it in a file, and name that.": (
        "„{file}“ ist eine Pipe oder ein Gerät; speichere in einer Datei, was daraus kommt, und "
        "nenne diese."
    ),
    "'{file}' may not be read; ask its owner for the right to.": (
        "„{file}“ darf nicht gelesen werden; bitte den Besitzer um das Recht dazu."
    ),
    "'{file}' cannot be read: {reason}.": "„{file}“ lässt sich nicht lesen: {reason}.",
    "'{file}' is far too long to be one of ours.": (
        "„{file}“ ist viel zu lang, um eine von unseren Dateien zu sein."
    ),
    "'{file}' is empty; no game has been saved in it.": (
        "„{file}“ ist leer; darin ist kein Spiel gespeichert."
    ),
    "'{file}' is no text in UTF-8.": "„{file}“ ist kein Text in UTF-8.",
    "'{file}' exists already; choose another name, or remove it first.": (
        "„{file}“ gibt es schon; wähle einen anderen Namen, oder lösche die Datei zuerst."
    ),
    "'{file}' cannot be written: its folder does not exist. Make it first.": (
        "„{file}“ lässt sich nicht schreiben: Den Ordner gibt es nicht. Lege ihn zuerst an."
    ),
    "'{file}' took only a part of the last line; is the disk full? All before it is saved.": (
        "„{file}“ nahm nur einen Teil der letzten Zeile auf; ist der Datenträger voll? Alles davor "
        "ist gespeichert."
    ),
    "'{file}' cannot be written: {reason}.": "„{file}“ lässt sich nicht schreiben: {reason}.",
}

STORY: Final = {
    "This is game {seed}; '--seed {seed}' repeats it.": (
        "Das ist Spiel {seed}; „--seed {seed}“ wiederholt es."
    ),
    "Profi version": "Profiversion",
    "basic version": "Grundversion",
    "shuffled every round": "jede Runde gemischt",
    "never shuffled": "ohne Mischen",
    "{seats:and} play.": "Es spielen {seats:and}.",
    "may choose: {choices}": "möglich: {choices}",
    "After round {round}": "Nach Runde {round}",
    "In round {round}": "In Runde {round}",
    "on field": "auf Feld",
    "{letter}   protects {seat}     r/g  castles": ("{letter}   schützt {seat}     r/g  Burgen"),
    "Each counts fields from its own ».": "Jede Farbe zählt Felder ab ihrem ».",
    "»{letter}  here {seat} joins the ring, clockwise": (
        "»{letter}  hier steigt {seat} ein, im Uhrzeigersinn"
    ),
    "{letter}»  from here {seat} enters the city": "{letter}»  von hier zieht {seat} in die Stadt",
    "The game stops here, in round {round}.": "Hier bricht das Spiel ab, in Runde {round}.",
    "Enter shows the next round; Ctrl-D all the rest. ": (
        "Eingabe zeigt die nächste Runde, Strg-D alles Weitere. "
    ),
    "The game is saved in '{file}'.": "Das Spiel steht in „{file}“.",
    "The game so far is saved in '{file}'.": "Das Spiel bis hierher steht in „{file}“.",
    "The output cannot be written: {reason}.": "Die Ausgabe lässt sich nicht schreiben: {reason}.",
    "The computer refuses that: {reason}. With --verbose the log says where.": (
        "Der Computer verweigert das: {reason}. Mit --verbose steht im Protokoll, wo."
    ),
    "{file} cannot be used: {reason}. Put that right, then say the same again.": (
        "{file} lässt sich nicht benutzen: {reason}. Bringe das in Ordnung, dann sage dasselbe "
        "noch einmal."
    ),
    "That was a mistake of this program; the log says where it is.": (
        "Das war ein Fehler dieses Programms; wo er steckt, steht im Protokoll."
    ),
    "That was a mistake of this program; where it is stands in {file}.": (
        "Das war ein Fehler dieses Programms; wo er steckt, steht in {file}."
    ),
    "This computer knows no home of yours; set HOME, or name a folder with --folder.": (
        "Dieser Computer kennt kein Verzeichnis von dir; setze HOME oder nenne mit --folder einen "
        "Ordner."
    ),
    "{folder} leads nowhere; name a folder.": "{folder} führt nirgendwohin; nenne einen Ordner.",
}

SUMMARY: Final = {
    "{rounds} {rounds:#round|rounds}, {banished} {banished:#banishment|banishments}, {taken} taken "
    "along.": (
        "{rounds} {rounds:#Runde|Runden}, {banished} {banished:#Verbannung|Verbannungen}, {taken} "
        "{taken:#Mitnahme|Mitnahmen}."
    ),
    "worked": "wirksam",
    "too much": "zu viel",
    "short by": "daneben",
    "banished": "verbannt",
    "sent back": "Verluste",
    "with it": "Mitnahmen",
    "'short by': how many stones a barrel that worked lacked to the magic number, on average.": (
        "„daneben“: wie viele Steine einem wirksamen Fass im Schnitt zur magischen Zahl fehlten."
    ),
}

HUMAN: Final = {
    "Shake: type a place from A to M; 'keep C' decides for C; '?' helps.": (
        "Schüttle: Tippe einen Platz von A bis M; „behalte C“ nimmt Fass C; „?“ hilft."
    ),
    "{seat}, at most {magic}; in hand: {held}. Which barrel? ": (
        "{seat}, höchstens {magic}; in der Hand: {held}. Welches Fass? "
    ),
    "'quit' ends the game.": "„ende“ beendet das Spiel.",
    "{seat}, at most {magic}; in hand: {held}. The others wait; {left} more "
    "{left:#shake|shakes}. Which barrel? ": (
        "{seat}, höchstens {magic}; in der Hand: {held}. Alle warten; noch {left}-mal schütteln. "
        "Welches Fass? "
    ),
    "The others have waited long enough; keep a barrel, such as 'keep {place}'.": (
        "Die anderen haben lange genug gewartet; entscheide dich, etwa mit „behalte {place}“."
    ),
    "Barrel {place}: that sounds like about {count} {count:#stone|stones}. It may be {least} to "
    "{most}.": (
        "Fass {place}: Das klingt nach etwa {count} {count:#Stein|Steinen}. Es können {least} bis "
        "{most} sein."
    ),
    "Both hands were full, so {place} goes back.": (
        "Beide Hände waren voll, also kommt {place} zurück."
    ),
    "Type a place from A to M to shake its barrel, or 'keep A'.": (
        "Tippe einen Platz von A bis M, um sein Fass zu schütteln, oder „behalte A“."
    ),
    "On the plateau: {places}": "Auf dem Bergplateau: {places}",
    "Heard so far: {heard}": "Bisher gehört: {heard}",
    "'C' shakes C, 'keep C' keeps it, 'undo' takes your last move back.": (
        "„C“ schüttelt C, „behalte C“ nimmt es, „zurück“ nimmt deinen letzten Zug zurück."
    ),
    "Nobody waits for ever: once all others have chosen, you may shake {count} more times.": (
        "Niemand wartet ewig: Wenn alle anderen gewählt haben, darfst du noch {count}-mal "
        "schütteln."
    ),
    "({player}: barrel {number} goes back to place {place}.)": (
        "({player}: Das Fass mit der {number} kommt zurück auf Platz {place}.)"
    ),
    "{seat}, which pawn goes {number} {number:#field|fields}? ": (
        "{seat}, welcher Zauberlehrling zieht {number} {number:#Feld|Felder}? "
    ),
    "The field alone is enough, such as '8'; then 'undo' takes it back until you shake.": (
        "Das Feld allein genügt, etwa „8“; „zurück“ nimmt es zurück, bis du schüttelst."
    ),
    "There is nothing to take back: only your own move, until you shake again.": (
        "Es gibt nichts zurückzunehmen: nur deinen eigenen Zug, bis du wieder schüttelst."
    ),
    "Taken back.": "Zurückgenommen.",
}

TERMINAL: Final = HELP | FAULTS | STORY | SUMMARY | HUMAN | CHOOSING
