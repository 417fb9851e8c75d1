"""Finds the user's own name: a query that has it asks about the user. Pure.

"What does Alice do?" of somebody who said "My name is Alice" is a question about the user, and the
statement that tells the name is no answer because it holds the name. Others of that name are found
by the query as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..language import language_of, packs, scan
from ..language.detect import FALLBACK, function_words_of
from ..language.vocabulary import Hit
from ..language.words import Words, is_unspaced, words_of
from .profile import Line

_NAMED = "person.traits.name"
_SELF = ("people.first_person", "people.user")
_GENITIVE = "'s"
_WHO_IS = 2
"""Words beside a name that ask for nothing else."""
MOST_WORDS = 3
"""Of a name, or characters of one in a script without blanks: what is longer is a sentence."""
MOST_CHARS = 200
"""Of a statement that tells a name."""

Name = tuple[str, ...]
"""The folded words of a name."""


@dataclass(frozen=True, slots=True)
class UserNames:
    """A query with the user's own name, as one about the user."""

    wording: str
    """With the user in place of the name."""
    telling: frozenset[str]
    """The ids of the memories that tell the name, if that is not what it asks for."""


def names_told(profile: Iterable[Line]) -> dict[str, list[Name]]:
    """The names that the user told, by the id of what tells them."""
    named = (line.item for line in profile if "name" in line.traits)
    return {item.id: names for item in named if (names := own_names(item.text))}


def about_user(told: Mapping[str, Sequence[Name]], wording: str) -> UserNames | None:
    """The query as one about the user; None unless it has a name that the user told.

    A name with a surname that the user did not tell is somebody else's.
    """
    if not told:
        return None
    words = words_of(wording)
    found = list(_named(words, [name for names in told.values() for name in names]))
    if not found:
        return None
    named = {i for span in found for i in range(*span)}
    rest = [i for i in range(len(words.raw)) if i not in named]
    # "Who is Alice?" asks for the name as for all else.
    who = len(rest) <= _WHO_IS and _all_small(words, rest)
    telling = frozenset[str]() if who else frozenset(told)
    return UserNames(_in_place(words, found), telling)


def own_names(text: str) -> list[Name]:
    """The names that somebody tells of themselves: "My name is Alice".

    None of "my sister's name is Rita": the words for naming are the user's own, or have nothing
    before them.
    """
    if len(text) > MOST_CHARS:
        return []
    found = scan(text)
    own, words = found.covered(*_SELF), found.words
    names = []
    for start, end in _joined(found.found(_NAMED)):
        first = max(at for at, _ in words.sentences if at <= start)
        before = [i for i in range(first, start) if i not in own]
        mine = own.intersection(range(first, end)) or start == first
        if mine and _all_small(words, before) and (name := _name_at(words, end)):
            names.append(name)
    return names


def _joined(hits: Sequence[Hit]) -> Iterator[tuple[int, int]]:
    """The first word of hits that overlap, and the one behind: "我的名字" and "名字是"."""
    spans = [(hit.start, hit.end) for hit in hits]
    while spans:
        (start, end), *spans = spans
        while spans and spans[0][0] < end:
            end = max(end, spans.pop(0)[1])
        yield start, end


def _all_small(words: Words, positions: Sequence[int]) -> bool:
    """Whether these are nothing but function words: "the", "is", a genitive."""
    small = _small(words.text)
    return all(words.folded[i] in small or words.folded[i] == _GENITIVE for i in positions)


def _small(text: str) -> frozenset[str]:
    return function_words_of(language_of(text)) | function_words_of(FALLBACK)


def _name_at(words: Words, start: int) -> Name:
    """The words behind that are written like a name; if none is, the last few of the clause."""
    end = min((at for at in words.clause_starts if at > start), default=len(words.raw))
    clause = range(start, end)
    capital = next((i for i in clause if not words.raw[i][0].isupper()), end)
    if capital > start:
        return tuple(words.folded[start : min(capital, start + MOST_WORDS)])
    typed = tuple(words.folded[i] for i in clause)
    return () if len(typed) > MOST_WORDS or _small(words.text).intersection(typed) else typed


def _named(words: Words, names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Where a text has one of the names: its first word and the one behind."""
    known = {word for name in names if not is_unspaced(name[0]) for word in name if len(word) > 1}
    at = 0
    while at < len(words.raw):
        end = at
        while end < len(words.raw) and words.folded[end] in known:
            end += 1
        if end == at:
            whole = [n for n in names if is_unspaced(n[0]) and _is_at(words, at, n)]
            end = at + max(map(len, whole), default=0)
        elif _is_longer(words, at, end):
            at = end
            continue
        if end > at:
            yield at, end
        at = max(end, at + 1)


def _is_at(words: Words, at: int, name: Name) -> bool:
    return tuple(words.folded[at : at + len(name)]) == name


def _is_longer(words: Words, first: int, end: int) -> bool:
    """Whether a further name stands beside: "Alice Miller", "Uncle Bob"."""
    small = _small(words.text)
    before = first - 1 if first not in words.clause_starts else -1
    behind = end if end < len(words.raw) and end not in words.clause_starts else -1
    if not words.raw[first][0].isupper():
        return False
    return any(
        i >= 0
        and words.raw[i][0].isupper()
        and words.folded[i] not in small
        and i not in words.clause_starts
        for i in (before, behind)
    )


def _in_place(words: Words, found: Sequence[tuple[int, int]]) -> str:
    """The text with its language's word for the user in place of what was found."""
    pack = packs().get(language_of(words.text)) or packs()[FALLBACK]
    user = pack.people.user or packs()[FALLBACK].people.user
    parts, done = [], 0
    for first, end in found:
        parts += [words.text[done : words.starts[first]], user[0]]
        done = words.ends[end - 1]
    return "".join([*parts, words.text[done:]])
