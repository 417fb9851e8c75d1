"""Decides about one candidate by rules, of all memories near it at once. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from statistics import median

from ...calibration import Calibration
from ...language import from_packs, stored_terms
from ...language.scanner import without
from ...model.types import Candidate, Decision, EventKind, MemoryItem, MemoryType, ScoredMemory
from .changed_matter import is_changed, tells_change
from .text_relation import Statement, TextRelation, relation_between


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A memory near the candidate; `score` is their cosine similarity."""

    id: str
    text: str
    type: MemoryType
    score: float
    created_at: datetime | None = None
    """When it was said; None if unknown."""
    matter: str = ""
    """The group that it belongs to; empty for its own id."""
    turn_ids: Sequence[str] = ()
    """The turns that say it."""
    is_hearsay: bool = False
    """Whether the user never said it."""
    item: MemoryItem | None = field(default=None, compare=False, repr=False)
    """The stored memory; None of what the same batch says."""

    @property
    def group(self) -> str:
        """The id that it shares with all memories of the same matter."""
        return self.matter or self.id

    def is_newer_than(self, at: datetime | None) -> bool:
        """Whether it was said after `at`; false if either time is unknown."""
        return at is not None and self.created_at is not None and at < self.created_at

    def may_change(self, candidate: Candidate, at: datetime | None) -> bool:
        """Whether a candidate that was said `at` may change it.

        Nothing changes what was said later, and nobody else's word changes the user's own.
        """
        foreign = candidate.source.is_hearsay and not self.is_hearsay
        return not foreign and not self.is_newer_than(at)

    def yields_to(self, candidate: Candidate) -> bool:
        """Whether the user now says what only others said: the memory becomes the user's word."""
        return self.is_hearsay and not candidate.source.is_hearsay

    @classmethod
    def of(cls, hit: ScoredMemory) -> Neighbour:
        """A search hit as a neighbour."""
        item = hit.item
        return cls(
            id=item.id,
            text=item.text,
            type=item.type,
            score=hit.score,
            created_at=item.valid_from or item.created_at,
            matter=item.provenance.matter or "",
            turn_ids=item.provenance.turn_ids,
            is_hearsay=item.provenance.source.is_hearsay,
            item=item,
        )


RELATED = 0.35
"""From this level texts may be of one matter whatever their words. 0 is the cosine of unrelated
memories (`Calibration.floor`), 1 that from which a fact may replace another (`update`)."""
AHEAD = 0.25
"""So many levels it must be ahead of the other neighbours: where all facts begin alike, as in most
languages but English, all are near each other. Of 65 changes among 20 to 64 facts 31 are linked so,
and 130 facts with 73 others; a fixed level and a common word linked 29, and 192 others."""
COMPARED = 7
"""Neighbours that it is ahead of; those that a small store does not have are `RELATED`."""
SHARED = 0.5
"""Share of the shorter text's words that both have, whatever the cosine."""
NEAREST, MOST_ASKED = 8, 12
"""Memories that a model is asked about whatever their words, and with those that are `CLOSE`. Of
the same 65 changes words and levels let 36 out ("works at Acme", "switched jobs and is now at
BigTech"), the nearest five 7, the nearest eight 5, and with the close ones 3."""
CLOSE = 0.5
"""From this level one is asked about though others are nearer."""
_KEPT = 256
"""Texts whose words are kept for a moment."""


def terms_of(text: str) -> frozenset[str]:
    """The index terms of a fact, without the words for the user."""
    return _terms_of()(text)


def is_one_matter(
    one: str, other: str, cosine: float, calibration: Calibration, beside: Sequence[float] = ()
) -> bool:
    """Whether two texts, with the cosine of their vectors, may be about the same matter.

    `beside` are the cosines of what else is near the first.
    """
    mine, theirs = terms_of(one), terms_of(other)
    common = mine & theirs
    if len(common) >= SHARED * max(1, min(len(mine), len(theirs))) and common:
        return True
    level = calibration.level(cosine)
    if level < RELATED:
        return False
    others = sorted((calibration.level(each) for each in beside), reverse=True)[:COMPARED]
    return level - median([*others, *[RELATED] * (COMPARED - len(others))]) >= AHEAD


@from_packs
def _terms_of() -> Callable[[str], frozenset[str]]:
    """A fact is compared with the same memories as the one before it, and each with the fact."""

    @lru_cache(maxsize=_KEPT)
    def terms(text: str) -> frozenset[str]:
        return frozenset(stored_terms(without(text, "people.user")))

    return terms


EXACT, CHANGE, NEW = "exact", "change", "new"
"""The stages: the same words, words that tell a change, and everything else."""
CONFIRMED = "the user says it too"
"""The reason of what becomes the user's word."""
_EVENTS = {
    TextRelation.ENDED: EventKind.DELETE,
    TextRelation.CONTRARY: EventKind.UPDATE,
    TextRelation.CORRECTED: EventKind.UPDATE,
}


