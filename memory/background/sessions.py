"""Jobs for unlearned turns that no turn trigger covers: idle conversations, flush and shutdown."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from ..learn import job_for
from ..ports import ConversationStore, JobQueue
from ..types import Scope, utc_now


class Sessions:
    """Starts jobs for conversations with unlearned turns."""

    def __init__(
        self,
        conversations: ConversationStore,
        jobs: JobQueue,
        *,
        max_queued: int,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._conversations = conversations
        self._jobs = jobs
        self._max_queued = max_queued
        self._clock = clock

    async def enqueue(
        self, reason: str, *, idle_seconds: float = 0, scope: Scope | None = None
    ) -> int:
        """Start a job for each conversation with unlearned turns; returns how many are new.

        Conversations that do not fit in the queue wait for the next call: their turns are kept.
        Raises StateError.
        """
        idle_since = self._clock() - timedelta(seconds=idle_seconds) if idle_seconds else None
        turns = await self._conversations.pending(idle_since=idle_since, scope=scope)
        room = max(0, self._max_queued - await self._jobs.depth())
        started = 0
        for turn in turns:
            if started >= room:
                break
            started += await self._jobs.put(job_for(turn, turn.seq, reason=reason))
        return started
