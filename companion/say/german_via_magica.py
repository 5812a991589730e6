"""What happens in Via Magica and what does not work there, in German."""

from typing import Final

EVENTS: Final = {
    "PortalDealt": "{seat} bekommt ein Tor.",
    "DisplayFilled": "Neu in der Auslage: Tor {portals}.",
    "PortalsKept": "{seat} hat drei Tore gewählt.",
    "ZoneUnveiled": "{seat} beginnt mit den Toren {portals:and}.",
    "AnimusCaught": "{seat} hat gefangen: {animus}!",
    "FieldLacking": "{seat} hat kein freies Feld dafür.",
    "CrystalPlaced": "{seat} setzt einen Kristall auf {animus} von Tor {portal}.",
    "CrystalShifted": (
        "{seat} verschiebt: {source.animus} von Tor {source.portal} nach {animus} von Tor {portal}."
    ),
    "BagRefilled": "Nach dem Joker kommen alle Animi zurück in den Beutel.",
    "IncantatumCalled": "Incantatum! Die Tore öffnen sich der Reihe nach: {seats}.",
    "PortalOpened": "Incantatum! {seat} öffnet Tor {portal} ({hue}).",
    "CrystalsGained": "{seat} hat {count} {count:#Kristall|Kristalle} mehr.",
    "PortalTaken": "{seat} nimmt Tor {portal} aus der Auslage.",
    "RewardClaimed": "{seat} bekommt die Belohnung für {reward}: {points} Punkte.",
    "PowerWaived": "{seat} nutzt die magische Kraft nicht weiter.",
    "RewardsWaived": "{seat} verlangt keine Belohnung mehr.",
    "SeventhPortal": "{seat} hat das siebte Tor geöffnet: die letzte Runde!",
    "CatcherPassed": "Der Beutel geht nach links; jetzt fängt {seat}.",
    "PortalsScored": "{seat} hat {points} Punkte und {portals} {portals:#offenes Tor|offene Tore}.",
    "PortalsWon": "{seats:and} {seats:#gewinnt|gewinnen}!",
}

WORDS: Final = {
    "Animus.AIR": "Luft",
    "Animus.WATER": "Wasser",
    "Animus.EARTH": "Erde",
    "Animus.LIFE": "Leben",
    "Animus.FIRE": "Feuer",
    "Animus.SHADOW": "Schatten",
    "Animus.JOKER": "Joker",
    "Hue.GREEN": "grün",
    "Hue.YELLOW": "gelb",
    "Hue.VIOLET": "violett",
    "Hue.BLUE": "blau",
    "Reward.YELLOW": "drei gelbe Tore",
    "Reward.VIOLET": "drei violette Tore",
    "Reward.GREEN": "drei grüne Tore",
    "Reward.BLUE": "drei blaue Tore",
    "Reward.EVERY": "ein Tor in jeder Farbe",
    "Reward.TWO": "zwei Tore",
    "Reward.THREE": "drei Tore",
    "Reward.FOUR": "vier Tore",
    "Reward.FIVE": "fünf Tore",
    "Reward.SIX": "sechs Tore",
    "portals are dealt: 'deal'": "zuerst werden Tore ausgeteilt: „deal“",
    "a portal is drawn: 'draw'": "zuerst wird ein Tor gezogen: „draw“",
    "what was drawn is turned up: 'turn'": "zuerst wird das Gezogene aufgedeckt: „turn“",
    "three portals are kept: 'keep'": "zuerst werden drei Tore behalten: „keep“",
    "all show what they kept: 'unveil'": "zuerst zeigen alle ihre Tore: „unveil“",
    "an animus is caught: 'catch'": "zuerst wird ein Animus gefangen: „catch“",
    "a crystal is placed: 'crystallize'": "zuerst wird ein Kristall gesetzt: „crystallize“",
    "it is said who called first: 'call'": "zuerst sagt ihr, wer als Erster rief: „call“",
    "a portal is opened: 'open'": "zuerst wird ein Tor geöffnet: „open“",
    "a power is used, or 'waive'": "zuerst wird eine Kraft genutzt, oder „waive“",
    "a portal is taken: 'take'": "zuerst wird ein Tor genommen: „take“",
    "a reward is claimed: 'claim', or 'waive'": (
        "zuerst wird eine Belohnung verlangt: „claim“, oder „waive“"
    ),
    "the game is over; begin a new one": "das Spiel ist zu Ende; beginnt ein neues",
}

