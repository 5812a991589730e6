"""What phones show of past matches, in German."""

from typing import Final

PHONE_HISTORY: Final = {
    "History": "Rückblick",
    "No match has been played here yet.": "Hier wurde noch keine Partie gespielt.",
    "Play one: everything that happens is written down, and afterwards you can see it here again, "
    "step by step.": (
        "Spielt eine: Alles, was geschieht, wird aufgeschrieben, und danach könnt ihr es hier "
        "Schritt für Schritt noch einmal ansehen."
    ),
    "Set up a match": "Neue Partie vorbereiten",
    "{rounds} {rounds:#round|rounds}": "{rounds} {rounds:#Runde|Runden}",
    "What all matches came to": "Was alle Partien ergeben",
    "{count} {count:#match that was|matches that were} played to the end.": (
        "{count} {count:#Partie, die|Partien, die} zu Ende gespielt {count:#wurde|wurden}."
    ),
    "{count} more {count:#match is|matches are} being read; {count:#it stands|they stand} here in "
    "a moment.": (
        "{count} weitere {count:#Partie wird|Partien werden} gerade gelesen; gleich "
        "{count:#steht sie|stehen sie} hier."
    ),
    "Who hears best?": "Wer hört am besten?",
    "Each bar counts barrels: at 0 they held exactly the magic number, left of it fewer stones, "
    "and the hollow bars right of it too many.": (
        "Jeder Balken zählt Fässer: Bei 0 trafen sie genau die magische Zahl, links davon waren es "
        "weniger Steine, und die hohlen Balken rechts davon waren zu viele."
    ),
    "Best so far: {seats:and}, with {lost} stones lost in each spell. A spell that fails loses the "
    "whole magic number.": (
        "Bisher am besten: {seats:and}, mit {lost} verschenkten Steinen in jedem Zauber. Einer, "
        "der misslingt, verschenkt die ganze magische Zahl."
    ),
    "player": "Farbe",
    "lost each": "verschenkt",
    "Who banishes whom?": "Wer verbannt wen?",
    "Full bars: apprentices of others that were sent back. Hollow bars: own ones that were.": (
        "Volle Balken: fremde Zauberlehrlinge, die zurück mussten. Hohle Balken: eigene."
    ),
    "How long is a match?": "Wie lang ist eine Partie?",
    "On average {mean} rounds, the dashed line; the newest match stands at the right.": (
        "Im Mittel {mean} Runden, die gestrichelte Linie; die neueste Partie steht rechts."
    ),
    "How far the barrels of {seat} were from the magic number.": (
        "Wie weit die Fässer von {seat} von der magischen Zahl entfernt waren."
    ),
    "How often each has banished others, and was banished.": (
        "Wie oft jeder andere verbannt hat und selbst verbannt wurde."
    ),
    "How many rounds each match took.": "Wie viele Runden jede Partie dauerte.",
    "{year}-{month}-{day}, {time}": "{day}.{month}.{year}, {time}",
    "{winners:and} {winners:#has|have} won": "{winners:and} {winners:#hat|haben} gewonnen",
    "Given up": "Abgebrochen",
    "Not finished": "Nicht zu Ende",
    "Damaged": "Beschädigt",
    "Of a newer version": "Von einer neueren Version",
    "A match": "Eine Partie",
    "Older matches": "Ältere Partien",
    "All matches": "Alle Partien",
    "This match is damaged in the journal, perhaps by a power cut. It is shown as far as it can be "
    "read; all other matches are whole.": (
        "Diese Partie ist im Journal beschädigt, vielleicht durch einen Stromausfall. Sie wird "
        "gezeigt, so weit sie lesbar ist; allen anderen Partien fehlt nichts."
    ),
    "A newer version of this program wrote this match. It is shown as far as this version can read "
    "it; install the newer one to see all of it.": (
        "Diese Partie hat eine neuere Version dieses Programms geschrieben. Sie wird gezeigt, so "
        "weit diese Version sie lesen kann; um alles zu sehen, installiere die neuere."
    ),
    "This match is being played. It is shown as far as all can know it; what is still hidden comes "
    "after the flip.": (
        "Diese Partie läuft gerade. Gezeigt wird, was alle wissen dürfen; was noch verdeckt ist, "
        "kommt nach dem Umdrehen."
    ),
    "Look at the match step by step": "Die Partie Schritt für Schritt",
    "Show this step": "Diesen Schritt zeigen",
    "Play": "Abspielen",
    "Pause": "Anhalten",
    "All that happened": "Alles, was geschah",
    "Export this match": "Diese Partie speichern",
    "The file holds the match step by step, and this companion can read it at another table, "
    "too.": (
        "Die Datei enthält die Partie Schritt für Schritt und lässt sich auch an einem anderen "
        "Tisch einlesen."
    ),
    "Which stopper stood where is left out.": "Welcher Stopfen wo stand, bleibt draußen.",
    "Round {round}": "Runde {round}",
    "magic number {magic}": "magische Zahl {magic}",
    "step {step} of {last}": "Schritt {step} von {last}",
    "Steps": "Schritte",
    "First step": "Erster Schritt",
    "One step back": "Ein Schritt zurück",
    "One step on": "Ein Schritt weiter",
    "Last step": "Letzter Schritt",
    "{by} has made an entry.": "{by} hat etwas eingetragen.",
    "{seats:and} {seats:#plays|play}.": "Es {seats:#spielt|spielen} {seats:and}.",
    "Profi version: castle fields are take-along fields.": (
        "Profi-Version: Burgfelder sind Mitnahmefelder."
    ),
    "Who overlooks a banishment lets that apprentice stay.": (
        "Wer eine Verbannung übersieht, lässt den Zauberlehrling stehen."
    ),
    "The barrels are not mixed between rounds.": (
        "Die Fässer werden zwischen den Runden nicht gemischt."
    ),
    "Put right: the magic number was {now}, not {former}.": (
        "Berichtigt: Die magische Zahl war {now}, nicht {former}."
    ),
    "Put right: {seat} showed {now}, not {former}.": (
        "Berichtigt: {seat} zeigte {now}, nicht {former}."
    ),
    "An earlier entry is put right ({by}).": "Ein früherer Eintrag ist berichtigt ({by}).",
    "{seat} – {foul}: the table upholds it.": "{seat} – {foul}: Der Tisch bestätigt es.",
    "{seat} – {foul}: the table dismisses it.": "{seat} – {foul}: Der Tisch verwirft es.",
    "Somebody": "Jemand",
    "the table": "der Tisch",
    "{seat} – {foul}?": "{seat} – {foul}?",
    "{seat} – {foul}? {percent} % sure.": "{seat} – {foul}? Zu {percent} % sicher.",
    "{seat} – {foul}: withdrawn.": "{seat} – {foul}: zurückgezogen.",
    "A barrel was tilted far for a moment.": "Ein Fass war einen Augenblick lang weit gekippt.",
}
