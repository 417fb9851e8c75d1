"""Takes a question apart by its structure: parts, and names put in for descriptions. Pure.

No words of a language are read. "What did the person I met in Tbilisi recommend?" describes
somebody by what "I met Giorgi in Tbilisi" says: the words that the memory has are the description,
and the name that it adds stands for them in the next search.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..language import index_terms, is_question, names_in, query_terms, sentences, words_of
from ..model.inputs import MAX_TEXT_CHARS

MOST_PARTS = 4
"""Of a question."""
MOST_SEEDS = 8
"""Texts that may say who or what a question describes."""
MOST_NAMES = 2
"""Of one text, each of which may be meant."""
REST_CHARS = 80
"""Of a text without names: it stands for the description without the words of the question."""


def parts_of(question: str) -> tuple[str, ...]:
    """The questions of a text that asks more than one; else none."""
    asked = tuple(one.strip() for one in sentences(question) if is_question(one))
    return asked[:MOST_PARTS] if len(asked) > 1 else ()


def named_apart(question: str) -> tuple[str, ...]:
    """The question about each of the names in it alone; none if it has fewer than two."""
    words = words_of(question)
    names = names_in(question)
    at = [place for place, word in enumerate(words.folded) if word in names]
    if len(at) < 2:  # noqa: PLR2004 - one name is not apart from others
        return ()
    return tuple(_without(question, [one for one in at if one != kept]) for kept in at[:MOST_PARTS])


def _without(text: str, places: Sequence[int]) -> str:
    """The text without the words at these places."""
    words, kept, at = words_of(text), [], 0
    for place in places:
        kept.append(text[at : words.starts[place]])
        at = words.ends[place]
    return " ".join("".join([*kept, text[at:]]).split())


def filled_in(
    question: str, texts: Sequence[str], tried: Collection[str], *, most: int
) -> list[str]:
    """Up to `most` other questions: with what these texts say of somebody whom it describes."""
    known = {one.casefold() for one in tried}
    found: dict[str, str] = {}
    for text in texts[:MOST_SEEDS]:
        for name in _fillings(question, text):
            other = restated(question, text, name)
            if other is not None and other.casefold() not in known:
                found.setdefault(other.casefold(), other)
    return list(found.values())[:most]


def _fillings(question: str, text: str) -> list[str]:
    """The names that a text adds to a question; of a text without any, all that it adds."""
    asked, names, words = frozenset(words_of(question).folded), names_in(text), words_of(text)
    added = [
        raw
        for raw, word in zip(words.raw, words.folded, strict=True)
        if word in names and word not in asked
    ]
    if added:
        return list(dict.fromkeys(added))[:MOST_NAMES]
    at = [place for place, word in enumerate(words.folded) if word in asked]
    rest = _without(text, at)[:REST_CHARS].strip()
    return [rest] if rest else []


def restated(question: str, text: str, name: str) -> str | None:
    """The question with `name` for what `text` says of it; None if nothing of it would be left.

    The description is the stretch that has most words of the text, less others.
    """
    words = words_of(question)
    found = index_terms(text)
    held = frozenset(found.terms).union(words_of(text).folded)
    terms = [query_terms(word, {found.language}) for word in words.raw]
    stretch = _densest([_told(own, held) for own in terms])
    if stretch is None:
        return None
    first, last = stretch
    if not any((*terms[:first], *terms[last + 1 :])):
        return None
    begin, end = words.starts[first], words.ends[last]
    return f"{question[:begin]}{name}{question[end:]}"[:MAX_TEXT_CHARS]


def _told(terms: Sequence[str], held: Collection[str]) -> int:
    """1 for a word that the text has, -1 for another, 0 for one that means nothing by itself."""
    if not terms:
        return 0
    return 1 if any(term in held for term in terms) else -1


def _densest(told: Sequence[int]) -> tuple[int, int] | None:
    """The first and the last place of the stretch with the largest sum; None if that is 0."""
    best, found, total, begin = 0, None, 0, 0
    for place, one in enumerate(told):
        if total <= 0:
            total, begin = 0, place
        total += one
        if total > best and one > 0:
            best, found = total, (begin, place)
    if found is None:
        return None
    while told[found[0]] <= 0:
        found = found[0] + 1, found[1]
    return found
