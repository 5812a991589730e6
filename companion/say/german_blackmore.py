"""What happens in the Witches of Blackmore and what its rules refuse, in German."""

from typing import Final

EVENTS: Final = {
    "HandsFilled": "Alle haben sechs Karten; im Stapel {left:#ist|sind} noch {left}.",
    "WheelTurned": (
        "Die {card.suit} {card.value} dreht das Hexenrad; {card.suit} Karten sind Trumpf."
    ),
    "TrumpGone": "Der Trumpfstapel ist leer: kein Trumpf; das Rad bleibt auf {wheel}.",
    "CardLed": "{seat} spielt die {card.suit} {card.value} aus.",
    "CardPlayed": "{seat} spielt die {card.suit} {card.value}.",
    "TrickWon": "{seat} gewinnt den Stich mit der {card.suit}n {card.value}: {points} Punkte.",
    "TrumpLaid": "{seat} gibt die {card.suit} {card.value} für einen neuen Trumpf her.",
    "TrumpKept": "{seat} lässt den Trumpf, wie er ist.",
    "PileEmptied": "Der Stapel ist leer: Die Endphase beginnt.",
    "TrumpDrawn": "{seat} nimmt die {card.suit} {card.value} vom Trumpfstapel.",
    "WentWithout": "Für {seat} ist keine Karte mehr da.",
    "WheelControlled": (
        "{winners:and} {winners:#kontrolliert|kontrollieren} das Hexenrad mit {points} Punkten!"
    ),
}

WORDS: Final = {  # die blaue 7; mit der blauen 7; blaue Karten
    "Suit.RED": "rote",
    "Suit.YELLOW": "gelbe",
    "Suit.GREEN": "grüne",
    "Suit.BLUE": "blaue",
    "Suit.VIOLET": "violette",
    "Suit.WHITE": "weiße",
}

BLACKMORE: Final = {
    "A game takes 2 to 6 players, not {count}.": (
        "Mit {count} {count:#Mitspieler|Mitspielern} geht es nicht; es müssen 2 bis 6 sein."
    ),
    "It is not the turn of {seat}; it is the turn of {player}.": (
        "{seat} ist nicht an der Reihe; an der Reihe ist {player}."
    ),
    "{seat} cannot play {card}; play a card from the own hand.": (
        "{seat} kann {card} nicht spielen; spiele eine Karte aus der eigenen Hand."
    ),
    "{card} was not won in this trick; lay one of {cards}, or write 'keep'.": (
        "{card} liegt nicht in diesem Stich; lege eine von {cards} oder schreibe „keep“."
    ),
    "{seat} does not get a card now; {player} does.": (
        "{seat} bekommt jetzt keine Karte; {player} ist dran."
    ),
    "At this table people deal by hand; leave the card out.": (
        "An diesem Tisch gebt ihr die Karten selbst; lass die Karte weg."
    ),
    "Name the card that {player} gets.": "Nenne die Karte, die {player} bekommt.",
    "{card} is not in the pile.": "{card} liegt nicht im Stapel.",
    "'{verb}' is not possible now: first {player} gets a card, such as 'deal red'.": (
        "„{verb}“ geht jetzt nicht: Zuerst bekommt {player} eine Karte, etwa mit „deal red“."
    ),
    "'{verb}' is not possible now: first the top card of the pile is turned up, such as "
    "'turn red:7'.": (
        "„{verb}“ geht jetzt nicht: Zuerst wird die oberste Karte des Stapels aufgedeckt, etwa "
        "mit „turn red:7“."
    ),
    "'{verb}' is not possible now: first {player} plays a card, such as 'play red blue:7'.": (
        "„{verb}“ geht jetzt nicht: Zuerst spielt {player} eine Karte, etwa mit „play red blue:7“."
    ),
    "'{verb}' is not possible now: first {player} may change the trump, 'change' or 'keep'.": (
        "„{verb}“ geht jetzt nicht: Zuerst darf {player} den Trumpf wechseln, mit „change“ oder "
        "„keep“."
    ),
}
