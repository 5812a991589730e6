"""What happens in the Witches of Blackmore, in English."""

from typing import Final

EVENTS: Final = {
    "CardDrawn": "{seat} draws a card; {left} {left:#is|are} left in the pile.",
    "WheelTurned": "{card.suit} {card.value} turns the wheel: {card.suit} is trump.",
    "TrumpGone": "The trump pile is empty: no trump; the wheel stays at {wheel}.",
    "CardLed": "{seat} leads {card.suit} {card.value}.",
    "CardPlayed": "{seat} plays {card.suit} {card.value}.",
    "TrickWon": "{seat} wins the trick with {card.suit} {card.value}: {points} points.",
    "TrumpLaid": "{seat} gives {card.suit} {card.value} away for a new trump.",
    "TrumpKept": "{seat} leaves the trump as it is.",
    "PileEmptied": "The pile is empty: the end phase begins.",
    "TrumpDrawn": "{seat} takes {card.suit} {card.value} from the trump pile.",
    "WentWithout": "There is no card left for {seat}.",
    "WheelControlled": (
        "{winners:and} {winners:#controls|control} the witch wheel with {points} points!"
    ),
}

WORDS: Final = {
    "Chair.A": "Player A",
    "Chair.B": "Player B",
    "Chair.C": "Player C",
    "Chair.D": "Player D",
    "Chair.E": "Player E",
    "Chair.F": "Player F",
    "Suit.RED": "Red",
    "Suit.YELLOW": "Yellow",
    "Suit.GREEN": "Green",
    "Suit.BLUE": "Blue",
    "Suit.VIOLET": "Violet",
    "Suit.WHITE": "White",
}
