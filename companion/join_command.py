"""`join`: a table belongs to a hall from now on, or leaves it."""

from __future__ import annotations

from argparse import Namespace

from companion.errors import CompanionError
from companion.folders import kept_in, made_private
from companion.hall_link import join_code
from companion.hall_link.kept_joining import keep, leave
from companion.present.screen import Screen


def join(options: Namespace, screen: Screen) -> int:
    """Keep what a code says, or forget it."""
    folder = kept_in(options.folder, "table")
    if options.leave:
        if not leave(folder):
            raise CompanionError("This table has not joined a hall by a code.")
        screen.tell("This table no longer belongs to a hall; restart it.")
        return 0
    if options.code is None:
        raise CompanionError("Give the code from the director's page, or --leave.")
    joining = join_code.read(options.code)
    keep(made_private(folder), joining)
    screen.tell(
        "This table now belongs to the hall at {host}, as {table}; restart it.",
        host=joining.host.split()[0],
        table=joining.table,
    )
    return 0
