"""Several changes of one memory at the same time, and what must be true afterwards."""

from __future__ import annotations

import asyncio
import inspect
import itertools
import random
from typing import Any

from recollect.memory.api.changes import Amendment, Changes
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.errors import ConflictError, InvalidInputError, NotFoundError
from recollect.memory.model.types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    StoredMemory,
)
from recollect.memory.records.parts import Parts
from tests.memory.learn.doubles import ALICE, NOON
from tests.support.learning import forgetter_of

EVERY = frozenset(MemoryStatus)
FIRST = "text 0"
REFUSALS = (NotFoundError, InvalidInputError, ConflictError)


class Dawdling:
    """A part whose methods let others go first, some turns of the loop, before and after."""

    def __init__(self, inner: Any, dice: random.Random) -> None:
        self._inner, self._dice = inner, dice

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if not inspect.iscoroutinefunction(found):
            return found

        async def slow(*args: Any, **kwargs: Any) -> Any:
            await self._wait()
            answer = await found(*args, **kwargs)
            await self._wait()
            return answer

        return slow

    async def _wait(self) -> None:
        for _ in range(self._dice.randrange(4)):
            await asyncio.sleep(0)


class Process:
    """What one process does to the memory "m"."""

    def __init__(self, parts: Parts, name: str = "") -> None:
        self.parts = parts
        self.name = name
        forgetter = forgetter_of(
            parts.store, parts.embedder, parts.history, tombstones=parts.state.tombstones
        )
        self.forgetter = forgetter
        self.changes = Changes(parts, guard=forgetter.guard)
        self.applier = Applier(parts.store, parts.writer, parts.embedder)

    async def item(self) -> MemoryItem:
        found = await self.parts.store.get("local", ["m"])
        if not found:
            raise NotFoundError("m")
        return found[0]

    async def put(self, number: int = 0) -> str:
        text = f"put {self.name}{number}"
        await self.changes.amend(await self.item(), Amendment(text))
        return text

    async def validate(self) -> None:
        await self.changes.validate(await self.item())

    async def delete(self) -> None:
        await self.changes.delete([await self.item()])

    async def forget(self) -> None:
        await self.forgetter.forget_ids("local", ["m"])

    async def learn(self, event: EventKind = EventKind.UPDATE) -> str:
        """A job that has decided about the first text."""
        text = f"learned {self.name}" if event is EventKind.UPDATE else FIRST
        decision = Decision(
            event=event, memory_id="m", text=text, type=MemoryType.SEMANTIC, old_text=FIRST
        )
        batch = Batch(id=f"job{self.name}", scope=ALICE, at=NOON)
        guard = await self.forgetter.guard(ALICE)
        await self.applier.apply([decision], batch, guard)
        return text


async def keep(parts: Parts, status: MemoryStatus = MemoryStatus.ACTIVE) -> None:
    """The memory "m" with its first text."""
    item = MemoryItem(
        id="m",
        text=FIRST,
        type=MemoryType.SEMANTIC,
        scope=ALICE,
        status=status,
        created_at=NOON,
        updated_at=NOON,
        valid_from=NOON,
        embedder_id=FakeEmbedder().id,
    )
    [vector] = await parts.embedder.embed([item.text])
    await parts.store.put([StoredMemory(item, vector)])


async def at_once(*work: Any) -> list[Any]:
    """The results; None where the change was refused."""
    done = await asyncio.gather(*work, return_exceptions=True)
    for each in done:
        if isinstance(each, BaseException) and not isinstance(each, REFUSALS):
            raise each
    return [None if isinstance(each, REFUSALS) else each for each in done]


async def check_chain(parts: Parts) -> list[str]:
    """Each version supersedes the one before, in rows and in history; the texts in order."""
    rows = await parts.store.list(ALICE, limit=None, statuses=EVERY)
    mine = [row for row in rows if "m" in {row.id, row.provenance.superseded_by}]
    chain = sorted(mine, key=lambda row: row.version)
    texts = [row.text for row in chain]
    assert chain[-1].id == "m"
    numbers = [row.version for row in chain]
    assert numbers == sorted(set(numbers)), f"two rows of one version: {chain}"
    # The first text is in no record: the memory was put into the store by itself.
    changes = [
        (record.old_value, record.new_value)
        for record in await parts.history.of("local", "m")
        if record.event is EventKind.UPDATE
    ]
    assert changes == [*itertools.pairwise(texts)], f"history {changes}, rows {texts}"
    return texts
