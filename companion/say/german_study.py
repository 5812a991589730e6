"""What many matches tell, in German, found by the English template."""

from typing import Final

STUDY: Final = {
    "{program} study GAME   play a game often: how long it is, and how fair": (
        "{program} study SPIEL   ein Spiel oft spielen: wie lang es ist und wie gerecht"
    ),
    "Play a game many times, by players of ours: how long it is, and how fair.": (
        "Ein Spiel viele Male von eigenen Spielern spielen lassen: wie lang es ist, wie gerecht."
    ),
    "GAME": "SPIEL",
    "{names:and}": "{names:and}",
    "so many matches; otherwise 100": "so viele Partien; sonst 100",
    "who plays, such as greedy,greedy,random; otherwise four of the best": (
        "wer spielt, etwa greedy,greedy,random; sonst vier der besten"
    ),
    "the same number, the same matches": "dieselbe Zahl, dieselben Partien",
    "only the figures, as one JSON object": "nur die Zahlen, als ein JSON-Objekt",
    "also write a page with plots there: study-{game}.html": (
        "dort auch eine Seite mit Diagrammen ablegen: study-{game}.html"
    ),
    "There is nothing to tell of {count} games.": "Von {count} Partien gibt es nichts zu erzählen.",
    "None of the {count} matches came to an end within {most} actions; choose other players.": (
        "Von {count} Partien war keine nach {most} Aktionen zu Ende; nimm andere Spieler."
    ),
    "Nobody who plays this game is called '{word}'; there are {names:and}.": (
        "Niemand, der dieses Spiel spielt, heißt „{word}“; es gibt {names:and}."
    ),
    "{count} players find no place; there are {most} seats.": (
        "{count} Spieler finden keinen Platz; es gibt {most} Plätze."
    ),
    "The page with the plots is {file}.": "Die Seite mit den Diagrammen ist {file}.",
    "{game}: {count} {count:#match|matches}": "{game}: {count} {count:#Partie|Partien}",
    "{count} seats, played by {players:and}; seed {seed} repeats it.": (
        "{count} Plätze, gespielt von {players:and}; --seed {seed} wiederholt es."
    ),
    "After each match all players move on by a seat.": (
        "Nach jeder Partie rücken alle einen Platz weiter."
    ),
    "{count} {count:#match|matches} would not come to an end; nothing below counts "
    "{count:#it|them}.": (
        "{count} {count:#Partie wollte|Partien wollten} nicht enden; hier {count:#zählt sie|zählen "
        "sie} nicht mit."
    ),
    "{seats:and} {seats:#wins|win} more often than the fair {share}; that is hardly chance.": (
        "{seats:and} {seats:#gewinnt|gewinnen} öfter als die gerechten {share}; Zufall ist das "
        "kaum."
    ),
    "{seats:and} {seats:#wins|win} less often than the fair {share}; that is hardly chance.": (
        "{seats:and} {seats:#gewinnt|gewinnen} seltener als die gerechten {share}; Zufall ist das "
        "kaum."
    ),
    "No seat differs from the fair {share} by more than chance.": (
        "Kein Platz weicht stärker von den gerechten {share} ab, als es der Zufall tut."
    ),
    "{count} {count:#win was|wins were} shared and {count:#counts|count} for each by its part.": (
        "{count} {count:#Sieg wurde|Siege wurden} geteilt und {count:#zählt|zählen} für jeden "
        "anteilig."
    ),
    "Every match is {length} {unit} long.": "Jede Partie dauert {length} {unit}.",
    "How many matches were so long: half of them at most {median}.": (
        "Wie viele Partien so lang waren: die Hälfte höchstens {median}."
    ),
    "The dashed line is the median: half of the matches were at most so long.": (
        "Die gestrichelte Linie ist der Median: Die Hälfte der Partien war höchstens so lang."
    ),
    "{about}; half of all winners have at most {points}.": (
        "{about}; die Hälfte aller Sieger hat höchstens {points}."
    ),
    "A dot is what was found, the line around it where the truth lies in 95 of 100 cases; dashed "
    "is what each seat wins if all are equally good.": (
        "Der Punkt ist das Ergebnis, der Strich zeigt, wo in 95 von 100 Fällen die Wahrheit liegt; "
        "gestrichelt ist, was jeder Platz gewinnt, wenn alle gleich gut sind."
    ),
    "least": "kleinste",
    "25 %": "25 %",
    "median": "Median",
    "75 %": "75 %",
    "most": "größte",
    "mean": "Mittel",
    "How long the matches are": "Wie lang die Partien sind",
    "Which seat wins": "Welcher Platz gewinnt",
    "Who wins, for each seat": "Wer gewinnt, je Platz",
    "How the points lie": "Wie die Punkte liegen",
    "In a match, on average": "Im Mittel je Partie",
    "matches": "Partien",
    "results": "Ergebnisse",
    "matches won": "Siege",
    "winners": "Sieger",
    "others": "andere",
    "actions": "Aktionen",
    "points of the winner": "Punkte des Siegers",
    "lead of the winner": "Vorsprung des Siegers",
    "apprentices in the city": "Lehrlinge in der Stadt",
    "moves": "Züge",
    "banished others": "andere verbannt",
    "was banished": "verbannt worden",
    "rolls of the die": "Würfe",
    "points": "Punkte",
    "captured wizards": "Zauberer gefangen",
    "lost wizards": "Zauberer verloren",
    "came home with captives": "mit Gefangenen heim",
    "took the joker": "den Joker geholt",
    "opened portals": "Portale geöffnet",
    "… yellow ones": "… gelbe",
    "… violet ones": "… violette",
    "… blue ones": "… blaue",
    "… green ones": "… grüne",
    "claimed rewards": "Belohnungen",
    "tricks": "Stiche",
    "won tricks": "Stiche gewonnen",
    "changed the trump": "Trumpf gewechselt",
}
