"""Decides whether the user said later what was only concluded. Pure.

The same words say it. Of other words a model may say that they do, as it does of a fact that is
known already (`learn.reconcile.model_verdict`); it is believed if the statement has the names and
numbers of the conclusion and most of its words, or is as near as a fact that may replace another.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...calibration import Calibration
from ...language import stored_terms
from ...learn.reconcile import Neighbour, Undecided, added
from ...learn.reconcile.model_verdict import stands_in
from ...learn.reconcile.text_relation import Statement, TextRelation, relation_between
from ...learn.records import about_stored
from ...model.doubts import UNCONFIRMED
from ...model.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    ScoredMemory,
    Source,
)
from .salience import is_evidence

STAGE = "reflect"
CONFIRMED = "the user said it later"
MIN_SAID = 0.5
"""Share of the conclusion's terms that a statement needs, if it is not near (`rules.SHARED`)."""
MOST_ASKED = 8
"""Conclusions that one run asks about: one call."""


@dataclass(frozen=True, slots=True)
class Awaiting:
    """A conclusion that nobody confirmed, and what the user said since, the nearest first."""

    insight: MemoryItem
    said: tuple[ScoredMemory, ...]


def awaits(item: MemoryItem, scope: Scope) -> bool:
    """Whether it is a conclusion of exactly this scope that only waits to be confirmed."""
    return (
        item.scope == scope
        and item.status is MemoryStatus.QUARANTINED
        and item.type is MemoryType.REFLECTIVE
        and item.provenance.source is Source.REFLECTION
        and set(item.provenance.flags) <= {UNCONFIRMED}
        and bool(item.provenance.cites)
    )


def said_since(insight: MemoryItem, hits: Iterable[ScoredMemory]) -> tuple[ScoredMemory, ...]:
    """The user's own memories among the hits that were recorded after the conclusion."""
    since = insight.provenance.recorded_at or insight.created_at
    return tuple(
        hit
        for hit in hits
        if is_evidence(hit.item, insight.scope)
        and not hit.item.provenance.cites
        and hit.item.id not in insight.provenance.cites
        and (hit.item.provenance.recorded_at or hit.item.created_at) > since
    )


def said_exactly(one: Awaiting) -> MemoryItem | None:
    """What says it in the same words."""
    statement = Statement(one.insight.text)
    same = (
        hit.item
        for hit in one.said
        if relation_between(statement, hit.item.text) is TextRelation.SAME
    )
    return next(same, None)


def asked_about(waiting: Sequence[Awaiting]) -> list[Undecided]:
    """What a model is asked about conclusions: whether what the user said says all of each."""
    asked = []
    for one in waiting[:MOST_ASKED]:
        candidate = Candidate(
            text=one.insight.text, type=MemoryType.REFLECTIVE, source=Source.REFLECTION
        )
        near = [Neighbour.of(hit) for hit in one.said]
        alone = added(candidate, near, one.insight.id)
        asked.append(Undecided(candidate, near, alone, together=True, stored=one.insight))
    return asked


def said_by_answer(
    one: Awaiting, decisions: Sequence[Decision], calibration: Calibration
) -> MemoryItem | None:
    """What a model named as saying it, if that may be so."""
    named = {each.memory_id for each in decisions if each.event is EventKind.NONE}
    says = (
        hit.item
        for hit in one.said
        if hit.item.id in named and may_say(one.insight.text, hit, calibration)
    )
    return next(says, None)


def may_say(text: str, hit: ScoredMemory, calibration: Calibration) -> bool:
    """Whether a statement has the names and numbers of a text, and its words or its meaning."""
    own = set(stored_terms(text)) - {"user"}
    shared = len(own & set(stored_terms(hit.item.text)))
    near = hit.score >= calibration.update or (bool(own) and shared >= MIN_SAID * len(own))
    return near and stands_in(text, [hit.item.text])


def confirmed(insight: MemoryItem, by: MemoryItem) -> Decision:
    """It is recalled from now on, and stands on the statement too."""
    return replace(about_stored(insight, EventKind.VALIDATE, STAGE, CONFIRMED), cites=(by.id,))
