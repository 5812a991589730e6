"""The Witches of Blackmore: tricks of witches, whose ranks a turning wheel decides.

Marks such as WB-4 number the facts of the rulebook; `tests/games/blackmore` tells each of them in a
test that bears its number. A *suit* is one of the six colours, called so because seats have colours
in other games; the *wheel* is the value that ranks highest now.
"""

from companion.games.blackmore.rules.explain import *
from companion.games.blackmore.rules.model import *
from companion.games.blackmore.rules.tricks import *
