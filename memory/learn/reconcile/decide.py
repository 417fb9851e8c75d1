"""Combines the relations to all memories into one decision. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from ...calibration import Calibration
from ...language.detect import UNKNOWN
from ...types import Candidate, Decision, EventKind
from .judge import Compared, relate
from .neighbour import Neighbour
from .relation import Bearing, Relation
from .statement import MAX_CHARS, Statement, language_for, read
from .wording import wording_of

_STANDING = frozenset({Bearing.FAR, Bearing.DISTINCT})
_EVENTS = {Bearing.CEASED: EventKind.DELETE, Bearing.CHANGED: EventKind.UPDATE}
_SMALL_PART = 0.5
"""Share of the best memory's overlap below which another memory is not meant."""

Judged = tuple[Neighbour, Relation]
Read = Callable[[str, str], Statement]
"""Parses a text in a language, as `read` does. It is most of the work, so callers may cache it."""


def reconcile(
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    *,
    new_id: str,
    calibration: Calibration,
    at: datetime | None = None,
    read: Read = read,
) -> Decision:
    """Decide about one candidate, given its nearest memories in any order.

    `at` is when the candidate was said: it never changes a newer memory. A `deferred` decision is
    the ADD that stands unless a model decides otherwise (`ask`).
    """
    judged = judge(candidate, neighbours, calibration, read)
    if not judged:
        return _add(candidate, new_id, None, "zone", "nothing is known yet")
    if same := _first(judged, Bearing.SAME):
        return _keep(candidate, *same)
    if changed := _changed(judged):
        return _change(candidate, *changed, at)
    if all(relation.kind in _STANDING for _, relation in judged) or _stands_out(
        judged, language_for(candidate.text)
    ):
        nearest = max(judged, key=lambda one: one[0].score)
        costly = max(judged, key=lambda one: one[1].kind is Bearing.DISTINCT)
        return _add(candidate, new_id, nearest, costly[1].stage, costly[1].reason)
    likeliest = max(judged, key=_plausibility)
    return replace(
        _add(candidate, new_id, likeliest, "change", "no rule is sure"),
        deferred=True,
        beside=likeliest[0].id,
    )


def _stands_out(judged: Sequence[Judged], language: str) -> bool:
    """Whether it is told apart from the nearest memory, and the unclear ones share no word.

    What says something else in the words of one memory hardly says another in other words.
    Cosines tell which is nearest where the script is Latin.
    """
    told = [one for one in judged if one[1].kind is Bearing.DISTINCT and one[1].anchors]
    unclear = [one for one in judged if one[1].kind not in _STANDING]
    if not told or any(relation.anchors for _, relation in unclear):
        return False
    nearest = max(neighbour.score for neighbour, _ in told)
    near = all(neighbour.score <= nearest for neighbour, _ in unclear)
    return near or not wording_of(language).latin


def spoken(candidate: Candidate, neighbours: Sequence[Neighbour]) -> list[tuple[str, str]]:
    """The texts of the candidate and the memories, each with its language."""
    known = {language_for(one.text) for one in neighbours} - {UNKNOWN}
    company = known.pop() if len(known) == 1 else UNKNOWN
    mine = language_for(candidate.text, company)
    return [
        (candidate.text, mine),
        *((one.text, language_for(one.text, mine)) for one in neighbours),
    ]


def judge(
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    calibration: Calibration,
    read: Read = read,
) -> list[Judged]:
    """The relation of the candidate to each memory, in order."""
    (text, mine), *others = spoken(candidate, neighbours)
    new = read(text, mine)
    judged: list[Judged] = []
    for neighbour, (_, theirs) in zip(neighbours, others, strict=True):
        pair = Compared(
            candidate,
            neighbour,
            new,
            read(neighbour.text, theirs),
            comparable=mine == theirs and max(len(text), len(neighbour.text)) <= MAX_CHARS,
        )
        judged.append((neighbour, relate(pair, calibration)))
    return judged


def plausible(
    candidate: Candidate,
    neighbours: Sequence[Neighbour],
    calibration: Calibration,
    read: Read = read,
) -> list[Neighbour]:
    """The memories, ordered by how likely a deferred candidate is about them.

    Memories that a rule excluded come last, because the rule may be wrong.
    """
    judged = judge(candidate, neighbours, calibration, read)
    ordered = sorted(judged, key=_plausibility, reverse=True)
    ordered.sort(key=lambda one: one[1].kind in _STANDING)
    return [neighbour for neighbour, _ in ordered]


def _plausibility(one: Judged) -> tuple[int, float, float]:
    return one[1].anchors, one[1].overlap, one[0].score


def _first(judged: Sequence[Judged], kind: Bearing) -> Judged | None:
    found = [one for one in judged if one[1].kind is kind]
    return max(found, key=lambda one: one[0].score, default=None)


def _changed(judged: Sequence[Judged]) -> Judged | None:
    """The memory that is changed, if no other may be meant."""
    changed = [one for one in judged if one[1].kind in _EVENTS]
    if not changed:
        return None
    best = max(changed, key=_plausibility)
    others = [one for one in judged if one is not best and one[1].kind not in _STANDING]
    return None if any(_may_be_meant(other[1], best[1]) for other in others) else best


def _may_be_meant(other: Relation, best: Relation) -> bool:
    """False if it shares fewer words or has a much smaller overlap."""
    return other.anchors >= best.anchors and other.overlap > best.overlap * _SMALL_PART


def _change(
    candidate: Candidate, neighbour: Neighbour, relation: Relation, at: datetime | None
) -> Decision:
    """An UPDATE or DELETE, or NONE if the memory is newer."""
    if neighbour.is_newer_than(at):
        older = replace(relation, reason=f"older than what is known: {relation.reason}")
        return _keep(candidate, neighbour, older)
    return replace(
        _keep(candidate, neighbour, relation),
        event=_EVENTS[relation.kind],
        text=candidate.text,
        old_text=neighbour.text,
    )


def _add(
    candidate: Candidate, new_id: str, nearest: Judged | None, stage: str, reason: str
) -> Decision:
    return Decision(
        event=EventKind.ADD,
        memory_id=new_id,
        text=candidate.text,
        type=candidate.type,
        stage=stage,
        score=None if nearest is None else nearest[0].score,
        reason=reason,
        scores={} if nearest is None else _scores(*nearest),
        **candidate.grounds(),
    )


def _keep(candidate: Candidate, neighbour: Neighbour, relation: Relation) -> Decision:
    return Decision(
        event=EventKind.NONE,
        memory_id=neighbour.id,
        text=neighbour.text,
        type=candidate.type,
        stage=relation.stage,
        score=neighbour.score,
        reason=relation.reason,
        scores=_scores(neighbour, relation),
        **candidate.grounds(),
    )


def _scores(neighbour: Neighbour, relation: Relation) -> dict[str, float]:
    return {
        "cosine": neighbour.score,
        "overlap": relation.overlap,
        "anchors": float(relation.anchors),
    }
