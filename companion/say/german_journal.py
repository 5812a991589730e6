"""The journal's command, a match told again and what it came to, in German."""

from typing import Final

JOURNAL_HELP: Final = {
    "{program} replay FILE  show a saved game, or a match that was exported": (
        "{program} replay DATEI  ein gespeichertes Spiel oder eine Partie zeigen"
    ),
    "{program} journal      list, export and import the matches of a table": (
        "{program} journal       die Partien eines Tisches zeigen, ausgeben, übernehmen"
    ),
    "{program} journal list                   which matches there are": (
        "{program} journal list                     welche Partien es gibt"
    ),
    "{program} journal export [MATCH] FILE    write a match into a new file": (
        "{program} journal export [PARTIE] DATEI    eine Partie in eine neue Datei schreiben"
    ),
    "{program} journal import FILE            take in the matches of a file": (
        "{program} journal import DATEI             die Partien einer Datei übernehmen"
    ),
    "'{program} replay FILE' shows what was exported.": (
        "„{program} replay DATEI“ zeigt, was ausgegeben wurde."
    ),
    "The journal of a table: every match that was refereed.": (
        "Das Journal eines Tisches: jede Partie, die geleitet wurde."
    ),
    "Show which matches are in the journal, the newest first.": (
        "Zeigt, welche Partien im Journal stehen, die neueste zuerst."
    ),
    "Write a match into a new file, as JSON lines; what is still sealed stays out.": (
        "Schreibt eine Partie in eine neue Datei, als JSON-Zeilen; was noch verdeckt ist, bleibt "
        "draußen."
    ),
    "Take in matches that were exported; what is there stays as it is.": (
        "Übernimmt Partien, die ausgegeben wurden; was schon da ist, bleibt, wie es ist."
    ),
    "MATCH": "PARTIE",
    "as 'journal list' names it, or its beginning; all; otherwise the newest": (
        "wie „journal list“ sie nennt, oder der Anfang davon; all für alle; sonst die neueste"
    ),
    "a file that is not there": "eine Datei, die es noch nicht gibt",
    "what was exported": "was ausgegeben wurde",
    "the folder of the table; otherwise that of '{program} table'": (
        "der Ordner des Tisches; sonst der von „{program} table“"
    ),
    "the journal of the simulated table": "das Journal des simulierten Tisches",
}

