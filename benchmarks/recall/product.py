"""The product as this benchmark uses it: the one file to change when its interface does."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from locomo import Conversation, Entry
from vectors import DiskEmbedder

from recollect.filters.inject import Fence, frame
from recollect.memory import AsyncMemory, MemoryItem, MemoryType, Scope
from recollect.memory.blocks import render, show
from recollect.memory.database import DatabaseOptions
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder
from recollect.memory.embedders.local import HALVES, id_of
from recollect.memory.engine import engine as product
from recollect.memory.engine import opening
from recollect.memory.engine.options import DEFAULT_MODEL_DIR, EngineOptions
from recollect.memory.language import index_terms, query_terms
from recollect.memory.learn import as_given
from recollect.memory.model.ports import Embedder
from recollect.memory.model.types import Message, StoredMemory
from recollect.memory.recall import Recaller, RecallOptions
from recollect.memory.recall.index import hot_indexes
from recollect.memory.recall.profile import Role
from recollect.memory.records.parts import Parts
from recollect.memory.trust.redact import RedactOptions, Redactor
from recollect.memory.util.registry import Registry

TENANT = "bench"
FENCE = Fence(b"bench")
EMBEDDER_ID, DIM = id_of("pair"), sum(HALVES)
"""Whose thresholds synthetic vectors are judged by."""
ANY_LIMIT = 100
"""More memories than fit the largest budget of the benchmark."""
ANY_BUDGET = 32_000
_REDACTOR = Redactor(RedactOptions())


@dataclass(frozen=True)
class Recalled:
    """What one recall chose, best first, and the message it becomes."""

    ids: tuple[str, ...]
    message: str
    """Empty if nothing would be injected."""
    texts: tuple[str, ...] = ()
    matched: bool = False
    """Whether any of them is more than a wish about answers."""


@dataclass(frozen=True)
class Filed:
    """A conversation in memory."""

    conversation: Conversation
    scope: Scope
    source_of: dict[str, str]
    """memory id -> id of the turn or fact, the last one if several say the same."""
    memory_of: dict[str, str]
    """The other way round."""

    @property
    def now(self) -> datetime:
        """When questions are asked."""
        return self.conversation.asked_at


class _Lent:
    """An embedder that its lender closes."""

    def __init__(self, lent: Embedder) -> None:
        self._lent = lent

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lent, name)

    async def close(self) -> None:
        """Its lender does."""


class Engine:
    """The product's engine on a given embedder, and the public library over it."""

    def __init__(self, parts: Parts, options: EngineOptions, registry: Registry) -> None:
        engine = product.Engine(parts, options, product.nobody)
        self.product = engine
        self.prepare = engine.recaller.prepare
        self.store = engine.parts.store
        self._registry = registry
        self.indexes = engine.recaller.indexes
        self.embedder = parts.embedder
        self.tokens = parts.tokens
        self.memory = AsyncMemory(engine, tenant=TENANT)
        self._frame = parts.tokens.count(frame())
        self._prepared = engine.recaller

    @classmethod
    async def open(
        cls,
        embedder: Embedder,
        folder: Path | None = None,
        *,
        cache_mb: int | None = None,
        database: Mapping[str, str] | None = None,
    ) -> Engine:
        """An engine on this folder, in memory if none is named. Its hot index is empty.

        `cache_mb` bounds the index, if it is to be another bound than the product's own;
        `database` has more options of the database.
        """
        options = EngineOptions()
        if folder is not None:
            place = {"url": str(folder / "recollect.db"), **(database or {})}
            kept = DatabaseOptions.model_validate(place)
            options = options.model_copy(update={"database": kept})

        async def given(_wanted: object) -> Any:
            return _Lent(embedder)

        cache = hot_indexes.MAX_BYTES if cache_mb is None else cache_mb * 2**20
        registry = Registry()
        with (
            mock.patch.object(opening, "open_embedder", given),
            mock.patch.object(hot_indexes, "MAX_BYTES", cache),
        ):
            parts = await opening.open_parts(options, registry)
            engine = cls(parts, options, registry)
        await engine.prepare()
        return engine

    @property
    def index_mb(self) -> float:
        """What the hot index says it takes."""
        return self.indexes.nbytes / 2**20

    def recaller(self, options: RecallOptions | None = None) -> Recaller:
        """What the proxy asks; options are the product's own if not given."""
        recaller = Recaller(self.indexes, self.embedder, self.tokens, options or RecallOptions())
        recaller._prototypes = self._prepared.prototypes  # noqa: SLF001 - as `prepare` at the start does
        return recaller

    async def recall(
        self,
        recaller: Recaller,
        scope: Scope,
        query: str,
        *,
        now: datetime | None = None,
    ) -> Recalled:
        """One recall, rendered as the proxy would."""
        selection = await recaller.recall(
            scope, query, reserve_tokens=self._frame, show=show, now=now
        )
        items = [hit.item for hit in selection.chosen]
        # A wish goes with every request: it answers nothing.
        matched = any(hit.role != Role.WISH for hit in selection.chosen)
        message = render(items, FENCE) if items else ""
        return Recalled(tuple(i.id for i in items), message, tuple(i.text for i in items), matched)

    async def file(self, conversation: Conversation) -> Filed:
        """Store a conversation in direct mode, as a user of its own."""
        user = conversation.name
        source_of: dict[str, str] = {}
        memory_of: dict[str, str] = {}
        for session in conversation.sessions:
            added = await self.memory.add(
                [{"role": "user", "content": entry.text} for entry in session.entries],
                user_id=user,
                run_id=f"session {session.number}",
                infer=False,
                dedupe=False,
                timestamp=session.at,
            )
            ids = [event["id"] for event in added["results"]]
            for memory_id, entry in zip(ids, _of_each_memory(session.entries), strict=True):
                source_of[memory_id] = entry.id
                memory_of.setdefault(entry.id, memory_id)
        scope = Scope(tenant=TENANT, user_id=user)
        return Filed(conversation, scope, source_of, memory_of)

    async def linked(self) -> None:
        """Wait until the graph has followed what was stored."""
        if self.product.graph is not None:
            await self.product.graph.settled()

    async def close(self) -> None:
        """Release the database; the embedder is the caller's."""
        await self._registry.close()


