"""Chooses what an extract of old turns says, within a number of tokens. Pure.

Without a model nothing is worded anew: whole pieces are chosen, those first that add most words of
weight for their tokens. A word weighs more the fewer pieces of the same turns have it; one that was
chosen already adds nothing, so what is said twice stands once. What the assistant said weighs less
than what the user said, and is marked; a question weighs less than a statement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import groupby

from recollect.memory.blocks import disarmed

from .parts import Piece, Step

ASSISTANT = "(assistant) "
"""Before what only the assistant said."""
_OF_ASSISTANT = 0.6
_OF_QUESTION = 0.4
_FIXED_TOKENS = 4
"""Added to the tokens of a piece when they are weighed: a piece of one word is not cheap."""

Count = Callable[[str], int]
"""Tokens of a text."""


def line_of(piece: Piece) -> str:
    """A piece on one line, which can be no markup and no role."""
    mark = ASSISTANT if piece.assistant else ""
    return f"- {mark}{' '.join(disarmed(piece.text).split())}\n"


def lines_of(pieces: Sequence[Piece]) -> str:
    """The lines of pieces in the order they were said, below a heading for each day."""
    days = groupby(pieces, key=lambda piece: piece.on)
    return "".join(f"{day:%Y-%m-%d}:\n{''.join(map(line_of, said))}" for day, said in days)


def chosen(steps: Sequence[Step], budget: int, count: Count) -> list[Piece]:
    """The pieces of an extract of at most `budget` tokens, in the order they were said."""
    pieces = [piece for step in steps for piece in step.pieces if piece.terms]
    weights = _weights(pieces)
    open_, taken, seen = list(range(len(pieces))), [], set[str]()
    left = budget
    costs = [count(line_of(piece)) for piece in pieces]
    days = set[object]()
    while open_:
        best, worth = -1, 0.0
        for at in open_:
            gain = sum(weights[term] for term in set(pieces[at].terms) - seen)
            value = _factor(pieces[at]) * gain / (costs[at] + _FIXED_TOKENS)
            if value > worth:
                best, worth = at, value
        if best < 0:
            break
        open_.remove(best)
        heading = 0 if pieces[best].on in days else count(f"{pieces[best].on:%Y-%m-%d}:\n")
        if costs[best] + heading <= left:
            left -= costs[best] + heading
            days.add(pieces[best].on)
            taken.append(best)
            seen.update(pieces[best].terms)
    return [pieces[at] for at in sorted(taken)]


def _factor(piece: Piece) -> float:
    return (_OF_ASSISTANT if piece.assistant else 1.0) * (_OF_QUESTION if piece.asks else 1.0)


def _weights(pieces: Sequence[Piece]) -> dict[str, float]:
    having: dict[str, int] = {}
    for piece in pieces:
        for term in set(piece.terms):
            having[term] = having.get(term, 0) + 1
    return {term: math.log(1 + len(pieces) / number) for term, number in having.items()}
