"""What a position is worth to each seat: exactly where the game is solved, else an estimate.

    worth(settings).of(state)

Whatever happens is worth the difference between after and before, and all differences add up.
"""

from companion.games.zapp_zerapp.solution.estimate import Values, Worth
from companion.games.zapp_zerapp.solution.reader import worth
from companion.games.zapp_zerapp.solution.table import folder

__all__ = ["Values", "Worth", "folder", "worth"]
