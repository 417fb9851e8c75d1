"""What was said moves from one installation to another, and is recallable there."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.database.sqlite.scripts import SqliteScripts
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Recent, Scope, utc_now
from tests.memory.forget.parts import turn
from tests.memory.transfer.moving import ALICE, BOB, Place, a_life

TOLD = ("I live in Harlow.", "I am allergic to peanuts.", "\n")


async def telling(**parts):
    """An installation in which two people said something and one has memories."""
    place = Place(**parts)
    for number, text in enumerate(TOLD):
        await place.parts.state.conversations.record(turn(f"t{number}", text, ALICE))
    await place.parts.state.conversations.record(turn("b", "I work at Alstom.", BOB, "c2"))
    await place.keep(*a_life())
    return place


async def said(place, scope=ALICE):
    return sorted(one.item.text for one in await place.engine.said_rows.of_scope(scope))


async def test_it_comes_back_where_it_was_not():
    """Another installation recalls it, whatever it is called there; a second import adds none."""
    data = await (await telling()).export()
    other = Place(key=b"another key")
    counts = await other.take(data)
    assert (counts.added, counts.same, counts.renamed) == (4 + 3, 0, 4 + 3)
    assert await said(other) == sorted(TOLD[:2])
    assert await said(other, BOB) == ["I work at Alstom."]
    memory = AsyncMemory(other.engine)
    found = await memory.search("peanuts", user_id="alice", kinds=["said"])
    assert found["results"][0]["memory"] == TOLD[1]
    again = await other.take(data)
    assert (again.added, again.same) == (0, 4 + 3)
    assert await said(other) == sorted(TOLD[:2])


async def test_its_own_installation_has_it():
    """A file that comes back changes nothing, sealed or not; into an empty one it keeps its ids."""
    place = await telling()
    data = await place.export()
    assert (await place.take(data)).added == 0
    place.key = b"another key"
    assert (await place.take(data)).added == 0
    empty = Place()
    await empty.take(data)
    found = await empty.parts.state.conversations.named("local", ["t0", "t1", "t2", "b"])
    assert {one.turn.id for one in found} == {"t0", "t1", "b"}


async def test_what_was_forgotten_stays_forgotten():
    """Neither under its id nor under another one does it come back."""
    place = await telling()
    data = await place.export()
    await place.engine.forgetter.forget_ids(ALICE, ["said:t0"])
    counts = await place.take(data)
    assert counts.forgotten == 1
    place.key = b"another key"
    await place.take(data)
    assert await said(place) == [TOLD[1]]


async def test_what_became_a_memory_is_not_said_again():
    """A turn whose memory is here is left out."""
    place = await telling()
    data = await place.export()
    await place.parts.state.conversations.mark_remembered(ALICE, "c1", ["t0"])
    await place.take(data)
    assert await said(place) == [TOLD[1]]


async def test_an_import_of_one_user_tells_nobody_else():
    """Lines of others are refused, and a changed line joins nobody's conversation."""
    place = await telling()
    data = await place.export()
    with pytest.raises(InvalidInputError, match=r"said\.user_id"):
        await Place().take(data, ALICE)
    own = await place.export(ALICE)
    assert b"Alstom" not in own
    lines = own.decode().splitlines()
    forged = [
        json.dumps(
            {**json.loads(each), "said": json.loads(each)["said"] | {"conversation_id": "c2"}}
        )
        if '"said"' in each and "Harlow" in each
        else each
        for each in lines
    ]
    victim = Place()
    await victim.parts.state.conversations.record(turn("b", "I work at Alstom.", BOB, "c2"))
    await victim.take("\n".join(forged).encode(), ALICE)
    [only] = await victim.parts.state.conversations.unlearned("c2", 99)
    assert only.id == "b"


async def test_another_tenants_turn_is_never_written():
    """A line with the id of somebody else's turn gets another id."""
    data = await (await telling()).export(ALICE)
    place = Place(key=b"another key")
    theirs = Scope(tenant="other", user_id="eve")
    await place.parts.state.conversations.record(turn("t0", "I live in Rome.", theirs))
    await place.take(data, ALICE)
    [kept] = await place.parts.state.conversations.named("other", ["t0"])
    assert kept.turn.assistant_text == "I see: I live in Rome."
    assert await said(place) == sorted(TOLD[:2])


async def test_learned_turns_stay_learned():
    """A turn that a model read is not read again, and no other turn counts as learned for it."""
    place = await telling()
    await place.parts.state.conversations.mark_learned("c1", 1)
    data = await place.export()
    other = Place()
    await other.take(data)
    found = await other.parts.state.conversations.unlearned("c1", 99)
    assert [one.id for one in found] == ["t1"]


async def test_what_no_model_is_to_read():
    """It is recalled, waits for no learning, and stays so by way of an export."""
    data = await (await telling()).export(ALICE)
    lines = [json.loads(each) for each in data.splitlines()]
    for each in lines:
        if "said" in each:
            each["said"]["unread"] = True
    place, other = Place(key=b"another key"), Place()
    await place.take("\n".join(map(json.dumps, lines)).encode(), ALICE)
    await other.take(await place.export(ALICE), ALICE)
    for each in (place, other):
        conversations = each.parts.state.conversations
        assert await conversations.pending(idle_since=None, scope=None) == []
        assert await said(each) == sorted(TOLD[:2])


async def test_what_no_model_reads_is_kept_as_long_as_what_was_learned():
    """Its text is erased by when it was said; what awaits learning is kept."""
    place = Place()
    old = utc_now() - timedelta(days=40)
    conversations = place.parts.state.conversations
    for name, when, unread in (("t0", old, True), ("t1", utc_now(), True), ("t2", old, False)):
        said_then = replace(turn(name, f"I live in Harlow {name}."), created_at=when)
        await conversations.record_read([Recent(said_then, unread=unread)])
    assert await conversations.prune(learned_before=utc_now() - timedelta(days=30)) == 1
    assert await said(place) == ["I live in Harlow t1.", "I live in Harlow t2."]


async def test_a_page_asks_the_database_as_often_however_many_turns_it_has(monkeypatch):
    """A database elsewhere is asked a few times for a page of chats, not some times for each."""
    ran = []
    run = SqliteScripts._execute

    def counted(scripts, connection, statement):
        # What else reads at that moment, in the background, is not counted.
        if statement.sql.lstrip().startswith(("INSERT INTO turns", "UPDATE turns")):
            ran.append(statement)
        return run(scripts, connection, statement)

    monkeypatch.setattr(SqliteScripts, "_execute", counted)
    asked = []
    for many in (60, 180):
        place = Place()
        told = [turn(f"t{number}", f"I live in Harlow {number}.") for number in range(many)]
        await place.parts.state.conversations.record_read(
            [Recent(one, unread=True) for one in told]
        )
        data = await place.export()
        place = Place()
        ran.clear()
        assert (await place.take(data)).added == many
        asked.append(len(ran))
        found = await place.parts.state.conversations.recent(ALICE, limit=many)
        assert {(each.unread, each.note is not None) for each in found} == {(True, True)}
    assert asked[0] == asked[1] > 0
