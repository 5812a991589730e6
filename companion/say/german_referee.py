"""What the referee says, in German, found by the English template."""

from typing import Final

JOURNAL: Final = {
    "Every event is in the journal {file} before anybody hears of it.": (
        "Jedes Ereignis steht im Journal {file}, bevor jemand davon hört."
    ),
    "The journal {file} was an empty file, so it begins anew; look for a copy if it should not "
    "have been empty.": (
        "Das Journal {file} war eine leere Datei, darum fängt es neu an; suche eine Kopie, wenn "
        "sie nicht leer sein sollte."
    ),
    "The journal {file} was damaged; {count} events could be read and stand in a new one. The "
    "damaged file is kept as {aside}.": (
        "Das Journal {file} war beschädigt; {count} {count:#Ereignis war|Ereignisse waren} lesbar "
        "und {count:#steht|stehen} in einem neuen. Die beschädigte Datei liegt noch als {aside} da."
    ),
    "The journal {file} works again; what was played meanwhile is in it too.": (
        "Das Journal {file} arbeitet wieder; auch was inzwischen gespielt wurde, steht darin."
    ),
    "The disk with the journal {file} is full, so play goes on in memory. Make room; then all "
    "of it is written.": (
        "Der Speicher mit dem Journal {file} ist voll, darum geht das Spiel ohne ihn weiter. "
        "Schaffe Platz; dann wird alles geschrieben."
    ),
    "The journal {file} can only be read, so play goes on in memory. If its card was locked or "
    "is worn out, use another; once the journal can be written, all of it is.": (
        "Das Journal {file} lässt sich nur lesen, darum geht das Spiel ohne es weiter. Ist die "
        "Karte gesperrt oder verschlissen, dann nimm eine andere; sobald das Journal sich "
        "schreiben lässt, wird alles geschrieben."
    ),
    "This user may not write the journal {file}, so play goes on in memory. Make the user the "
    "owner of it and of its folder; then all of it is written.": (
        "Dieser Benutzer darf das Journal {file} nicht schreiben, darum geht das Spiel ohne es "
        "weiter. Mache ihn zum Eigentümer der Datei und ihres Ordners; dann wird alles geschrieben."
    ),
    "The disk with the journal {file} fails ({reason}), so play goes on in memory. Check the "
    "card or use another; once the disk works, all of it is written.": (
        "Der Speicher mit dem Journal {file} versagt ({reason}), darum geht das Spiel ohne ihn "
        "weiter. Prüfe die Karte oder nimm eine andere; sobald der Speicher arbeitet, wird alles "
        "geschrieben."
    ),
    "Another program uses the journal {file}, so play goes on in memory. Stop that program; "
    "then all of it is written.": (
        "Ein anderes Programm benutzt das Journal {file}, darum geht das Spiel ohne es weiter. "
        "Beende dieses Programm; dann wird alles geschrieben."
    ),
    "A newer version of this program wrote the journal {file}, so play goes on in memory. "
    "Update this program, or name another journal; the file stays as it is.": (
        "Eine neuere Version dieses Programms hat das Journal {file} geschrieben, darum geht das "
        "Spiel ohne es weiter. Aktualisiere dieses Programm oder nenne ein anderes Journal; die "
        "Datei bleibt, wie sie ist."
    ),
    "{file} is a database of another program, so play goes on in memory. Name another journal; "
    "the file stays as it is.": (
        "{file} ist eine Datenbank eines anderen Programms, darum geht das Spiel ohne Journal "
        "weiter. Nenne ein anderes Journal; die Datei bleibt, wie sie ist."
    ),
    "{file} is a folder and no journal, so play goes on in memory. Name a file in it, or "
    "remove the folder.": (
        "{file} ist ein Ordner und kein Journal, darum geht das Spiel ohne Journal weiter. Nenne "
        "eine Datei darin oder entferne den Ordner."
    ),
    "{file} is a folder, a pipe or a device where the journal needs an ordinary file, so play "
    "goes on in memory. Move it away; then all of it is written.": (
        "{file} ist ein Ordner, eine Pipe oder ein Gerät, wo das Journal eine gewöhnliche Datei "
        "braucht, darum geht das Spiel ohne Journal weiter. Räume das beiseite; dann wird alles "
        "geschrieben."
    ),
    "The journal {file} was taken away while it was in use, so there is a new one; it has the "
    "{count} events that could still be read. Look for the old one if a match is missing.": (
        "Das Journal {file} wurde weggenommen, während es benutzt wurde, darum gibt es ein neues; "
        "darin {count:#steht|stehen} {count} {count:#Ereignis|Ereignisse}, so viel noch lesbar "
        "war. Suche das alte, wenn eine Partie fehlt."
    ),
    "The folder of the journal {file} is missing, so play goes on in memory. Make it or plug "
    "its disk in; then all of it is written.": (
        "Der Ordner des Journals {file} fehlt, darum geht das Spiel ohne es weiter. Lege ihn an "
        "oder stecke seinen Speicher ein; dann wird alles geschrieben."
    ),
    "The journal {file} says otherwise than what was played here, so play goes on in memory. "
    "Save the match as a file; the journal stays as it is.": (
        "Das Journal {file} sagt anderes, als hier gespielt wurde, darum geht das Spiel ohne es "
        "weiter. Sichere die Partie als Datei; das Journal bleibt, wie es ist."
    ),
    "The journal {file} has a fault that nobody foresaw ({reason}), so play goes on in memory. "
    "It is tried again; if the fault stays, report it.": (
        "Das Journal {file} hat einen Fehler, den niemand vorhergesehen hat ({reason}), darum "
        "geht das Spiel ohne es weiter. Es wird wieder versucht; bleibt der Fehler, dann melde ihn."
    ),
    "The journal {file} is closed.": ("Das Journal {file} ist geschlossen."),
    "Match {match} is in the journal with other events.": (
        "Partie {match} steht mit anderen Ereignissen im Journal."
    ),
    "Match {match} is being played; it was left.": (
        "Partie {match} wird gerade gespielt; sie blieb, wie sie ist."
    ),
    "Match {match} was not taken in: the journal cannot be written.": (
        "Partie {match} wurde nicht übernommen: Das Journal lässt sich nicht schreiben."
    ),
    "{file}, line {number}: this is damaged.": ("{file}, Zeile {number}: Das ist beschädigt."),
    "{file}, line {number}: an event before this one is missing.": (
        "{file}, Zeile {number}: Davor fehlt ein Ereignis."
    ),
    "{file}: these are no matches of ours.": ("{file}: Das sind keine Partien von uns."),
    "{file}: a newer version of this program wrote it; update this program.": (
        "{file}: Das hat eine neuere Version dieses Programms geschrieben; aktualisiere dieses "
        "Programm."
    ),
}

