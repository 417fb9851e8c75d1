"""Jobs for unlearned turns that no turn trigger covers: idle conversations, flush and shutdown."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from datetime import timedelta

from ..database.conversations import SqlConversations
from ..database.jobs import SqlJobs
from ..learn import job_for
from ..model.types import Scope
from ..util.clock import CLOCK, Clock


@dataclass(frozen=True, slots=True)
class Sessions:
    """Starts jobs for conversations with unlearned turns."""

    conversations: SqlConversations
    jobs: SqlJobs
    _: KW_ONLY
    max_queued: int
    clock: Clock = CLOCK

    async def enqueue(
        self, reason: str, *, idle_seconds: float = 0, scope: Scope | None = None
    ) -> int:
        """Start a job for each conversation with unlearned turns; returns how many are new.

        Conversations that do not fit in the queue wait for the next call: their turns are kept.
        Raises StateError.
        """
        idle_since = self.clock.now() - timedelta(seconds=idle_seconds) if idle_seconds else None
        turns = await self.conversations.pending(idle_since=idle_since, scope=scope, queued=False)
        room = max(0, self.max_queued - await self.jobs.depth())
        started = 0
        for turn in turns:
            if started >= room:
                break
            started += await self.jobs.put(job_for(turn, turn.seq, reason=reason))
        return started
