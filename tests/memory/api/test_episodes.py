"""The episodes of `AsyncMemory`, listed and searched, and how they are forgotten."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from recollect.memory import AsyncMemory, Scope
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import MemoryStatus, Turn, utc_now
from tests.memory.learn.doubles import Says
from tests.memory.upkeep.episodes.world import narrates
from tests.support.parts import engine_of

ADA = {"user_id": "ada"}


@pytest.fixture
async def memory() -> AsyncIterator[AsyncMemory]:
    engine = engine_of(Says(narrates), EngineOptions())
    yield AsyncMemory(engine, tenant="local")
    await engine.close()


async def happened(memory: AsyncMemory, text: str, days: float = 0, **how: Any) -> str:
    at = utc_now() - timedelta(days=days)
    options = {"infer": False, "type": "episodic", "timestamp": at, **ADA, **how}
    stored = await memory.add(text, **options)
    return stored["results"][0]["id"]


async def talk(
    memory: AsyncMemory, *texts: str, conversation: str = "c", scope: Scope | None = None
) -> list[str]:
    """Turns of a conversation that is flushed; returns their ids."""
    own = scope or Scope(tenant="local", **ADA)
    for text in texts:
        turn = Turn(
            id=f"{conversation}/{text}", conversation_id=conversation, scope=own, user_text=text,
            assistant_text="ok", model="m", created_at=utc_now(),
        )  # fmt: skip
        await memory._engine.parts.state.conversations.record(turn)
    await memory._engine.background.learning.flush(own)
    return [f"{conversation}/{text}" for text in texts]


async def texts(memory: AsyncMemory, *query: str, **asked: Any) -> list[str]:
    found = await memory.episodes(*query, **ADA, **asked)
    return [each["memory"] for each in found["results"]]


async def test_a_conversation_is_listed_with_what_leads_to_it(memory: AsyncMemory) -> None:
    """An episode names its conversation and turns, and how important it is."""
    turns = await talk(memory, "I plan a trip to Porto", "I take the train")
    [episode] = (await memory.episodes(**ADA))["results"]
    assert "Porto" in episode["memory"]
    assert (episode["type"], episode["importance"]) == ("episodic", 0.7)
    assert (episode["conversation_id"], episode["turn_ids"]) == ("c", turns)
    told = await memory.conversations.messages(episode["conversation_id"], **ADA)
    assert told["results"][0]["turn_id"] == turns[0]


async def test_of_an_agents_user_what_no_agent_has_is_seen(memory: AsyncMemory) -> None:
    """As a chat would: the agent's own and the user's, and nothing of another agent."""
    await happened(memory, "Ada met Bob.")
    await happened(memory, "Ada wrote code.", agent_id="coder")
    await happened(memory, "Ada sold shares.", agent_id="banker")
    for query in ((), ("Ada",)):
        assert set(await texts(memory, *query, agent_id="coder")) == {
            "Ada met Bob.",
            "Ada wrote code.",
        }


async def nothing_left(memory: AsyncMemory) -> bool:
    """Whether no row tells of Porto, whatever its status is."""
    rows = await memory._store.list(
        Scope(tenant="local", **ADA), limit=None, statuses=frozenset(MemoryStatus)
    )
    return not [row for row in rows if "Porto" in row.text]


@pytest.mark.parametrize("memories", [False, True])
async def test_erasing_a_conversation_takes_its_episode(
    memory: AsyncMemory, *, memories: bool
) -> None:
    """With all versions of it; episodes of other conversations and added events stay."""
    await talk(memory, "I plan a trip to Porto")
    await talk(memory, "I take the train")
    await talk(memory, "I bake bread", conversation="d")
    await happened(memory, "Ada met Bob.")
    await memory.conversations.erase("c", **ADA, memories=memories)
    assert await nothing_left(memory)
    assert len(await texts(memory)) == 2


async def test_forgetting_a_turn_takes_the_episode(memory: AsyncMemory) -> None:
    """Whoever has a message forgotten has what tells of it forgotten too."""
    [turn] = await talk(memory, "I plan a trip to Porto")
    scope = Scope(tenant="local", **ADA)
    await memory._engine.forgetter.forget_turns(scope, [turn])
    assert await nothing_left(memory)


@pytest.mark.parametrize("how", ["erase", "forget turns", "forget all"])
async def test_a_forget_during_the_run_leaves_nothing(memory: AsyncMemory, how: str) -> None:
    """What is forgotten while a model tells it is not written afterwards."""
    scope, engine = Scope(tenant="local", **ADA), memory._engine
    forgotten: list[str] = []

    async def forget() -> None:
        forgotten.append(how)
        if how == "erase":
            await memory.conversations.erase("c", **ADA)
        elif how == "forget turns":
            await engine.forgetter.forget_turns(scope, ["c/I plan a trip to Porto"])
        else:
            await engine.forgetter.forget_scope(scope)

    step = engine.background.worker.upkeep._steps["episode"]
    write = step._asked

    async def forgets(*asked: Any) -> Any:
        told = await write(*asked)
        await forget()
        return told

    step._asked = forgets
    await talk(memory, "I plan a trip to Porto")
    await engine.background.learning.flush(scope)
    assert forgotten
    assert await nothing_left(memory)


async def test_several_agents_at_a_time_are_one_episode_for_whoever_sees_them_all() -> None:
    """With `merged` the user's list and search have one, an agent's only its own part."""
    chosen = EngineOptions.model_validate({"upkeep": {"episode_attribution": "merged"}})
    engine = engine_of(Says(narrates), chosen)
    memory = AsyncMemory(engine, tenant="local")
    for agent, text in (("coder", "I plan a trip to Porto"), ("banker", "I sold shares in May")):
        scope = Scope(tenant="local", **ADA, agent_id=agent)
        await talk(memory, text, conversation=agent, scope=scope)
    for query in ((), ("trip and shares",)):
        [episode] = (await memory.episodes(*query, **ADA))["results"]
        assert "coder: " in episode["memory"]
        assert "banker: " in episode["memory"]
        assert [part["agent_id"] for part in episode["parts"]] == ["coder", "banker"]
        assert len(episode["turn_ids"]) == 2
        assert "agent_id" not in episode
        assert "shares" not in str(await texts(memory, *query, agent_id="coder"))
    await engine.forgetter.forget_scope(Scope(tenant="local", **ADA, agent_id="banker"))
    [episode] = (await memory.episodes(**ADA))["results"]
    assert "shares" not in str(episode)
    assert "parts" not in episode
    await engine.close()
