"""Splits a text that is too long for one memory. Pure; linear in the text."""

from __future__ import annotations

from collections.abc import Callable

from ..language.sentences import sentences

Span = tuple[int, int]
"""Offsets in characters: the first, and the one after the last."""


def spans_of(text: str, most: int) -> list[Span]:
    """Spans of at most `most` characters that cover the text, in order.

    A text is cut after a paragraph, else after a sentence, in the second half of what fits; else
    after the last blank; else anywhere.
    """
    spans, start = [], 0
    while len(text) - start > most:
        end = start + _cut(text[start : start + most])
        spans.append((start, end))
        start = end
    return [*spans, (start, len(text))]


def _cut(fits: str) -> int:
    for end in _ENDS:
        if (at := end(fits)) > len(fits) // 2:
            return at
    return _blank(fits) or len(fits)


def _paragraph(fits: str) -> int:
    return fits.rfind("\n\n") + 2


def _sentence(fits: str) -> int:
    found = sentences(fits)
    return len(fits) - len(found[-1])


def _blank(fits: str) -> int:
    return max(fits.rfind(" "), fits.rfind("\n"), fits.rfind("\t")) + 1


_ENDS: tuple[Callable[[str], int], ...] = (_paragraph, _sentence)