REFEREE: Final = {
    "Nothing fails by a mistake of this program.": "Nichts geht durch einen Programmfehler schief.",
    "Something failed by a mistake of this program; the game goes on. What it missed, people tap; "
    "its log says what failed.": (
        "Durch einen Fehler dieses Programms ging etwas schief; das Spiel geht weiter. Was ihm "
        "entging, tippt ihr ein; sein Protokoll sagt, was schiefging."
    ),
    "That failed by a mistake of this program; the game goes on.": (
        "Das ging durch einen Fehler dieses Programms schief; das Spiel geht weiter."
    ),
    "'{kind}' is not known in a journal; use the version that wrote it, or a newer one.": (
        "„{kind}“ ist in einem Journal unbekannt; nimm die Version, die es geschrieben hat, oder "
        "eine neuere."
    ),
    "A match begins once; '{deed}' cannot follow.": (
        "Eine Partie beginnt nur einmal; „{deed}“ kann nicht folgen."
    ),
    "A match starts with how it began, not with '{deed}'.": (
        "Eine Partie fängt damit an, wie sie begann, nicht mit „{deed}“."
    ),
    "The match is of '{game}', schema {schema}, which this version does not know; use the one that "
    "wrote it.": (
        "Die Partie ist von „{game}“, Schema {schema}, und das kennt diese Version nicht; nimm "
        "die, die sie geschrieben hat."
    ),
    "There is no foul {number} to rule on.": (
        "Es gibt keinen Regelverstoß {number}, über den zu entscheiden wäre."
    ),
    "There is nothing to take back.": "Es gibt nichts zurückzunehmen.",
    "Entry {number} of the journal is no action of this game.": (
        "Eintrag {number} des Journals ist keine Aktion dieses Spiels."
    ),
    "An entry can only be put right by another of its kind.": (
        "Ein Eintrag lässt sich nur durch einen seiner Art berichtigen."
    ),
    "The table went on meanwhile; look again, then decide.": (
        "Am Tisch ging es inzwischen weiter; schau noch einmal hin und entscheide dann."
    ),
    "In this match the companion rolls and draws: have it do so. Whoever wants dice or a bag of "
    "their own chooses that when a match is set up.": (
        "In dieser Partie würfelt und zieht die Rappelwacht: Lass sie es tun. Wer selbst würfeln "
        "oder ziehen will, wählt das, wenn ihr eine Partie vorbereitet."
    ),
    "That was for another match; look at the table again, then decide.": (
        "Das galt einer anderen Partie; schau noch einmal auf den Tisch und entscheide dann."
    ),
    "Another wish was sent under this name; send this under a new one.": (
        "Unter diesem Namen kam schon ein anderer Wunsch; schicke diesen unter einem neuen."
    ),
    "No match is being played; begin one first.": ("Es läuft keine Partie; beginnt zuerst eine."),
    "The companion did that itself; there is nothing to put right.": (
        "Das hat die Rappelwacht selbst getan; daran ist nichts zu berichtigen."
    ),
    "This game is played without barrels.": "Dieses Spiel spielt man ohne Fässer.",
    "There is nothing to roll now.": "Jetzt gibt es nichts zu würfeln.",
    "'{wish}' is nothing to wish for in a match.": (
        "„{wish}“ kann man sich in einer Partie nicht wünschen."
    ),
    "There is no foul '{code}'; there are {codes}.": (
        "Einen Regelverstoß „{code}“ gibt es nicht; es gibt {codes}."
    ),
    "This match is not over; finish it or give it up first.": (
        "Diese Partie ist nicht vorbei; spielt sie zu Ende oder gebt sie vorher auf."
    ),
    "The pad of {seat} says that its barrel is gone, but the barrel stands; look at the pad's "
    "cable. Until it works, people tap who has placed.": (
        "Die Platte von {seat} meldet, ihr Fass sei weg, aber das Fass steht; sieh nach ihrem "
        "Kabel. Bis sie wieder geht, tippt ein, wer gewählt hat."
    ),
    "Which stopper it is, the workshop says after the match.": (
        "Welcher Stopfen es ist, sagt nach der Partie die Werkstatt."
    ),
    "This version cannot go on with the match that was played last; it stays in the journal. Use "
    "the version that wrote it, or begin another match, which gives this one up.": (
        "Diese Version kann die letzte Partie nicht fortsetzen; sie bleibt im Journal. Nimm die "
        "Version, die sie geschrieben hat, oder beginne eine neue Partie; damit ist die alte "
        "aufgegeben."
    ),
    "A barrel does not weigh what it should: a stone may be missing, or its stopper was swapped. "
    "After the match the workshop says which.": (
        "Ein Fass wiegt nicht, was es sollte: Vielleicht fehlt ein Stein, oder sein Stopfen wurde "
        "vertauscht. Nach der Partie sagt die Werkstatt, welches es ist."
    ),
}
