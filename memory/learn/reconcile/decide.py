"""Combines the verdicts about all memories into one decision. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ...calibration import Calibration
from ...model.types import Candidate, Decision, EventKind
from .bearing import Bearing, Statement, bearing_on
from .matter import is_one_matter
from .neighbour import Neighbour

EXACT, CHANGE, NEW = "exact", "change", "new"
"""The stages: the same words, words that tell a change, and everything else."""
_EVENTS = {
    Bearing.ENDED: EventKind.DELETE,
    Bearing.CONTRARY: EventKind.UPDATE,
    Bearing.CORRECTED: EventKind.UPDATE,
    Bearing.LEFT: EventKind.UPDATE,
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
    memories stands unless a model judges them otherwise (`ask`). A DELETE only ends the memory:
    `statement_of` it is the ADD of what was said.
    """
    ordered = sorted(neighbours, key=lambda one: -one.score)
    new = Statement(candidate.text)
    verdicts = [(one, bearing_on(new, one.text)) for one in ordered]
    for one, verdict in verdicts:
        if verdict is Bearing.SAME:
            return _about(candidate, one, EventKind.NONE, verdict)
    for one, verdict in verdicts:
        if verdict is not None and not one.is_newer_than(at):
            return _about(candidate, one, _EVENTS[verdict], verdict)
    return added(candidate, likely(candidate, ordered, calibration), new_id)


def likely(
    candidate: Candidate, neighbours: Sequence[Neighbour], calibration: Calibration
) -> list[Neighbour]:
    """The memories that may be about the same matter, the nearest first."""
    ordered = sorted(neighbours, key=lambda one: -one.score)
    return [
        one for one in ordered if is_one_matter(candidate.text, one.text, one.score, calibration)
    ]


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
