"""Lets one batch change each memory once, and never what another of its facts says. Pure.

Facts of one message stand beside each other: "a meeting on 3 May and another on 9 May". So where a
model changes a memory that another fact of the batch confirms, makes or has changed, the fact is
added instead, and both stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..model.types import Decision, EventKind

_CHANGES = frozenset({EventKind.UPDATE, EventKind.DELETE})
_KEPT = "changed or confirmed by another fact of the same turns, so both are kept"

Group = Sequence[Decision]
"""All decisions that one fact causes."""


def each_once(groups: Sequence[Group], instead: Sequence[Decision]) -> list[Group]:
    """The groups without a second change of one memory; `instead` are the ADDs of the facts."""
    held = {one.memory_id for group in groups for one in group if one.event is EventKind.NONE}
    kept: list[Group] = []
    changed: set[str] = set()
    for group, added in zip(groups, instead, strict=True):
        gone = {one.memory_id for one in group if one.event is EventKind.NONE} & changed
        clash = gone or _changed(group) & (held | changed)
        kept.append(_without(group, held | changed, added) if clash else group)
        changed |= _changed(kept[-1])
    return kept


def _changed(group: Group) -> set[str]:
    return {one.memory_id for one in group if one.event in _CHANGES}


def _without(group: Group, held: Iterable[str], added: Decision) -> Group:
    rest = [one for one in group if one.memory_id not in held]
    stated = any(one.event not in _CHANGES or one.event is EventKind.UPDATE for one in rest)
    return rest if stated else [*rest, replace(added, reason=f"{added.reason}: {_KEPT}")]
