"""All stores around one forgetter, a writer that learns, and a way to stop both at every step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from recollect.memory.database.history import SqlHistory
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.forget import Forgetter
from recollect.memory.language import stored_terms
from recollect.memory.memories import SqlMemories
from recollect.memory.model.types import (
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
    Turn,
)
from recollect.memory.model.usage import UseKind
from recollect.memory.recall import HotIndexes, Recaller, RecallOptions
from recollect.memory.records.invalidation import InvalidationBus
from recollect.memory.records.parts import Parts as OpenParts
from recollect.memory.statements.conversations import IndexingConversations
from recollect.memory.statements.rows import StatementRows
from recollect.memory.statements.statement_cache import Embedding, StatementCache
from recollect.memory.util.tokens import ApproximateCounter
from tests.memory.learn.doubles import ALICE, BOB, NOON
from tests.support.following import indexed
from tests.support.memories import InMemoryMemories
from tests.support.parts import parts_of
from tests.support.state import in_memory_state
from tests.support.unsaid import NothingSaid

__all__ = ["ALICE", "BOB", "NOON"]

EMBEDDER = FakeEmbedder()
ANY_STATUS = frozenset(MemoryStatus)
KEY = b"k" * 32
LEASE = 60.0


def memory(
    memory_id: str,
    text: str,
    scope: Scope = ALICE,
    *,
    turns: tuple[str, ...] = (),
    version_of: str | None = None,
    batch: str | None = None,
    **fields: Any,
) -> MemoryItem:
    if version_of is not None:
        fields.setdefault("status", MemoryStatus.SUPERSEDED)
    fields = {"type": MemoryType.SEMANTIC, "created_at": NOON, "updated_at": NOON} | fields
    return MemoryItem(
        id=memory_id,
        text=text,
        scope=scope,
        embedder_id=EMBEDDER.id,
        provenance=Provenance(turn_ids=turns, superseded_by=version_of, batch=batch),
        **fields,
    )


def record(memory_id: str, new: str, old: str | None = None, scope: Scope = ALICE) -> HistoryRecord:
    return HistoryRecord(
        id=f"{memory_id}|{old}|{new}",
        memory_id=memory_id,
        event=EventKind.UPDATE if old else EventKind.ADD,
        old_value=old,
        new_value=new,
        timestamp=NOON,
        is_deleted=False,
        scope=scope,
    )


def turn(name: str, text: str, scope: Scope = ALICE, conversation: str = "c1") -> Turn:
    return Turn(
        id=name,
        conversation_id=conversation,
        scope=scope,
        user_text=text,
        assistant_text=f"I see: {text}",
        model="m",
        created_at=NOON,
    )


async def stored(store: SqlMemories, *items: MemoryItem) -> None:
    vectors = await EMBEDDER.embed([item.text for item in items])
    await store.put([StoredMemory(i, v) for i, v in zip(items, vectors, strict=True)])


@dataclass
class Hears:
    """Passes on what it is told."""

    forget: Callable[[Scope | str, str | None], None]

    def clear(self) -> None:
        raise AssertionError("nobody else tells")


def bus_of(*told: Callable[[Scope | str, str | None], None]) -> InvalidationBus:
    """A bus on which these hear."""
    bus = InvalidationBus()
    bus.subscribe(*map(Hears, told))
    return bus


def memories_of(state: Any) -> InMemoryMemories:
    """Memories in the database of this state."""
    return InMemoryMemories(dim=EMBEDDER.dim, terms=stored_terms, scripts=state.scripts)


@dataclass
class Parts:
    """Everything a forget touches, real but for what a test puts around it."""

    store: Any = None
    conversations: Any = None
    jobs: Any = None
    history: Any = None
    tombstones: Any = None
    usage: Any = None
    embedder: Any = EMBEDDER
    told: list[tuple[Scope | str, str | None]] = field(default_factory=list)
    recaller: Recaller | None = None
    state: Any = None

    def __post_init__(self) -> None:
        self.state = self.state or in_memory_state()
        self.store = self.store or memories_of(self.state)
        self.history = self.history or SqlHistory(self.state.scripts)
        for name in ("conversations", "jobs", "tombstones", "usage"):
            setattr(self, name, getattr(self, name) or getattr(self.state, name))

    @classmethod
    def indexed(cls, inner: SqlMemories | None = None) -> Parts:
        """With hot indexes before the store, and a recaller that reads them."""
        state = in_memory_state()
        inner = inner or memories_of(state)
        options = RecallOptions()
        indexes = HotIndexes(inner, dim=EMBEDDER.dim)
        recaller = Recaller(indexes, EMBEDDER, ApproximateCounter(), options, clock=lambda: NOON)
        return cls(store=indexed(inner, indexes), recaller=recaller, state=state)

    def all(self, **changed: Any) -> OpenParts:
        """The same as the product composes them."""
        own = ("store", "conversations", "jobs", "history", "tombstones", "usage")
        chosen = {name: getattr(self, name) for name in own}
        chosen["state"] = self.state
        return parts_of(**(chosen | {"embedder": self.embedder} | changed))

    def forgetter(self, **changed: Any) -> Forgetter:
        chosen = self.all(embedder=changed.pop("embedder", self.embedder))
        given: dict[str, Any] = {
            "heard": NothingSaid(),
            "bus": bus_of(lambda owner_ref, one: self.told.append((owner_ref, one))),
            "key": KEY,
            "clock": lambda: NOON,
        }
        forgetter = Forgetter(chosen, **(given | changed))
        chosen.writer.announced = forgetter.bus.heard
        return forgetter

    async def use(self, *ids: str, tenant: str = "local") -> None:
        """Count a recall of each."""
        await self.usage.count(tenant, UseKind.RECALLED, ids, occasion="t", at=NOON)

    async def used(self, *ids: str, tenant: str = "local") -> set[str]:
        """Those among these memories that have counters."""
        return set(await self.usage.of(tenant, ids))

    async def put(self, *items: MemoryItem) -> None:
        await stored(self.store, *items)

    def heard(self) -> StatementRows:
        """What was said in the conversations, for a forgetter."""
        embedding = Embedding(EMBEDDER.id, EMBEDDER.dim)
        cache = StatementCache(
            self.conversations,
            ApproximateCounter(),
            embedding=embedding,
            clock=lambda: NOON,
        )
        self.conversations = IndexingConversations(self.conversations, cache, lambda *_: None)
        return StatementRows(self.conversations, cache)

    async def ids(self, scope: Scope = ALICE) -> set[str]:
        return {i.id for i in await self.store.list(scope, limit=None, statuses=ANY_STATUS)}

    async def recalled(self, query: str, scope: Scope = ALICE) -> set[str]:
        assert self.recaller is not None
        ranking = await self.recaller.rank(scope, query, most=1000)
        return {hit.item.id for hit in ranking.ranked}
