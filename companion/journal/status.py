"""Status of the journal, with what to do about it, and what faults of a disk mean for it."""

import errno
from pathlib import Path
from typing import Final

from companion.system import format_names, private_files
from companion.system.status import Fine, Status


@format_names.format_name("JournalState")
class JournalState(Status):
    """How the journal is; in all but the first four, play goes on in memory.

    A page says of {file} only the name, which for the folder of all matches is "journal".
    """

    WRITING = Fine("Every event is in the folder {file} before anybody hears of it.")
    RESTORED = (
        "The file {file} was damaged; {count} {count:#event|events} of it could be saved. The "
        "damaged file is kept as {aside}."
    )
    MADE_AGAIN = (
        "Files in the folder {file} were taken away while they were in use, so there are new ones "
        "with the {count} {count:#event|events} that could still be read. Look for the old ones "
        "if a match is missing."
    )
    CAUGHT_UP = Fine("The folder {file} works again; what was played meanwhile is in it too.")
    FULL = (
        "The disk with the folder {file} is full, so play goes on in memory. Make room; then all "
        "of it is written."
    )
    READ_ONLY = (
        "The folder {file} can only be read, so play goes on in memory. If its card was locked or "
        "is worn out, use another; once the folder can be written, all of it is."
    )
    FORBIDDEN = (
        "This user may not write into the folder {file}, so play goes on in memory. Make the user "
        "the owner of it and of all in it; then all of it is written."
    )
    FAILING = (
        "The disk with the folder {file} fails ({reason}), so play goes on in memory. Check the "
        "card or use another; once the disk works, all of it is written."
    )
    IN_USE = (
        "Another program uses the folder {file}, so play goes on in memory. Stop that program; "
        "then all of it is written."
    )
    NEWER = (
        "A newer version of this program wrote {file}, so play goes on in memory. Update this "
        "program, or use another folder; the file stays as it is."
    )
    NOT_A_FOLDER = (
        "{file} is not a folder, so play goes on in memory. Move it away; then all of it is "
        "written."
    )
    IN_THE_WAY = (
        "{file} is a folder, a pipe or a device where the journal needs an ordinary file, so play "
        "goes on in memory. Move it away; then all of it is written."
    )
    NO_FOLDER = (
        "The folder that {file} belongs in is missing, so play goes on in memory. Create it or "
        "plug its disk in; then all of it is written."
    )
    PARTED = (
        "The folder {file} disagrees with what was played here, so play goes on in memory. Save "
        "the match as a file; the folder stays as it is."
    )
    CLOSED = Fine("The folder {file} is closed.")


class JournalFault(Exception):
    def __init__(
        self, state: JournalState, reason: object = "", *, file: Path | None = None
    ) -> None:
        super().__init__(state, reason)
        self.state = state
        self.file = file  # which file, if not the journal itself
        self.reason = str(reason)


class Damaged(Exception):
    """A file holds something that was not written into it here."""


# where what is on the disk may still be read
READABLE: Final = {
    JournalState.FULL,
    JournalState.READ_ONLY,
    JournalState.FORBIDDEN,
    JournalState.FAILING,
}
FAULTS: Final = {
    errno.ENOSPC: JournalState.FULL,
    errno.EDQUOT: JournalState.FULL,
    errno.EROFS: JournalState.READ_ONLY,
    errno.EACCES: JournalState.FORBIDDEN,
    errno.EPERM: JournalState.FORBIDDEN,
    errno.EISDIR: JournalState.IN_THE_WAY,
    errno.ENOENT: JournalState.NO_FOLDER,
    errno.ENOTDIR: JournalState.NO_FOLDER,
    errno.EAGAIN: JournalState.IN_USE,
}


def journal_fault(error: OSError) -> JournalFault:
    """Return what a fault of the system means for the journal."""
    state = FAULTS.get(error.errno or 0, JournalState.FAILING)
    if isinstance(error, private_files.NotOrdinary):
        state = JournalState.IN_THE_WAY
    named = Path(error.filename) if isinstance(error.filename, str | Path) else None
    file = named if state is JournalState.IN_THE_WAY else None
    return JournalFault(state, error.strerror or error, file=file)
