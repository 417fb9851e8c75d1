"""Asks a model whether near memories say the same: the question that learning asks.

Only "known already" ends a memory here. What a model takes for a change or an end is left to the
jobs that judge memories of one matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...learn.conflict_resolution import question_about
from ...learn.reconcile import Neighbour, Undecided
from ...learn.reconcile.rules import CONFIRMED
from ...learn.reconciler import clarify
from ...model.ports import ChatModel
from ...model.types import Decision, EventKind, MemoryItem, ScoredMemory
from .duplicates import JUDGED, Merge, merge_of
from .findings import Question


@dataclass(frozen=True, slots=True)
class Sameness:
    """The answer of a model."""

    merges: list[Merge]
    answered: int = 0
    """Questions with a valid answer."""


async def ask(
    model: ChatModel, questions: Sequence[Question], prompt: str | None = None
) -> Sameness:
    """Ask these questions, some at a time; `prompt` replaces the instructions.

    Raises:
        ModelError: no call succeeded.
    """
    asked = {number: _undecided(one) for number, one in enumerate(questions)}
    told = await clarify(model, asked, prompt=prompt)
    if told.failure is not None and not told.groups:
        raise told.failure
    merges = [
        merge
        for number, group in told.groups.items()
        for one in group
        if _says_same(one) and (merge := _merge(questions[number], one)) is not None
    ]
    return Sameness(merges, len(told.groups))


def _undecided(question: Question) -> Undecided:
    near = [Neighbour.of(ScoredMemory(item, cosine)) for item, cosine in question.others]
    return question_about(question.item, near)


def _says_same(decision: Decision) -> bool:
    """Whether the other memory says it too, perhaps in the words of somebody else."""
    confirmed = decision.event is EventKind.UPDATE and decision.reason == CONFIRMED
    return decision.event is EventKind.NONE or confirmed


def _merge(question: Question, decision: Decision) -> Merge | None:
    others: dict[str, tuple[MemoryItem, float]] = {one.id: (one, c) for one, c in question.others}
    if decision.memory_id not in others:
        return None
    other, cosine = others[decision.memory_id]
    return merge_of(question.item, other, JUDGED, cosine)
