"""Memory: AsyncMemory for programs without an event loop.

The parts live on a private event loop. Calling a method from that loop's own thread is an error (it
would wait for itself), and the object does not survive a fork.
"""

from __future__ import annotations

import asyncio
import os
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from functools import wraps
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from ..engine.options import MemoryOptions
from ..tools import ToolSet
from ..util.tasks import Tasks
from .blocks import Blocks
from .client import AsyncMemory
from .conversations import Conversations
from .graph import EntityGraph
from .jobs import LearningJobs
from .library import library_options, options_for_mem0
from .procedures import Procedures
from .shares import MemoryShares
from .topics import MemoryTopics
from .upkeep import Upkeep
from .view import CLOSED

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

_OWN = frozenset(each.__name__ for each in AsyncMemory.__mro__)
"""The classes that its methods are written in."""
OWN_LOOP = "a Memory cannot be called from its own loop; use AsyncMemory inside coroutines"


class Portal:
    """An event loop in its own thread, and a way to call into it.

    Memories on the same folder use the same one (`enter`), and the last to leave closes it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = folder
        self._users = 1
        self._ending = Tasks()
        self.closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="recollect-memory", daemon=True)
        self._thread.start()

    @classmethod
    def enter(cls, folder: Path | None) -> Portal:
        """The portal of this process for a folder; without a folder, a new one."""
        if folder is None:
            return cls()
        with _registry:
            portal = _PORTALS.get(folder)
            if portal is None:
                portal = _PORTALS[folder] = cls(folder)
            else:
                portal._users += 1
            return portal

    def leave(self) -> None:
        """Use it no more. Raises as `close`."""
        if self._is_last():
            self.close()

    def leave_after(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Leave once `work` is done. Returns at once, takes no lock, and may be called anywhere."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(
                lambda: self._ending.start(self._left(work), name="end of a memory")
            )

    async def _left(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        finally:
            if self._is_last():
                with self._gate:
                    self.closed = True
                self._loop.stop()

    def _is_last(self) -> bool:
        with _registry:
            self._users -= 1
            if not self._users and self._folder is not None:
                _PORTALS.pop(self._folder, None)
            return not self._users

    def check_thread(self) -> None:
        """Raises RuntimeError in the loop's own thread, which would wait for itself."""
        if threading.current_thread() is self._thread:
            raise RuntimeError(OWN_LOOP)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the loop and return its result.

        Raises:
            RuntimeError: called from the loop's own thread, or after `close`.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError(OWN_LOOP)
        # Under the lock, so that no work is handed to a stopped loop, where it would wait for ever.
        with self._gate:
            if self.closed:
                work.close()
                raise RuntimeError(CLOSED)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result()

    def close(self) -> None:
        """Stop the loop and its thread; running calls are cancelled. Safe to repeat.

        Raises:
            RuntimeError: called from the loop's own thread.
        """
        self.check_thread()
        with self._gate:
            if not self.closed:
                self.closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        # The loop must end in its own thread: the thread that calls `close` may run another loop.
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()


_PORTALS: dict[Path, Portal] = {}
_registry = threading.Lock()


def _forked() -> None:
    """A child has none of its parent's threads."""
    global _registry  # noqa: PLW0603 - another thread of the parent may have held it
    _registry = threading.Lock()
    _PORTALS.clear()


with suppress(AttributeError):  # Windows does not fork
    os.register_at_fork(after_in_child=_forked)


def _blocking(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], T]:
    """A blocking version of `method` with the same signature and docstring.

    It is for a class with the attributes `_portal` and `_memory`, on which `method` is called.
    """

    @wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answer: T = self._portal.call(method(self._memory, *args, **kwargs))
        return answer

    owner, _, name = method.__qualname__.rpartition(".")
    owner = "Memory" if owner in _OWN else owner
    call.__module__, call.__qualname__ = __name__, f"{owner}.{name}"
    return call


class BlockingBlocks:
    """`Blocks` for programs without an event loop: the same methods, and each of them blocks."""

    def __init__(self, portal: Portal, blocks: Blocks) -> None:
        self._portal, self._memory = portal, blocks

    define = _blocking(Blocks.define)
    list = _blocking(Blocks.list)
    get = _blocking(Blocks.get)
    append = _blocking(Blocks.append)
    replace = _blocking(Blocks.replace)
    rewrite = _blocking(Blocks.rewrite)
    delete = _blocking(Blocks.delete)
    history = _blocking(Blocks.history)
    attach = _blocking(Blocks.attach)
    detach = _blocking(Blocks.detach)
    compile = _blocking(Blocks.compile)
    metadata = _blocking(Blocks.metadata)


class BlockingShares:
    """`MemoryShares` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, shares: MemoryShares) -> None:
        self._portal, self._memory = portal, shares

    attach = _blocking(MemoryShares.attach)
    detach = _blocking(MemoryShares.detach)
    of = _blocking(MemoryShares.of)
    list = _blocking(MemoryShares.list)


class BlockingConversations:
    """`Conversations` for programs without an event loop: each of the methods blocks."""

    def __init__(self, portal: Portal, conversations: Conversations) -> None:
        self._portal, self._memory = portal, conversations

    list = _blocking(Conversations.list)
    attributed_for = _blocking(Conversations.attributed_for)
    messages = _blocking(Conversations.messages)
    search = _blocking(Conversations.search)
    erase = _blocking(Conversations.erase)


class BlockingProcedures:
    """`Procedures` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, procedures: Procedures) -> None:
        self._portal, self._memory = portal, procedures

    list = _blocking(Procedures.list)
    get = _blocking(Procedures.get)
    activate = _blocking(Procedures.activate)
    outcome = _blocking(Procedures.outcome)


