"""What a person says while something is decided counts when it is written.

The person answers after everything was read that was decided by, and before anything is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.engine.options import EngineOptions
from recollect.memory.learn.apply import holding
from recollect.memory.learn.denials import standing
from recollect.memory.learn.records import Batch, rows_of
from recollect.memory.model.doubts import CALLED_WRONG
from recollect.memory.model.endings import by_person, ended_by_hand
from recollect.memory.model.types import (
    Decision,
    Doubt,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Turn,
    utc_now,
)
from tests.memory.learn.doubles import ALICE, NOON, Says, a_decision, a_memory
from tests.support.hearing import heard
from tests.support.parts import engine_of
from tests.support.postgres_server import empty_database
from tests.support.scripted import facts
from tests.support.state import database_at, state_in

ADA: dict[str, Any] = {"user_id": "ada"}
SCOPE = Scope(tenant="local", user_id="ada")
NUTS, OSLO = "User is allergic to peanuts", "User lives in Oslo"
LATER = NOON + timedelta(hours=1)
TEA = a_memory("m", "User likes tea", ALICE, NOON)
BATCH = Batch(id="b", scope=ALICE, at=NOON, moments={"t": NOON})
ADD = a_decision(EventKind.ADD, "new", "User likes tea", turn_ids=("t",))


def ended(text: str = "User likes tea", *, never: bool = False) -> MemoryItem:
    item = replace(TEA, text=text)
    return ended_by_hand(item, by_person(""), until=NOON, now=LATER, never=never)


def test_what_is_not_so_is_not_written() -> None:
    """Nor does it end what it was to replace; of a text that tells more the rest is written."""
    other = replace(ADD, memory_id="dog", text="User has a dog", quote="a dog")
    end = replace(ADD, event=EventKind.DELETE, memory_id="old", text="User likes coffee")
    assert standing([ADD, other, end], [ended()], BATCH) == [other]
    told = replace(
        ADD, type=MemoryType.EPISODIC, text="2026-03-02: User likes tea. User has a dog."
    )
    [left] = standing([told], [ended()], BATCH)
    assert left.text == "User has a dog."


def test_who_says_it_again_is_believed() -> None:
    """What was said after it, but for what is never to be learned; and what nobody read in turns."""
    again = replace(BATCH, moments={"t": LATER + timedelta(hours=1)})
    assert standing([ADD], [ended()], again) == [ADD]
    assert standing([ADD], [ended(never=True)], again) == []
    by_hand = replace(ADD, turn_ids=())
    assert standing([by_hand], [ended(never=True)], BATCH) == [by_hand]


def held(decision: Decision, item: MemoryItem) -> list[EventKind]:
    return [each.event for each in holding([decision], {item.id: item}, BATCH)]


def test_what_a_person_ended_does_not_come_back() -> None:
    """A source that was to leave the archive, or an insight that was to hold again."""
    back = replace(ADD, event=EventKind.RESTORE, memory_id="m", old_text=TEA.text)
    archived = replace(TEA, status=MemoryStatus.ARCHIVED)
    fallen = replace(TEA, status=MemoryStatus.SUPERSEDED, provenance=Provenance(ended="falls: x"))
    assert held(back, archived) == held(back, fallen) == [EventKind.RESTORE]
    assert held(back, ended()) == [EventKind.NONE]


def test_what_is_called_wrong_is_not_added_beside_itself() -> None:
    """A later word of the user's for it was decided before somebody called it wrong."""
    again = replace(ADD, event=EventKind.UPDATE, memory_id="m", old_text=TEA.text)
    doubts = Provenance(reasons=(Doubt(CALLED_WRONG),))
    wrong = replace(TEA, status=MemoryStatus.QUARANTINED, provenance=doubts)
    assert held(again, wrong) == [EventKind.NONE]
    assert held(replace(again, text="User likes milk"), wrong) == [EventKind.ADD]


def test_a_persons_yes_stays_with_its_text() -> None:
    """Said again it is validated still; another text is not."""
    seen = replace(TEA, provenance=Provenance(validated_at=LATER))
    again = replace(ADD, event=EventKind.UPDATE, memory_id="m", old_text=TEA.text)
    for decision, kept in [(again, LATER), (replace(again, text="User likes milk"), None)]:
        rows = rows_of([decision], {"m": seen}, BATCH, now=LATER, embedder_id="e")
        assert rows.live["m"].provenance.validated_at == kept


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.process)])
async def state(request: pytest.FixtureRequest) -> AsyncIterator[Any]:
    if request.param == "sqlite":
        yield None
        return
    async with empty_database(request.getfixturevalue("postgres")) as url:
        scripts = await database_at(url)
        yield await state_in(scripts)
        await scripts.close()


@asynccontextmanager
async def learning(state: Any, fact: str, options: EngineOptions) -> AsyncIterator[AsyncMemory]:
    """One with a model that finds this fact in whatever it reads."""
    engine = engine_of(Says(facts(fact)), options, state=state)
    async with engine.running():
        yield AsyncMemory(engine)
    await engine.close()


def between(owner: Any, name: str, act: Callable[[], Awaitable[object]]) -> None:
    """Do something right before the next call of a method, whatever it was given."""
    method = getattr(owner, name)

    async def late(*given: Any, **more: Any) -> Any:
        setattr(owner, name, method)
        await act()
        return await method(*given, **more)

    setattr(owner, name, late)


@pytest.mark.parametrize("answer", ["refuse", "never_again"])
async def test_a_refusal_while_it_is_learned(state: Any, answer: str) -> None:
    """The fact that was read from the refused words does not wait in their place."""
    waits = EngineOptions(trust={"review": {"health": 14}})
    async with learning(state, NUTS, waits) as memory:
        await recorded(memory, "I am allergic to peanuts.")
        [one] = (await memory.review_queue(**ADA))["results"]
        worker = memory._engine.background.learning._worker
        between(worker._jobs, "save_checkpoint", lambda: memory.review(one["id"], answer, **ADA))
        assert await learned(memory) == []
        assert (await memory.review_queue(**ADA))["results"] == []


async def test_what_is_called_wrong_is_not_learned_from_what_was_said_before(state: Any) -> None:
    """A second chat said the same, and is learned afterwards; who says it again is believed."""
    async with learning(state, OSLO, EngineOptions()) as memory:
        oslo = (await memory.add(OSLO, infer=False, **ADA))["results"][0]["id"]
        await recorded(memory, "I live in Oslo.")
        await memory.feedback(oslo, feedback="wrong", **ADA)
        assert await learned(memory) == []
        await recorded(memory, "I live in Oslo.", "two")
        assert await learned(memory) == [OSLO]


async def recorded(memory: AsyncMemory, text: str, name: str = "one") -> None:
    """A conversation of this name, in which the user says this."""
    told = Turn(
        id=name, conversation_id=f"ada/{name}", scope=SCOPE, user_text=text,
        assistant_text="I see", model="m", created_at=utc_now(),
    )  # fmt: skip
    await memory._engine.parts.state.conversations.record(told)
    await heard(memory._engine.indexer)


async def learned(memory: AsyncMemory) -> list[str]:
    """What is held once everything that was said is learned."""
    await memory._engine.background.learning.flush(SCOPE)
    return [one["memory"] for one in (await memory.get_all(**ADA))["results"]]
