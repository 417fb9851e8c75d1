"""Decisions about memories that somebody changed after the decision was made. Pure.

A decision was made about a text. If the memory says something else when the decision is applied,
the later text stays: what was to replace it is added beside it, and what was to end stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..model.types import Decision, EventKind, MemoryItem, MemoryStatus
from .records import Batch, done_before, memory_id, version_id

CHANGED = "the memory was changed meanwhile"


def named(decisions: Sequence[Decision], batch: Batch) -> list[str]:
    """The ids of the rows that `holding` and `rows_of` need, whether they exist or not."""
    ids = {each.memory_id for each in decisions}
    for each in decisions:
        if each.event is EventKind.UPDATE and not batch.fresh:
            ids |= {version_id(batch.id, each.memory_id), memory_id(batch.id, each.text)}
    return sorted(ids)


def holding(
    decisions: Sequence[Decision], known: Mapping[str, MemoryItem], batch: Batch
) -> list[Decision]:
    """The decisions that still hold, and what to do instead of the others.

    The same for each run of a batch, as long as nobody changes the memories in between.
    """
    done = done_before(decisions, known, batch)
    says: dict[str, str] = {}
    kept: list[Decision] = []
    for each in decisions:
        item = known.get(each.memory_id)
        about = each.event in {EventKind.UPDATE, EventKind.DELETE}
        if about and item is not None and each.memory_id not in done:
            added = memory_id(batch.id, each.text) in known
            if added or _is_stale(each, item, says.get(each.memory_id)):
                kept.append(_instead(each, item, batch))
                continue
        if each.event in {EventKind.ADD, EventKind.UPDATE}:
            says[each.memory_id] = each.text
        kept.append(each)
    return kept


def _is_stale(decision: Decision, item: MemoryItem, said: str | None) -> bool:
    """`said` is what an earlier decision of the same batch makes the memory say."""
    if said is None and item.status is not MemoryStatus.ACTIVE:
        return True
    return decision.old_text not in {None, item.text if said is None else said}


def _instead(decision: Decision, item: MemoryItem, batch: Batch) -> Decision:
    reason = f"{decision.reason}: {CHANGED}" if decision.reason else CHANGED
    if decision.event is EventKind.DELETE:
        return replace(decision, event=EventKind.NONE, text=item.text, old_text=None, reason=reason)
    return replace(
        decision,
        event=EventKind.ADD,
        memory_id=memory_id(batch.id, decision.text),
        old_text=None,
        reason=reason,
        pending=(item.id,),
    )
