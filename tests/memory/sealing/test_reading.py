"""What the database leaves out by itself where it can read: sealed, the same is found."""

from __future__ import annotations

import pytest

from recollect.memory.query.arguments import read_arguments
from recollect.memory.statements.rows import PAGE
from tests.memory.api.test_inspecting import ALICE, filled, ids
from tests.memory.recall.test_said_pages import told
from tests.memory.sealing.test_forgetting import memory_at
from tests.memory.sealing.test_forgetting import place as place  # noqa: PLC0414 - a fixture

pytestmark = pytest.mark.process


async def test_what_hangs_together_is_found(place: object) -> None:
    """By what it comes from, and what waits for a judgement."""
    async with memory_at(place) as (memory, _, _):
        await filled(memory)
        found = (await memory.conflicts(user_id="alice"))["results"]
        assert [one["memory"]["id"] for one in found] == ["later", "now"]
        now = await memory.inspect("now", user_id="alice")
        assert sorted(ids(now["matter"])) == ["ended", "first"]
        assert sorted(ids(now["conflicts"])) == ["first", "later"]


async def test_pages_of_what_was_said(place: object) -> None:
    """Each passage once, and as many as are counted, before it is noted and afterwards."""
    async with memory_at(place) as (_, engine, _):
        for turn in told(2 * PAGE + 40):
            await engine.parts.state.conversations.record(turn)
        asked = read_arguments({})
        for _ in range(2):
            number = await engine.queries.count(ALICE, asked)
            page = await engine.queries.page(ALICE, asked, limit=50)
            shown = page.items
            while page.next is not None:
                page = await engine.queries.page(ALICE, asked, limit=50, cursor=page.next)
                shown = shown + page.items
            assert len({one.id for one in shown}) == len(shown) == number > PAGE / 2
