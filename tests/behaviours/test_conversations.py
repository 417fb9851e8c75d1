"""What a program adds of a run, or of a session that it names, is recorded as a chat is."""

from __future__ import annotations

from datetime import timedelta

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.turn_ids import conversation_id_of
from recollect.memory.model.types import Scope, utc_now
from tests.support.folding import rows
from tests.support.parts import engine_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

ALICE = {"user_id": "alice"}
REPAIR = [
    {"role": "user", "content": "My cello is broken, who repairs cellos here?"},
    {"role": "assistant", "content": "Luthier Berg does. Which part is broken?"},
    {"role": "user", "content": "The bridge"},
    {"role": "assistant", "content": "Then ask him for one of maple."},
]


async def told(memory, conversation_id, **ids):
    found = await memory.conversations.messages(conversation_id, **(ids or ALICE))
    return [(one["role"], one["content"]) for one in found["results"]]


async def test_a_session_is_listed_read_and_searched(world):
    """In the order in which it was added, by both sides; what the assistant said is hearsay."""
    memory = world.memory
    first = await memory.add(REPAIR[:2], infer=False, session="shop", **ALICE)
    later = await memory.add(REPAIR[2:], infer=False, session="shop", **ALICE)
    name = first["conversation_id"]
    assert name == later["conversation_id"]
    [listed] = (await memory.conversations.list(**ALICE))["results"]
    assert (listed["id"], listed["turns"]) == (name, 2)
    assert await told(memory, name) == [(one["role"], one["content"]) for one in REPAIR]
    found = (await memory.conversations.search("one of maple", **ALICE))["results"]
    assert (found[0]["text"], found[0]["hearsay"]) == (REPAIR[3]["content"], True)
    assert await memory.conversations.search("maple", user_id="bob") == {"results": []}


async def test_it_is_the_conversation_of_a_chat(world):
    """A chat whose header names the session goes on with the same conversation."""
    added = await world.memory.add(REPAIR, infer=False, session="shop", **ALICE)
    scope = Scope(tenant=world.memory.tenant, user_id="alice")
    assert added["conversation_id"] == conversation_id_of(scope, "shop", ())


async def test_a_run_is_a_conversation_by_itself(world):
    """Without a name for it; what is of no run and names no session is recorded nowhere."""
    memory = world.memory
    run = {"agent_id": "mechanic", "run_id": "r1"}
    added = await memory.add(REPAIR, infer=False, **run)
    assert len(await told(memory, added["conversation_id"], **run)) == 4
    [listed] = (await memory.conversations.list(agent_id="mechanic"))["results"]
    assert (listed["run_id"], listed["agents"]) == ("r1", ["mechanic"])
    assert "conversation_id" not in await memory.add(REPAIR, infer=False, **ALICE)
    assert await memory.conversations.list(**ALICE) == {"results": []}


@rows(
    "session, calls",
    [
        ("all twice", [REPAIR, REPAIR]),
        ("a part, then all", [REPAIR[:2], REPAIR]),
        ("in parts, the last twice", [REPAIR[:2], REPAIR[2:], REPAIR[2:]]),
        ("in parts, then all", [REPAIR[:2], REPAIR[2:], REPAIR]),
        ("before the answer, then all", [REPAIR[:3], REPAIR]),
        ("before any answer, then the rest", [REPAIR[:1], REPAIR]),
    ],
)
async def test_what_is_given_again_is_recorded_once(world, session, calls):
    """A program gives all of it each time, what is new, or the same once more."""
    for messages in calls:
        added = await world.memory.add(messages, infer=False, session=session, **ALICE)
    assert await told(world.memory, added["conversation_id"]) == [
        (one["role"], one["content"]) for one in REPAIR
    ]


async def test_the_same_words_with_another_answer_are_another_turn(world):
    """In doubt both are kept: nothing that was said is replaced."""
    said = [{"role": "user", "content": "Once more"}, {"role": "assistant", "content": "Do re mi"}]
    other = [said[0], {"role": "assistant", "content": "Fa so la"}]
    for messages in (said, other):
        added = await world.memory.add(messages, infer=False, session="shop", **ALICE)
    assert [text for _, text in await told(world.memory, added["conversation_id"])] == [
        "Once more",
        "Do re mi",
        "Once more",
        "Fa so la",
    ]


async def test_what_was_erased_is_not_recorded_again(world):
    """A program that gives the erased conversation again brings none of it back, as in a chat."""
    memory = world.memory
    added = await memory.add(REPAIR, infer=False, session="shop", **ALICE)
    name = added["conversation_id"]
    erased = await memory.conversations.erase(name, memories=True, **ALICE)
    assert erased["erased"] == 2
    assert await world.texts() == []
    more = [*REPAIR, {"role": "user", "content": "He has one of maple."}]
    await memory.add(more, infer=False, session="shop", **ALICE)
    assert await told(memory, name) == [("user", "He has one of maple.")]


