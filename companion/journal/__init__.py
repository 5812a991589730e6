"""The journal: a file of sealed lines for each match, on the disk before anybody hears of it.

journal = Journal(folder / "journal", report)
match = journal.start(NewEntry("begun", {"seats": ["red", "blue"]}))
journal.append(match, 1, NewEntry("rolled", {"magic": 7}, request="c4-17"))
journal.matches(), journal.entries(match)         # from any thread
"""

from companion.journal.entry import Entry, ListedMatch, NewEntry
from companion.journal.journal import Journal, TimeAndIds
from companion.journal.status import READABLE, JournalState

__all__ = ["READABLE", "Entry", "Journal", "JournalState", "ListedMatch", "NewEntry", "TimeAndIds"]
