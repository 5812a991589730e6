"""The journal: a file of sealed lines for each match, on the disk before anybody hears of it.

journal = Journal(folder / "journal", report)
match = journal.begin(Happened("begun", {"seats": ["red", "blue"]}))
journal.append(match, 1, Happened("rolled", {"magic": 7}, request="c4-17"))
journal.matches(), journal.entries(match)         # from any thread
"""

from companion.journal.entry import Entry, ListedMatch, NewEntry
from companion.journal.journal import Clocks, Journal
from companion.journal.status import READABLE, JournalState

__all__ = ["READABLE", "Clocks", "Entry", "Journal", "JournalState", "ListedMatch", "NewEntry"]
