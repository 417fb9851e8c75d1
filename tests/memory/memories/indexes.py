"""A vector index in a dictionary, and what fills it."""

from __future__ import annotations

import numpy as np

from recollect.memory.index.port import IndexMark, IndexRow
from recollect.memory.memories.log import MemoryLog
from recollect.memory.memories.marks import SqlIndexMarks
from recollect.memory.memories.store import SqlMemories
from tests.support.admitting import admits

NAME = "plain"


class PlainIndex:
    """`VectorIndex`; `asked` counts the searches."""

    def __init__(self) -> None:
        self.rows: dict[int, IndexRow] = {}
        self.error: Exception | None = None
        self.asked = 0

    async def put(self, rows):
        self.rows |= {row.key: row for row in rows}

    async def search(self, vector, asked, *, limit):
        self.asked += 1
        if self.error is not None:
            raise self.error
        found = [row for row in self.rows.values() if admits(asked, row)]
        hits = [(row.key, float(np.dot(row.vector, vector))) for row in found]
        return sorted(hits, key=lambda hit: -hit[1])[:limit]

    async def delete(self, keys):
        for key in keys:
            self.rows.pop(key, None)

    async def drop(self):
        self.rows.clear()

    async def ping(self):
        """It is there."""

    async def close(self):
        """There is nothing to release."""


async def filled(scripts, index, *, upto: int | None = None, embedder_id: str = "test") -> None:
    """Do what a follower does: bring the index to this line of the log, or to the last."""
    log, marks = MemoryLog(scripts, embedder_id=embedder_id), SqlIndexMarks(scripts)
    assert await marks.lead(NAME, "test", seconds=60)
    known = await marks.mark(NAME)
    last = await log.last_seq() if upto is None else upto
    since = 0 if known is None else known.seq
    changes = [one for one in await log.changed_since(since, limit=10_000) if one.seq <= last]
    positions = {each for one in changes for each in one.positions}
    await index.delete(sorted(positions))
    await index.put(await log.rows(sorted(positions)))
    assert await marks.set_mark(NAME, "test", IndexMark(last))


class Followed(SqlMemories):
    """Memories whose index follows every change at once."""

    def __init__(self, scripts, *, index, **settings) -> None:
        super().__init__(scripts, index=index, **settings)
        self._fill = lambda: filled(scripts, index.index, embedder_id=self.embedder_id)

    async def put(self, memories):
        await super().put(memories)
        await self._fill()

    async def delete(self, tenant, ids):
        gone = await super().delete(tenant, ids)
        await self._fill()
        return gone

    async def reset(self, tenant):
        await super().reset(tenant)
        await self._fill()
