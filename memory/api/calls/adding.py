"""The methods of `AsyncMemory` that add memories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from ...model.types import MemoryType, Message
from ..batches import add_all
from ..results import AddResult, BatchResult
from .base import MemoryCalls


class AddingCalls(MemoryCalls):
    """The methods of `AsyncMemory` that add memories."""

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
