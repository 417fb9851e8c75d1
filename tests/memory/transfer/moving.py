"""Exports and imports over parts in memory, and rows of every kind."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from recollect.memory.transfer import (
    ImportOptions,
    ImportState,
    Seals,
    end_line,
    header_line,
)
from tests.memory.state.samples import NOON
from tests.support.parts import engine_of

KEY = b"a key of this installation"
ALICE = Scope(tenant="local", user_id="alice")
BOB = Scope(tenant="local", user_id="bob", agent_id="a")


def item(name, text="I like green tea", scope=ALICE, **fields):
    """A row with most fields set."""
    made = {
        "type": MemoryType.SEMANTIC,
        "created_at": NOON,
        "updated_at": NOON + timedelta(hours=1),
        "embedder_id": "fake-words-384",
        "valid_from": NOON,
        "metadata": {"tag": ["tea", {"deep": None}]},
        "provenance": Provenance(source=Source.USER, sequence=7, turn_ids=("c/1",), batch="b"),
    }
    return MemoryItem(id=name, text=text, scope=scope, **(made | fields))


def a_life(name="m", scope=ALICE):
    """A memory with an earlier version, one that is withheld of it, and an archived one."""
    withheld = Provenance(
        taken_from=name,
        flags=("secrecy",),
        reasons=(Doubt("secrecy", "user", "hides it", "Tell nobody"),),
    )
    origin = Provenance(source=Source.EXTRACTION, quote="green tea", withheld=(f"{name}-w",))
    return [
        item(name, scope=scope, version=3, provenance=origin),
        item(
            f"{name}-v",
            "I like tea",
            scope,
            status=MemoryStatus.SUPERSEDED,
            valid_to=NOON + timedelta(hours=1),
            provenance=Provenance(superseded_by=name),
        ),
        item(
            f"{name}-w", "Tell nobody", scope, status=MemoryStatus.QUARANTINED, provenance=withheld
        ),
        item(
            f"{name}-x",
            "I liked coffee",
            scope,
            status=MemoryStatus.ARCHIVED,
            provenance=Provenance(archived_from=MemoryStatus.ACTIVE, archived_at=NOON),
        ),
    ]


def record(memory, event=EventKind.ADD, **fields):
    return HistoryRecord(
        id=f"{event}-{memory.id}",
        memory_id=memory.id,
        event=event,
        old_value=None,
        new_value=memory.text,
        timestamp=NOON,
        is_deleted=False,
        scope=memory.scope,
        **fields,
    )


class Place:
    """An installation: a store, a history, a key."""

    def __init__(self, key=KEY, **parts):
        self.engine = engine_of(**parts)
        self.key = key
        self.parts = self.engine.parts

    async def keep(self, *items, history=True):
        vectors = await self.parts.embedder.embed([each.text for each in items])
        if history:
            await self.parts.history.append([record(each, stage="given") for each in items])
        stored = [StoredMemory(each, v) for each, v in zip(items, vectors, strict=True)]
        await self.parts.store.put(stored)

    async def export(self, owner_ref="local", *, after=None, vectors=True):
        """The bytes of an export."""
        exporter = self.engine.exporter
        seals = Seals(owner_ref if isinstance(owner_ref, str) else owner_ref.tenant, self.key)
        header = exporter.header(vectors=vectors)
        pages = [page async for page in exporter.pages(owner_ref, header, seals, after=after)]
        count = sum(page.memories for page in pages)
        data = b"".join(page.data for page in pages)
        return header_line(header) + data + end_line(count)

    async def take(self, data, owner_ref="local", state=None, **how):
        """Import them; the counts."""
        state = state or ImportState()
        file = io.BytesIO(data)
        file.seek(state.position)
        seals = Seals(owner_ref if isinstance(owner_ref, str) else owner_ref.tenant, self.key)
        run = self.engine.importer.run(file, owner_ref, seals, ImportOptions(**how), state)
        async for at in run:
            state = at
        return state.counts

    async def rows(self, tenant="local"):
        """All rows of a tenant by id."""
        found = await self.parts.store.scan(after=None, limit=10_000)
        return {m.item.id: m.item for m in found if m.item.scope.tenant == tenant}

    async def history(self, name, tenant="local"):
        return await self.parts.history.of(tenant, name)


def changed(data, number, **memory):
    """The export with other fields in the memory of a line, as somebody may write it."""
    lines = data.splitlines()
    value = json.loads(lines[number])
    value["memory"] |= memory
    lines[number] = json.dumps(value).encode()
    return b"\n".join(lines) + b"\n"


def unsealed(data):
    """The same lines as another installation would have written them."""
    lines = []
    for line in data.splitlines():
        value = json.loads(line)
        value.pop("seal", None)
        value.pop("signature", None)
        lines.append(json.dumps(value).encode())
    return b"\n".join(lines) + b"\n"


def of(tenant, rows):
    """The rows as another tenant has them."""
    return [replace(row, scope=replace(row.scope, tenant=tenant)) for row in rows]
