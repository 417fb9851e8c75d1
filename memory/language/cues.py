"""Whether a text has a cue in a language that it may be of."""

from __future__ import annotations

from collections.abc import Iterator

from .detect import languages_of
from .scan import Hit, scan


def cues_in(text: str, *fields: str) -> Iterator[Hit]:
    """The hits of these fields, without those in a language that the text is hardly of."""
    found = scan(text)
    if found.has(*fields):
        languages = languages_of(found.words.folded)
        yield from (hit for hit in found.found(*fields) if hit.language in languages)


def says(text: str, *fields: str) -> bool:
    """Whether a term of these fields is in a text: of a thing, not only of its look-alike."""
    return next(cues_in(text, *fields), None) is not None


def begins(text: str, *fields: str) -> Hit | None:
    """The term of these fields that a text begins with; the longest of several."""
    first = (hit for hit in cues_in(text, *fields) if hit.start == 0)
    return max(first, key=lambda hit: hit.end, default=None)
