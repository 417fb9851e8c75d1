"""Whether a text has a cue in a language that it may be of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from .detect import languages_of
from .registry import from_packs, packs
from .scanner import scan
from .syntax import STAR
from .vocabulary import Hit, terms_of, units_of
from .words import words_of

_WORD = re.compile(r"\w+(?:'\w+)*")


def cues_in(text: str, *fields: str) -> Iterator[Hit]:
    """The hits of these fields, without those in a language that the text is hardly of."""
    found = scan(text)
    if found.has(*fields):
        languages = languages_of(found.words.folded)
        yield from (hit for hit in found.found(*fields) if hit.language in languages)


def says(text: str, *fields: str) -> bool:
    """Whether a term of these fields is in a text: of a thing, not only of its look-alike."""
    return next(cues_in(text, *fields), None) is not None


def without(text: str, *fields: str) -> str:
    """The text with a blank for each term of these fields."""
    words = words_of(text)
    kept, done = [], 0
    for hit in sorted(cues_in(text, *fields), key=lambda hit: hit.start):
        kept += [text[done : words.starts[hit.start]], " "]
        done = max(done, words.ends[hit.end - 1])
    return "".join([*kept, text[done:]])


def begins(text: str, field: str) -> Hit | None:
    """The term of a field that a text begins with; the longest of several."""
    if text.isascii():
        # Most texts begin with no term; the rest of theirs is not read.
        first, known = _WORD.search(text), _first_words().get(field)
        if first is None or (known and not first[0].lower().startswith(known)):
            return None
    hits = (hit for hit in cues_in(text, field) if hit.start == 0)
    return max(hits, key=lambda hit: hit.end, default=None)


@from_packs
def _first_words() -> Mapping[str, tuple[str, ...]]:
    """What the first words of the terms of each field begin with."""
    found: dict[str, set[str]] = {}
    for pack in packs().values():
        for field, terms in terms_of(pack, ("turns",)):
            firsts = (units_of(term)[0] for term in terms)
            found.setdefault(field, set()).update(
                "" if first.startswith(STAR) else first.rstrip(STAR) for first in firsts
            )
    return {field: tuple(firsts) for field, firsts in found.items()}
