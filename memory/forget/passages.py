"""Passages of turns as forgetting reads them: each is erased with its whole turn.

A passage is said as long as no memory took its place. Its turn is buried under the id of its first
passage, so that a job that read the turn before cannot make a memory of it afterwards: whatever
names a buried turn as its evidence is erased as the turn was.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Self

from ..model.errors import InvalidInputError
from ..model.row_kinds import SAID_PREFIX
from ..model.types import Scope
from ..recall.index.entry import SaidPassage


@dataclass(frozen=True, slots=True)
class Turns:
    """Turns that are forgotten, and what was said in them."""

    turns: frozenset[str] = frozenset()
    passages: frozenset[str] = frozenset()
    """The ids of all of their passages."""
    scopes: frozenset[Scope] = frozenset()

    @classmethod
    def of(
        cls, passages: Collection[SaidPassage], turn_ids: Iterable[str] = (), *scopes: Scope
    ) -> Self:
        """The turns of these passages, which are all that was said in them; and further turns."""
        return cls(
            frozenset(turn_ids).union(one.turn_id for one in passages),
            frozenset(one.item.id for one in passages),
            frozenset(scopes).union(one.item.scope for one in passages),
        )


NO_TURNS = Turns()


def tombstone_of(turn_id: str) -> str:
    """The id of a turn's tombstone."""
    return f"{SAID_PREFIX}{turn_id}"


def check_whole_turns(
    proposed: Collection[str], kept: Collection[str], turns: Mapping[str, str]
) -> None:
    """A turn is erased or kept with all of its passages; `turns` are theirs, by the passages' ids.

    Raises:
        InvalidInputError: some passages of a turn are to be kept and others not.
    """
    for memory_id in proposed:
        turn = turns.get(memory_id)
        if turn is None or memory_id in kept:
            continue
        other = next((one for one in proposed if turns.get(one) == turn and one in kept), None)
        if other is not None:
            raise InvalidInputError(
                "keep", f"has {other!r} but not {memory_id!r}: one message is erased as a whole"
            )
