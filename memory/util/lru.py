"""A dictionary of bounded size."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Lru(Generic[K, V]):
    """Evicts the least recently used entries when it is too large. For one thread."""

    def __init__(
        self,
        most: int,
        *,
        max_size: float = math.inf,
        size: Callable[[V], int] | None = None,
        tags: Callable[[V], Iterable[str]] | None = None,
    ) -> None:
        """At most `most` entries, with at most `max_size` as the sum of their sizes.

        `drop` can select entries by their `tags`; tags and sizes of an entry never change.
        """
        self._most = most
        self._max_size = max_size
        self._size_of = size
        self._tags_of = tags
        self.size: float = 0
        """The sum of all sizes."""
        self._entries: OrderedDict[K, V] = OrderedDict()
        self._tagged: dict[str, set[K]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def items(self) -> Iterable[tuple[K, V]]:
        """All entries, least recently used first; does not count as a use."""
        return self._entries.items()

    def get(self, key: K) -> V | None:
        """The value of the key; counts as a use."""
        try:
            value = self._entries[key]
        except KeyError:
            return None
        self._entries.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        """Store a value; one that is larger than `max_size` is not stored."""
        if key in self._entries:
            self.remove(key)
        if self._size_of is not None:
            size = self._size_of(value)
            if size > self._max_size:
                return
            self.size += size
        self._entries[key] = value
        if self._tags_of is not None:
            for tag in self._tags_of(value):
                self._tagged.setdefault(tag, set()).add(key)
        while len(self._entries) > self._most or self.size > self._max_size:
            self.remove(next(iter(self._entries)))

    def drop(self, gone: Callable[[K], bool], *, tag: str | None = None) -> None:
        """Remove every entry whose key `gone` accepts, only those with the tag if one is given."""
        among: Iterable[K] = self._entries if tag is None else self._tagged.get(tag, ())
        for key in [key for key in among if gone(key)]:
            self.remove(key)

    def remove(self, key: K) -> None:
        """Remove the entry of this key, if there is one."""
        value = self._entries.pop(key, None)
        if value is None:
            return
        if self._size_of is not None:
            self.size -= self._size_of(value)
        for tag in () if self._tags_of is None else set(self._tags_of(value)):
            keys = self._tagged[tag]
            keys.discard(key)
            if not keys:
                del self._tagged[tag]
