"""Who is told of a change, as the engine composes them: here, and in another process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.database.changes import SqlChanges
from recollect.memory.database.transactions import INSIDE
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import Scope
from recollect.memory.state import State
from tests.support.parts import parts_of
from tests.support.sharing import log_over
from tests.support.state import in_memory_state

ALICE = Scope(tenant="local", user_id="alice")


class Index:
    """Counts how often it is told."""

    def __init__(self) -> None:
        self.told = 0

    async def committed(self, _change: object) -> None:
        self.told += 1

    async def uncertain(self, _tenants: object) -> None:
        self.told += 1

    def heard(self, _line: object) -> None:
        self.told += 1


async def nobody(_tenant: str, _model: str) -> Any:
    return None


def an_engine(state: State) -> tuple[Engine, Index]:
    """One of several processes on this database."""
    log, index = log_over(state.scripts), Index()
    parts = parts_of(state=replace(state, log=log))
    parts.writer._inside = replace(parts.writer._inside, log=SqlChanges(INSIDE, log.name))
    parts.writer._inside.memories.writer = log.name  # type: ignore[attr-defined]
    chosen: Any = index
    return Engine(replace(parts, index=chosen), EngineOptions(), nobody), index


@pytest.fixture
def engines() -> list[tuple[Engine, Index]]:
    state = in_memory_state()
    return [an_engine(state) for _ in range(2)]


async def recalled(engine: Engine) -> set[str]:
    ranking = await engine.recaller.rank(ALICE, "What does the user drink?", most=9)
    return {hit.item.text for hit in ranking.ranked}


async def test_what_one_writes_the_other_recalls_and_tells(engines) -> None:
    """Added, reworded and forgotten at one: at once at both, and never again."""
    (here, _), (there, index) = engines
    one, two = (AsyncMemory(engine, tenant="local") for engine in (here, there))
    await there.parts.state.log.read()
    stream = two.subscribe(user_id="alice")
    assert await recalled(here) == await recalled(there) == set()
    [added] = (await one.add("User drinks tea", user_id="alice", infer=False))["results"]
    assert await recalled(here) == await recalled(there) == {"User drinks tea"}
    await two.update(added["id"], "User drinks mate")
    assert await recalled(here) == await recalled(there) == {"User drinks mate"}
    await one.forget(added["id"])
    assert await recalled(here) == await recalled(there) == set()
    assert index.told > 0
    stream.close()
    told = [change async for change in stream]
    assert [each["event"] for each in told] == ["ADD", "UPDATE", "FORGET"]
    assert not any(each.get("memory") or each.get("old_memory") for each in told)
    for engine, _ in engines:
        await engine.close()
