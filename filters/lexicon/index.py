"""The phrases of every language in one table, keyed by how their first word looks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from .fold import fold, split
from .model import Cue, Hit, Lexicon

MAX_GAP = 5
"""Most words that ``..`` in a phrase stands for."""
GAP = ".."
_KEY = 3


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase: units as in `Lexicon`, the first never a gap."""

    cue: Cue
    language: str
    units: tuple[str, ...]
    needs: frozenset[str]
    """The units that are whole words: a message without one of them cannot hold the phrase."""

    def end(self, words: Sequence[str], start: int) -> int:
        """Index behind the phrase if it stands at `start`, else 0."""
        return _match(self.units, 0, words, start)


def _match(units: Sequence[str], at: int, words: Sequence[str], pos: int) -> int:
    while at < len(units):
        if units[at] == GAP:
            return next(
                (
                    end
                    for skip in range(MAX_GAP + 1)
                    if (end := _match(units, at + 1, words, pos + skip))
                ),
                0,
            )
        if pos >= len(words) or not unit_matches(units[at], words[pos]):
            return 0
        at, pos = at + 1, pos + 1
    return pos


def unit_matches(unit: str, word: str) -> bool:
    """Whether a folded word is what a phrase's unit asks for."""
    if unit[-1] == "*":
        return word.startswith(unit[:-1])
    return word.endswith(unit[1:]) if unit[0] == "*" else word == unit


@dataclass(slots=True)
class Node:
    """A place in the tree of literal phrases: what ends here, and what may follow."""

    ends: list[tuple[Cue, str]] = field(default_factory=list)
    next: dict[str, Node] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Index:
    """Literal phrases as a tree; the others by their first word, its beginning or its end."""

    tree: dict[str, Node]
    loose: dict[str, list[Phrase]]
    prefix: dict[str, list[Phrase]]
    suffix: dict[str, list[Phrase]]
    stop: dict[str, frozenset[str]]

    def at(
        self,
        words: Sequence[str],
        start: int,
        languages: frozenset[str],
        present: frozenset[str],
    ) -> list[Hit]:
        """Every phrase of these languages that stands at `start`; `present` are all the words."""
        word = words[start]
        hits: list[Hit] = []
        if word in self.tree:
            self._walk(words, start, languages, hits)
        for table, key in (
            (self.loose, word),
            (self.prefix, word[:_KEY]),
            (self.suffix, word[-_KEY:]),
        ):
            if key in table:
                hits.extend(
                    Hit(phrase.cue, phrase.language, start, end)
                    for phrase in table[key]
                    if phrase.language in languages
                    and phrase.needs <= present
                    and (end := phrase.end(words, start))
                )
        return hits

    def _walk(
        self, words: Sequence[str], start: int, languages: frozenset[str], hits: list[Hit]
    ) -> None:
        node: Node | None = self.tree[words[start]]
        end = start
        while node is not None:
            end += 1
            for cue, language in node.ends:
                if language in languages:
                    hits.append(Hit(cue, language, start, end))
            node = node.next.get(words[end]) if node.next and end < len(words) else None


def build_index(lexicons: Iterable[Lexicon]) -> Index:
    """Compile language packs.

    Raises:
        ValueError: a phrase is empty, begins with a gap, or has a starred part that is too short.
    """
    index = Index({}, defaultdict(list), defaultdict(list), defaultdict(list), {})
    for lexicon in lexicons:
        for phrase in _phrases(lexicon):
            _insert(index, phrase)
        for word in map(fold, lexicon.stop.split()):
            index.stop[word] = index.stop.get(word, frozenset()) | {lexicon.code}
    return Index(index.tree, dict(index.loose), dict(index.prefix), dict(index.suffix), index.stop)


def _insert(index: Index, phrase: Phrase) -> None:
    first = phrase.units[0]
    if first[-1] == "*":
        index.prefix[first[:_KEY]].append(phrase)
    elif first[0] == "*":
        index.suffix[first[-_KEY:]].append(phrase)
    elif any(unit == GAP or unit[-1] == "*" for unit in phrase.units):
        index.loose[first].append(phrase)
    else:
        node = index.tree.setdefault(first, Node())
        for unit in phrase.units[1:]:
            node = node.next.setdefault(unit, Node())
        node.ends.append((phrase.cue, phrase.language))


def _phrases(lexicon: Lexicon) -> Iterator[Phrase]:
    for cue, text in lexicon.cues.items():
        for entry in text.split("|"):
            units = tuple(_units(entry))
            if not units or units[0] == GAP:
                raise ValueError(f"{lexicon.code}/{cue}: bad phrase {entry!r}")
            needs = frozenset(u for u in units if u != GAP and "*" not in u)
            yield Phrase(cue, lexicon.code, units, needs)


def _units(entry: str) -> Iterator[str]:
    for part in entry.split():
        if part == GAP or part.endswith("'"):
            yield part
        elif "*" in part:
            if len(part) <= _KEY:
                raise ValueError(f"{part!r} is too short a part to search by")
            yield fold(part)
        else:
            yield from (fold(word) for word in split(part))