def reconcile(
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    *,
    new_id: str,
    calibration: Calibration,
    at: datetime | None = None,
) -> Decision:
    """Decide about one candidate, given its nearest memories in any order.

    `at` is when the candidate was said: it never changes a newer memory. An ADD with `pending`
    memories stands unless a model judges them otherwise (`model_verdict`). A DELETE only ends the
    memory: `statement_of` it is the ADD of what was said.
    """
    ordered = sorted(neighbours, key=lambda one: -one.score)
    new = Statement(candidate.text)
    verdicts = [(one, relation_between(new, one.text)) for one in ordered]
    same = [one for one, verdict in verdicts if verdict is TextRelation.SAME]
    for one in same:
        if not one.yields_to(candidate):
            return _about(candidate, one, EventKind.NONE, TextRelation.SAME)
    for one in same:
        if one.may_change(candidate, at):
            return _about(candidate, one, EventKind.UPDATE, CONFIRMED)
    for one, verdict in verdicts:
        if verdict in _EVENTS and one.may_change(candidate, at):
            return _about(candidate, one, _EVENTS[verdict], verdict)
    return added(candidate, likely(candidate, ordered, calibration), new_id)


def contradicts(new: Statement, old: str) -> bool:
    """Whether a statement says in so many words that another one does not hold, or no more."""
    return relation_between(new, old) in _EVENTS


def likely(
    candidate: Candidate, neighbours: Sequence[Neighbour], calibration: Calibration
) -> list[Neighbour]:
    """The memories that may be about the same matter, the nearest first."""
    ordered = sorted(neighbours, key=lambda one: -one.score)
    cosines = [one.score for one in ordered]
    found = [
        one
        for at, one in enumerate(ordered)
        if is_one_matter(
            candidate.text, one.text, one.score, calibration, [*cosines[:at], *cosines[at + 1 :]]
        )
    ]
    changed = changed_by(candidate.text, ordered[:1], calibration)
    return found if changed is None or changed in found else [changed, *found]


def changed_by(
    text: str, neighbours: Sequence[Neighbour], calibration: Calibration
) -> Neighbour | None:
    """The memory that a text tells a change of: the nearest one, or none."""
    nearest = max(neighbours, key=lambda one: one.score, default=None)
    if nearest is None or not tells_change(text):
        return None
    level, mine, theirs = calibration.level(nearest.score), terms_of(text), terms_of(nearest.text)
    return nearest if is_changed(text, mine, nearest.text, theirs, level) else None


def asked_about(
    candidate: Candidate, neighbours: Sequence[Neighbour], calibration: Calibration
) -> list[Neighbour]:
    """The memories that a model is asked about: what is `likely`, then the nearest in meaning.

    Of `neighbours`, in any order, these are at least the `NEAREST` by their cosine: words and
    levels decide what is linked without an answer, never whether a model sees it.
    """
    near = likely(candidate, neighbours, calibration)
    ordered = sorted(neighbours, key=lambda one: -one.score)
    close = [one for one in ordered if calibration.level(one.score) >= CLOSE]
    asked = ordered[: max(NEAREST, min(len(close), MOST_ASKED))]
    return [*near, *(one for one in asked if one not in near)]


def added(candidate: Candidate, near: Sequence[Neighbour], new_id: str) -> Decision:
    """The ADD of a candidate beside memories of the same matter that nobody judged yet."""
    return Decision(
        event=EventKind.ADD,
        memory_id=new_id,
        text=candidate.text,
        type=candidate.type,
        stage=NEW,
        score=near[0].score if near else None,
        scores={"cosine": near[0].score} if near else {},
        reason="kept beside what may be the same matter" if near else "nothing of it is known",
        matter=near[0].group if near else new_id,
        pending=tuple(one.id for one in near),
        **candidate.grounds(),
    )


def statement_of(ended: Decision, candidate: Candidate, new_id: str) -> Decision:
    """The ADD of the statement that ended a memory: it is true, and says more than nothing."""
    made = added(candidate, (), new_id)
    return replace(
        made, stage=ended.stage, reason="says that another one ended", matter=ended.matter
    )


def _about(candidate: Candidate, neighbour: Neighbour, event: EventKind, reason: str) -> Decision:
    kept = event is EventKind.NONE
    return Decision(
        event=event,
        memory_id=neighbour.id,
        text=neighbour.text if kept else candidate.text,
        old_text=None if kept else neighbour.text,
        type=candidate.type,
        stage=EXACT if kept else CHANGE,
        score=neighbour.score,
        scores={"cosine": neighbour.score},
        reason=str(reason),
        matter=neighbour.group,
        **candidate.grounds(),
    )
