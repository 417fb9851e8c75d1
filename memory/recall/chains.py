"""Finds memories that only together answer a question: a chain, joined by what they share. Pure.

"What did the person I met in Tbilisi recommend?": "I met Giorgi in Tbilisi" and "Giorgi swears by
the baths" share a name that the question does not have. The cosine of one of them to the question
says little; that of both together, and how rare the word is that they share, says which belong
together. No words of a language are read: names by their capital letters and sounds, else terms.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..language import index_terms, is_unspaced, names_in, query_terms, words_of
from ..language.names import is_spelled_alike, sounds_of
from ..model.types import Vector, Vectors

MOST_READ = 40
"""Texts among which chains are sought: each pair of them is compared."""
MOST_PAIRS = 60
"""The best pairs, which may be continued by a third."""
LONGEST = 3
"""Memories of a chain: what the questions of people need (`data/chains.dev`)."""
COMMON_SHARE, COMMON_LEAST = 3, 3
"""A word in more than a third of the texts, and in more than three, joins nothing."""
NAME_WORTH, CHARACTER_WORTH = 2.0, 0.5
"""How much a shared name counts beside another word, and a single character."""
SHARED_WORTH = 0.06
"""What a shared word's weight counts beside a cosine. On `chains.dev` all that is needed stands in
the best chain of 17 questions of 40 by cosines alone, and of 33 with this."""
MOST_CHAINS = 3
"""That are worth showing: all that is needed is in the best one of 33 questions of `chains.dev`, in
two of 37, in three of all 40: 2.9, 4.8 and 5.7 facts; among 200 facts, of 25, 30 and 33."""
MOST_COMMON = 1
"""Texts that two chains which are shown may have in common: others tell the same again."""
LEAST_LETTERS = 4
"""Of a name that is compared by its sound."""


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with the names and terms that join it with others."""

    terms: frozenset[str]
    """Its terms and words, without those of the question."""
    sounds: Mapping[str, str]
    """Its names, by how they sound."""


@dataclass(frozen=True, slots=True)
class Chain:
    """Texts that share words."""

    places: tuple[int, ...]
    """In the order of the texts; two or three."""
    shared: frozenset[str]
    weight: float
    """How rare the rarest words are that join them, in natural logarithms."""
    cosine: float = 0.0
    """Of the question and the texts together."""

    @property
    def value(self) -> float:
        """Orders chains: larger is better."""
        return self.cosine + SHARED_WORTH * self.weight


def best_chains(
    question: str,
    texts: Sequence[str],
    asked: Vector,
    vectors: Vectors,
    *,
    most: int = MOST_CHAINS,
) -> list[Chain]:
    """The chains among the first texts, best first; those that differ from better ones.

    `asked` is the vector of the question, `vectors` (``float32[n, dim]``) are those of the texts.
    """
    read = read_texts(question, texts[:MOST_READ])
    found = [_with_cosine(chain, asked, vectors) for chain in _chains(read)]
    best: list[Chain] = []
    for chain in sorted(found, key=lambda chain: (-chain.value, chain.places)):
        if len(best) < most and all(_differ(chain, one) for one in best):
            best.append(chain)
    return best


def _differ(one: Chain, other: Chain) -> bool:
    return len({*one.places} & {*other.places}) <= MOST_COMMON


def read_texts(question: str, texts: Sequence[str]) -> list[ReadText]:
    """What could join each of these texts with another of them."""
    found = [index_terms(text) for text in texts]
    known = frozenset(query_terms(question, {one.language for one in found}))
    known |= frozenset(words_of(question).folded)
    return [
        ReadText(
            frozenset(one.terms).union(_whole_words(text)) - known,
            {sounds_of(name): name for name in sorted(names_in(text) - known) if _may_vary(name)},
        )
        for one, text in zip(found, texts, strict=True)
    ]


def _whole_words(text: str) -> list[str]:
    """Its words as they stand: of one language two texts may be taken for two."""
    return [word for word in words_of(text).folded if len(word) >= LEAST_LETTERS]


def _may_vary(name: str) -> bool:
    return len(name) >= LEAST_LETTERS and bool(sounds_of(name))


def _chains(read: Sequence[ReadText]) -> list[Chain]:
    """The best pairs that share anything, and their continuations."""
    links = _Links(read)
    places = range(len(read))
    pairs = [chain for pair in combinations(places, 2) if (chain := links.chain(pair)) is not None]
    pairs = sorted(pairs, key=lambda chain: (-chain.weight, chain.places))[:MOST_PAIRS]
    found = {chain.places: chain for chain in pairs}
    for pair in pairs:
        for third in places:
            if third in pair.places or (longer := links.longer(pair, third)) is None:
                continue
            known = found.get(longer.places)
            if known is None or known.weight < longer.weight:
                found[longer.places] = longer
    return list(found.values())


class _Links:
    """The terms that each two of some texts share."""

    def __init__(self, read: Sequence[ReadText]) -> None:
        self._read = read
        self._spread = Counter(term for one in read for term in one.terms)
        self._most = max(COMMON_LEAST, len(read) // COMMON_SHARE)
        self._names = frozenset(name for one in read for name in one.sounds.values())
        self._known: dict[tuple[int, int], frozenset[str]] = {}

    def chain(self, pair: tuple[int, int]) -> Chain | None:
        shared = self._shared(*pair)
        return Chain(pair, shared, self._weight(shared)) if shared else None

    def longer(self, pair: Chain, third: int) -> Chain | None:
        """A pair continued by a text that shares something with either of the two."""
        ends = [self._shared(*sorted((end, third))) for end in pair.places]
        best = max(ends, key=self._weight)
        if not best - pair.shared:
            return None
        return Chain(
            tuple(sorted((*pair.places, third))),
            pair.shared | best,
            pair.weight + self._weight(best - pair.shared),
        )

    def _shared(self, one: int, other: int) -> frozenset[str]:
        known = self._known.get((one, other))
        if known is None:
            known = self._known[one, other] = self._found(self._read[one], self._read[other])
        return known

    def _found(self, one: ReadText, other: ReadText) -> frozenset[str]:
        both = {term for term in one.terms & other.terms if self._spread[term] <= self._most}
        stems = [term for term in both if len(term) < _LONG or not _begins(term, both)]
        spelled = [
            name
            for sound, name in one.sounds.items()
            if (like := other.sounds.get(sound, name)) != name and is_spelled_alike(name, like)
        ]
        return frozenset((*stems, *spelled))

    def _weight(self, shared: Collection[str]) -> float:
        """That of the heaviest: many words in common are one phrase, or one run of characters."""
        return max(map(self._worth, shared), default=0.0)

    def _worth(self, term: str) -> float:
        rare = math.log1p(len(self._read) / max(self._spread[term], 1))
        if len(term) == 1 and is_unspaced(term):
            return rare * CHARACTER_WORTH
        is_name = any(name.startswith(term) or term.startswith(name) for name in self._names)
        return rare * (NAME_WORTH if is_name else 1.0)


_LONG = 3


def _begins(word: str, others: Collection[str]) -> bool:
    """Whether another of them is how the word begins: its stem."""
    return any(len(one) >= _LONG and one != word and word.startswith(one) for one in others)


def _with_cosine(chain: Chain, asked: Vector, vectors: Vectors) -> Chain:
    together = vectors[list(chain.places)].sum(axis=0)
    size = float(np.linalg.norm(together)) * float(np.linalg.norm(asked))
    cosine = float(together @ asked) / size if size > 0 else 0.0
    return Chain(chain.places, chain.shared, chain.weight, cosine)
