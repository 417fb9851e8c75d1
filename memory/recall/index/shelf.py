"""What a user said lately, ready to be ranked beside the memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ...model.types import MemoryItem, Scope, Vector
from .entry import Entry

HalfVector = npt.NDArray[np.float16]
"""``float16[dim]``: it waits for an index, which rounds it further."""
PREFIX = "said:"
"""How the id of a passage begins; no memory's does."""


def is_passage(memory_id: object) -> bool:
    """Whether it is the id of something that was said, not of a memory, whatever was given."""
    return isinstance(memory_id, str) and memory_id.startswith(PREFIX)


def turns_in(passage_id: str) -> list[str]:
    """The ids of the turns that a passage with this id may be of. Pure.

    A turn's own id may end as the number of a passage does.
    """
    rest = passage_id.removeprefix(PREFIX)
    turn, _, number = rest.rpartition(":")
    return [rest, turn] if turn and number.isdecimal() else [rest]


@dataclass(frozen=True, slots=True)
class SaidPassage:
    """A part of a turn that states something."""

    entry: Entry
    vector: Vector | HalfVector | None = None
    """None until it is embedded: until then, words find it."""
    over: frozenset[str] = frozenset()
    """Ids of the memories and passages that it contradicts, which were there before it."""

    @property
    def item(self) -> MemoryItem:
        return self.entry.item

    @property
    def turn_id(self) -> str:
        return self.entry.item.provenance.turn_ids[0]


@dataclass(frozen=True)
class Shelf:
    """The passages of one user, newest first. Never changed: another one takes its place."""

    passages: Sequence[SaidPassage] = field(default=())

    @cached_property
    def by_id(self) -> Mapping[str, SaidPassage]:
        return {passage.item.id: passage for passage in self.passages}

    def contradicted(self, scope: Scope) -> frozenset[str]:
        """The ids that something later, which the scope admits, speaks against."""
        admitted = (one.over for one in self.passages if one.over and scope.admits(one.item.scope))
        return frozenset().union(*admitted)


EMPTY = Shelf()


class Shelves(Protocol):
    """Finds what the users said."""

    async def get(self, scope: Scope) -> Shelf:
        """The shelf of a scope's user. Raises StateError."""


class NoShelves:
    """Where nothing is said: for engines that recall memories only."""

    async def get(self, scope: Scope) -> Shelf:  # noqa: ARG002 - the port's
        return EMPTY