JOURNAL_COMMAND: Final = {
    "No match is in the journal yet.": "Im Journal steht noch keine Partie.",
    "match": "Partie",
    "begun": "begonnen",
    "game": "Spiel",
    "The match stops here.": "Die Partie bricht hier ab.",
    "players": "Spieler",
    "rounds": "Runden",
    "winner": "Sieger",
    "unreadable": "unlesbar",
    "of a newer version": "von einer neueren Version",
    "given up": "abgebrochen",
    "unfinished": "unvollendet",
    "All that could be exported is still sealed; export it after a flip.": (
        "Alles, was ausgegeben werden könnte, ist noch verdeckt; gib es nach dem Umdrehen aus."
    ),
    "{count} {count:#match|matches} with {entries} entries {count:#is|are} in '{file}' now.": (
        "{count} {count:#Partie steht|Partien stehen} mit {entries} Einträgen jetzt in „{file}“."
    ),
    "It tells which stopper stood where: keep it safe, and show it nobody while its barrels are "
    "played with; '{program} replay' tells the match without.": (
        "Darin steht, welcher Stopfen wo stand: Bewahre es auf und zeige es niemandem, solange "
        "mit diesen Fässern gespielt wird; „{program} replay“ erzählt die Partie ohne das."
    ),
    "'{match}' fits {matches:and}; write more of it.": (
        "„{match}“ passt auf {matches:and}; schreib mehr davon."
    ),
    "There is no match '{match}'; '{program} journal list' shows them.": (
        "Eine Partie „{match}“ gibt es nicht; „{program} journal list“ zeigt sie."
    ),
    "Match {match} is exported up to entry {number}: what follows is still sealed. Export it again "
    "after the flip.": (
        "Partie {match} ist bis Eintrag {number} ausgegeben: Was folgt, ist noch verdeckt. Gib sie "
        "nach dem Umdrehen noch einmal aus."
    ),
    "{matches} {matches:#match|matches} taken from '{file}': {new} {new:#entry|entries} "
    "{new:#is|are} new, {known} {known:#was|were} in the journal already.": (
        "{matches} {matches:#Partie|Partien} aus „{file}“ übernommen: {new} "
        "{new:#Eintrag ist|Einträge sind} neu, {known} {known:#stand|standen} schon im Journal."
    ),
    "Not finished: {matches:and}. A table that starts goes on with the match that came last.": (
        "Nicht zu Ende: {matches:and}. Ein Tisch, der startet, macht mit der Partie weiter, die "
        "zuletzt kam."
    ),
    "{fault} This match was left.": "{fault} Diese Partie wurde nicht übernommen.",
    "There is no journal in '{folder}'; --folder names another, --simulated that of the simulated "
    "table.": (
        "In „{folder}“ ist kein Journal; --folder nennt ein anderes, --simulated das des "
        "simulierten Tisches."
    ),
    "A running table, or another program, uses the journal '{file}'; end it first.": (
        "Ein laufender Tisch oder ein anderes Programm benutzt das Journal „{file}“; beende es "
        "zuerst."
    ),
    "Match {match}, entry {number}: {fault}": "Partie {match}, Eintrag {number}: {fault}",
    "'{file}' holds no match that can be shown.": (
        "In „{file}“ steht keine Partie, die sich zeigen lässt."
    ),
}

RETOLD: Final = {
    "Match {match}, begun {date}": "Partie {match}, begonnen {date}",
    "Taken back ({by}): {count} {count:#action|actions}.": (
        "Zurückgenommen ({by}): {count} {count:#Aktion|Aktionen}."
    ),
    "The match is given up ({by}).": "Die Partie wird abgebrochen ({by}).",
    "The match stops here, in round {round}.": "Hier hört die Partie auf, in Runde {round}.",
    "Put right ({by}): '{action}' instead of '{former}'.": (
        "Berichtigt ({by}): „{action}“ statt „{former}“."
    ),
    "{count} {count:#action|actions} after it {count:#does|do} not fit any more and "
    "{count:#is|are} left out.": (
        "{count} {count:#Aktion|Aktionen} danach {count:#passt|passen} nicht mehr und "
        "{count:#fällt|fallen} weg."
    ),
    "! {seat} – {foul}: the table upholds it.": "! {seat} – {foul}: Der Tisch bestätigt es.",
    "! {seat} – {foul}: the table dismisses it.": "! {seat} – {foul}: Der Tisch verwirft es.",
    "! {seat} – {foul}?": "! {seat} – {foul}?",
    "! {seat} – {foul}? {percent} % sure.": "! {seat} – {foul}? Zu {percent} % sicher.",
    "! {seat} – {foul}: withdrawn.": "! {seat} – {foul}: zurückgezogen.",
    "Seat unknown": "Platz unbekannt",
    "snatched a barrel": "einem anderen das Fass genommen",
    "{best:and} {best:#has|have} shaken best: {lost} stones lost in each spell; one that was too "
    "much loses the whole magic number.": (
        "Am besten geschüttelt {best:#hat|haben} {best:and}: {lost} Steine verschenkt in jedem "
        "Zauber; einer mit zu viel verschenkt die ganze magische Zahl."
    ),
    "{who} – {foul}: raised {raised} {raised:#time|times}, upheld {upheld}, dismissed "
    "{dismissed}.": (
        "{who} – {foul}: {raised}-mal gemeldet, {upheld}-mal bestätigt, {dismissed}-mal verworfen."
    ),
}

MATCHES: Final = JOURNAL_HELP | JOURNAL_COMMAND | RETOLD
