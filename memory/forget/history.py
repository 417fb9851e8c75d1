"""Removes the texts of erased memories from the history of memories that stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..database.history import SqlHistory
from ..model.doubts import unquoted
from ..model.types import HistoryRecord, MemoryItem


async def blank_texts(history: SqlHistory, tenant: str, texts: Mapping[str, set[str]]) -> int:
    """Blank these texts in the records of these memories; returns how many records had one.

    The log cannot change a record, so a memory's records are erased and written again. Raises
    StateError.
    """
    blanked = 0
    for memory_id, records in (await history.of_many(tenant, sorted(texts))).items():
        if touched := sum(holds(record, texts[memory_id]) for record in records):
            await history.erase(tenant, [memory_id])
            await history.put_back(without(records, texts[memory_id]))
            blanked += touched
    return blanked


def orphaned(rows: Iterable[MemoryItem], ids: Collection[str]) -> dict[str, set[str]]:
    """The texts of versions in `rows` whose memory is not in `ids`, by memory. Pure."""
    texts: dict[str, set[str]] = {}
    for row in rows:
        live = row.provenance.superseded_by
        if live is not None and live not in ids:
            texts.setdefault(live, set()).add(row.text)
    return texts


def holds(record: HistoryRecord, texts: Collection[str]) -> bool:
    """Whether a record has any of these texts. Pure."""
    return record.old_value in texts or record.new_value in texts


def without(records: Sequence[HistoryRecord], texts: Collection[str]) -> list[HistoryRecord]:
    """The records with these texts and their sentences blanked, all else kept. Pure."""
    return [
        replace(
            record,
            old_value=None if record.old_value in texts else record.old_value,
            new_value=None if record.new_value in texts else record.new_value,
            reasons=unquoted(record.reasons),
        )
        if holds(record, texts)
        else record
        for record in records
    ]
