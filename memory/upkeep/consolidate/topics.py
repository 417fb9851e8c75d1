"""Finds memories of one topic, by their vectors. Pure and deterministic.

A topic is a memory with its nearest ones of one group (`linkage`), all of which may stand in one
text: the same kind, the same trust, nothing that is shown unasked, nothing that awaits a verdict.
In doubt a memory is left alone, so the worst that happens is that it stays as it is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
import numpy.typing as npt

from ...forget.cascade import is_episode
from ...graph.topics.linkage import groups
from ...graph.topics.topic_space import TopicSpace
from ...model.types import MemoryItem, MemoryStatus, MemoryType, Scope, StoredMemory
from ...recall.traits import WISH, lasts, orders, traits_of
from ...trust.quarantine.payloads import payload_kinds

MIN_SOURCES = 4
"""Least memories of one topic."""
MAX_SOURCES = 10
"""Most memories that one summary stands on: as many as one call shows, and a person reads."""
MIN_AGE = timedelta(days=7)
"""Younger memories are left as they are: they are still being added to."""
MAX_CHARS = 400
"""Of a memory: a longer text is more than a fact, and stays as it is."""
MAX_POOL = 2_000
"""Memories that are compared with each other in a run: 16 MB of cosines."""
_TYPES = frozenset({MemoryType.SEMANTIC, MemoryType.EPISODIC})
_UNASKED = frozenset({
    WISH, "name", "manner", "language", "allergy", "diet", "health", "avoids", "always",
})  # fmt: skip
"""Traits of what is shown unasked: a summary would take its place beside the message."""
_KEPT_APART = frozenset({"private", "unfit", "unsafe", "carries"})


@dataclass(frozen=True, slots=True)
class Topic:
    """Memories to condense, oldest first."""

    notes: tuple[MemoryItem, ...]
    summary: MemoryItem | None = None
    """The summary that covers some of the topic already; `notes` are what came later."""

    @property
    def scope(self) -> Scope:
        """The one scope of all of them."""
        return self.notes[0].scope

    @property
    def key(self) -> str:
        """The same for the same memories."""
        ids = sorted((*(note.id for note in self.notes), self.summary.id if self.summary else ""))
        return hashlib.blake2b("|".join(ids).encode(), digest_size=16).hexdigest()


def is_summary(item: MemoryItem) -> bool:
    """Whether it is a summary of memories, and not something concluded from them."""
    return bool(item.provenance.cites) and item.type in _TYPES


def topics(
    items: Sequence[StoredMemory],
    space: TopicSpace,
    now: datetime,
    *,
    leave: Collection[str] = (),
    turn: str = "",
) -> list[Topic]:
    """The topics of one scope's active memories, none of which is in two of them.

    `leave` are ids that stay as they are. Without thresholds of the embedder there are none. Of
    more than `MAX_POOL` memories, `turn` decides which are compared: another one begins elsewhere.

    Raises:
        ValueError: the memories are of several scopes.
    """
    if len({one.item.scope for one in items}) > 1:
        raise ValueError("topics are of one scope")
    if not space.measured:
        return []
    found: list[Topic] = []
    for alike in _alike(_fitting(items, now - MIN_AGE, leave)):
        pool = [one for one in _pool(alike, turn) if not _is_unasked(one)]
        found += _clusters(pool, space)
    return found


def chosen_topic(
    items: Sequence[StoredMemory],
    chosen: Collection[str],
    now: datetime,
    *,
    leave: Collection[str] = (),
) -> Topic | None:
    """The topic of memories that somebody chose, of one scope's active ones; None if there is none.

    However near and new they are: but only those that may stand in one text, and at most
    `MAX_SOURCES`. If one of them is a summary, the others are added to it.
    """
    fit = [
        one for one in _fitting(items, now, leave) if one.item.id in chosen and not _is_unasked(one)
    ]
    alike = max(_alike(fit), key=len, default=[])
    summary = next((one.item for one in alike if is_summary(one.item)), None)
    room = MAX_SOURCES - (len(summary.provenance.cites) if summary else 0)
    notes = [one.item for one in alike if not is_summary(one.item)][: max(0, room)]
    return Topic(tuple(notes), summary) if notes else None


def _fitting(
    items: Sequence[StoredMemory],
    until: datetime,
    leave: Collection[str],
) -> list[StoredMemory]:
    """Those of `until` that may become part of a summary as their fields tell, oldest first."""
    cited = {name for one in items for name in one.item.provenance.cites}
    return [
        one
        for one in sorted(items, key=_oldest)
        if one.item.id not in leave and one.item.id not in cited and _fits(one.item, until)
    ]


def _pool(alike: Sequence[StoredMemory], turn: str) -> list[StoredMemory]:
    """At most `MAX_POOL` of them, side by side in time."""
    if len(alike) <= MAX_POOL:
        return list(alike)
    drawn = int.from_bytes(hashlib.blake2b(turn.encode(), digest_size=8).digest())
    first = drawn % (len(alike) - MAX_POOL + 1)
    return list(alike[first : first + MAX_POOL])


def _oldest(one: StoredMemory) -> tuple[datetime, str]:
    return one.item.valid_from or one.item.created_at, one.item.id


def _fits(item: MemoryItem, until: datetime) -> bool:
    """Whether a memory may become part of a summary, as far as its fields tell."""
    if item.status is not MemoryStatus.ACTIVE or item.type not in _TYPES:
        return False
    if is_episode(item):  # it is extended when its conversation goes on
        return False
    if max(item.created_at, item.updated_at) > until and not is_summary(item):
        return False
    return (
        item.valid_to is None
        and not item.metadata  # a summary could not be found by it
        and _is_plain(item)
        and (is_summary(item) or len(item.text) <= MAX_CHARS)
    )


def _is_plain(item: MemoryItem) -> bool:
    """Whether nobody doubted it, took it apart, checked it, or has to judge it."""
    told = item.provenance
    return not (
        told.flags
        or told.reasons
        or told.taken_from
        or told.withheld
        or told.given
        or told.pending
        or told.validated_at
        or told.restored_at
        or told.shared
    )


def _is_unasked(one: StoredMemory) -> bool:
    """Whether it may be shown unasked, or must not be shown beside what answers."""
    told = list((one.facts or {}).get("told", ()))
    words = {str(word) for field in told[1:2] for word in str(field).split()}
    flags = {str(word) for field in told[3:4] for word in str(field).split()}
    return bool(
        (words | traits_of(one.item.text)) & _UNASKED
        or any(told[2:3])
        or flags & _KEPT_APART
        or payload_kinds(one.item.text)
        or orders(one.item.text)
        or lasts(one.item.text)
    )


def _alike(fit: Iterable[StoredMemory]) -> Iterator[list[StoredMemory]]:
    """The memories that may stand in one text: of one type, in the same person's words."""
    groups: dict[tuple[str, str], list[StoredMemory]] = {}
    for one in fit:
        source = one.item.provenance.source
        whose = source.value if source.is_hearsay else "own"
        groups.setdefault((one.item.type.value, whose), []).append(one)
    yield from (groups[key] for key in sorted(groups))


