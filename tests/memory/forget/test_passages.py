"""Forgetting what was said: the turn goes, in the state and in the cache, and a receipt says so."""

from __future__ import annotations

import pytest

from recollect.memory.forget import ForgetKind
from recollect.memory.forget.receipt import NotForgottenError
from recollect.memory.model.errors import InvalidInputError
from tests.memory.forget.parts import ALICE, BOB, Parts, memory, turn

HARLOW = "I moved to Harlow last week, so my new address is in Essex."
PEANUTS = "I am allergic to peanuts and to cats."
LONG = " ".join(
    f"I keep bees, and hive number {number} in my garden is painted {colour}."
    for number, colour in enumerate(["blue", "white", "yellow", "green", "violet", "orange"] * 3)
)


@pytest.fixture
def world():
    parts = Parts.indexed()
    heard = parts.heard()
    return parts, heard, parts.forgetter(heard=heard)


async def said(heard, scope=ALICE):
    return [one.item.id for one in await heard.of_scope(scope)]


async def test_a_turn_is_forgotten_by_the_id_of_its_passage(world):
    """The turn's text goes from the state and the cache; the rest stays, and all are told."""
    parts, heard, forgetter = world
    await parts.conversations.record(turn("t1", HARLOW))
    await parts.conversations.record(turn("t2", PEANUTS))
    assert set(await said(heard)) == {"said:t1", "said:t2"}
    receipt = await forgetter.forget_ids(ALICE, ["said:t1"])
    assert receipt.verified
    assert (receipt.asked, receipt.missing, receipt.turns, receipt.memories) == (1, 0, 1, 0)
    assert await said(heard) == ["said:t2"]
    assert await parts.conversations.named("local", ["t1"]) == []
    assert ("local", "said:t1") in parts.told


async def test_all_that_was_said_in_the_turn_goes(world):
    """A turn has several passages: each of their ids stands for the whole of it."""
    parts, heard, forgetter = world
    await parts.conversations.record(turn("t1", LONG))
    ids = await said(heard)
    assert len(ids) > 1
    receipt = await forgetter.forget_ids(ALICE, [ids[-1]])
    assert (receipt.missing, receipt.turns) == (0, 1)
    assert await said(heard) == []
    assert set(ids) <= {one for _, one in parts.told}


async def test_nothing_is_claimed_that_was_not_erased(world):
    """Unknown ids, other people's and those of turns that became memories are missing."""
    parts, heard, forgetter = world
    await parts.conversations.record(turn("t1", HARLOW))
    await parts.conversations.record(turn("t2", PEANUTS))
    await parts.conversations.mark_remembered(ALICE, "c1", ["t2"])
    for owner_ref, name in (
        (ALICE, "said:none"),
        (BOB, "said:t1"),
        ("x", "said:t1"),
        (ALICE, "said:t2"),
    ):
        receipt = await forgetter.forget_ids(owner_ref, [name])
        assert receipt.found_nothing
        assert receipt.missing == 1
    assert await said(heard) == ["said:t1"]
    assert not await parts.tombstones.among("local", ["said:t1", "said:t2"])


async def test_what_is_still_found_is_not_verified(world):
    """If the state keeps a turn, the receipt says that it is not forgotten."""
    parts, heard, _ = world

    async def keeps(tenant, turn_ids):
        return 0

    await parts.conversations.record(turn("t1", HARLOW))
    parts.conversations.erase_turns = keeps
    with pytest.raises(NotForgottenError) as raised:
        await parts.forgetter(heard=heard).forget_ids(ALICE, ["said:t1"])
    assert (raised.value.code, raised.value.receipt.verified) == ("not_forgotten", False)


async def test_a_memory_that_was_just_made_of_it_goes_too(world):
    """A job wrote a memory, but did not note yet that it took the turn's place."""
    parts, _, forgetter = world
    await parts.conversations.record(turn("t1", HARLOW))
    await parts.put(memory("m", "lives in Harlow", turns=("t1",)), memory("n", "likes tea"))
    receipt = await forgetter.forget_ids(ALICE, ["said:t1"])
    assert receipt.memories == 1
    assert await parts.ids() == {"n"}


async def test_a_job_that_read_it_before_makes_no_memory_of_it(world):
    """Whatever names the turn as its evidence is left out when it is written."""
    parts, _, forgetter = world
    await parts.conversations.record(turn("t1", HARLOW))
    guard = await forgetter.guard(ALICE)
    await forgetter.forget_ids(ALICE, ["said:t1"])
    rows = [memory("m", "lives in Harlow", turns=("t1",)), memory("n", "tea", turns=("t2",))]
    buried = await parts.all().writer.change(
        lambda ports: guard.buried(ports, rows), tenants={"local"}
    )
    assert buried == {"m"}


async def test_it_is_found_by_a_query(world):
    """A proposal has what was said beside memories, and its confirmation erases both."""
    parts, heard, forgetter = world
    await parts.conversations.record(turn("t1", PEANUTS))
    await parts.conversations.record(turn("t2", HARLOW))
    await parts.put(memory("m", "User cannot eat peanuts"))
    proposal = await forgetter.propose(ALICE, "peanuts")
    assert {item.id for item in proposal.items} == {"said:t1", "m"}
    receipt = await forgetter.confirm(ALICE, proposal.token)
    assert receipt.kind is ForgetKind.QUERY
    assert (receipt.turns, receipt.memories, receipt.missing) == (1, 1, 0)
    assert await said(heard) == ["said:t2"]
    again = await forgetter.confirm(ALICE, proposal.token)
    assert again.found_nothing


async def test_a_proposal_names_the_whole_turn(world):
    """All that goes with a turn is proposed, and it is kept or erased as a whole."""
    parts, heard, forgetter = world
    await parts.conversations.record(turn("t1", LONG))
    ids = await said(heard)
    proposal = await forgetter.propose(ALICE, "hive number 1", limit=1)
    assert {item.id for item in proposal.items} == set(ids)
    with pytest.raises(InvalidInputError, match="keep"):
        await forgetter.confirm(ALICE, proposal.token, keep=ids[:1])
    assert (await forgetter.confirm(ALICE, proposal.token, keep=ids)).found_nothing
    assert await said(heard) == ids


async def test_what_became_a_memory_meanwhile_is_proposed_again(world):
    """A confirmation does not pass over what a memory took the place of."""
    parts, _, forgetter = world
    await parts.conversations.record(turn("t1", PEANUTS))
    proposal = await forgetter.propose(ALICE, "peanuts")
    await parts.put(memory("m", "User cannot eat peanuts", turns=("t1",)))
    await parts.conversations.mark_remembered(ALICE, "c1", ["t1"])
    with pytest.raises(InvalidInputError, match="propose again"):
        await forgetter.confirm(ALICE, proposal.token)
    assert await parts.ids() == {"m"}
