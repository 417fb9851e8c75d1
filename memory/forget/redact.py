"""History of what stays, without the texts of what goes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..ports import HistoryLog, Tombstones
from ..types import HistoryRecord, MemoryItem, Scope


async def redact(
    history: HistoryLog,
    tombstones: Tombstones,
    tenant: str,
    texts: Mapping[str, Collection[str]],
) -> int:
    """Blank these texts in the records of these memories; how many records held one.

    The log cannot change a record, so those of the memory are erased and written again. A crash in
    between loses what happened to it and when: less than what a text that stays would cost.

    Raises:
        StateError: the log failed.
    """
    blanked = 0
    for memory_id, some in texts.items():
        records = await history.of(tenant, memory_id)
        if touched := sum(holds(record, some) for record in records):
            await history.erase(tenant, [memory_id])
            await history.append(without(records, some))
            blanked += touched
    # Somebody may have forgotten the memories themselves while we held their records.
    await history.erase(tenant, sorted(await tombstones.buried(tenant, sorted(texts))))
    return blanked


async def keep_only(history: HistoryLog, scope: Scope, memory_ids: Collection[str]) -> None:
    """Remove every record the scope admits but those of these memories. Raises StateError."""
    kept = [record for one in sorted(memory_ids) for record in await history.of(scope.tenant, one)]
    await history.erase_scope(scope)
    await history.append(kept)


def orphaned(rows: Iterable[MemoryItem], ids: Collection[str]) -> dict[str, set[str]]:
    """By memory that stays, the texts of its versions among the rows. Pure."""
    texts: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        live = row.provenance.superseded_by
        if live is not None and live not in ids:
            texts[live].add(row.text)
    return dict(texts)


def holds(record: HistoryRecord, texts: Collection[str]) -> bool:
    """Whether a record says any of these texts. Pure."""
    return record.old_value in texts or record.new_value in texts


def without(records: Sequence[HistoryRecord], texts: Collection[str]) -> list[HistoryRecord]:
    """The records with these texts blanked; when and why things happened stays. Pure."""
    return [
        replace(
            record,
            old_value=None if record.old_value in texts else record.old_value,
            new_value=None if record.new_value in texts else record.new_value,
        )
        for record in records
    ]
