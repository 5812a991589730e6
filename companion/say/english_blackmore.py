"""What happens in the Witches of Blackmore, in English."""

from typing import Final

EVENTS: Final = {
    "HandsFilled": "All hold six cards; {left} {left:#is|are} left in the pile.",
    "WheelTurned": "The {card.suit} {card.value} turns the wheel: {card.suit} is trump.",
    "TrumpGone": "The trump pile is empty: no trump; the wheel stays at {wheel}.",
    "CardLed": "{seat} leads the {card.suit} {card.value}.",
    "CardPlayed": "{seat} plays the {card.suit} {card.value}.",
    "TrickWon": "{seat} wins the trick with the {card.suit} {card.value}: {points} points.",
    "TrumpLaid": "{seat} gives the {card.suit} {card.value} away for a new trump.",
    "TrumpKept": "{seat} leaves the trump as it is.",
    "PileEmptied": "The pile is empty: the end phase begins.",
    "TrumpDrawn": "{seat} takes the {card.suit} {card.value} from the trump pile.",
    "WentWithout": "There is no card left for {seat}.",
    "WheelControlled": (
        "{winners:and} {winners:#controls|control} the witch wheel with {points} points!"
    ),
}

WORDS: Final = {  # a seat is Blue, a card the blue 7
    "Suit.RED": "red",
    "Suit.YELLOW": "yellow",
    "Suit.GREEN": "green",
    "Suit.BLUE": "blue",
    "Suit.VIOLET": "violet",
    "Suit.WHITE": "white",
}
