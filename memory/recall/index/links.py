"""What was said next to what. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

NONE = -1
SAME_SESSION_SECONDS = 1800.0
"""Memories of no known conversation belong to one session while no longer silence is between them;
half an hour is what web analytics have called a session since the nineties."""


@dataclass(frozen=True, slots=True)
class Links:
    """Neighbours and sessions of n memories."""

    neighbours: dict[int, Ints]
    """By distance (1 the next, -1 the one before, 2, -2): ``int64[n]``, `NONE` for nobody."""
    session: Ints
    """``int64[n]``: number of the session, from 0."""
    sessions: int

    @classmethod
    def of(cls, owner: Ints, conversation: Ints, moment: Floats, sequence: Ints) -> Self:
        """Find them, from ``[n]`` arrays.

        `owner` numbers scopes: nobody is a neighbour of somebody else. `conversation` numbers
        conversations, `NONE` where it is not known. `moment` is in seconds, `sequence` the order
        among memories of one moment.
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
        """The same among n memories, of which these are the ones at the given positions.

        The others have no neighbours. They are counted to session 0, so they must hold nothing.
        """
        neighbours = {}
        for distance, links in self.neighbours.items():
            neighbours[distance] = np.full(n, NONE)
            neighbours[distance][positions] = np.where(links == NONE, NONE, positions[links])
        session = np.zeros(n, np.int64)
        session[positions] = self.session
        return Links(neighbours, session, max(self.sessions, min(n, 1)))

    def at(self, distance: int) -> Ints:
        """``int64[n]``: who stands so many places after (negative: before) each."""
        return self.neighbours[distance]


def taken_from(values: Floats, links: Ints) -> Floats:
    """``float64[n]``: for each memory the value of the one it is linked to, 0 if there is none."""
    return np.where(links == NONE, 0.0, values[links]) if len(values) else values


def _one_session(one: Ints, other: Ints, gap: Floats) -> npt.NDArray[np.bool_]:
    together: npt.NDArray[np.bool_] = (one == other) & (
        (one != NONE) | (gap <= SAME_SESSION_SECONDS)
    )
    return together


def _twice(step: Ints) -> Ints:
    return np.where(step == NONE, NONE, step[step])
