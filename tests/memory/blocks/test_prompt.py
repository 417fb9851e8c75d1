"""The page of a scope, kept."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from recollect.memory.blocks import BlockPrompt, Fence
from recollect.memory.blocks.rendering import NO_BLOCKS
from recollect.memory.model.shares import ShareRights
from recollect.memory.model.types import Scope
from recollect.memory.records.invalidation import InvalidationBus
from recollect.memory.state import RedisOptions, State, state_of
from recollect.memory.state.log_readers import among_replicas
from recollect.memory.util.registry import Registry
from tests.memory.blocks.test_keeper import define, keeper_of
from tests.memory.state.samples import ALICE, BOB
from tests.support.fence import FENCE
from tests.support.postgres_server import PostgresAt, empty_database
from tests.support.state import database_at, in_memory_state
from tests.support.waiting import until


async def test_a_page_is_written_once() -> None:
    """Until a block changes or the fence does; a scope without blocks has none."""
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return len(text)

    keeper = keeper_of(in_memory_state())
    prompt = BlockPrompt(keeper, FENCE, budget=1000, count=count)
    assert not prompt.knows(ALICE)
    await define(keeper, "plan", value="tea")
    first = await prompt.page(ALICE)
    assert prompt.knows(ALICE)
    before = len(counted)
    assert await prompt.page(ALICE) is first
    assert len(counted) == before
    assert await prompt.page(BOB) is NO_BLOCKS
    prompt.fenced_by(Fence(b"another"))
    assert (await prompt.page(ALICE)).text != first.text
    await define(keeper, "plan", description="what is next")
    assert "what is next" in (await prompt.page(ALICE)).text


@pytest.mark.process
async def test_another_process_notices_a_change(postgres: PostgresAt) -> None:
    """Of a block, of what is attached, and that there is a first one: it is announced."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        registry = await stack.enter_async_context(Registry())
        here, there = [
            await among_replicas(state_of(await database_at(url)), RedisOptions(), registry)
            for _ in range(2)
        ]
        await _notices(here, there)
        await here.close()
        await there.close()


async def _notices(here: State, there: State) -> None:
    assert here.log is not None
    assert there.log is not None
    assert there.listen is not None
    writer, reader = (keeper_of(each, InvalidationBus(each.log)) for each in (here, there))
    listening = asyncio.gather(there.log.run(), there.listen())

    async def sees(scope: Scope, *values: str) -> bool:
        return [each.block.value for each in await reader.seen(scope)] == [*values]

    try:
        assert await sees(ALICE)
        await define(writer, "plan", value="tea")
        await until(lambda: sees(ALICE, "tea"), "the first block is seen")
        assert await sees(BOB)
        await writer.attach(ALICE, "plan", BOB, ShareRights.READ)
        await until(lambda: sees(BOB, "tea"), "what is attached is seen")
        await writer.detach(ALICE, "plan", BOB)
        await until(lambda: sees(BOB), "what is detached is gone")
        await writer.delete(ALICE, "plan")
        await until(lambda: sees(ALICE), "the deleted block is gone")
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
