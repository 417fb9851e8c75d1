"""What there is of what is to be forgotten."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.forget import ForgetKind, eraser
from recollect.memory.forget.buried import buried_among
from recollect.memory.forget.passages import Turns
from recollect.memory.forget.receipt import receipt_id
from recollect.memory.forget.targets import Ids, evidence
from recollect.memory.model.types import Scope
from tests.memory.forget.parts import ALICE, BOB, KEY, NOON, Parts, memory, record
from tests.support.state import InMemoryTombstones


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


async def test_a_large_tenant_goes_in_several_transactions(monkeypatch):
    """Nobody waits for all of it; the receipt counts them all, and others keep theirs."""
    monkeypatch.setattr(eraser, "MOST_ROWS", 3)
    parts = Parts()
    other = Scope(tenant="other", user_id="x")
    await parts.put(*(memory(f"m{n}", "x", (ALICE, BOB, other)[n % 3]) for n in range(20)))
    receipt = await parts.forgetter().forget_tenant("local")
    assert (receipt.memories, receipt.verified) == (14, True)
    assert [len(await parts.ids(each)) for each in (ALICE, BOB, other)] == [0, 0, 6]
    assert (await parts.forgetter().forget_scope(other)).memories == 6


def test_evidence_is_named_once():
    """In the order of the memories."""
    one = memory("a", "x", turns=("t1", "t2"), batch="i")
    two = memory("b", "y", turns=("t2", "t3"), batch="j")
    three = replace(memory("c", "z", turns=("t4",)))
    assert evidence([one, two, three]) == ["t1", "t2", "t3", "t4"]


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
