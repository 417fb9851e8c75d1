"""Parts in memory for changes by id, the product's own guard, and a clock."""

from datetime import timedelta

from recollect.memory.api.changes import Changes
from recollect.memory.api.curation import Curation
from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.forget import Forgetter
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Source,
    StoredMemory,
)
from tests.memory.learn.doubles import ALICE, NOON
from tests.support.memories import InMemoryMemories
from tests.support.parts import parts_of
from tests.support.state import in_memory_state
from tests.support.unsaid import NothingSaid

SUPERSEDED = {MemoryStatus.SUPERSEDED}


class World:
    """The parts, and a clock that moves a minute with each look."""

    def __init__(self):
        self.embedder = FakeEmbedder()
        self.state = in_memory_state()
        scripts = self.state.scripts
        self.store = InMemoryMemories(dim=self.embedder.dim, scripts=scripts)
        self.history = SqlHistory(scripts)
        self.tombstones = self.state.tombstones
        self.forgetter = Forgetter(self.parts(), heard=NothingSaid())
        self._now = NOON

    def clock(self):
        self._now += timedelta(minutes=1)
        return self._now

    def parts(self, **chosen):
        own = ("store", "embedder", "history", "tombstones", "state")
        return parts_of(**{name: chosen.get(name, getattr(self, name)) for name in own})

    def changes(self, **parts):
        guard = self.forgetter.guard
        return Changes(self.parts(**parts), guard=guard, clock=self.clock)

    def by(self, method, **parts):
        """What has this method."""
        return (self.changes if hasattr(Changes, method) else self.curation)(**parts)

    def curation(self, **parts):
        guard = self.forgetter.guard
        return Curation(self.parts(**parts), guard=guard, clock=self.clock)

    async def keep(self, name="m", text="tea", scope=ALICE, type_=MemoryType.SEMANTIC, **fields):
        origin = Provenance(source=Source.EXTRACTION, quote="green tea", turn_ids=("t",))
        item = MemoryItem(
            id=name,
            text=text,
            scope=scope,
            created_at=NOON,
            updated_at=NOON,
            embedder_id="older",
            type=type_,
            **({"provenance": origin, "valid_from": NOON} | fields),
        )
        [vector] = await self.embedder.embed([text])
        await self.store.put([StoredMemory(item, vector)])
        return item

    async def get(self, name="m"):
        return next(iter(await self.store.get("local", [name])), None)

    async def events(self, name="m"):
        return [(r.event, r.old_value, r.new_value) for r in await self.history.of("local", name)]

    async def versions(self, scope=ALICE):
        return await self.store.list(scope, limit=None, statuses=SUPERSEDED)
