"""Memory: AsyncMemory for programs without an event loop.

The parts live on a private event loop. Calling a method from that loop's own thread is an error (it
would wait for itself), and the object does not survive a fork.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from .client import AsyncMemory
from .options import MemoryOptions

P = ParamSpec("P")
T = TypeVar("T")

OWN_LOOP = "a Memory cannot be called from its own loop; use AsyncMemory inside coroutines"


class Portal:
    """An event loop in its own thread, and a way to call into it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self.closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="recollect-memory", daemon=True)
        self._thread.start()

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
                raise RuntimeError("this Memory is closed")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result()

    def close(self) -> None:
        """Stop the loop and its thread; running calls are cancelled. Safe to repeat.

        Raises:
            RuntimeError: called from the loop's own thread.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError(OWN_LOOP)
        with self._gate:
            if not self.closed:
                self.closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        # The loop must end in its own thread: the thread that calls `close` may run another loop.
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()


def _blocking(
    method: Callable[Concatenate[AsyncMemory, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Memory, P], T]:
    """A blocking version of `method` with the same signature and docstring."""

    @wraps(method)
    def call(self: Memory, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._portal.call(method(self._memory, *args, **kwargs))

    call.__module__, call.__qualname__ = __name__, f"Memory.{method.__name__}"
    return call


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
    everything. Inside coroutines use `AsyncMemory`, whose methods have the same names.

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
        self._portal = Portal()
        try:
            self._memory = self._portal.call(AsyncMemory.open(options, path=path, tenant=tenant))
        except BaseException:
            self._portal.close()
            raise

    add = _blocking(AsyncMemory.add)
    add_procedure = _blocking(AsyncMemory.add_procedure)
    add_batch = _blocking(AsyncMemory.add_batch)
    search = _blocking(AsyncMemory.search)
    answer = _blocking(AsyncMemory.answer)
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
    restore = _blocking(AsyncMemory.restore)
    delete = _blocking(AsyncMemory.delete)
    delete_all = _blocking(AsyncMemory.delete_all)
    forget = _blocking(AsyncMemory.forget)
    forget_all = _blocking(AsyncMemory.forget_all)
    propose_forget = _blocking(AsyncMemory.propose_forget)
    confirm_forget = _blocking(AsyncMemory.confirm_forget)
    feedback = _blocking(AsyncMemory.feedback)
    history = _blocking(AsyncMemory.history)
    profile = _blocking(AsyncMemory.profile)
    said = _blocking(AsyncMemory.said)
    users = _blocking(AsyncMemory.users)
    reset = _blocking(AsyncMemory.reset)

    def close(self) -> None:
        """Release everything, including the loop's thread. Safe to repeat."""
        if self._portal.closed:
            return
        try:
            self._portal.call(self._memory.close())
        finally:
            self._portal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
