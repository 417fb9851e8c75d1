"""AsyncMemory: the memory library. Thin; the work is done by the learner and the ports."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Any, Self

from .embedders import CachedEmbedder, open_embedder
from .errors import ExtractionError, InvalidInputError, ModelError, NotFoundError
from .inputs import (
    DEFAULT_LIMIT,
    check_metadata,
    check_text,
    check_threshold,
    checked_limit,
    checked_moment,
    checked_status,
)
from .learn import Learner, memory_id
from .learn.apply import history_record
from .llms import OpenAIChatModel
from .messages import INSTRUCTIONS, parse_messages
from .options import MemoryOptions
from .ports import ACTIVE, ChatModel, Embedder, HistoryLog, VectorStore
from .recall import HotIndexes, IndexedStore, Recaller, RecallOptions, Shown
from .recall.text import stored_terms
from .results import (
    AddResult,
    DeleteResult,
    ErrorDict,
    HistoryDict,
    MemoryDict,
    MemoryResults,
    event_dict,
    history_dicts,
    memory_dict,
)
from .state import open_history
from .stores import is_remote, open_store
from .times import sequence_from
from .tokens import ApproximateCounter
from .types import (
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Message,
    Provenance,
    Scope,
    StoredMemory,
    utc_now,
)

log = logging.getLogger(__name__)


class AsyncMemory:
    """Long-term memory for users, agents and runs of one tenant.

    Every method but `get`, `update`, `delete`, `history` and `reset` takes at least one of
    `user_id`, `agent_id`, `run_id` and sees the memories that match all that are given.

        async with await AsyncMemory.open() as memory:
            await memory.add("My name is Ada", user_id="ada")
            found = await memory.search("What is she called?", user_id="ada")

    Raises, from every method: ScopeError and InvalidInputError before anything is done; StoreError,
    StateError, EmbeddingError when a part fails.
    """

    def __init__(
        self,
        *,
        store: VectorStore,
        embedder: Embedder,
        history: HistoryLog,
        model: ChatModel,
        tenant: str = "local",
        recaller: Recaller | None = None,
    ) -> None:
        """Use parts that are open already; `open` opens them.

        `recaller` finds memories in `store`, which then is the one that tells its indexes of writes
        (`IndexedStore`); without, both are made here.
        """
        if recaller is None:
            store, recaller = _indexed(store, embedder, shared=False)
        self._store = store
        self._recaller = recaller
        self._embedder = embedder
        self._history = history
        self._model = model
        self.tenant = tenant
        self._learner = Learner(store, embedder, history, calibration=recaller.calibration)

    @classmethod
    async def open(cls, options: MemoryOptions | None = None, *, tenant: str = "local") -> Self:
        """Build the parts that `options` name; `close` releases them."""
        options = options or MemoryOptions()
        async with AsyncExitStack() as opened:
            # Learning embeds a fact to compare it and again to store it.
            embedder = CachedEmbedder(
                await open_embedder(options.embedder), max_entries=options.embedder.cache_entries
            )
            opened.push_async_callback(embedder.close)
            store = await open_store(
                options.store,
                embedder_id=embedder.id,
                dim=embedder.dim,
                terms=stored_terms,
            )
            opened.push_async_callback(store.close)
            history, _ = await open_history(options.history)
            opened.pop_all()
        model = OpenAIChatModel(options.llm)
        indexed, recaller = _indexed(store, embedder, shared=is_remote(options.store))
        return cls(
            store=indexed,
            embedder=embedder,
            history=history,
            model=model,
            tenant=tenant,
            recaller=recaller,
        )

    def for_tenant(self, tenant: str, model: ChatModel | None = None) -> AsyncMemory:
        """The same memory seen by another tenant, with its own model if given; do not close it."""
        return AsyncMemory(
            store=self._store,
            embedder=self._embedder,
            history=self._history,
            model=model or self._model,
            tenant=tenant,
            recaller=self._recaller,
        )

    async def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any] | Message],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        prompt: str | None = None,
        timestamp: datetime | None = None,
    ) -> AddResult:
        """Remember a conversation.

        With `infer` a model extracts facts and each is reconciled with what is known; without, each
        message is stored as it is. `prompt` replaces the extraction instructions, `timestamp` says
        when it was said (now if not given). If the model fails, nothing is stored and the answer
        says so in `error`.
        """
        scope = self._scope(user_id, agent_id, run_id)
        conversation = parse_messages(messages)
        check_metadata(metadata)
        at = utc_now() if timestamp is None else checked_moment(timestamp)
        # Not derived from the content: adding the same again later is a new event.
        batch = uuid.uuid4().hex
        try:
            decisions = (
                await self._learner.decide(
                    scope, conversation, self._model, at=at, batch=batch, prompt=prompt
                )
                if infer
                else _store_as_is(conversation, batch)
            )
        except (ModelError, ExtractionError) as error:
            log.warning("nothing was learned from a call of add: %s", error)
            return AddResult(results=[], error=ErrorDict(code=error.code, message=str(error)))
        events = await self._learner.carry_out(
            scope,
            decisions,
            at=at,
            batch=batch,
            provenance=Provenance(
                source="extraction" if infer else "direct", sequence=sequence_from(utc_now())
            ),
            metadata=metadata,
        )
        return AddResult(results=[event_dict(event) for event in events])

    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
        threshold: float | None = None,
        status: MemoryStatus | str = MemoryStatus.ACTIVE,
    ) -> MemoryResults:
        """The memories that speak to `query`, best first, by meaning, words, names and time.

        `score` is the cosine similarity, at least `threshold` if that is given; `relevance` is what
        they are ordered by. Memories that are not active are ordered by `score` alone. Of a store
        that other processes write to, what they wrote in the last seconds may be missing.
        """
        scope = self._scope(user_id, agent_id, run_id)
        if not isinstance(query, str) or not query.strip():
            raise InvalidInputError("query", "expected some text")
        statuses = {checked_status(status)}
        limit = checked_limit(limit)
        check_threshold(threshold)
        if statuses != ACTIVE:
            [vector] = await self._embedder.embed([query])
            others = await self._store.search(
                scope, vector, limit=limit, statuses=statuses, fresh=True
            )
            found = [memory_dict(hit.item, hit.score) for hit in others]
        else:
            ranking = await self._recaller.rank(scope, query, most=limit)
            found = [
                memory_dict(hit.item, hit.cosine, round(hit.score, 4)) for hit in ranking.ranked
            ]
        return MemoryResults(
            results=[hit for hit in found if threshold is None or hit["score"] >= threshold]
        )

    async def explain(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
    ) -> dict[str, Any]:
        """What a recall of `query` would choose and why.

        Signals, ranks, weights, thresholds, and what was left out for which reason. `show` and
        `reserve_tokens` are as for a recall.
        """
        scope = self._scope(user_id, agent_id, run_id)
        if not isinstance(query, str) or not query.strip():
            raise InvalidInputError("query", "expected some text")
        explanation = await self._recaller.explain(
            scope, query, reserve_tokens=reserve_tokens, show=show
        )
        return explanation.as_dict()

    async def get(self, memory_id: str) -> MemoryDict | None:
        """The memory with this id, or None."""
        item = await self._find(memory_id)
        return memory_dict(item) if item else None

    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
        status: MemoryStatus | str = MemoryStatus.ACTIVE,
    ) -> MemoryResults:
        """The newest `limit` memories of a scope, newest first."""
        scope = self._scope(user_id, agent_id, run_id)
        items = await self._store.list(
            scope, limit=checked_limit(limit), statuses={checked_status(status)}
        )
        return MemoryResults(results=[memory_dict(item) for item in items])

    async def update(self, memory_id: str, text: str) -> MemoryDict:
        """Replace a memory's text. Raises NotFoundError."""
        check_text("text", text)
        item = await self._existing(memory_id)
        now = utc_now()
        [vector] = await self._embedder.embed([text])
        changed = replace(item, text=text, updated_at=now, embedder_id=self._embedder.id)
        await self._log(EventKind.UPDATE, changed, item, now)
        await self._store.put([StoredMemory(changed, vector)])
        return memory_dict(changed)

    async def delete(self, memory_id: str) -> None:
        """Remove a memory; its history stays. Raises NotFoundError."""
        item = await self._existing(memory_id)
        await self._log(EventKind.DELETE, item, item, utc_now())
        await self._store.delete(self.tenant, [item.id])

    async def delete_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> DeleteResult:
        """Remove every memory of a scope, whatever its status; their history stays."""
        scope = self._scope(user_id, agent_id, run_id)
        items = await self._store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
        now = utc_now()
        for item in items:
            await self._log(EventKind.DELETE, item, item, now)
        await self._store.delete(self.tenant, [item.id for item in items])
        return DeleteResult(deleted=len(items))

    async def history(self, memory_id: str) -> list[HistoryDict]:
        """What happened to a memory, oldest first; also after it was deleted."""
        return history_dicts(await self._history.of(self.tenant, memory_id))

    async def reset(self) -> None:
        """Remove every memory of the tenant and its history."""
        await self._store.reset(self.tenant)
        await self._history.reset(self.tenant)

    async def close(self) -> None:
        """Release the store, the embedder, the history and the model."""
        async with AsyncExitStack() as parts:
            for part in (self._model, self._history, self._embedder, self._store):
                parts.push_async_callback(part.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def _scope(self, user_id: str | None, agent_id: str | None, run_id: str | None) -> Scope:
        return Scope(tenant=self.tenant, user_id=user_id, agent_id=agent_id, run_id=run_id)

    async def _find(self, memory_id: str) -> MemoryItem | None:
        if not isinstance(memory_id, str) or not memory_id:
            raise InvalidInputError("memory_id", "expected the id of a memory")
        return next(iter(await self._store.get(self.tenant, [memory_id])), None)

    async def _existing(self, memory_id: str) -> MemoryItem:
        item = await self._find(memory_id)
        if item is None:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        return item

    async def _log(
        self, event: EventKind, item: MemoryItem, before: MemoryItem, now: datetime
    ) -> None:
        decision = Decision(
            event=event, memory_id=item.id, text=item.text, type=item.type, old_text=before.text
        )
        # Named by the version it replaces: a repetition after the store failed is the same record.
        batch = before.updated_at.isoformat()
        record = history_record(decision, item.scope, batch=batch, at=now)
        await self._history.append([record])


def _indexed(
    store: VectorStore, embedder: Embedder, *, shared: bool
) -> tuple[VectorStore, Recaller]:
    options = RecallOptions()
    indexes = HotIndexes(store, options.index, dim=embedder.dim, shared=shared)
    recaller = Recaller(indexes, embedder, ApproximateCounter(), options)
    return IndexedStore(store, indexes), recaller


def _store_as_is(conversation: Sequence[Message], batch: str) -> list[Decision]:
    decisions = []
    for number, message in enumerate(conversation):
        if message.role in INSTRUCTIONS or not message.content.strip():
            continue
        check_text(f"messages[{number}].content", message.content)
        decisions.append(
            Decision(
                event=EventKind.ADD,
                memory_id=memory_id(f"{batch}|{number}", message.content),
                text=message.content,
                type=MemoryType.SEMANTIC,
                stage="direct",
            )
        )
    return decisions
