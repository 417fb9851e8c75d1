"""The sentences of a long memory that tell what was asked for. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import _lru_cache_wrapper, lru_cache

from ..language import from_packs, index_terms
from ..language.words import sentences

LONG_CHARS = 600
"""A longer memory is shown by its best sentences: about 150 tokens, a third of the budget."""
KEPT_CHARS = 400
_READ_CHARS = 8_000
"""Of a longer text the beginning is read."""
_KEPT = 512
SKIPPED = "\u2026"


def excerpt(text: str, terms: Collection[str]) -> str:
    """The sentences that hold the most of the query's `terms`, in their order; short texts whole.

    Of equal sentences the earlier one is kept. Left out sentences leave an ellipsis.
    """
    if len(text) <= LONG_CHARS:
        return text
    pieces, terms_of = _kept_sentences()(text)
    wanted = frozenset(terms)
    held = [len(wanted & own) for own in terms_of]
    order = sorted(range(len(pieces)), key=lambda i: (-held[i], i))
    kept, room = set[int](), KEPT_CHARS
    for i in order:
        if len(pieces[i]) <= room:
            kept.add(i)
            room -= len(pieces[i])
    return _joined(pieces, kept or {order[0]}, whole=len(text) <= _READ_CHARS)


@from_packs
def _kept_sentences() -> _lru_cache_wrapper[tuple[tuple[str, ...], tuple[frozenset[str], ...]]]:
    """The sentences of the last long memories, with their terms: each takes 0.3 ms to read."""
    return lru_cache(maxsize=_KEPT)(_sentences_of)


def _sentences_of(text: str) -> tuple[tuple[str, ...], tuple[frozenset[str], ...]]:
    pieces = tuple(piece for piece in sentences(text[:_READ_CHARS]) if piece.strip())
    return pieces, tuple(frozenset(index_terms(piece).terms) for piece in pieces)


def _joined(pieces: Sequence[str], kept: Collection[int], *, whole: bool) -> str:
    parts: list[str] = []
    last = -1
    for i in sorted(kept):
        if i > last + 1:
            parts.append(SKIPPED)
        parts.append(pieces[i].strip()[:KEPT_CHARS])
        last = i
    if last < len(pieces) - 1 or not whole:
        parts.append(SKIPPED)
    return " ".join(parts)
