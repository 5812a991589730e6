"""What happens in Trap the Wizard, in English. It must not know the rules."""

from typing import Final

EVENTS: Final = {
    "DieCast": "{seat} rolls {number}.",
    "NoWay": "No wizard of {seat} can use the {points}; they are lost.",
    "WizardSetOut": "{seat} leaves the start and comes to field {end}.",
    "WizardWalked": "{seat} walks from field {start} to field {end}.",
    "WizardReturned": "{seat} comes home from field {start} with its captives.",
    "WizardCaptured": "Trapped: {seat} captures a wizard of {victim} on field {field}.",
    "CaptivesHandedOver": "{victim} held {captives:and}; now {seat} does.",
    "CaptivesReleased": "{victim} held {captives:and}: free again.",
    "JokerCaptured": "{seat} captures the joker on field {field}.",
    "CaptivesBroughtHome": "{seat} takes out of the game: {captives}.",
    "CaptivesFreed": (
        "Freed: {wizards} own {wizards:#wizard|wizards} of {seat}, back on the start."
    ),
    "JokerWentBack": "The joker goes back to field {field}.",
    "JokerLeft": "The joker of {seat} is out until the next round.",
    "PointsLeftOver": "Left over: {points}, which another wizard of {seat} may use.",
    "PointsGivenUp": "{seat} leaves {points} unused.",
    "AnotherTurn": "A six: {seat} rolls again.",
    "TrapShut": "Round {round} is over: only {seat} still has wizards of its own.",
    "CatchCounted": "{seat} scores {points} and has {total} now.",
    "TrapWon": "{seats:and} {seats:#wins|win} the game!",
}

WORDS: Final = {
    "Robe.JOKER": "the joker",
}
