"""Memory: AsyncMemory for programs without an event loop.

The parts live on a private event loop. Calling a method from that loop's own thread is an error (it
would wait for itself), and the object does not survive a fork.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, Unpack

from ..engine.options import MemoryOptions
from ..operations.scope import ScopeIds
from ..operations.signatures import takes_ids
from ..tools import ToolSet
from .blocking import BLOCKING_PARTS, methods_of
from .client import AsyncMemory
from .library import library_options, options_for_mem0
from .portal import Portal, blocking

if TYPE_CHECKING:
    from .blocking import Methods
else:
    Methods = object


class BlockingTools:
    """A `ToolSet` for programs without an event loop: `call` blocks."""

    def __init__(self, portal: Portal, tools: ToolSet) -> None:
        self._portal, self._memory = portal, tools
        self.tools, self.names, self.get = tools.tools, tools.names, tools.get
        self.openai, self.openai_responses = tools.openai, tools.openai_responses

    call = blocking(ToolSet.call)


class Memory(Methods):
    """Long-term memory for users, agents and runs of one tenant. Every method blocks.

    `options` are MemoryOptions, or a plain mapping with the keys of the configuration file. With
    `path`, memories are kept in this folder, which is made if it is not there; otherwise, unless
    the options say where, they end with the process. `tenant` separates these memories from those
    of other tenants.

        with Memory(path="memories") as memory:
            memory.add("My name is Ada", user_id="ada")
            found = memory.search("What is she called?", user_id="ada")

    A method whose parameters include `user_id`, `agent_id` and `run_id` needs at least one of them
    and sees the memories that match all that are given. `memory_id` is the id of one memory.

    `add` extracts facts with a model: `learn.llm`, else `llm` of the options. Its `base_url` and
    `api_key` default to OPENAI_BASE_URL and OPENAI_API_KEY of the environment; that key is sent
    only to OpenAI and to the server that OPENAI_BASE_URL names. Nothing else needs the model.

    It can be used from several threads. `close`, or the end of the `with` block, releases
    everything. All that are made with one `path` in a process share it, and need the same options.
    Inside coroutines use `AsyncMemory`, whose methods have the same names.

    Raises, when it is made: ConfigError if an option is wrong; RecollectError if a part cannot be
    opened. From every method: ScopeError and InvalidInputError before anything is done; StoreError,
    StateError, EmbeddingError when a part fails.
    """

    def __init__(
        self,
        options: MemoryOptions | Mapping[str, Any] | None = None,
        *,
        path: str | os.PathLike[str] | None = None,
        tenant: str = "local",
    ) -> None:
        chosen = library_options(options, path)
        folder = chosen.database.file
        self._portal = portal = Portal.enter(folder and folder.resolve())
        try:
            self._memory = portal.call(AsyncMemory.open(chosen, tenant=tenant))
        except BaseException:
            portal.leave()
            raise
        for name, part in BLOCKING_PARTS.items():
            setattr(self, name, part(portal, getattr(self._memory, name)))
        # Nobody else would close one that a cell of a notebook replaces.
        self._end = weakref.finalize(self, portal.leave_after, self._memory.close)
        self._end.atexit = False

    @classmethod
    def from_config(
        cls,
        config: Mapping[str, Any],
        *,
        path: str | os.PathLike[str] | None = None,
        tenant: str = "local",
    ) -> Self:
        """A memory with a configuration of mem0: `llm`, `embedder`, `vector_store`, its prompts.

        `path` and `tenant` are as when it is made by its options. What has no equivalent is
        refused.

        Raises ConfigError, which names each such `config` key and the nearest one.
        """
        options, folder = options_for_mem0(config, path)
        return cls(options, path=folder, tenant=tenant)

    @takes_ids
    def tools(
        self,
        *,
        names: Sequence[str] | None = None,
        validates: bool = False,
        read_only: bool = False,
        **ids: Unpack[ScopeIds],
    ) -> BlockingTools:
        """What an agent may do with a scope on purpose: tools to show a model and to call.

        With `names` only these, with `read_only` none that writes. With `validates` also those
        that need a person's yes: what a model says has come from somebody.

        Raises InvalidInputError for a name that is no tool's.
        """
        chosen = self._memory.tools(names=names, validates=validates, read_only=read_only, **ids)
        return BlockingTools(self._portal, chosen)

    def close(self) -> None:
        """Release everything that no other memory uses, and the thread. Safe to repeat."""
        self._portal.check_thread()
        if self._end.detach() is None:
            return
        try:
            self._portal.call(self._memory.close())
        finally:
            self._portal.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


for _name, _method in methods_of(AsyncMemory).items():
    _method.__module__, _method.__qualname__ = __name__, f"Memory.{_name}"
    setattr(Memory, _name, _method)