def _clusters(fit: Sequence[StoredMemory], space: TopicSpace) -> Iterator[Topic]:
    """First the summaries with what came later, then the densest memories with their nearest."""
    if not fit:
        return
    near = _nearness(fit, space)
    free = np.array([not is_summary(one.item) for one in fit])
    for at in np.flatnonzero(~free).tolist():
        item = fit[at].item
        members = _nearest(near[at], free, MAX_SOURCES - len(item.provenance.cites))
        if members:
            free[members] = False
            yield Topic(_items(fit, members), item)
    linked = near > 0
    counts = np.where(free, (linked & free).sum(axis=1), -1)
    while int(counts.max()) + 1 >= MIN_SOURCES:
        at = int(counts.argmax())  # the oldest of equal ones
        members = sorted([at, *_nearest(near[at], free, MAX_SOURCES - 1)])
        free[members] = False
        counts = np.where(free, counts - linked[:, members].sum(axis=1), -1)
        yield Topic(_items(fit, members))


def _nearness(fit: Sequence[StoredMemory], space: TopicSpace) -> npt.NDArray[np.float32]:
    """``float32[n, n]``: how near memories of one group are, above 0; 0 of all others."""
    vectors = space.part([one.vector for one in fit])
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1.0)
    near: npt.NDArray[np.float32] = vectors @ vectors.T
    group = groups(vectors, space.alike)
    near = np.maximum(near + 2.0, 1.0)
    near[group[:, None] != group] = 0.0
    np.fill_diagonal(near, 0.0)
    return near


def _nearest(row: npt.NDArray[np.float32], free: npt.NDArray[np.bool_], most: int) -> list[int]:
    """The positions of at most so many free memories that are near, in order."""
    open_ = np.flatnonzero(free & (row > 0))
    best = open_[np.argsort(-row[open_], kind="stable")][: max(0, most)]
    return sorted(best.tolist())


def _items(fit: Sequence[StoredMemory], members: Sequence[int]) -> tuple[MemoryItem, ...]:
    return tuple(fit[at].item for at in members)
