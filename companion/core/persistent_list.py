"""Persistent lists: they grow at their end and share what they have in common."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Self, TypeVar, overload

T = TypeVar("T")


class PersistentList(Sequence[T]):
    """So many items from the start of a list that only ever grows; it never changes itself.

    >>> one = PersistentList([1, 2])
    >>> three, four = one.plus(3), one.plus(4)
    >>> [*one], [*three], [*four], three[-1], four == (1, 2, 4)
    ([1, 2], [1, 2, 3], [1, 2, 4], 3, True)
    """

    __slots__ = ("_count", "_items")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = [*items]
        self._count = len(self._items)

    @classmethod
    def from_items(cls, items: Sequence[T]) -> PersistentList[T]:
        """Return these items; without copying, if they have grown already."""
        return items if isinstance(items, PersistentList) else cls(items)

    def plus(self, item: T) -> Self:
        """Return these items and one more: whoever adds first to the whole list shares it."""
        items = self._items if len(self._items) == self._count else self._items[: self._count]
        items.append(item)
        return self._sharing(items, self._count + 1)

    def first(self, count: int) -> Self:
        """Return the first so many."""
        return self._sharing(self._items, min(count, self._count))

    def _sharing(self, items: list[T], count: int) -> Self:
        made = object.__new__(type(self))
        made._items, made._count = items, count
        return made

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple(self._items[at] for at in range(*index.indices(self._count)))
        return self._items[range(self._count)[index]]

    def __iter__(self) -> Any:
        return islice(self._items, self._count)

    def __eq__(self, other: object) -> bool:
        """Tell whether another sequence holds the same."""
        if not isinstance(other, PersistentList | tuple):
            return NotImplemented
        if isinstance(other, PersistentList) and (other._items is self._items):
            return other._count == self._count
        return len(other) == self._count and all(map(_same, self, other))

    def __hash__(self) -> int:
        """Return the same as for a tuple that holds the same."""
        return hash(tuple(self))

    def __repr__(self) -> str:
        return f"PersistentList({[*self]!r})"


def _same(first: object, second: object) -> bool:
    return first is second or first == second
