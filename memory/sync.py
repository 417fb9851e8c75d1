"""Memory: AsyncMemory for programs without an event loop.

Rules that come with it: the parts are built on the private loop and live there; calling a method
from that loop's own thread is an error (it would wait for itself); and the object does not survive
a fork.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from datetime import datetime
from types import TracebackType
from typing import Any, Self, TypeVar

from .client import AsyncMemory
from .inputs import DEFAULT_LIMIT, DEFAULT_PROPOSAL
from .options import MemoryOptions
from .recall import Shown
from .results import (
    AddResult,
    DeleteResult,
    ForgetProposal,
    HistoryDict,
    MemoryDict,
    MemoryResults,
)
from .types import MemoryItem, MemoryStatus, Message

T = TypeVar("T")

OWN_LOOP = "a Memory cannot be called from its own loop; use AsyncMemory inside coroutines"


class Portal:
    """One event loop in a thread of its own, and a way to call into it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._closed = False
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
        # Under the lock, so that nothing is handed to a loop that was told to stop: it would wait
        # for ever.
        with self._gate:
            if self._closed:
                work.close()
                raise RuntimeError("this Memory is closed")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result()

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    def close(self) -> None:
        """Stop the loop and its thread; calls still running are cancelled. Again is no error.

        Raises:
            RuntimeError: called from the loop's own thread.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError(OWN_LOOP)
        with self._gate:
            if not self._closed:
                self._closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        # The loop ends in the thread it lives in: the one that closes it may run a loop of its own.
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()


class Memory:
    """Long-term memory, synchronously; see `AsyncMemory`, whose methods these are.

    with Memory() as memory:
        memory.add("My name is Ada", user_id="ada")
        found = memory.search("What is she called?", user_id="ada")
    """

    def __init__(self, options: MemoryOptions | None = None, *, tenant: str = "local") -> None:
        self._portal = Portal()
        try:
            self._memory = self._portal.call(AsyncMemory.open(options, tenant=tenant))
        except BaseException:
            self._portal.close()
            raise

    def add(
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
        """Remember a conversation."""
        return self._portal.call(
            self._memory.add(
                messages,
                user_id=user_id,
                agent_id=agent_id,
                run_id=run_id,
                metadata=metadata,
                infer=infer,
                prompt=prompt,
                timestamp=timestamp,
            )
        )

    def search(
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
        """The memories that speak to `query`, best first."""
        return self._portal.call(
            self._memory.search(
                query,
                user_id=user_id,
                agent_id=agent_id,
                run_id=run_id,
                limit=limit,
                threshold=threshold,
                status=status,
            )
        )

    def explain(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
    ) -> dict[str, Any]:
        """What a recall of `query` would choose and why."""
        return self._portal.call(
            self._memory.explain(
                query,
                user_id=user_id,
                agent_id=agent_id,
                run_id=run_id,
                reserve_tokens=reserve_tokens,
                show=show,
            )
        )

    def get(self, memory_id: str) -> MemoryDict | None:
        """The memory with this id, or None."""
        return self._portal.call(self._memory.get(memory_id))

    def get_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = DEFAULT_LIMIT,
        status: MemoryStatus | str = MemoryStatus.ACTIVE,
    ) -> MemoryResults:
        """The newest `limit` memories of a scope, newest first."""
        return self._portal.call(
            self._memory.get_all(
                user_id=user_id, agent_id=agent_id, run_id=run_id, limit=limit, status=status
            )
        )

    def update(self, memory_id: str, text: str) -> MemoryDict:
        """Replace a memory's text."""
        return self._portal.call(self._memory.update(memory_id, text))

    def validate(self, memory_id: str) -> MemoryDict:
        """Believe a quarantined memory from now on."""
        return self._portal.call(self._memory.validate(memory_id))

    def delete(self, memory_id: str) -> None:
        """Remove a memory; its history stays."""
        self._portal.call(self._memory.delete(memory_id))

    def delete_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> DeleteResult:
        """Remove every memory of a scope, whatever its status; their history stays."""
        return self._portal.call(
            self._memory.delete_all(user_id=user_id, agent_id=agent_id, run_id=run_id)
        )

    def forget(self, memory_id: str) -> dict[str, Any]:
        """Erase a memory everywhere; the receipt."""
        return self._portal.call(self._memory.forget(memory_id))

    def forget_all(
        self,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> dict[str, Any]:
        """Erase everything of a scope everywhere; the receipt."""
        return self._portal.call(
            self._memory.forget_all(user_id=user_id, agent_id=agent_id, run_id=run_id)
        )

    def propose_forget(
        self,
        query: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        limit: int = DEFAULT_PROPOSAL,
    ) -> ForgetProposal:
        """The memories about a query, and a token that confirms them."""
        return self._portal.call(
            self._memory.propose_forget(
                query, user_id=user_id, agent_id=agent_id, run_id=run_id, limit=limit
            )
        )

    def confirm_forget(
        self,
        token: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
        keep: Sequence[str] = (),
    ) -> dict[str, Any]:
        """Erase what was proposed; the receipt."""
        return self._portal.call(
            self._memory.confirm_forget(
                token, user_id=user_id, agent_id=agent_id, run_id=run_id, keep=keep
            )
        )

    def history(self, memory_id: str) -> list[HistoryDict]:
        """What happened to a memory, oldest first; also after it was deleted."""
        return self._portal.call(self._memory.history(memory_id))

    def reset(self) -> None:
        """Remove every memory of the tenant, its history, and what is still to be learned."""
        self._portal.call(self._memory.reset())

    def close(self) -> None:
        """Release everything, the loop's thread included. Again is no error."""
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