def _of_each_memory(entries: Sequence[Entry]) -> list[Entry]:
    """The entry of each memory that these become: withheld sentences are memories of their own."""
    said = [Message(role="user", content=entry.text) for entry in entries]
    given = as_given(said, "", lambda text: _REDACTOR.redact(text).text)
    return [entries[piece.index] for piece in given.pieces for _ in piece.decisions]


class Words:
    """One user's texts as the product's keyword search reads them."""

    def __init__(self, texts: Sequence[str]) -> None:
        analysed = [index_terms(text) for text in texts]
        self.documents = [terms.terms for terms in analysed]
        self._languages = {terms.language for terms in analysed}

    def of_query(self, text: str) -> list[str]:
        """The terms a query looks for."""
        return query_terms(text, self._languages)


async def disk_embedder(results: Path) -> DiskEmbedder:
    """The local model, with what it computed kept on disk.

    The variable EMBEDDER names another `embedder.model` than the default.

    Raises:
        EmbeddingError: the weights are not there.
    """
    model = os.environ.get("EMBEDDER", LocalEmbedderOptions.model_fields["model"].default)
    options = LocalEmbedderOptions(model=model, model_dir=DEFAULT_MODEL_DIR.expanduser())
    return DiskEmbedder(await open_embedder(options), results / "embeddings.db")


def at_k(k: int, base: RecallOptions | None = None) -> RecallOptions:
    """Only the number of memories bounds a recall."""
    bounds = {"limit": k, "token_budget": ANY_BUDGET}
    return (base or RecallOptions()).model_copy(update=bounds)


def within(tokens: int, base: RecallOptions | None = None) -> RecallOptions:
    """Only the token budget bounds a recall."""
    bounds = {"limit": ANY_LIMIT, "token_budget": tokens}
    return (base or RecallOptions()).model_copy(update=bounds)


def user_scope(user: str) -> Scope:
    """All memories of a user."""
    return Scope(tenant=TENANT, user_id=user)


def memories(
    user: str, texts: Sequence[str], vectors: np.ndarray, start: datetime, first: int = 0
) -> list[StoredMemory]:
    """Memories as `put` takes them; ids are told apart by user and number."""
    scope = user_scope(user)
    return [
        StoredMemory(
            MemoryItem(
                id=f"{user}-{first + number}",
                text=text,
                type=MemoryType.SEMANTIC,
                scope=scope,
                created_at=start,
                updated_at=start,
                embedder_id=EMBEDDER_ID,
            ),
            vector,
        )
        for number, (text, vector) in enumerate(zip(texts, vectors, strict=True))
    ]
