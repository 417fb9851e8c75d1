"""AsyncMemory, the memory library: checks inputs and delegates to the engine."""

from __future__ import annotations

import logging
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import TracebackType
from typing import Any, Self

from ..engine.engine import Engine
from ..engine.options import MemoryOptions
from ..engine.sharing import Lease, lease
from ..model import inputs
from ..model.errors import InvalidInputError, NotFoundError
from ..model.owner import Owner
from ..model.ports import ChatModel
from ..model.types import MemoryItem, MemoryStatus
from ..query import check_filled
from ..recall import Shown, is_passage
from ..records.owned import check_id
from .about_user import erase_all_said, erase_said
from .adding import Adding
from .changes import Amendment
from .conflicts import Settling
from .library import library_engine, library_options, options_for_mem0
from .results import (
    DeleteResult,
    FeedbackDict,
    ForgetProposal,
    HistoryDict,
    MemoryDict,
    history_dicts,
    memory_dict,
    proposal_dict,
)
from .used import shown
from .users import EntityDict, entities_of

log = logging.getLogger(__name__)


class AsyncMemory(Adding, Settling):
    """Long-term memory for users, agents and runs of one tenant.

    A method whose parameters include `user_id`, `agent_id` and `run_id` needs at least one of them
    and sees the memories that match all that are given; `profile` and `explain`, what a chat would
    get: of an agent's user also what no agent has. `memory_id` is the id of one memory: a
    method that takes one also works without these ids, on any memory of the tenant; with them, a
    memory outside of their scope does not exist.

        async with await AsyncMemory.open(path="memories") as memory:
            await memory.add("My name is Ada", user_id="ada")
            found = await memory.search("What is she called?", user_id="ada")

    Raises, from every method: ScopeError and InvalidInputError before anything is done; StoreError,
    StateError, EmbeddingError when a part fails.
    """

    def __init__(
        self,
        engine: Engine,
        *,
        tenant: str = "local",
        model: ChatModel | None = None,
        only_user: str | None = None,
    ) -> None:
        """A view of one tenant of `engine`; `open` opens an engine for this memory alone.

        `model` extracts this tenant's facts; without it the engine finds one. With `only_user` it
        is a view of that user: nobody else can be named (ForbiddenError), and other users'
        memories do not exist.
        """
        self._engine = engine
        self._model = model
        self.tenant = tenant
        self._of = Owner(tenant, only_user)
        self._store = engine.parts.store
        self._usage = engine.parts.state.usage
        self._forgetter = engine.forgetter
        self._changes = engine.changes
        self._owned = engine.owned
        self._lease: Lease | None = None
        self._seen_from: AsyncMemory | None = None
        """The memory that this is a view of: it must not be collected before."""

    @classmethod
    async def open(
        cls,
        options: MemoryOptions | Mapping[str, Any] | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        tenant: str = "local",
    ) -> Self:
        """Open an engine with these options; `close` closes it.

        Options may be a plain mapping with the keys of the configuration file. With `path`,
        memories are kept in this folder, which is made if it is not there; otherwise, unless the
        options say where, they end with the process. A folder of the proxy (`data_dir`) can be
        opened while the proxy does not use it, and vice versa. All that open a folder in this
        process share one engine, which is closed with the last of them.

        Raises:
            ConfigError: an option is unknown or wrong, or others than those with which this process
                has the folder open; names each key.
            RecollectError: a part cannot be opened; names it and its setting.
        """
        chosen = library_options(options, path)
        leased = await lease(chosen, partial(library_engine, chosen))
        memory = cls(leased.engine, tenant=tenant)
        memory._lease = leased
        if chosen.store.folder is not None:
            weakref.finalize(memory, leased.abandon).atexit = False
        return memory

    @classmethod
    async def from_config(
        cls,
        config: Mapping[str, Any],
        *,
        path: str | os.PathLike[str] | None = None,
        tenant: str = "local",
    ) -> Self:
        """`open` with a configuration of mem0: `llm`, `embedder`, `vector_store` and its prompts.

        `path` and `tenant` are as of `open`. What has no equivalent is refused.

        Raises:
            ConfigError: names each key that has no equivalent, and the nearest one.
            RecollectError: as `open`.
        """
        options, folder = options_for_mem0(config, path)
        return await cls.open(options, path=folder, tenant=tenant)

    def for_tenant(self, tenant: str, model: ChatModel | None = None) -> AsyncMemory:
        """A view of another tenant, with its own model if given."""
        self._owner.whole_tenant()
        view = AsyncMemory(self._engine, tenant=tenant, model=model)
        view._lease, view._seen_from = self._lease, self
        return view

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

        Signals, ranks, weights, thresholds, and the reason why each other memory was left out.
        `reserve_tokens` of the token budget are left for other text; `show` formats a memory, whose
        tokens are counted in that form.
        """
        scope = self._scope(user_id, agent_id, run_id)
        inputs.check_query(query)
        inputs.check_reserve(reserve_tokens)
        explanation = await self._engine.recaller.explain(
            scope, query, reserve_tokens=reserve_tokens, show=show
        )
        return explanation.as_dict()

    async def get(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict | None:
        """The memory with this id, or what was said under it (`said:...`), or None."""
        item = await self._owned.find(self._whose(user_id, agent_id, run_id), memory_id)
        return (await shown(self._usage, [item]))[0] if item else None

    async def update(
        self,
        memory_id: str,
        text: str | None = None,
        *,
        data: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        importance: float | None = None,
        version: int | str | None = None,
    ) -> MemoryDict:
        """Change a memory's `text`, `metadata` or `importance`; what is not given stays.

        `data` is another name of `text`. An old text is kept as superseded. `metadata` is merged
        key by key; a key whose value is None is removed. Calls at the same time follow each other.
        With `version` (of `get`, or an ETag) only that version is changed. What was said cannot be
        changed: InvalidInputError. Raises NotFoundError, and ConflictError if the memory is at
        another version or others are changing it.
        """
        text = inputs.either("text", text, "data", data)
        if text is not None or (metadata is None and importance is None):
            inputs.check_text("text", text)
        inputs.check_metadata(metadata)
        inputs.check_importance(importance)
        inputs.check_version_number(version)
        whose = self._whose(user_id, agent_id, run_id)
        async with self._engine.gone.telling(self.tenant, memory_id):
            item = await self._owned.existing(whose, memory_id)
            redacted = await self._engine.bulk.run(
                item.scope, lambda: self._engine.redact(text) if text else None
            )
            clean = await self._clean(item.scope, metadata) if metadata else metadata
            amendment = Amendment(redacted, clean, importance)
            return memory_dict(await self._changes.amend(item, amendment, version))

    async def validate(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Make a quarantined memory active. Raises NotFoundError."""
        whose = self._whose(user_id, agent_id, run_id)
        item = await self._owned.existing(whose, memory_id)
        return memory_dict(await self._changes.validate(item))

    async def restore(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Take a memory out of the archive, or undo that it was superseded. Raises NotFoundError.

        What was archived is active again, or quarantined if it was. What was superseded is active
        again beside what superseded it. Anything else cannot be restored: InvalidInputError.
        """
        whose = self._whose(user_id, agent_id, run_id)
        item = await self._owned.existing(whose, memory_id)
        return memory_dict(await self._changes.restore(item))

    async def delete(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        version: int | str | None = None,
    ) -> None:
        """Remove a memory; its history stays. Raises NotFoundError.

        With `version` only that version is removed, or else ConflictError is raised. Of what was
        said (`said`), the turn is erased.
        """
        inputs.check_version_number(version)
        whose = self._whose(user_id, agent_id, run_id)
        async with self._engine.gone.telling(self.tenant, memory_id):
            if is_passage(memory_id):
                await erase_said(self._engine, whose, memory_id, version)
                return
            item = await self._owned.existing(whose, memory_id)
            await self._changes.delete([item], version)

    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> DeleteResult:
        """Remove all memories of a scope and what was said in it; the history stays."""
        scope = self._scope(user_id, agent_id, run_id)
        async with self._engine.gone.telling(scope):
            said = await erase_all_said(self._engine, scope)
            items = await self._store.list(scope, limit=None, statuses=frozenset(MemoryStatus))
            return DeleteResult(deleted=said + await self._changes.delete(items))

    async def forget(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> dict[str, Any]:
        """Erase a memory everywhere: its versions, its history, and the turns it comes from.

        Of what was said the whole turn is erased, with all that was said in it. Returns a receipt
        with counts. Raises NotFoundError, NotForgottenError.
        """
        check_id(memory_id)
        whose = self._whose(user_id, agent_id, run_id)
        # Not looked up first: a deleted or half forgotten memory may have left something to erase.
        receipt = await self._forgetter.forget_ids(whose, [memory_id])
        if receipt.found_nothing:
            raise NotFoundError(f"there is no memory {memory_id!r}")
        return receipt.as_dict()

    async def forget_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> dict[str, Any]:
        """Erase everything of a scope everywhere, including turns that wait to be learned.

        Returns a receipt with counts. Raises NotForgottenError.
        """
        scope = self._scope(user_id, agent_id, run_id)
        return (await self._forgetter.forget_scope(scope)).as_dict()

    async def propose_forget(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = inputs.DEFAULT_PROPOSAL,
        filters: Mapping[str, Any] | None = None,
    ) -> ForgetProposal:
        """The memories about `query`, whatever their status, and a token to confirm the erasure.

        At most `limit` memories, of those that pass the `filters` (as of `search`); nothing is
        erased before `confirm_forget`.
        """
        scope, asked = self._meant(user_id, agent_id, run_id, {"filters": filters})
        check_filled(filters)
        inputs.check_query(query)
        most = inputs.checked_limit(limit)
        return proposal_dict(await self._forgetter.propose(scope, query, most, where=asked.where))

    async def confirm_forget(
        self,
        token: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        keep: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Erase the memories that were proposed for this scope, except the ids in `keep`.

        `token` is that of `propose_forget`. Returns a receipt with counts. Raises
        NotForgottenError.
        """
        scope = self._scope(user_id, agent_id, run_id)
        if not isinstance(token, str):
            raise InvalidInputError("token", "expected text")
        inputs.check_ids("keep", keep)
        return (await self._forgetter.confirm(scope, token, keep=keep)).as_dict()

    async def feedback(
        self,
        memory_id: str,
        feedback: str,
        *,
        reason: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> FeedbackDict:
        """Say that a memory is useful, or wrong or useless: `feedback` is `positive` or `negative`.

        Each call counts. The `reason` is kept in its history. Raises NotFoundError.
        """
        use = inputs.checked_feedback(feedback)
        inputs.check_reason(reason)
        item = await self._owned.existing(self._whose(user_id, agent_id, run_id), memory_id)
        usage = await self._changes.feedback(item, use, self._engine.redact(reason or ""))
        return FeedbackDict(id=item.id, positive=usage.positive, negative=usage.negative)

    async def history(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> list[HistoryDict]:
        """The history of a memory, oldest first; also after it was deleted."""
        whose = self._whose(user_id, agent_id, run_id)
        return history_dicts(await self._owned.history(whose, memory_id))

    async def users(self) -> list[EntityDict]:
        """The users, agents and runs that have memories or said something, by kind and name.

        Reads every memory of the store page by page: for administration, not for each request.
        """
        return await entities_of(self._store, self._engine.said_rows, self._owner)

    async def reset(self) -> None:
        """Remove every memory of the tenant, its history, and the turns that wait to be learned."""
        self._owner.whole_tenant()
        async with self._engine.gone.telling(self.tenant):
            await self._forgetter.forget_tenant(self.tenant)
            await self._store.reset(self.tenant)
            await self._engine.parts.history.reset(self.tenant)

    async def close(self) -> None:
        """Close what `open` opened, unless others use it; a view of an engine closes nothing."""
        if self._lease is not None and self._seen_from is None:
            await self._lease.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()
