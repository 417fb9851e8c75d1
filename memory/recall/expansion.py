"""Finds memories that speak of somebody whom one of the first hits names. Pure.

"What did the man I met in Bergen recommend?" finds that one met Eskil, not what Eskil recommended:
the second memory has no word of the question. But the first names somebody whom few memories name,
and they are one step away. Names are told by how they are written and by how rare they are, in any
language; nothing needs to be learned or linked before.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper, lru_cache
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import regex

from ..language import from_packs, names_in, query_terms
from ..language.fold import fold
from ..model.graph import ConnectedMemory
from .index.entry import Entry
from .index.user_index import UserIndex

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

SEEDS = 6
"""Best hits from which a step is made."""
STEPS = 2
"""Steps at most: the shop of my neighbour's son is two away from my neighbour."""
MOST_SPREAD = 12
"""Memories that hold a term which connects them, at most: who is in more of them is found by name,
and what is leads anywhere."""
NAME, WORD = 1.0, 0.2
"""What it counts that two memories share a name, or another rare word. On LoCoMo, words that count
twice as much cost a point of the evidence in five."""
NOUN = 0.45
"""The same of a name where most words with a capital are none, as in German."""
RESOLVED = 0.9
"""The same of what a graph connects."""
COMMON = 0.3
"""Share of the terms of some memories from which capitals are common."""
_FEWEST, _SAMPLE = 5, 40
"""Memories of a language that tell it."""
STEP = 0.6
"""What an edge counts from a memory that was reached by one."""
LEAST = 0.35
"""Of an edge, to count at all."""
MOST_REACHED = 4
"""Memories that are reached by the first step, and half as many by the second."""
SHARE = 3
"""Part of the memories that may hold it: who is in most of them is the user."""
_KEPT_TEXTS = 2048
_KEPT_SHARED = 512
"""Memories of an index of which it is kept what they share with others."""
_WORD = regex.compile(r"\w+")
_STEM = 4
"""Letters of a stem from which it tells its word, and may differ from it in the last one
("dunleavi", "Dunleavy")."""
LONG = 30
"""Terms from which a text shares some with any other."""


class Edge(NamedTuple):
    """The edge by which a memory was reached."""

    position: int
    """Of the memory."""
    seed: int
    """Position of the memory from which it was reached."""
    by: str
    """The term that both have, or how a graph calls what connects them."""
    value: float
    """How much it tells, 0 to 1."""
    relation: str = ""
    """The relation, if it was one of a graph."""


@dataclass(frozen=True, slots=True)
class BeforeStep:
    """The state of n memories before a step is made."""

    scores: Values
    """``float64[n]``: the fused scores, -inf for what may not be seen."""
    likely: Values
    """``float64[n]``: the probability that each answers, as far as it tells alone."""
    seeds: Sequence[int]
    """Positions of the best hits, best first."""


def edges_of(index: UserIndex, connected: Iterable[ConnectedMemory]) -> list[Edge]:
    """What a graph knows of the memories in the index.

    It counts a little less than the same name in both: names are resolved by what is likely.
    """
    places = index.once(
        "places", lambda: {one.item.id: at for at, one in enumerate(index.entries) if one}
    )
    return [
        Edge(
            places[one.memory_id], places[one.source_id], one.entity_id,
            RESOLVED / max(1, one.spread - 1) ** 0.5, one.relation or "",
        )
        for one in connected
        if one.memory_id in places and one.source_id in places
    ]  # fmt: skip


