"""AsyncMemory, the memory library: one method for each thing that a program asks for.

The methods check who is meant and hand the work to the delegates beside this file.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from types import TracebackType
from typing import Any, Self, Unpack

from ..engine.engine import Engine
from ..engine.options import MemoryOptions
from ..engine.sharing import lease
from ..model import inputs
from ..model.errors import NotFoundError
from ..model.owner import Owner
from ..model.ports import ChatModel
from ..model.streaming import OnText
from ..model.types import MemoryItem, MemoryType, Message, Scope, utc_now
from ..query import check_filled
from ..query.arguments import QueryArguments
from ..recall import FusionDict, Shown
from ..records.events import Subscription
from ..records.lookup import check_id
from ..tools.surface import Bound
from ..tools.table import offered
from ..tools.toolset import ToolSet
from ..transfer import EmbedWhen, ImportedDict, OnError, Seals
from .about_user import Profile, SaidResults, profile_of, said_of
from .adding import Adder
from .batches import add_all
from .blocks import Blocks
from .changes import Amendment, Changes
from .conflicts import conflicts_in
from .conversations import Conversations
from .curating import Curator
from .deep_recall import DeepBounds, DeepRecallDict, bounds_of, deep_recall
from .economics import DEFAULT_DAYS, StatsResults, checked_days, stats_of
from .episodes import EpisodeBounds, EpisodeResults, Episodes
from .files import ExportedDict, export_lines, import_file, import_options, write_file
from .library import library_engine, library_options, options_for_mem0
from .procedures import Procedures
from .removing import Remover
from .results import (
    AddResult,
    AnswerDict,
    BatchResult,
    ConflictResults,
    CountDict,
    DeletedByQuery,
    DeleteResult,
    FeedbackDict,
    ForgetProposal,
    HistoryDict,
    MemoryDict,
    MemoryResults,
    history_dicts,
    memory_dict,
    proposal_dict,
)
from .searching import Searcher
from .shares import MemoryShares
from .upkeep import DEFAULT_WAIT, Upkeep, UpkeepResults
from .usage_counts import with_usage
from .users import EntityDict, entities_of
from .view import TenantView


class AsyncMemory:
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
        is a view of that user: naming another one raises ForbiddenError, and other users' memories
        do not exist.
        """
        self.tenant = tenant
        self._engine = engine
        self._view = TenantView(engine, Owner(tenant, only_user), model)
        self._store = engine.parts.store
        self._lookup = engine.lookup
        self._changes = Changes(engine.parts, guard=engine.forgetter.guard)
        self._adder = Adder(self._view)
        self._searcher = Searcher(self._view)
        self._remover = Remover(self._view, self._changes)
        self._episodes = Episodes(self._view)
        self.shares = MemoryShares(self._view)
        """The memories that are shown to other scopes than their own."""
        self._curator = Curator(self._view)
        self.blocks = Blocks(self._view)
        """The working blocks: named texts that are always in the prompt."""
        self.conversations = Conversations(self._view)
        """What was said, conversation by conversation: to list, read, search and erase."""
        self.procedures = Procedures(self._view, self._changes, self._searcher)
        """How tasks are done, as `add_procedure` learned it, and how that went afterwards."""
        self.upkeep = Upkeep(self._view)
        """What looks after memories: run it now, read what it did, and take that back."""
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
        memory._view.lease = leased
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
        self._view.owner.whole_tenant()
        view = AsyncMemory(self._engine, tenant=tenant, model=model)
        view._view.lease, view._seen_from = self._view.lease, self
        return view

    async def add(
        self,
        messages: str | Mapping[str, Any] | Sequence[Mapping[str, Any] | Message],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        infer: bool = True,
        dedupe: bool = True,
        prompt: str | None = None,
        includes: str | None = None,
        excludes: str | None = None,
        filters: Mapping[str, Any] | None = None,
        timestamp: datetime | None = None,
        type: MemoryType | str | None = None,  # noqa: A002 - the field's name
        importance: float | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - of what the model does, not of the write
    ) -> AddResult:
        """Remember a conversation.

        `messages` is a text of the user, a message, or a list of messages (`role`, `content`). With
        `infer` a model extracts facts and each is reconciled with known memories; without it each
        message is stored as it is, unless the scope has its text already and `dedupe` is on;
        `skipped` lists the messages that are not stored. `metadata` is kept with each new memory,
        without secrets. `prompt` replaces the extraction instructions, `includes` and `excludes`
        say which facts are wanted. Ids may also stand in `filters`, as of a search; nothing else
        may. `timestamp` is when the messages were said (default: now). `type` and `importance` (0
        to 1) are those of every new memory; by default the model says.

        `timeout` is the longest time in seconds for extracting facts, however often the model is
        asked (default: `learn.add_seconds`); a write that has begun is finished. Without `infer`
        there is nothing to wait for.

        Raises, and stores nothing: AddTimeoutError if the time is over; ModelError if the model
        fails; ExtractionError if nothing that it answers can be read; ConfigError if the model of
        `AsyncMemory.open` or `Memory` needs a key and has none.
        """
        return await self._adder.add(
            self._view.named(user_id, agent_id, run_id, filters), messages, metadata=metadata,
            infer=infer, dedupe=dedupe, prompt=prompt, includes=includes, excludes=excludes,
            timestamp=timestamp, type=type, importance=importance, timeout=timeout,
        )  # fmt: skip

    async def add_batch(
        self, requests: Sequence[Mapping[str, Any]], *, concurrency: int = 5
    ) -> BatchResult:
        """Call `add` for each of `requests`, at most `concurrency` at a time.

        A request holds the arguments of `add`: `messages`, the ids of the scope, and so on. One
        that fails has an `error` in the result and stops no other.
        """
        return await add_all(self.add, requests, concurrency=concurrency)

    async def add_procedure(
        self,
        messages: Sequence[Mapping[str, Any] | Message],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        metadata: Mapping[str, Any] | None = None,
        success: str | None = None,
        prompt: str | None = None,
        timestamp: datetime | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - of what the model does, not of the write
    ) -> AddResult:
        """Remember how something is done, from the messages of an agent's successful run.

        `messages` have the calls of tools (`tool_calls`) and their results (role `tool`). The
        memory is the procedure without the values of this run. Its metadata is `metadata` and
        `run`, the record, word for word but for secrets: `request`, `steps`, `answer`; `success`
        says how one knows that it is done (see `procedures`). A procedure is quarantined
        until `validate`. A run that failed or has fewer than two steps teaches nothing: `rejected`.
        `prompt` replaces the instructions, `timestamp` is when it ran (default: now). `timeout`
        and what is raised are as of `add`.
        """
        return await self._adder.add_procedure(
            self._scope(user_id, agent_id, run_id),
            messages,
            metadata=metadata,
            success=success,
            prompt=prompt,
            timestamp=timestamp,
            timeout=timeout,
        )

    async def search(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = None,
        multi_query: Sequence[str] | int = (),
        hyde: Sequence[str] | bool = (),
        fusion: FusionDict | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The memories relevant to `query`, best first, by meaning, words, names and time.

        At most `limit` (or `top_k`; default 100) of those that `which` describes. `score` says how
        sure it is that a memory answers, from 0 to 1, and never rises from one result to the next;
        about 0.5 and more is what a chat would get. `similarity` is the cosine to the query. With
        `threshold` no memory
        of a lower score. `multi_query` are other wordings of the query, or how many the model makes
        (at most 5); `hyde` possible answers to it, or True for one by the model, which are searched
        for by meaning only. `fusion` weighs the signals. If there are more, `next` is the `cursor`
        of the next page, which repeats nothing, also while others write; pages end after 500. If
        other processes write to the store, their writes of the last seconds may be missing.
        """
        return await self._searcher.search(
            *self._view.meant(user_id, agent_id, run_id, which),
            query,
            multi_query=multi_query,
            hyde=hyde,
            fusion=fusion,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            threshold=threshold,
            cursor=cursor,
        )

    async def answer(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        threshold: float | None = 0.2,
        grounded: bool = True,
        conversation: Sequence[Mapping[str, Any]] = (),
        on_text: OnText | None = None,
        hearsay: bool = False,
        **which: Unpack[QueryArguments],
    ) -> AnswerDict:
        """Answer a `question` from the memories that a search for it finds.

        They are at most `limit` (or `top_k`; default 10) of those that `which` describes, with a
        score of at least `threshold`. `citations` are the memories that the answer follows from. If
        they do not support one, or it has a number that stands in none of them, `answer` is None
        and `reason` says why; with `grounded` false the model answers all the same. Without
        memories no model is asked. The question is understood in the `conversation` before it.
        `on_text` is told the answer while the model writes it: it may end as None all the same.
        With `hearsay` it may also stand on what the assistant said in
        earlier conversations: such a citation begins with "The assistant said".

        Raises ModelError and ExtractionError if the model fails, ConfigError if it needs a key.
        """
        return await self._searcher.answer(
            *self._view.meant(user_id, agent_id, run_id, which),
            question,
            limit=inputs.most(limit, top_k, inputs.DEFAULT_ANSWERED),
            threshold=threshold,
            grounded=grounded,
            conversation=conversation,
            on_text=on_text,
            hearsay=hearsay,
        )

    @property
    def has_model(self) -> bool:
        """Whether a model was chosen: tools that ask one are offered only then."""
        return self._view.has_model

    async def deep_recall(
        self,
        question: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **bounds: Unpack[DeepBounds],
    ) -> DeepRecallDict:
        """Search for `question`, and for what is missing, until what is found answers it.

        A simple look-up is one search, without a model. Otherwise a model judges what was found
        and says what to search for next; `bounds` are at most 5 `rounds` (default 3), and the most
        `tokens` and `seconds` in all. If nothing says that the memories are enough, `abstained` is
        true and `reason` says why: also if the model fails. Raises ConfigError if it needs a key.
        """
        scope = self._scope(user_id, agent_id, run_id)
        return await deep_recall(self._view, scope, question, bounds_of(**bounds))

    async def episodes(
        self,
        query: str | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[EpisodeBounds],
    ) -> EpisodeResults:
        """The episodes that `which` describes; of an agent's user also those of no agent.

        With a `query` those that fit it, best first: `score` is the product of recency, relevance
        and importance (`signals`). Without one all, newest first, a page at a time.
        """
        return await self._episodes.find(self._scope(user_id, agent_id, run_id), query, **which)

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
        item = await self.shares.find(self._view.owner_ref(user_id, agent_id, run_id), memory_id)
        return (await with_usage(self._engine.parts.state.usage, [item]))[0] if item else None

    async def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        top_k: int | None = None,
        cursor: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """The newest memories of a scope that `which` describes, newest first.

        At most `limit` (or `top_k`; default 100). If there are more, `next` is the `cursor` of the
        next page. Memories that are added or removed meanwhile shift nothing.
        """
        return await self._searcher.get_all(
            *self._view.meant(user_id, agent_id, run_id, which),
            limit=inputs.most(limit, top_k, inputs.DEFAULT_LIMIT),
            cursor=cursor,
        )

    async def count(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> CountDict:
        """How many memories of a scope `which` describes."""
        return await self._searcher.count(*self._view.meant(user_id, agent_id, run_id, which))

    async def profile(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> Profile:
        """The standing profile of a scope: constraints, wishes, who and where the user is.

        Each line is a memory, or what the user said, and names it.
        """
        return await profile_of(self._engine, self._scope(user_id, agent_id, run_id))

    async def said(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = inputs.DEFAULT_LIMIT,
    ) -> SaidResults:
        """The newest `limit` statements of a scope's user that are no memory yet.

        `delete` takes the ids; it erases the turn.
        """
        scope = self._scope(user_id, agent_id, run_id)
        return await said_of(self._engine, scope, inputs.checked_limit(limit))

    async def history(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> list[HistoryDict]:
        """The history of a memory, oldest first; also after it was deleted."""
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return history_dicts(await self._lookup.history(owner_ref, memory_id))

    async def users(self) -> list[EntityDict]:
        """The users, agents and runs that have memories or said something, by kind and name.

        Reads every memory of the store page by page: for administration, not for each request.
        """
        return await entities_of(self._store, self._engine.said_rows, self._view.owner)

    def subscribe(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> Subscription:
        """The changes of memories from now on, of a scope or of the whole tenant.

            async for change in memory.subscribe(user_id="ada"):
                print(change["event"], change.get("memory"))

        `event` is one of the history (`ADD`, `UPDATE`, …), `FORGET` for a memory that was erased,
        or `GAP` if over a thousand changes, or a megabyte of text, waited and `missed` of them were
        dropped. Only changes that this process makes are told, each after it was written, at least
        once; of a memory that was forgotten before its change is read, without a text.
        """
        return self._engine.feed.subscribe(self._view.owner_ref(user_id, agent_id, run_id))

    async def export(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        **which: Unpack[QueryArguments],
    ) -> MemoryResults:
        """All memories of a scope that `which` describes, newest first, at once.

        For more than fit the memory of a process, read page by page with `get_all`.
        """
        return await self._searcher.export(*self._view.meant(user_id, agent_id, run_id, which))

    async def export_lines(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        after: str | None = None,
        vectors: bool = True,
        key: bytes | None = None,
    ) -> AsyncIterator[bytes]:
        """The lines of an export, some at a time; without ids those of the whole tenant.

        See `export_file`. With `after` only rows with an id greater than that.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        async for data in export_lines(
            self._engine, owner_ref, Seals(self.tenant, key), after=after, vectors=vectors
        ):
            yield data

    async def export_file(
        self,
        path: str | os.PathLike[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        vectors: bool = True,
        key: bytes | None = None,
    ) -> ExportedDict:
        """Write all memories of a scope, or of the tenant if no id is given, to a file of lines.

        Memories of every status are in it, with earlier versions, history and, with `vectors`,
        vectors. `path` gets the file once it is whole; only its owner can read it. An import with
        the same `key` knows the lines again: they keep their ids and are not judged again.

        Raises OSError if the file cannot be written.
        """
        lines = self.export_lines(
            user_id=user_id, agent_id=agent_id, run_id=run_id, vectors=vectors, key=key
        )
        return await write_file(path, lines)

    async def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        keep_ids: bool = False,
        embed: EmbedWhen | str = EmbedWhen.MISSING,
        on_error: OnError | str = OnError.STOP,
        key: bytes | None = None,
    ) -> ImportedDict:
        """Import a file of `export_file`; with ids only memories of that scope are accepted.

        Importing `path` again changes nothing, so a run that was interrupted is simply repeated.
        Rows that are here in the same or a later version stay; what was forgotten or deleted here
        stays so. Lines that another installation wrote (with another `key`) get new ids, unless
        `keep_ids`, and their texts are redacted and judged as those of `add`. `embed` says which
        texts are embedded: `missing` (those without a vector of this embedder), `never` or
        `always`. With `on_error` `skip` a line that cannot be read is left out; with `stop` it ends
        the import, and what stands before it is kept.

        Raises InvalidInputError, which names line and field; OSError if the file cannot be read.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        how = import_options(keep_ids=keep_ids, embed=embed, on_error=on_error)
        return await import_file(self._engine, path, owner_ref, Seals(self.tenant, key), how)

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
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        async with self._engine.bus.announce_after(self.tenant, memory_id):
            item, permit = await self.shares.changeable(owner_ref, memory_id)
            redacted = await self._engine.bulk.run(
                item.scope, lambda: self._engine.redact(text) if text else None
            )
            clean = await self._view.clean(item.scope, metadata) if metadata else metadata
            amendment = Amendment(redacted, clean, importance)
            changed = await self._changes.amend(item, amendment, version, permit)
            return self.shares.shown(owner_ref, changed)

    async def validate(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Make a quarantined memory active. Raises NotFoundError."""
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        item = await self._lookup.existing(owner_ref, memory_id)
        return memory_dict(await self._changes.validate(item))

    async def invalidate(
        self,
        memory_id: str,
        *,
        reason: str | None = None,
        valid_to: datetime | str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        version: int | str | None = None,
    ) -> MemoryDict:
        """Say that a memory is not true, or since `valid_to` (ISO 8601 or `datetime`) not any more.

        It leaves every recall and stays listed as superseded, with the `reason`; `revert` brings it
        back with its links. Without `valid_to` nobody is told that it ever was true. What users
        said before in the same words is left aside; who says it again is believed. `version` is
        as of `update`. Raises as `update`.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return await self._curator.invalidate(
            owner_ref, memory_id, reason=reason, valid_to=valid_to, version=version
        )

    async def revert(
        self,
        memory_id: str,
        to: int | None = None,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        version: int | str | None = None,
    ) -> MemoryDict:
        """Take a memory back `to` an earlier version (its number), or undo what was changed last.

        What was changed last is that it ended (by `invalidate`, `settle` or a later statement) or
        was archived, else its last edit. It has the text, metadata, importance and times of then,
        so it never looks newer; what it was until now is kept as a version too. `version` is as of
        `update`. Raises as `update`, and InvalidInputError if there is nothing to return to.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return await self._curator.revert(owner_ref, memory_id, to=to, version=version)

    async def versions(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryResults:
        """What a memory was before each edit, newest first: what `revert` can return to.

        `provenance.ended` says of one that was taken back that it was. Raises NotFoundError.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return await self._curator.versions(owner_ref, memory_id)

    async def restore(
        self,
        memory_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Take a memory out of the archive, or undo that it was superseded. Raises NotFoundError.

        It is active again, or quarantined if it was, beside what superseded it; an earlier version
        is a memory of its own. Anything else cannot be restored: InvalidInputError.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        return await self._curator.restore(owner_ref, memory_id)

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
        """Say that a memory is useful, or wrong or useless.

        `feedback` is `positive`, `negative`, or `very_negative`, which counts as three. Each call
        counts: the memory ranks a little higher or lower, and the archive takes it later or sooner;
        none is left out of a recall for it. The `reason` is kept in its history. Only the owner's
        feedback reaches a memory, not that of a scope that it is shared with. Raises NotFoundError.
        """
        told = inputs.checked_feedback(feedback)
        inputs.check_reason(reason)
        item = await self._lookup.existing(
            self._view.owner_ref(user_id, agent_id, run_id), memory_id
        )
        usage = await self._changes.feedback(item, told, self._engine.redact(reason or ""))
        self._engine.recaller.indexes.note_usage(item.scope, {item.id: usage})
        return FeedbackDict(
            id=item.id,
            positive=usage.positive,
            negative=usage.negative,
            standing=round(usage.standing, 4),
        )

    async def conflicts(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> ConflictResults:
        """The memories that wait for a judgement. Raises ScopeError without ids, and StoreError."""
        return await conflicts_in(self._store, self._scope(user_id, agent_id, run_id))

    async def settle(
        self,
        memory_id: str,
        *,
        replaces: Sequence[str] = (),
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> MemoryDict:
        """Say that a memory replaces those in `replaces`, and stays beside others of its matter.

        What is replaced is superseded; `restore` undoes that. Raises NotFoundError, and
        InvalidInputError for memories of another scope or that do not hold.
        """
        inputs.check_ids("replaces", replaces)
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        item = await self._lookup.existing(owner_ref, memory_id)
        names = [name for name in dict.fromkeys(replaces) if name != memory_id]
        others = [await self._lookup.existing(owner_ref, name) for name in names]
        return memory_dict(await self._changes.settle(item, others))

    async def consolidate(
        self,
        *,
        dry_run: bool = False,
        wait: float = DEFAULT_WAIT,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> UpkeepResults:
        """Merge duplicates, sum topics up, archive the unused; `upkeep.undo` takes it back.

        `dry_run` and `wait` are as of `upkeep.run`.
        """
        return await self.upkeep.run(
            "consolidate", dry_run=dry_run, wait=wait, user_id=user_id, agent_id=agent_id,
            run_id=run_id,
        )  # fmt: skip

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
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        await self._remover.remove(owner_ref, memory_id, version)

    async def delete_all(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> DeleteResult:
        """Remove all memories of a scope and what was said in it; the history stays."""
        scope = self._scope(user_id, agent_id, run_id)
        return DeleteResult(deleted=await self._remover.remove_all(scope))

    async def delete_by_query(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        dry_run: bool = False,
        erase: bool = False,
        **which: Unpack[QueryArguments],
    ) -> DeletedByQuery:
        """Remove the memories of a scope that `which` describes; their history stays.

        With `erase` they are erased everywhere, as by `forget`; of what was said the turns always
        are, with all that was said in them. With `dry_run` nothing is removed,
        and the result is what would be. Something must be asked for besides the scope and a status;
        `delete_all` is for the whole scope. At most 10,000 memories.
        """
        return await self._remover.remove_described(
            *self._view.meant(user_id, agent_id, run_id, which),
            filters=which.get("filters"),
            dry_run=dry_run,
            erase=erase,
        )

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
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        # Not looked up first: a deleted or half forgotten memory may have left something to erase.
        receipt = await self._engine.forgetter.forget_ids(owner_ref, [memory_id])
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
        return (await self._engine.forgetter.forget_scope(scope)).as_dict()

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
        scope, asked = self._view.meant(user_id, agent_id, run_id, {"filters": filters})
        check_filled(filters)
        inputs.check_query(query)
        most = inputs.checked_limit(limit)
        return proposal_dict(
            await self._engine.forgetter.propose(scope, query, most, where=asked.where)
        )

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
        inputs.check_token(token)
        inputs.check_ids("keep", keep)
        return (await self._engine.forgetter.confirm(scope, token, keep=keep)).as_dict()

    async def stats(self, days: int = DEFAULT_DAYS) -> StatsResults:
        """What memory took and gave in each of the last `days` (UTC), at most 62, and in all.

        Raises InvalidInputError.
        """
        self._view.owner.whole_tenant()
        checked_days(days)
        await self._engine.meter.flush()
        return await stats_of(self._engine.parts.state, self.tenant, days, now=utc_now())

    def tools(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        names: Sequence[str] | None = None,
        validates: bool = False,
        read_only: bool = False,
    ) -> ToolSet:
        """What an agent may do with a scope on purpose: tools to show a model and to call.

        With `names` only these, with `read_only` none that writes. With `validates` also those
        that need a person's yes: what a model says has come from somebody.

        Raises InvalidInputError for a name that is no tool's.
        """
        scope = self._scope(user_id, agent_id, run_id)
        chosen = offered(names, validates=validates, read_only=read_only, has_model=self.has_model)
        return ToolSet(chosen, Bound(self, scope.ids(), validates))

    async def reset(self) -> None:
        """Remove every memory of the tenant, its history, and the turns that wait to be learned."""
        self._view.owner.whole_tenant()
        async with self._engine.bus.announce_after(self.tenant):
            await self._engine.forgetter.forget_tenant(self.tenant)
            await self._store.reset(self.tenant)
            await self._engine.parts.history.reset(self.tenant)

    async def close(self) -> None:
        """Close what `open` opened, unless others use it; a view of an engine closes nothing."""
        if self._view.lease is not None and self._seen_from is None:
            await self._view.lease.release()

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
        return self._view.scope(user_id, agent_id, run_id)
