"""Chooses what a query means among the hits of a search. Pure.

What is named exactly is meant, and nothing that has another name or number in its place. Words
beside a name narrow it: "Anna's phone" is not all about Anna. Where nothing is named, what is
clearly nearest is meant; in a chat, where nobody picks, the one that is far nearer than the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest
from typing import NamedTuple

from ..calibration import Calibration
from ..model.types import MemoryItem
from ..recall.ranking import Ranked
from ..recall.signals import Signal
from .query_names import NamedQuery, read_query
from .text import Text

NEAR = 0.35
"""Least nearness of a hit with a word in common, in spreads of the embedder above its floor; a
name in common is near enough."""
BEHIND = 0.75
"""Spreads behind the best of those; what is about one person differs so much."""
SHARE = 0.4
"""Least share of the best one's words."""
ALL, MOST = 0.95, 0.7
"""What has all words of a query is meant; then others need so many of them."""
ALONE, ALONE_BEHIND = 1.0, 0.3
"""The same spreads without a word in common."""
APART = 0.1
"""How much nearer it is than the next one (cosines). Of 152 requests in fourteen languages, to
between four and twelve memories, the nearest was meant by 142; of the 111 that were so far apart,
by 110."""
LEAST = 0.25
"""Its least nearness: of what is not stored, something is the nearest too."""
LOOSELY = 0.15
"""The same of what is to stay, which may be told apart less clearly."""


def meant(
    query: str, hits: Sequence[Ranked], calibration: Calibration
) -> tuple[list[Ranked], list[Ranked]]:
    """The hits that are meant, best first; none if nothing is named or near enough.

    With those among which the nearest may be meant all the same: none if the query names somebody.
    """
    named, texts = read_query(query, [hit.item.text for hit in hits])
    read = list(zip(hits, texts, strict=True))
    whole = [one for one in read if named.held_by(one[1]) and not named.is_another(one[1])]
    alone = [one for one in whole if named.stands_alone_in(one[1])]
    whole = alone or whole
    if whole:
        return _narrowed(whole, named, calibration), []
    free = [hit for hit, text in read if not named.denied_by(text)]
    return closest(free, calibration), [] if named.ways else free


def _narrowed(
    held: Sequence[tuple[Ranked, Text]], named: NamedQuery, calibration: Calibration
) -> list[Ranked]:
    """Of what holds a name, what the other words of the query are about too.

    By their words; where nobody has any of them by meaning, among texts of one language.
    """
    near = _nearness(calibration)
    if named.topic and not (named.every or named.strong):
        topic = {text: text.count_of(named.topic) for _, text in held}
        if most := max(topic.values()):
            held = [one for one in held if topic[one[1]] >= MOST * most]
        else:
            apart = {hit.item.id for hit, text in held if named.is_elsewhere(text)}
            best = max((near(hit) for hit, _ in held if hit.item.id not in apart), default=0.0)
            held = [one for one in held if one[0].item.id in apart or near(one[0]) >= best - BEHIND]
    return sorted((hit for hit, _ in held), key=near, reverse=True)


def closest(hits: Sequence[Ranked], calibration: Calibration) -> list[Ranked]:
    """The hits that are clearly nearest, best first; none if nothing is near enough."""
    if not hits:
        return []
    near = _nearness(calibration)
    best = max(map(near, hits))
    words = max(hit.coverage for hit in hits)
    share = MOST if words >= ALL else SHARE

    def is_meant(hit: Ranked) -> bool:
        if hit.coverage >= ALL:
            return True
        if hit.coverage > 0:
            least = -1.0 if hit.signals[Signal.ENTITY] > 0 else NEAR
            close = near(hit) >= max(least, best - BEHIND)
            return close and hit.coverage >= share * words
        return words < ALL and near(hit) >= max(ALONE, best - ALONE_BEHIND)

    return sorted(filter(is_meant, hits), key=near, reverse=True)


def _nearness(calibration: Calibration) -> Callable[[Ranked], float]:
    return lambda hit: (hit.cosine - calibration.floor) / calibration.spread


class Nearest(NamedTuple):
    """A memory with the cosine of its text to a query."""

    item: MemoryItem
    cosine: float


def nearest_of(hits: Iterable[Ranked]) -> list[Nearest]:
    """The two nearest by meaning."""
    best = nlargest(2, hits, key=lambda hit: hit.cosine)
    return [Nearest(hit.item, hit.cosine) for hit in best]


def clearest(
    nearest: Sequence[Nearest], *, apart: float = APART, least: float = LEAST
) -> list[MemoryItem]:
    """The first of the two nearest, if it is so near and the next one so much further."""
    if not nearest or nearest[0].cosine < least:
        return []
    alone = len(nearest) == 1 or nearest[0].cosine - nearest[1].cosine >= apart
    return [nearest[0].item] if alone else []
