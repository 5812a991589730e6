"""What every moment of a match is worth to each seat: exactly where the game is solved.

    worth(settings).of(state)

Whatever happens is worth the difference between after and before, and all differences add up.
"""

from companion.games.zapp_zerapp.solution.estimate import Values
from companion.games.zapp_zerapp.solution.places import folder
from companion.games.zapp_zerapp.solution.reader import Worth, worth

__all__ = ["Values", "Worth", "folder", "worth"]
