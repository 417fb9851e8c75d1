"""Chooses what an extract of old turns says, within a number of tokens. Pure.

Without a model nothing is worded anew: whole pieces are chosen, those first that add most words of
weight for their tokens. A word weighs more the fewer pieces of the same turns have it; one that was
chosen already adds nothing, so what is said twice stands once. What the assistant said weighs less
than what the user said, and is marked; a question weighs less than a statement. Sentences that a
model wrote of a stretch of conversation weigh more: they say much in few words.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from itertools import groupby, islice
from typing import Any

from .parts import Count, OldPiece, OldStep, line

MOST_WEIGHED = 400
"""Of the pieces of a long conversation those that are worth most alone."""
MOST_TRIED = 40
"""Pieces that are tried; with those that no longer fit a part of an extract."""
_OF_ASSISTANT = 0.6
_OF_QUESTION = 0.4
_OF_EPISODE = 2.0
_FIXED_TOKENS = 4
"""Added to the tokens of a piece when they are weighed: a piece of one word is not cheap."""


def lines_of(pieces: Sequence[OldPiece], *, after: date | None = None) -> str:
    """The lines of pieces, in their order, below a heading for each day.

    The day that the text before ends with (`after`) has its heading there.
    """
    told = ""
    for day, said in groupby(pieces, key=lambda piece: piece.on):
        told += heading(day) if day != after else ""
        told += "".join(
            line(" ".join(one.text for one in joined), assistant=joined[0].assistant)
            for joined in _joined(said)
        )
        after = day
    return told


def heading(day: date) -> str:
    """The line above what was said on a day."""
    return f"{day:%Y-%m-%d}:\n"


def fitting(
    pieces: Iterable[OldPiece], budget: int, count: Count, *, order: Callable[[OldPiece], Any]
) -> list[OldPiece]:
    """Those of these pieces, by the order they come in, that fit a number of tokens together.

    They are returned by `order`, that in which they were said.
    """
    left, taken, days = budget, [], set[date]()
    for piece in pieces:
        cost = piece.tokens + (0 if piece.on in days else count(heading(piece.on)))
        if cost <= left:
            left -= cost
            days.add(piece.on)
            taken.append(piece)
        if left < _FIXED_TOKENS:
            break
    # A clock may have gone back: then a day has two headings.
    while taken and count(lines_of(sorted(taken, key=order))) > budget:
        taken.pop()
    return sorted(taken, key=order)


def chosen(steps: Sequence[OldStep], budget: int, count: Count) -> list[OldPiece]:
    """The pieces of an extract of at most `budget` tokens, in the order they were said."""
    all_of = (piece for step in steps for piece in (*step.told, *step.pieces))
    pieces = [piece for piece in all_of if piece.terms]
    places = {id(piece): at for at, piece in enumerate(pieces)}
    best = islice(_best_first(pieces), MOST_TRIED)
    return fitting(best, budget, count, order=lambda piece: places[id(piece)])


def _best_first(pieces: Sequence[OldPiece]) -> Iterable[OldPiece]:
    """The pieces by what each adds to those before it; those that add nothing are left out."""
    weights, seen = _weights(pieces), set[str]()
    left = list(pieces)
    if len(left) > MOST_WEIGHED:
        alone = [_worth(piece, weights, seen) for piece in pieces]
        best = sorted(range(len(left)), key=lambda at: (-alone[at], at))[:MOST_WEIGHED]
        left = [pieces[at] for at in sorted(best)]
    while left:
        worth, at = max((_worth(piece, weights, seen), -at) for at, piece in enumerate(left))
        if worth <= 0:
            return
        piece = left.pop(-at)
        yield piece
        seen.update(piece.terms)


def _worth(piece: OldPiece, weights: dict[str, float], seen: set[str]) -> float:
    """What a piece adds, for its tokens."""
    new = sum(weights[term] for term in sorted({*piece.terms} - seen))
    whose = _OF_ASSISTANT if piece.assistant else 1.0
    asks = _OF_QUESTION if piece.asks else 1.0
    told = _OF_EPISODE if piece.number < 0 else 1.0
    return whose * asks * told * new / (piece.tokens + _FIXED_TOKENS)


def _weights(pieces: Sequence[OldPiece]) -> dict[str, float]:
    having = Counter(term for piece in pieces for term in {*piece.terms})
    return {term: math.log(1 + len(pieces) / number) for term, number in having.items()}


def _joined(pieces: Iterable[OldPiece]) -> list[list[OldPiece]]:
    """The pieces by line: those of one message that follow each other share one."""
    lines: list[list[OldPiece]] = []
    for piece in pieces:
        if lines and _follows(piece, lines[-1][-1]):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return lines


def _follows(piece: OldPiece, before: OldPiece) -> bool:
    same = (piece.turn_id, piece.assistant) == (before.turn_id, before.assistant)
    return same and abs(piece.number) == abs(before.number) + 1