class BlockingUpkeep:
    """`Upkeep` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, upkeep: Upkeep) -> None:
        self._portal, self._memory = portal, upkeep

    run = _blocking(Upkeep.run)
    list = _blocking(Upkeep.list)
    get = _blocking(Upkeep.get)
    undo = _blocking(Upkeep.undo)


class BlockingGraph:
    """`EntityGraph` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, graph: EntityGraph) -> None:
        self._portal, self._memory = portal, graph

    @property
    def is_on(self) -> bool:
        """Whether there is a graph (`graph.enabled`)."""
        return self._memory.is_on

    entities = _blocking(EntityGraph.entities)
    get = _blocking(EntityGraph.get)
    relations = _blocking(EntityGraph.relations)
    merge = _blocking(EntityGraph.merge)
    merges = _blocking(EntityGraph.merges)
    undo = _blocking(EntityGraph.undo)
    rebuild = _blocking(EntityGraph.rebuild)
    check = _blocking(EntityGraph.check)


class BlockingJobs:
    """`LearningJobs` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, jobs: LearningJobs) -> None:
        self._portal, self._memory = portal, jobs

    list = _blocking(LearningJobs.list)
    retry = _blocking(LearningJobs.retry)


class BlockingTopics:
    """`MemoryTopics` for programs without an event loop: each of the same methods blocks."""

    def __init__(self, portal: Portal, topics: MemoryTopics) -> None:
        self._portal, self._memory = portal, topics

    graph = _blocking(MemoryTopics.graph)
    abstract = _blocking(MemoryTopics.abstract)
    dedupe = _blocking(MemoryTopics.dedupe)


class BlockingTools:
    """A `ToolSet` for programs without an event loop: `call` blocks."""

    def __init__(self, portal: Portal, tools: ToolSet) -> None:
        self._portal, self._memory = portal, tools
        self.tools, self.names, self.get = tools.tools, tools.names, tools.get
        self.openai, self.openai_responses = tools.openai, tools.openai_responses

    call = _blocking(ToolSet.call)


class Memory:
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
        self.blocks = BlockingBlocks(portal, self._memory.blocks)
        self.shares = BlockingShares(portal, self._memory.shares)
        self.procedures = BlockingProcedures(portal, self._memory.procedures)
        self.conversations = BlockingConversations(portal, self._memory.conversations)
        self.upkeep = BlockingUpkeep(portal, self._memory.upkeep)
        self.jobs = BlockingJobs(portal, self._memory.jobs)
        self.graph = BlockingGraph(portal, self._memory.graph)
        self.topics = BlockingTopics(portal, self._memory.topics)
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

    add = _blocking(AsyncMemory.add)
    add_procedure = _blocking(AsyncMemory.add_procedure)
    add_batch = _blocking(AsyncMemory.add_batch)
    search = _blocking(AsyncMemory.search)
    answer = _blocking(AsyncMemory.answer)
    deep_recall = _blocking(AsyncMemory.deep_recall)
    episodes = _blocking(AsyncMemory.episodes)
    explain = _blocking(AsyncMemory.explain)
    get = _blocking(AsyncMemory.get)
    get_all = _blocking(AsyncMemory.get_all)
    count = _blocking(AsyncMemory.count)
    export = _blocking(AsyncMemory.export)
    export_file = _blocking(AsyncMemory.export_file)
    import_file = _blocking(AsyncMemory.import_file)
    delete_by_query = _blocking(AsyncMemory.delete_by_query)
    update = _blocking(AsyncMemory.update)
    validate = _blocking(AsyncMemory.validate)
    invalidate = _blocking(AsyncMemory.invalidate)
    revert = _blocking(AsyncMemory.revert)
    versions = _blocking(AsyncMemory.versions)
    restore = _blocking(AsyncMemory.restore)
    conflicts = _blocking(AsyncMemory.conflicts)
    settle = _blocking(AsyncMemory.settle)
    consolidate = _blocking(AsyncMemory.consolidate)
    delete = _blocking(AsyncMemory.delete)
    delete_all = _blocking(AsyncMemory.delete_all)
    forget = _blocking(AsyncMemory.forget)
    forget_ids = _blocking(AsyncMemory.forget_ids)
    forget_all = _blocking(AsyncMemory.forget_all)
    propose_forget = _blocking(AsyncMemory.propose_forget)
    confirm_forget = _blocking(AsyncMemory.confirm_forget)
    feedback = _blocking(AsyncMemory.feedback)
    history = _blocking(AsyncMemory.history)
    entities = _blocking(AsyncMemory.entities)
    relations = _blocking(AsyncMemory.relations)
    profile = _blocking(AsyncMemory.profile)
    said = _blocking(AsyncMemory.said)
    users = _blocking(AsyncMemory.users)
    stats = _blocking(AsyncMemory.stats)
    usage = _blocking(AsyncMemory.usage)
    state = _blocking(AsyncMemory.state)
    map = _blocking(AsyncMemory.map)
    whynot = _blocking(AsyncMemory.whynot)
    tenants = _blocking(AsyncMemory.tenants)
    reset = _blocking(AsyncMemory.reset)

    def tools(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        names: Sequence[str] | None = None,
        validates: bool = False,
        read_only: bool = False,
    ) -> BlockingTools:
        """What an agent may do with a scope on purpose: tools to show a model and to call.

        With `names` only these, with `read_only` none that writes. With `validates` also those
        that need a person's yes: what a model says has come from somebody.

        Raises InvalidInputError for a name that is no tool's.
        """
        chosen = self._memory.tools(
            user_id=user_id,
            agent_id=agent_id,
            run_id=run_id,
            names=names,
            validates=validates,
            read_only=read_only,
        )
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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
