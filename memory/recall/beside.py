"""What is shown beside what answers: newer statements, the fill, earlier versions. Pure.

Of a message that depends on who asks, the words and the meaning often miss what it is about ("Am I
still pulling shifts?"). So once anything stored is evidence, the rest of the budget goes to what is
near it and to what is new: whoever reads leaves aside what does not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from ..calibration import Calibration
from ..model.ending import was_so
from ..model.types import MemoryItem
from .fuse import largest
from .index.postings import Ints
from .index.user_index import UserIndex
from .pinned import Role
from .ranking import Ranked, Ranking, is_led_to, unmatched

Values = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

NEAREST = 3
"""Later statements that are shown with a memory. Of changes that strangers wrote, among 130 other
facts, the newer statement is among the nearest 3 in 80 %, among 5 in 84 %, it is the nearest in
61 %."""


def later(
    index: UserIndex, position: int, near: Values, among: Mask, *, least: float, most: int = NEAREST
) -> list[int]:
    """Positions of statements that may say something newer than the one at `position`.

    First the newest of its group (`Provenance.matter`), then the nearest of those made later,
    at least `least` near (`near` is ``float64[n]``).
    """
    newer: Mask = among & (index.moments > index.moments[position])
    if not newer.any():
        return []
    grouped = [at for at in index.of_group(position).tolist() if newer[at]]
    newest = max(grouped, key=lambda at: float(index.moments[at]), default=None)
    newer &= near >= least
    newer[grouped] = False
    at = np.flatnonzero(newer)
    nearest: list[int] = at[largest(near[at], most)].tolist()
    return nearest if newest is None else [newest, *nearest]


BEST = 4
"""Best hits whose later statements are looked for."""
UNRELATED, RELATED = 0.0, 1.5
"""Spreads above the floor from which a later statement may be of the same matter, and from which it
comes before the earlier one."""
MOST_FILL = 60
"""Statements that fill the budget at most."""
OF_MATTER, OF_TIME = 0.5, 0.25
"""What nearness to the best hits, and being new, count beside the score when the budget is
filled."""
HALF = 10.0
"""Newer statements after which being new counts half."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown beside the ranked hits."""

    later: Mapping[str, tuple[Ranked, ...]] = field(default_factory=dict)
    """By the id of a hit, later statements that may be of the same matter."""
    fill: tuple[Ranked, ...] = ()
    """What fills the budget, in this order."""


NOTHING = Beside()


def lines_beside(
    index: UserIndex,
    ranking: Ranking,
    calibration: Calibration,
    hits_of: Callable[[Sequence[int]], tuple[Ranked, ...]],
    is_private: Callable[[Ints], Mask],
    evident: Collection[int],
    *,
    fill: bool,
) -> Beside:
    """What belongs beside the relevant hits of a ranking.

    `hits_of` makes hits of positions; `is_private` tells what is not shown unless it is `evident`
    or near to a hit that is private too. With `fill`, a personal message gets more.
    """
    best = [hit for hit in ranking.ranked if hit.relevant and not is_led_to(hit)][:BEST]
    if not best:
        return NOTHING

    def open_(positions: Sequence[int] | Ints) -> list[int]:
        given = np.asarray(positions, np.int64)
        hidden = zip(given.tolist(), is_private(given).tolist(), strict=True)
        return [at for at, private in hidden if not private or at in evident]

    among = np.isfinite(ranking.scores)
    least, clear = (calibration.floor + by * calibration.spread for by in (UNRELATED, RELATED))
    alike = index.vectors.alike([hit.position for hit in best])
    found: dict[str, tuple[Ranked, ...]] = {}
    likely: list[int] = []
    for hit, near in zip(best, alike, strict=True):
        both = (near + ranking.signals.cosine) / 2
        newer = later(index, hit.position, both, among, least=least)
        group = set(index.of_group(hit.position).tolist())
        # Lines of a dialogue are near to many others of it.
        sure = [at for at in newer if at in group or (near[at] >= clear and not index.spoken[at])]
        found[hit.item.id] = hits_of(sure)
        free = is_private(np.array([hit.position])).any()
        likely += newer if free else open_(newer)
    if not (fill and ranking.personal):
        return Beside(found)
    matter = np.clip((np.max(alike, axis=0) - least) / calibration.spread, 0.0, 2.0) / 2
    order, wanted = _order(index, ranking, matter), dict.fromkeys(likely)
    # Read as far as they are shown: most are never asked what they tell.
    for start in range(0, len(order), MOST_FILL):
        if len(wanted) < MOST_FILL:
            wanted |= dict.fromkeys(open_(order[start : start + MOST_FILL]))
    return Beside(found, hits_of(list(wanted)[:MOST_FILL]))


def _order(index: UserIndex, ranking: Ranking, matter: Values) -> Ints:
    """Positions in the order in which they fill the budget."""
    among = np.flatnonzero(np.isfinite(ranking.scores))
    scores = ranking.scores[among]
    share = scores / (scores.max(initial=0.0) or 1.0)
    newer = _newer(index, among)
    value = share + OF_MATTER * matter[among] + OF_TIME * HALF / (HALF + newer)
    return among[largest(value, 4 * MOST_FILL)]


def _newest_first(index: UserIndex) -> Ints:
    return np.argsort(index.moments, kind="stable")[::-1]


def _newer(index: UserIndex, among: Ints) -> Values:
    """``float64[len(among)]``: how many of them are newer than each."""
    newest_first = index.once("newest first", lambda: _newest_first(index))
    newer = np.zeros(len(newest_first))
    newer[among] = 1.0
    newer[newest_first] = np.cumsum(newer[newest_first]) - 1
    return newer[among]


MOST_SUPERSEDED = 1000
"""Newest superseded memories of a scope that are looked through."""
MOST_SHOWN = 8
"""Earlier versions of one memory: a thousand changes of one thing are not a question's answer."""


def with_earlier(beside: Beside, ranked: Iterable[Ranked], once: Sequence[MemoryItem]) -> Beside:
    """`lines_beside` with the superseded memories of the same matter as the relevant hits.

    `once` are superseded memories, newest first.
    """
    later = dict(beside.later)
    by_matter: dict[str, list[MemoryItem]] = {}
    # What was made of others was never said: these tell what was before.
    said = (item for item in once if not item.provenance.cites)
    for item in filter(was_so, said):
        for name in {item.provenance.matter or item.id, item.provenance.superseded_by or ""}:
            by_matter.setdefault(name, []).append(item)
    shown: set[str] = set()
    for hit in ranked:
        if not hit.relevant:
            continue
        found = _earlier_of(hit.item, by_matter)
        earlier = [item for item in found if item.id not in shown][:MOST_SHOWN]
        shown.update(item.id for item in earlier)
        if earlier:
            before = later.get(hit.item.id, ())
            later[hit.item.id] = (*before, *(_earlier_hit(item) for item in earlier))
    return replace(beside, later=later)


def _earlier_of(
    item: MemoryItem, by_matter: Mapping[str, Sequence[MemoryItem]]
) -> list[MemoryItem]:
    names = (item.provenance.matter or item.id, item.id)
    found = {one.id: one for name in names for one in by_matter.get(name, ())}
    return sorted(found.values(), key=lambda one: one.updated_at, reverse=True)


def _earlier_hit(item: MemoryItem) -> Ranked:
    """As a line of the time when it became true: a superseded row may have the time of its end."""
    began = item.valid_from or item.created_at
    shown = replace(item, updated_at=min(began, item.updated_at))
    return unmatched(shown, role=Role.EARLIER.value, position=-1, words=hash(item.text))
