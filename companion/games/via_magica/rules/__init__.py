"""Via Magica: portals are opened with crystals, on fields that match the animus just caught.

Marks such as VM-3 number the facts of the rules; `tests/games/via_magica` tells each of them in a
test that bears its number. Where the rulebook leaves a reading open, the settings have it.
"""

from companion.games.via_magica.rules.buildings import *
from companion.games.via_magica.rules.events import *
from companion.games.via_magica.rules.game import *
from companion.games.via_magica.rules.model import *
from companion.games.via_magica.rules.portals import *
