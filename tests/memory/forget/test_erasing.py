"""What there is of what is to be forgotten, in which order it goes, and what proves that it is gone."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.forget import ForgetKind, targets
from recollect.memory.forget.buried import PAGE, buried_among
from recollect.memory.forget.eraser import Eraser
from recollect.memory.forget.passages import Turns
from recollect.memory.forget.probe import MOST, Probe
from recollect.memory.forget.receipt import Tally, receipt_id
from recollect.memory.forget.targets import Ids, OfTenant, evidence
from recollect.memory.model.types import MemoryStatus, Scope
from tests.memory.forget.parts import ALICE, BOB, EMBEDDER, KEY, NOON, Parts, memory, record
from tests.support.state import InMemoryTombstones, in_memory_state


async def test_a_version_is_found_once_its_memory_is_gone():
    """Within one run the scope is remembered; a later run is told of it, or asks the history."""
    parts = Parts()
    await parts.put(memory("m", "Rome"), memory("v", "Bonn", version_of="m"))
    target = Ids(parts.store, "local", ["m"], history=parts.history)
    assert {row.id for row in await target.rows()} == {"m", "v"}
    await parts.store.delete("local", ["m"])
    assert {row.id for row in await target.rows()} == {"v"}
    assert await Ids(parts.store, "local", ["m"], history=parts.history).rows() == []
    told = Ids(
        parts.store, "local", ["m"], history=parts.history, said=Turns(scopes=frozenset({ALICE}))
    )
    assert {row.id for row in await told.rows()} == {"v"}
    await parts.history.append([record("m", "Rome", "Bonn")])
    asked = Ids(parts.store, "local", ["m"], history=parts.history)
    assert {row.id for row in await asked.rows()} == {"v"}


async def test_a_tenant_is_found_page_by_page(monkeypatch):
    """Among everybody's memories, however many pages they are."""
    monkeypatch.setattr(targets, "SCAN_PAGE", 3)
    parts = Parts()
    other = Scope(tenant="other", user_id="x")
    await parts.put(*(memory(f"m{n}", "x", (ALICE, BOB, other)[n % 3]) for n in range(20)))
    rows = await OfTenant(parts.store, "local").rows()
    assert len(rows) == 14
    assert {row.scope.tenant for row in rows} == {"local"}


def test_evidence_is_named_once_and_not_of_the_batch():
    """A turn that the batch still learns from stays, whoever else names it."""
    one = memory("a", "x", turns=("t1", "t2"), batch="i")
    two = memory("b", "y", turns=("t2", "t3"), batch="j")
    three = replace(memory("c", "z", turns=("t4",)))
    assert evidence([one, two, three]) == ["t1", "t2", "t3", "t4"]
    assert evidence([one, two, three], "j") == ["t1", "t4"]


class Watched:
    """A store that notes what it is asked to delete."""

    def __init__(self, inner):
        self._inner, self.deleted = inner, []

    def __getattr__(self, name):
        return getattr(self._inner, name)

    async def delete(self, tenant, ids):
        self.deleted.append(list(ids))
        await self._inner.delete(tenant, ids)


async def test_versions_go_before_what_leads_to_them_page_by_page():
    """Whatever order they were found in, and no call is asked for more than a page."""
    parts = Parts()
    parts.store = Watched(parts.store)
    versions = [memory(f"v{n}", "old", version_of="m") for n in range(PAGE + 1)]
    await parts.put(memory("m", "new"), *versions)
    eraser = Eraser(
        parts.store,
        parts.conversations,
        parts.history,
        parts.tombstones,
        parts.usage,
        in_memory_state().attachments,
    )
    target, tally = Ids(parts.store, "local", ["m"], history=parts.history), Tally()
    rows = await target.rows()
    await eraser.erase(target, rows, tally)
    assert [len(ids) for ids in parts.store.deleted] == [PAGE, 1, 1]
    assert parts.store.deleted[-1] == ["m"]
    assert (tally.memories, tally.versions) == (1, PAGE + 1)
    # Found again by a later look: counted once.
    await eraser.erase(target, rows, tally)
    assert (tally.memories, tally.versions) == (1, PAGE + 1)


async def test_rows_and_versions_of_their_own_tenant():
    """A version is forgotten with its memory; another tenant's same id is another memory."""
    tombstones = InMemoryTombstones()
    await tombstones.add("local", ["m", "w"])
    other = Scope(tenant="other", user_id="alice")
    rows = [
        memory("m", "x"),
        memory("v", "x", version_of="m"),
        memory("w", "x", version_of="n"),
        memory("n", "x"),
        memory("m", "x", other),
    ]
    found = await buried_among(tombstones, rows)
    assert [(row.id, row.scope.tenant) for row in found] == [
        (name, "local") for name in ("m", "v", "w")
    ]


async def test_it_finds_what_is_there_whatever_its_status():
    """Until it is gone, and nothing that it was not asked for."""
    parts = Parts()
    row = memory("m", "Rome", status=MemoryStatus.QUARANTINED)
    await parts.put(row, memory("n", "Rome"))
    probe = await Probe.of(parts.store, EMBEDDER, [row])
    assert await probe.finds({"m"})
    await parts.store.delete("local", ["m"])
    assert not await probe.finds({"m"})


async def test_a_bounded_number_of_searches_over_all_of_them():
    """A thousand memories are not a thousand searches."""
    parts = Parts()
    rows = [memory(f"m{n}", f"number {n}") for n in range(1000)]
    probe = await Probe.of(parts.store, EMBEDDER, rows)
    assert 1 < len(probe.searches) <= MOST


def test_its_id_cannot_be_guessed():
    """It depends on the key, on what it is about, and on when."""
    ids = [
        receipt_id(KEY, ForgetKind.IDS, ["a", "b"], NOON),
        receipt_id(b"other", ForgetKind.IDS, ["a", "b"], NOON),
        receipt_id(KEY, ForgetKind.SCOPE, ["a", "b"], NOON),
        receipt_id(KEY, ForgetKind.IDS, ["a"], NOON),
        receipt_id(KEY, ForgetKind.IDS, ["a", "b"], NOON.replace(hour=1)),
    ]
    assert len(set(ids)) == len(ids)
    assert ids[0] == receipt_id(KEY, ForgetKind.IDS, {"b", "a"}, NOON)
