"""The ports of the room: a vector index, and what one is filled from.

An index holds numbers only (digests and vectors), no text and no name. It can be thrown away at any
time: the database holds everything, also up to where an index is filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..model.errors import StoreError
from ..model.types import Vector

SCALARS = ("tenant", "user", "agent", "run", "kind", "status", "at")
"""The fields of a row that are one number, besides its key."""
MAX_MARKS = 4096
"""Of one row. Metadata of the largest size that is accepted has fewer."""


class IndexMissingError(StoreError):
    """The collection is not there, is for vectors of another size, or is damaged.

    Only `VectorIndex.drop` makes it, so that whoever fills it can note first that it is empty.
    """

    code = "index_missing"


def not_of(dim: int | None) -> str:
    """What is the matter with a collection that is for vectors of another size, or not there."""
    return "is not there" if dim is None else f"is for vectors of {dim} numbers"


class IndexDownError(StoreError):
    """The vector index does not answer: memories are compared one by one, which takes longer."""

    code = "index_unavailable"
    advice = "see index.uri and the log: searches of many memories take longer until it answers"


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One memory as an index knows it. All digests are int64 (`digests.digest`), 0 = not set."""

    key: int
    """`memories.position`."""
    tenant: int
    user: int
    """Of tenant and user, so that it can be a partition key."""
    agent: int
    run: int
    kind: int
    status: int
    at: int
    """When the memory was created, in ms."""
    marks: tuple[int, ...]
    """Of its metadata (`digests.marks_of`)."""
    vector: Vector
    """Normalised."""

    def scalars(self) -> tuple[int, ...]:
        """The values of `SCALARS`."""
        return (self.tenant, self.user, self.agent, self.run, self.kind, self.status, self.at)


@dataclass(frozen=True, slots=True)
class IndexFilter:
    """Which rows a search may find. None or empty: whatever the row has."""

    tenant: int
    user: int | None = None
    agent: int | None = None
    run: int | None = None
    kinds: frozenset[int] = frozenset()
    statuses: frozenset[int] = frozenset()
    since: int | None = None
    """The first moment, in ms."""
    until: int | None = None
    """The last moment, in ms."""
    marks: frozenset[int] = frozenset()
    """A row has all of them."""

    def equal(self) -> list[tuple[str, int]]:
        """The fields of which one value is asked for."""
        asked = (self.tenant, self.user, self.agent, self.run)
        return [(n, v) for n, v in zip(SCALARS[:4], asked, strict=True) if v is not None]

    def several(self) -> list[tuple[str, list[int]]]:
        """The fields of which one of some values is asked for."""
        asked = (("kind", self.kinds), ("status", self.statuses))
        return [(name, sorted(values)) for name, values in asked if values]


class IndexSearch(Protocol):
    """What a search needs of an index: `VectorIndex`, or its `IndexFollower`."""

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        """The keys and cosines of up to `limit` rows, best first. It may miss a few.

        Raises StoreError.
        """


class VectorIndex(IndexSearch, Protocol):
    """One collection of an index. All methods raise StoreError.

    So they do until the collection was made, by `drop`; `ping` says then what is the matter. What
    `put` and `delete` did is seen by every search that begins after they returned.
    """

    async def put(self, rows: Sequence[IndexRow]) -> None:
        """Insert, or replace by key."""

    async def delete(self, keys: Sequence[int]) -> None:
        """Remove these; unknown ones are no error."""

    async def drop(self) -> None:
        """Remove everything of this collection, and make it anew, empty."""

    async def ping(self) -> None:
        """Return if the index answers and the collection is there.

        Raises:
            IndexMissingError: it is not; `drop` makes it.
            StoreError: the index does not answer.
        """

    async def close(self) -> None:
        """Release everything; a second time is no error."""


@dataclass(frozen=True, slots=True)
class IndexMark:
    """Up to where an index is filled; kept in the database (table `index_marks`)."""

    seq: int
    """The last line of `changes` that the index knows. Later changes are not in it."""
    position: int | None = None
    """While it is being filled: the last position that is in it. None: it is complete."""


class IndexMarks(Protocol):
    """Where indexes are, and who fills each of them: one follower at a time. Raises StateError."""

    async def mark(self, name: str) -> IndexMark | None:
        """Where the index `name` is; None: nothing was ever written into it."""

    async def lead(self, name: str, holder: str, *, seconds: float) -> bool:
        """Take the turn of filling it, or keep it, for so long from now.

        False: another holder has it.
        """

    async def set_mark(self, name: str, holder: str, mark: IndexMark) -> bool:
        """Note where it is. False, and nothing is noted: another holder has the turn."""

    async def leave(self, name: str, holder: str) -> None:
        """Give up the turn, if `holder` has it."""


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """One line of the log of changes."""

    seq: int
    positions: tuple[int, ...]
    """Of the memories that were written, changed or removed."""


class ChangeLog(Protocol):
    """The database as a follower reads it. Raises StateError."""

    async def changed_since(self, seq: int, *, limit: int) -> Sequence[LoggedChange] | None:
        """Up to `limit` lines after `seq`, in order; None: the log begins later than that.

        No line appears before one that was seen: a number is taken and committed under one lock.
        """

    async def last_seq(self) -> int:
        """The number of the last line; 0 before the first."""

    async def rows(self, positions: Sequence[int]) -> Sequence[IndexRow]:
        """The memories of these positions that exist and have a vector, in any order."""

    async def page(self, after: int, *, limit: int) -> Sequence[IndexRow]:
        """The first `limit` of those that come after a position, in their order."""

    async def count(self, up_to: int | None = None) -> int:
        """How many there are, all or up to a position."""
