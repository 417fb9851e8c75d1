"""Makes decisions to hold back: what looks planted, and what waits for a person. Pure.

What a fact that waits (`trust.review`) would change or end stays as it is, and is linked with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from ..model.endings import DUPLICATE
from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus, Scope, Source
from ..trust.options import ReviewKind
from ..trust.review import review_doubts, review_kinds
from .belief import Suspicious
from .confirmation import held_id
from .records import about_stored, memory_id
from .withheld_words import WITHHELD

_STATES = frozenset({EventKind.ADD, EventKind.UPDATE})
_WHOSE = {Source.ASSISTANT: "assistant", Source.TOOL: "tool", Source.REFLECTION: "reflection"}


def states_something(decision: Decision) -> bool:
    """Whether a decision makes a memory say something that it did not say before."""
    return decision.event in _STATES and decision.text != decision.old_text


def as_waiting(decision: Decision, kinds: Collection[ReviewKind], held: str) -> Decision:
    """The decision to keep a fact under the id `held` until a person judges it."""
    doubts = review_doubts(kinds, decision.text, _WHOSE.get(decision.source, "user"))
    flags = tuple(sorted(doubt.kind for doubt in doubts))
    about = () if decision.event is EventKind.ADD else (decision.memory_id,)
    return replace(
        decision,
        event=EventKind.QUARANTINE,
        memory_id=held,
        old_text=None,
        stage=WITHHELD,
        reason=", ".join(flags),
        flags=flags,
        reasons=doubts,
        matter=None if decision.matter == decision.memory_id else decision.matter,
        pending=tuple(dict.fromkeys((*decision.pending, *about))),
        stays=None,
    )


def without_ends(
    decisions: Sequence[Decision],
    waits: Mapping[int, Collection[ReviewKind]],
    held: Callable[[str], str],
) -> list[Decision]:
    """The decisions with those of these numbers waiting; what a waiting fact ends does not end."""
    made = [
        as_waiting(each, waits[number], held(each.text)) if number in waits else each
        for number, each in enumerate(decisions)
    ]
    grounds = [each.grounds() for number, each in enumerate(made) if number in waits]
    return [
        each for each in made if each.event is not EventKind.DELETE or each.grounds() not in grounds
    ]


def is_refused(item: MemoryItem) -> bool:
    """Whether a person refused what waited: whoever says it again asks again."""
    return item.status is MemoryStatus.SUPERSEDED and bool(review_kinds(item.provenance.flags))


def of_words(
    decisions: Sequence[Decision], words: Sequence[MemoryItem]
) -> tuple[frozenset[str], list[Decision]]:
    """What the words of the same turns mean for facts that wait: texts, and further decisions.

    A fact that is learned from words that a person kept acts at once. One that is learned from
    words that wait waits in their place.
    """
    kept = set[str]()
    instead: dict[str, Decision] = {}
    for one in decisions:
        of_one = [each for each in words if _is_of_same(each, one)]
        if any(each.provenance.validated_at is not None for each in of_one):
            kept.add(one.text)
            continue
        for each in of_one:
            if each.status is MemoryStatus.QUARANTINED and each.id != one.memory_id:
                instead.setdefault(each.id, _in_place(each, one))
    return frozenset(kept), list(instead.values())


def _is_of_same(item: MemoryItem, fact: Decision) -> bool:
    origin = item.provenance
    own = origin.source is Source.USER and not set(origin.turn_ids).isdisjoint(fact.turn_ids)
    return own and not set(review_kinds(origin.flags)).isdisjoint(review_kinds(fact.flags))


def _in_place(item: MemoryItem, fact: Decision) -> Decision:
    reason = "a fact was learned from it, and waits"
    ended = about_stored(item, EventKind.DELETE, DUPLICATE, reason)
    return replace(ended, stays=fact.memory_id)


def quarantined(one: Suspicious, scope: Scope, believed: Sequence[Decision]) -> Decision:
    """The decision to withhold a text; `believed` has that about its rest, if there is one."""
    candidate = one.candidate
    return Decision(
        **candidate.grounds(),
        event=EventKind.QUARANTINE,
        memory_id=held_id(scope, candidate.text),
        text=candidate.text,
        type=candidate.type,
        stage="trust",
        reason=", ".join(one.flags),
        flags=one.flags,
        reasons=one.doubts,
        taken_from=None if one.rest is None else believed[one.rest].memory_id,
    )


def once(decision: Decision, known: Mapping[str, MemoryItem], batch: str) -> Decision:
    """What waits for a person, as it is kept if it is there already."""
    item = known.get(decision.memory_id)
    if decision.event is not EventKind.QUARANTINE or item is None:
        return decision
    if is_refused(item) and review_kinds(decision.flags):
        return replace(decision, memory_id=memory_id(f"{batch}|review", decision.text))
    return known_already(decision)


def known_already(decision: Decision) -> Decision:
    """The decision about a text that is held back already: nothing is to be done."""
    return replace(decision, event=EventKind.NONE, reasons=(), taken_from=None)