def reached(
    index: UserIndex, found: BeforeStep, asked: Collection[str], given: Iterable[Edge] = ()
) -> dict[int, Edge]:
    """By position, the best edge to each of the few memories that the seeds lead to.

    `asked` are the terms of the question: what it names itself is found without a step. `given` are
    edges that a graph knows.
    """
    seen = (one for one in given if found.scores[one.position] > -np.inf)
    edges = _best([*seen, *_steps(index, found, found.seeds, asked)])
    places = {seed: place for place, seed in enumerate(found.seeds)}
    # Of two of the best hits the better one leads to the other.
    edges = {
        at: edge
        for at, edge in edges.items()
        if edge.seed in places and places[edge.seed] < places.get(at, len(places))
    }
    first = _most_telling(edges, found, MOST_REACHED)
    if STEPS < 2 or not first:  # noqa: PLR2004 - one step is the first
        return first
    known = {*asked, *(edge.by for edge in first.values())}
    further = (
        edge._replace(value=edge.value * STEP * first[edge.seed].value)
        for edge in _steps(index, found, list(first), known)
        if edge.position not in first and edge.position != first[edge.seed].seed
    )
    return first | _most_telling(_best(further), found, MOST_REACHED // 2)


def _steps(
    index: UserIndex, found: BeforeStep, seeds: Sequence[int], asked: Collection[str]
) -> list[Edge]:
    """The edges from the seeds that count at all."""
    seen = found.scores > -np.inf
    among = None if np.count_nonzero(seen) == len(index) else seen
    entries, steps = index.entries, []
    for seed in seeds:
        entry = entries[seed]
        if entry is not None:
            steps += _steps_from(index, among, seed, entry, asked)
    return steps


def _steps_from(
    index: UserIndex, among: Mask | None, seed: int, entry: Entry, asked: Collection[str]
) -> list[Edge]:
    """`among` are the memories that may be seen; None: all."""
    together: dict[int, list[tuple[float, str]]] = {}
    weight, terms = _name_weight(index, entry.language), frozenset(asked)
    for shared in _shared_by(index, seed, entry):
        if shared.terms & terms:
            continue
        others = len(shared.places)
        if among is not None:
            others = int(np.count_nonzero(among[list(shared.places)]))
        for at in shared.likely:
            if among is None or among[at]:
                each = (weight if at in shared.surely else WORD) / others**0.5
                if at in together:
                    together[at].append((each, shared.word))
                else:
                    together[at] = [(each, shared.word)]
    # What a long text takes off is not known yet, but it adds nothing.
    likely = [(at, words) for at, words in together.items() if _told(words) >= LEAST]
    lengths = index.lengths
    return [
        Edge(at, seed, max(words)[1], _told(words) * _short(lengths[seed], lengths[at]))
        for at, words in likely
    ]


def _told(words: Iterable[tuple[float, str]]) -> float:
    """What the words tell that two memories share."""
    return min(1.0, sum([each for each, _ in words]))


def _short(one: float, other: float) -> float:
    """What is left of an edge if one of the two texts is long."""
    short: float = float(LONG / max(LONG, one, other)) ** 0.5
    return short


class _Shared(NamedTuple):
    """A rare word that a memory shares with others."""

    word: str
    terms: frozenset[str]
    """The terms by which it is found."""
    places: tuple[int, ...]
    """Positions of the others."""
    surely: frozenset[int]
    """Those of them that have it as a name."""
    likely: tuple[int, ...] = ()
    """Those of them that the memory shares enough with, if all that it shares counts."""


def _shared_by(index: UserIndex, seed: int, entry: Entry) -> tuple[_Shared, ...]:
    """What the memory shares, which is read once: best hits are few.

    Questions share nothing, so it holds when another one is asked.
    """
    most = min(MOST_SPREAD, max(2, len(index) // SHARE))
    key = ("shared", most, index.languages)
    kept: dict[int, tuple[_Shared, ...]] = index.once(key, dict, of_told=True)
    if seed not in kept:
        if len(kept) >= _KEPT_SHARED:
            kept.clear()
        kept[seed] = _with_likely([*_shared(index, seed, entry, most)])
    return kept[seed]


def _with_likely(found: Sequence[_Shared]) -> tuple[_Shared, ...]:
    """The words by which any other is reached: most share one word, which is not enough."""
    most: dict[int, float] = {}
    for one in found:
        for at in one.places:
            most[at] = most.get(at, 0.0) + (NAME if at in one.surely else WORD)
    likely = {at for at, value in most.items() if value >= LEAST}
    each = (one._replace(likely=tuple([at for at in one.places if at in likely])) for one in found)
    return tuple(one for one in each if one.likely)


def _shared(index: UserIndex, seed: int, entry: Entry, most: int) -> Iterator[_Shared]:
    """The rare words of a memory that others hold.

    A name is looked for by its stems in all languages of the memories: that of a short text is told
    badly, and each has its own.
    """
    stems, languages = _kept_stems(), index.languages
    names = {one: stems(one, languages) for one in names_of(entry.item.text)}
    of_names = set().union(*names.values())
    words = {one: frozenset({one}) for one in entry.terms if len(one) > 1 and one not in of_names}
    wanted = [term for terms in (*names.values(), *words.values()) for term in terms]
    held = index.holders(wanted, most=most)
    for word, terms in (*names.items(), *words.items()):
        places = {at for term in terms if term in held for at in held[term]}
        if not 1 < len(places) <= most:
            continue
        others = tuple(at for at in places if at != seed)
        begins = word not in names and _begins(entry, word)
        named = (
            at for at in others if word in names or (begins and _names(index.entries[at], word))
        )
        yield _Shared(word, terms, others, frozenset(named))


def _name_weight(index: UserIndex, language: str) -> float:
    """What a capital counts in this language, by how common it is in the newest memories."""
    return index.once(
        ("name weight", language), lambda: _capitals_count(index, language), of_told=True
    )


def _capitals_count(index: UserIndex, language: str) -> float:
    told = (one for one in reversed(index.entries) if one is not None and not one.asks)
    some = list(islice((one for one in told if one.language == language), _SAMPLE))
    names = sum(len(names_of(one.item.text)) for one in some)
    common = len(some) >= _FEWEST and names > COMMON * sum(len(one.terms) for one in some)
    return NOUN if common else NAME


def _begins(entry: Entry | None, term: str) -> bool:
    """Whether it begins with the term, which tells a name if another memory has it as one."""
    return entry is not None and entry.subject is not None and _is_of(term, entry.subject)


def _names(entry: Entry | None, term: str) -> bool:
    if entry is None:
        return False
    return _begins(entry, term) or any(_is_of(term, one) for one in names_of(entry.item.text))


def _is_of(term: str, word: str) -> bool:
    """Whether a term may be the stem of a word."""
    if len(term) < _STEM:
        return word == term or (len(word) == len(term) + 1 and word.startswith(term))
    return word.startswith(term) or (len(term) > _STEM and word.startswith(term[:-1]))


def spelled(term: str, text: str) -> str:
    """The first word of a text that a term may be the stem of, as it is written there."""
    words = _WORD.findall(text)
    if term.isascii() and text.isascii():
        first = term[:1] + term[:1].upper()
        words = [word for word in words if word[0] in first]
    return next((word for word in words if _is_of(term, fold(word))), term)


def names_of(text: str) -> frozenset[str]:
    """`names_in` a memory, of the last ones kept: each takes 30 microseconds to read."""
    return _kept_names()(text)


@from_packs
def _kept_stems() -> _lru_cache_wrapper[frozenset[str]]:
    """The stems of the last names in these languages."""
    return lru_cache(maxsize=_KEPT_TEXTS)(_stems)


def _stems(name: str, languages: frozenset[str]) -> frozenset[str]:
    return frozenset(query_terms(name, languages))


@from_packs
def _kept_names() -> _lru_cache_wrapper[frozenset[str]]:
    return lru_cache(maxsize=_KEPT_TEXTS)(names_in)


def _best(edges: Iterable[Edge]) -> dict[int, Edge]:
    """By position, the edge that tells most."""
    best: dict[int, Edge] = {}
    for edge in edges:
        known = best.get(edge.position)
        if edge.value >= LEAST and (known is None or edge.value > known.value):
            best[edge.position] = edge
    return best


def _most_telling(edges: Mapping[int, Edge], found: BeforeStep, most: int) -> dict[int, Edge]:
    """The edges that tell most; of those that tell alike, to what answers best."""

    def worth(edge: Edge) -> tuple[float, int]:
        return edge.value * (1.0 + float(found.likely[edge.position])), -edge.position

    best = sorted(edges.values(), key=worth, reverse=True)[:most]
    return {edge.position: edge for edge in best}
