"""AsyncMemory, the memory library: one method for each thing that a program asks for.

Most methods stand in `calls/`, by what they do.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Self, Unpack

from ..engine.options import MemoryOptions
from ..engine.sharing import lease
from ..model.ports import ChatModel
from ..operations.scope import ScopeIds
from ..operations.signatures import takes_ids
from ..operations.tooling import Bound
from ..records.events import Subscription
from ..tools import ToolSet, offered
from .calls.batching import BatchingCalls
from .calls.changing import ChangingCalls
from .calls.finding import FindingCalls
from .calls.judging import JudgingCalls
from .calls.moving import MovingCalls
from .calls.overseeing import OverseeingCalls
from .calls.removing import RemovingCalls
from .calls.reviewing import ReviewingCalls
from .calls.searching import SearchingCalls
from .library import library_engine, library_options, options_for_mem0
from .searching import lines_of
from .sifting import sifted


class AsyncMemory(
    BatchingCalls,
    FindingCalls,
    ChangingCalls,
    JudgingCalls,
    MovingCalls,
    OverseeingCalls,
    RemovingCalls,
    ReviewingCalls,
    SearchingCalls,
):
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
        if chosen.database.file is not None:
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
        """A view of another tenant, with its own model if given.

        Raises InvalidInputError if `model` is none, such as a name.
        """
        self._view.owner.whole_tenant()
        view = AsyncMemory(self._engine, tenant=tenant, model=model)
        view._view.lease, view._seen_from = self._view.lease, self
        return view

    @takes_ids
    def subscribe(self, **ids: Unpack[ScopeIds]) -> Subscription:
        """The changes of memories from now on, of a scope or of the whole tenant.

            async for change in memory.subscribe(user_id="ada"):
                print(change["event"], change.get("memory"))

        `event` is one of the history (`ADD`, `UPDATE`, …), `FORGET` for a memory that was erased,
        or `GAP` if over a thousand changes, or a megabyte of text, waited and `missed` of them were
        dropped. Only changes that this process makes are told, each after it was written, at least
        once; of a memory that was forgotten before its change is read, without a text.
        """
        return self._engine.feed.subscribe(self._view.owner_ref(**ids))

    @takes_ids
    def tools(
        self,
        *,
        names: Sequence[str] | None = None,
        validates: bool = False,
        read_only: bool = False,
        **ids: Unpack[ScopeIds],
    ) -> ToolSet:
        """What an agent may do with a scope on purpose: tools to show a model and to call.

        With `names` only these, with `read_only` none that writes. With `validates` also those
        that need a person's yes: what a model says has come from somebody.

        Raises InvalidInputError for a name that is no tool's.
        """
        scope = self._view.scope(**ids)
        chosen = offered(names, validates=validates, read_only=read_only, has_model=self.has_model)
        lines = partial(lines_of, self._view, scope)
        sift = partial(sifted, self._view.engine, scope)
        return ToolSet(chosen, Bound(self, scope.ids(), lines, validates, sift))

    async def close(self) -> None:
        """Close what `open` opened, unless others use it; a view of an engine closes nothing."""
        if self._view.lease is not None and self._seen_from is None:
            await self._view.lease.release()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