async def test_a_short_answer_keeps_its_question(world):
    """Of which no fact was learned: it is recalled with the question that it answers."""
    for messages in (REPAIR[:2], REPAIR[2:]):
        await world.add(said=messages, session="shop")
    said = [one["said"] for one in (await world.memory.said(**ALICE))["results"]]
    assert any("Which part is broken?" in text and "The bridge" in text for text in said)


async def test_memories_take_the_place_of_what_they_tell(world):
    """A turn with a fact is recalled by that alone; its words are still in the conversation."""
    said = [{"role": "user", "content": "I play the cello."}]
    [event] = await world.add("User plays the cello", said=said, session="shop")
    assert (await world.memory.said(**ALICE))["results"] == []
    known = await world.memory.get(event["id"])
    [turn] = known["provenance"]["turn_ids"]
    [found] = (await world.memory.conversations.search("cello", **ALICE))["results"]
    assert (found["turn_id"], found["text"]) == (turn, "I play the cello.")
    assert known["provenance"]["conversation_id"] == found["conversation_id"]


async def test_the_model_is_shown_what_came_before(world):
    """The turns before those of a call say what it speaks of; they are no evidence."""
    await world.add(said=REPAIR[:2], session="shop")
    await world.add(said=REPAIR[2:], session="shop")
    asked = world.extractor.requests[-1]["messages"][-1]["content"]
    assert "who repairs cellos here?" in asked


@rows("session", ["", " ", "x" * 2001, "\ud800", 7])
async def test_a_session_without_a_name(world, session):
    """It is named, and nothing is stored."""
    with pytest.raises(InvalidInputError, match="session"):
        await world.memory.add(REPAIR, infer=False, session=session, **ALICE)
    assert await world.memory.count(**ALICE) == {"count": 0}
    assert await world.memory.conversations.list(**ALICE) == {"results": []}


async def test_no_secret_is_recorded(world):
    """Neither of the user nor of the assistant; the rest of the turn is."""
    key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"
    said = [
        {"role": "user", "content": f"My key is {key}, the cello is broken."},
        {"role": "assistant", "content": f"I noted {key}."},
    ]
    for infer in (False, True):
        await world.add(said=said, session=f"shop {infer}", infer=infer)
    found = await world.memory.conversations.search("cello key", **ALICE)
    assert "the cello is broken" in str(found)
    assert key not in str(found)


async def test_a_name_is_of_its_user_alone(world):
    """Two users may name a session alike: neither reads what the other said."""
    names = set()
    for user in ("alice", "bob"):
        added = await world.memory.add(REPAIR, infer=False, session="shop", user_id=user)
        names.add(added["conversation_id"])
        [listed] = (await world.memory.conversations.list(user_id=user))["results"]
        assert (listed["id"], listed["turns"]) == (added["conversation_id"], 2)
    assert len(names) == 2


async def test_what_nobody_said_is_no_turn(world):
    """What a tool told of a run is kept as such; instructions are not even that."""
    told = [{"role": "system", "content": "Be brief."}, {"role": "tool", "content": "It rains."}]
    added = await world.memory.add(told, infer=False, run_id="r", **ALICE)
    [event] = added["results"]
    known = await world.memory.get(event["id"])
    assert "turn_ids" not in known["provenance"]
    assert await world.memory.conversations.list(**ALICE) == {"results": []}


async def test_forgetting_a_user_takes_what_was_recorded(world):
    """With the receipt that says so; nothing of it is found or said again."""
    memory = world.memory
    for infer in (False, True):
        await world.add("User plays the cello", said=REPAIR, session=f"shop {infer}", infer=infer)
    receipt = await memory.forget_all(**ALICE)
    assert receipt["erased"]["turns"] == 4
    assert await memory.conversations.search("cello", **ALICE) == {"results": []}
    assert (await memory.said(**ALICE))["results"] == []


async def test_a_program_keeps_texts_no_longer_than_it_is_to(embedder):
    """Nothing runs behind it: an addition erases what is older than `retention.erase_days.turns`."""
    options = EngineOptions.model_validate({"retention": {"erase_days": {"turns": 7}}})
    engine = engine_of(options=options, embedder=embedder)
    memory = AsyncMemory(engine, tenant="t")
    week = utc_now() - timedelta(days=8)
    await memory.add(REPAIR, infer=False, session="old", timestamp=week, **ALICE)
    await memory.add("Hello again", infer=False, session="new", **ALICE)
    [left] = (await memory.conversations.list(**ALICE))["results"]
    assert left["preview"] == "Hello again"
    await engine.close()