ERRORS: Final = {
    "Via Magica takes 2 to 6 players, not {count}.": (
        "Via Magica geht mit 2 bis 6 Spielern, nicht mit {count}."
    ),
    "The seats {seats} are not each named once and clockwise; write {right}.": (
        "Die Plätze {seats} sind nicht jeder einmal und im Uhrzeigersinn genannt; richtig wäre: "
        "{right}."
    ),
    "A player cannot have {count} rewards; write 0 for any number.": (
        "{count} Belohnungen kann niemand haben; 0 heißt: beliebig viele."
    ),
    "'{verb}' is not possible now; {what}.": "„{verb}“ geht jetzt nicht; {what}.",
    "It is not the turn of {seat} but of {turns}; {what}.": (
        "Nicht {seat} ist dran, sondern {turns:and}; {what}."
    ),
    "The next portal is for {due}, not for {player}.": (
        "Das nächste Tor ist für {due}, nicht für {player}."
    ),
    "Portal {portal} is not in the stack; look again at its number.": (
        "Tor {portal} ist nicht im Stapel; schau noch einmal nach der Nummer."
    ),
    "Keep three of your six portals, all different; name them ascending.": (
        "Behalte drei deiner sechs Tore, alle verschieden; nenne sie aufsteigend."
    ),
    "Name one portal after another, each once, and none of which both copies lie elsewhere; "
    "left are {portals}.": (
        "Nenne ein Tor nach dem anderen, jedes einmal und keines, von dem beide Exemplare schon "
        "woanders liegen; übrig sind {portals}."
    ),
    "No {animus} is left in the bag; look again at what was caught.": (
        "{animus} ist nicht mehr im Beutel; schau noch einmal nach, was gefangen wurde."
    ),
    "{first} has no portal to open; {callers} have.": (
        "{first} hat kein Tor zu öffnen; das {callers:#hat|haben} {callers:and}."
    ),
    "The reward {reward} cannot be claimed now; claim one of {rewards}.": (
        "Die Belohnung für {reward} gibt es jetzt nicht; verlange eine für: {rewards}."
    ),
    "Portal {portal} is not full; open one of {portals}.": (
        "Tor {portal} ist nicht voll; öffne eines von {portals}."
    ),
    "The power of portal {portal} does not allow that; use it otherwise, or 'waive'.": (
        "Das erlaubt die Kraft von Tor {portal} nicht; nutze sie anders, oder „waive“."
    ),
    "Portal {portal} does not lie on the table; take one of {portals}.": (
        "Tor {portal} liegt nicht in der Auslage; nimm eines von {portals}."
    ),
    "Nobody takes a portal of the same kind as {portal} twice; take one of {portals}.": (
        "Ein Tor wie {portal} nimmt niemand zweimal; nimm eines von {portals}."
    ),
    "Portal {portal} is not in the building zone of {seat}; there are {portals}.": (
        "Tor {portal} ist nicht in der Bauzone von {seat}; dort sind {portals}."
    ),
    "A field of {animus} does not match now; place on {matches}.": (
        "Ein Feld für {animus} passt jetzt nicht; setze auf {matches}."
    ),
    "Portal {portal} has no free field of {animus}; choose another field.": (
        "Tor {portal} hat kein freies Feld für {animus}; wähle ein anderes Feld."
    ),
    "{seat} has no crystal left in its supply; move one from a field.": (
        "{seat} hat keinen Kristall mehr im Vorrat; verschiebe einen von einem Feld."
    ),
    "No crystal lies on {field}; name the field that it comes from.": (
        "Auf {field} liegt kein Kristall; nenne das Feld, von dem er kommt."
    ),
    "Only placed crystals are rearranged, each to another field.": (
        "Umgesetzt werden nur gesetzte Kristalle, jeder auf ein anderes Feld."
    ),
}
