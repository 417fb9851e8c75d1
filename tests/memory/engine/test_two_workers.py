"""Two processes on one PostgreSQL: what one of them commits, the other's next chat goes by.

Each test looks at the moment after a commit in which nobody has been told of it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import Scope, Turn, utc_now
from recollect.memory.records.writing import WrittenChange
from tests.support.composing import settings
from tests.support.hearing import heard
from tests.support.postgres_server import PostgresAt, empty_database

ADA: dict[str, Any] = {"user_id": "ada"}
SCOPE = Scope(tenant="local", user_id="ada")
KEY, ASKED = "My allotment key is under the blue pot", "Where is my allotment key?"


@pytest.fixture
async def workers(postgres: PostgresAt, tmp_path: Path) -> AsyncIterator[list[AsyncMemory]]:
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        made = []
        for name in "ab":
            options = settings(tmp_path / name, database__url=url)
            engine = await stack.enter_async_context(Engine.open(options, serving=True))
            await stack.enter_async_context(engine.running())
            made.append(AsyncMemory(engine))
        yield made


class AtCommit:
    """A follower that is told before all others, and does something."""

    def __init__(self, act: Callable[[], Awaitable[object]]) -> None:
        self._act = act
        self.found: list[object] = []

    async def committed(self, _change: WrittenChange) -> None:
        self.found.append(await self._act())

    async def uncertain(self, _tenants: object) -> None:
        """Nothing was committed."""


async def recalled(memory: AsyncMemory, asked: str = ASKED) -> list[str]:
    """What a chat is given."""
    found = await memory._engine.recaller.recall(SCOPE, asked)
    return [hit.item.text for hit in found.chosen]


async def forget(memory: AsyncMemory, name: str) -> None:
    await memory.forget(memory_id=name, **ADA)


async def wrong(memory: AsyncMemory, name: str) -> None:
    await memory.feedback(name, "wrong", **ADA)


async def not_now(memory: AsyncMemory, name: str) -> None:
    await memory.feedback(name, "not_now", question=ASKED, **ADA)


ANSWERS = {"forget": forget, "wrong": wrong, "not_now": not_now}


@pytest.mark.parametrize("answer", ANSWERS)
async def test_the_other_worker_goes_by_what_is_committed(
    workers: list[AsyncMemory], answer: str
) -> None:
    """A chat that begins after the commit is not given it, though it is in its hot index."""
    here, there = workers
    added = await here.add(KEY, infer=False, **ADA)
    name = added["results"][0]["id"]
    assert await recalled(there) == await recalled(here) == [KEY]
    told = AtCommit(lambda: recalled(there))
    here._engine.parts.writer.followers.insert(0, told)
    await ANSWERS[answer](here, name)
    assert told.found[0] == []
    assert await recalled(here) == await recalled(there) == []


async def say(memory: AsyncMemory, text: str) -> None:
    """A turn of a chat that this worker answered, and what is made of it."""
    told = Turn(
        id=text, conversation_id="ada/c", scope=SCOPE, user_text=text, assistant_text="I see",
        model="m", created_at=utc_now(),
    )  # fmt: skip
    await memory._engine.parts.state.conversations.record(told)
    await heard(memory._engine.indexer)


async def said(memory: AsyncMemory) -> str:
    """What a worker recalls of what was said."""
    return " ".join(one.item.text for one in (await memory._engine.said.get(SCOPE)).passages)


async def test_what_is_refused_for_good_is_not_heard_by_the_other_worker(
    workers: list[AsyncMemory],
) -> None:
    """The first refusal of all counts for the next words that another worker hears."""
    here, there = workers
    added = await here.add(KEY, infer=False, **ADA)
    name = added["results"][0]["id"]
    await wrong(here, name)
    await here.review(name, "never_again", **ADA)
    await say(there, f"{KEY}. My dog is called Rex.")
    assert await said(there) == await said(here) == "My dog is called Rex."


async def test_an_answer_to_one_worker_while_the_other_notes_the_turn(
    workers: list[AsyncMemory],
) -> None:
    """Who noted the turn does not show again what it read before the answer."""
    here, there = workers
    added = await here.add(KEY, infer=False, **ADA)
    holder = there._engine.indexer.holder
    assert holder is not None
    kept = holder.kept

    async def late(*given: Any) -> Any:
        found = await kept(*given)
        await wrong(here, added["results"][0]["id"])
        assert await said(there) == "My dog is called Rex."
        return found

    holder.kept = late  # type: ignore[method-assign]
    await say(there, f"{KEY}. My dog is called Rex.")
    assert await said(there) == await said(here) == "My dog is called Rex."
