"""Judges imported lines that somebody may have written: redacts secrets, quarantines. Pure.

An import is no way around what `add` does with a text. A suspicious memory is quarantined as a
whole; one that no longer holds goes to the archive, from which nothing is recalled. Whoever writes
a line can claim that the user said it: without a signature such a memory is `imported`.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable
from dataclasses import asdict, replace
from functools import cache
from typing import Any

from ..model.claims import NO_CLAIMS
from ..model.errors import InvalidInputError
from ..model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    Provenance,
    Source,
)
from ..trust.claims import NameText, supported
from ..trust.redact import is_only_marks, redacted_values
from ..trust.text_quarantine import held, planting_doubts
from .line_reader import Carried

Redact = Callable[[str], str]
_RECORDS = uuid.UUID("2f0e4f8e-6a43-4d0c-8a43-0b0a0e6a8d55")
_OF_RECORD = ("old_value", "new_value", "stage", "reason")
_TEXTS = ("quote", "subject", "predicate", "object", "ended", "model")
"""The texts of a provenance. Its other values are names, by which rows find each other."""


def judged(carried: Carried, redact: Redact) -> tuple[Carried, bool]:
    """The row of a changed line without secrets, and whether it is suspicious.

    Raises:
        InvalidInputError: nothing but secrets is in the text.
    """
    clean = _clean(carried, cache(redact))
    item = clean.item
    # Its doubts name whose words they are in as the line does.
    source = carried.item.provenance.source.value
    doubts = planting_doubts(item, source)
    if not doubts:
        return clean, False
    kept = held(item, doubts)
    return replace(clean, item=kept, history=(*clean.history, _noted(kept, doubts))), True


def _clean(carried: Carried, redact: Redact) -> Carried:
    item = _unvalidated(carried.item)
    text = redact(item.text)
    if text != item.text and is_only_marks(text):
        raise InvalidInputError("memory.text", "has nothing but secrets")
    return replace(
        carried,
        item=replace(
            item,
            text=text,
            metadata=redacted_values(item.metadata, redact),
            provenance=_claiming(text, _origin(item.provenance, redact)),
        ),
        history=tuple(_record(record, redact) for record in carried.history),
        # The vector is that of the text with its secrets, or behind a context.
        vector=carried.vector if item.sought == text else None,
    )


def _unvalidated(item: MemoryItem) -> MemoryItem:
    """Without the marks of a validation: in a line that anybody may have written they prove none.

    What still holds is active all the same; as a wish it stands again once somebody here says so.
    """
    flags = () if item.status is MemoryStatus.ACTIVE else item.provenance.flags
    return replace(item, provenance=replace(item.provenance, validated_at=None, flags=flags))


def _origin(origin: Provenance, redact: Redact) -> Provenance:
    return replace(
        origin,
        source=origin.source if origin.source.is_hearsay else Source.IMPORTED,
        flags=tuple(map(redact, origin.flags)),
        reasons=_doubts(origin.reasons, redact),
        **_redacted(origin, _TEXTS, redact),
    )


def _redacted(whole: object, names: Iterable[str], redact: Redact) -> dict[str, Any]:
    """The fields of these names that are texts."""
    texts = {name: getattr(whole, name) for name in names}
    return {name: redact(text) for name, text in texts.items() if text is not None}


def _claiming(text: str, origin: Provenance) -> Provenance:
    """Claiming what its text says, and found by that only: the rest is anybody's word."""
    claims = supported(origin.claims, NameText(text)) if origin.claims else NO_CLAIMS
    return replace(origin, claims=claims, context=None)


def _record(record: HistoryRecord, redact: Redact) -> HistoryRecord:
    texts = _redacted(record, _OF_RECORD, redact)
    return replace(record, reasons=_doubts(record.reasons, redact), **texts)


def _doubts(doubts: Iterable[Doubt], redact: Redact) -> tuple[Doubt, ...]:
    return tuple(replace(each, **_redacted(each, asdict(each), redact)) for each in doubts)


def _noted(item: MemoryItem, doubts: tuple[Doubt, ...]) -> HistoryRecord:
    """The record of the quarantine; importing the line again makes the same one."""
    return HistoryRecord(
        id=str(uuid.uuid5(_RECORDS, f"{item.id}|{item.version}|{item.text}")),
        memory_id=item.id,
        event=EventKind.QUARANTINE,
        old_value=None,
        new_value=item.text,
        timestamp=item.updated_at,
        is_deleted=False,
        scope=item.scope,
        valid_at=item.updated_at,
        stage="import",
        reason=", ".join(sorted({doubt.kind for doubt in doubts})),
        reasons=doubts,
    )
