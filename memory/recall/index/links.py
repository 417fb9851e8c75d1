"""Neighbours and sessions of memories. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NONE = -1
SAME_SESSION_SECONDS = 1800.0
"""Memories without a known conversation belong to one session until a longer pause. Half an hour
is the usual session length of web analytics."""


@dataclass(frozen=True, slots=True)
class Links:
    """Neighbours and sessions of n memories."""

    neighbours: dict[int, Ints]
    """By distance (1 the next, -1 the one before, 2, -2): ``int64[n]``, or `NONE`."""
    session: Ints
    """``int64[n]``: number of the session, from 0."""
    sessions: int

    @classmethod
    def of(cls, owner: Ints, conversation: Ints, moment: Floats, sequence: Ints) -> Self:
        """The links of n memories, from ``[n]`` arrays.

        `owner` numbers scopes; memories of two scopes are never neighbours. `conversation` numbers
        conversations, `NONE` if unknown. `moment` is in seconds; `sequence` orders memories of one
        moment.
        """
        n = len(owner)
        if not n:
            return cls(dict.fromkeys((1, -1, 2, -2), np.empty(0, np.int64)), owner, 0)
        order = np.lexsort((sequence, moment, conversation, owner))
        one, other = order[:-1], order[1:]
        together = (owner[one] == owner[other]) & _one_session(
            conversation[one], conversation[other], moment[other] - moment[one]
        )
        before, after = np.full(n, NONE), np.full(n, NONE)
        before[other[together]] = one[together]
        after[one[together]] = other[together]
        session = np.empty(n, np.int64)
        session[order] = np.concatenate(([0], np.cumsum(~together)))
        neighbours = {1: after, -1: before, 2: _twice(after), -2: _twice(before)}
        return cls(neighbours, session, int(session.max()) + 1)

    def spread(self, positions: Ints, n: int) -> Links:
        """These links among n memories, at the given positions.

        The other memories have no neighbours. They belong to session 0 and must have no terms.
        """
        neighbours = {}
        for distance, links in self.neighbours.items():
            neighbours[distance] = np.full(n, NONE)
            neighbours[distance][positions] = np.where(links == NONE, NONE, positions[links])
        session = np.zeros(n, np.int64)
        session[positions] = self.session
        return Links(neighbours, session, max(self.sessions, min(n, 1)))

    def at(self, distance: int) -> Ints:
        """``int64[n]``: the memory this many places after (negative: before) each."""
        return self.neighbours[distance]


def taken_from(values: Floats, links: Ints) -> Floats:
    """``float64[n]``: the value of each memory's linked memory, 0 without a link."""
    return np.where(links == NONE, 0.0, values[links]) if len(values) else values


def _one_session(one: Ints, other: Ints, gap: Floats) -> npt.NDArray[np.bool_]:
    together: npt.NDArray[np.bool_] = (one == other) & (
        (one != NONE) | (gap <= SAME_SESSION_SECONDS)
    )
    return together


def _twice(step: Ints) -> Ints:
    return np.where(step == NONE, NONE, step[step])
