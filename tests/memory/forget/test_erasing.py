"""What there is of what is to be forgotten."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.forget import ForgetKind, eraser
from recollect.memory.forget.passages import NO_TURNS, Turns
from recollect.memory.forget.receipt import receipt_id
from recollect.memory.forget.targets import erasure_of, evidence
from recollect.memory.model.types import Scope
from tests.memory.forget.parts import ALICE, BOB, KEY, NOON, Parts, memory, record


async def test_a_version_is_found_once_its_memory_is_gone():
    """Its history tells whose it was, or whoever forgets a turn of the scope; nothing else does."""
    parts = Parts()
    await parts.put(memory("v", "Bonn", version_of="m"))

    async def going(owner_ref="local", said=NO_TURNS):
        return set((await erasure_of(parts.store, parts.history, owner_ref, ["m"], said=said)).rows)

    assert await going() == set()
    assert await going(said=Turns(scopes=frozenset({ALICE}))) == {"v"}
    await parts.history.append([record("m", "Rome", "Bonn")])
    assert await going() == await going(ALICE) == {"v"}
    assert await going(BOB) == set()


async def test_whose_an_id_is():
    """By the row, or else by the history; a tenant's are all its own, whatever tells of them."""
    parts = Parts()
    await parts.put(memory("a", "tea"), memory("b", "tea", BOB))
    await parts.history.append([record("x", "tea"), record("y", "tea", scope=BOB)])
    ids = ["a", "b", "x", "y", "nobody"]
    for owner_ref, own in (
        (ALICE, {"a", "x"}),
        (BOB, {"b", "y"}),
        ("local", set(ids)),
        (Scope(tenant="other", user_id="alice"), set()),
    ):
        going = await erasure_of(parts.store, parts.history, owner_ref, ids)
        assert going.ids == own
        assert going.rows.keys() == own & {"a", "b"}


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
