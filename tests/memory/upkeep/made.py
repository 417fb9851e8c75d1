"""Memories that were made of others, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Source,
)
from tests.memory.forget.parts import ALICE, NOON, memory


def fact(name: str, text: str, **fields: Any) -> MemoryItem:
    """What the user said."""
    item = memory(name, text, **fields)
    return replace(item, provenance=replace(item.provenance, source=Source.EXTRACTION))


def derived(name: str, *cites: str, text: str = "User likes quiet", **fields: Any) -> MemoryItem:
    """What was concluded from these."""
    item = memory(name, text, **({"type": MemoryType.REFLECTIVE} | fields))
    return replace(item, provenance=replace(item.provenance, cites=cites, source=Source.REFLECTION))


def aside(name: str, text: str, instead: str, **fields: Any) -> MemoryItem:
    """A fact in the archive that another memory stands for."""
    item = fact(name, text, status=MemoryStatus.ARCHIVED, **fields)
    origin = replace(
        item.provenance,
        archived_from=MemoryStatus.ACTIVE,
        archived_at=NOON,
        archived_for=instead,
    )
    return replace(item, provenance=origin)


def ended(item: MemoryItem, why: str) -> MemoryItem:
    """The memory after it ended."""
    origin = replace(item.provenance, ended=why)
    return replace(
        item,
        status=MemoryStatus.SUPERSEDED,
        valid_to=NOON,
        version=item.version + 1,
        provenance=origin,
    )


def said(name: str, text: str, at: Any = NOON, event: EventKind = EventKind.ADD) -> HistoryRecord:
    """A record that a memory got its text then."""
    return HistoryRecord(
        id=f"{name}|{event}|{text}|{at}",
        memory_id=name,
        event=event,
        old_value=None,
        new_value=text,
        timestamp=at,
        is_deleted=False,
        scope=ALICE,
    )
