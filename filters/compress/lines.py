"""Finds the pieces of old turns that the present message is about, by words. Pure.

Okapi BM25 over the pieces of all steps; a piece also gets a share of what its neighbours score,
because an answer often follows the words that are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from recollect.memory.language import may_ask, query_terms
from recollect.memory.language.message import Reading, request_and_material
from recollect.memory.language.requests import Cue, knows_requests

from .parts import OldPiece, OldStep

_K1, _B = 1.2, 0.75
_NEIGHBOUR = 0.4
"""Share of the score of the piece before and of the one after."""
_QUERY_CHARS = 2000
"""Of a longer message the first characters are searched for."""
_MOST_TERMS = 64
MOST_RANKED = 400


def asks(message: str) -> bool:
    """Whether a message may ask for something: only then are lines looked for.

    Otherwise it tells something, and lines of what was said before would only make prompts longer.
    In a language whose requests are not known, every message may ask.
    """
    if may_ask(message):
        return True
    reading = Reading(request_and_material(message))
    if not any(map(knows_requests, reading.scan.languages)):
        return True
    return reading.open_requests() or bool(reading.requests(Cue.TRANSFORM))


def ranked(steps: Sequence[OldStep], query: str) -> list[OldPiece]:
    """The pieces that score, best first, at most `MOST_RANKED`; of equal ones the later first."""
    languages = frozenset[str]().union(*(step.languages for step in steps))
    terms = query_terms(query[:_QUERY_CHARS], languages)[:_MOST_TERMS]
    pieces = [piece for step in steps for piece in step.pieces]
    scores = _near(_scores(steps, terms, len(pieces)))
    found = [at for at, score in enumerate(scores) if score > 0]
    found.sort(key=lambda at: (-scores[at], -at))
    return [pieces[at] for at in found[:MOST_RANKED]]


def _scores(steps: Sequence[OldStep], terms: Sequence[str], total: int) -> list[float]:
    scores = [0.0] * total
    average = sum(step.length for step in steps) / total if total else 1.0
    for term in terms:
        having = sum(len(step.found.get(term, ())) for step in steps)
        if not having:
            continue
        weight = math.log(1 + (total - having + 0.5) / (having + 0.5))
        first = 0
        for step in steps:
            for number, times in step.found.get(term, ()):
                size = len(step.pieces[number].terms) / (average or 1.0)
                norm = times + _K1 * (1 - _B + _B * size)
                scores[first + number] += weight * times * (_K1 + 1) / norm
            first += len(step.pieces)
    return scores


def _near(scores: Sequence[float]) -> list[float]:
    around = [0.0, *scores, 0.0]
    return [score + _NEIGHBOUR * (around[at] + around[at + 2]) for at, score in enumerate(scores)]
