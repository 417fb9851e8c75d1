"""Topic drift: when the topic of a conversation changes, the turns before the change are learned.

Turns are checked after the answer, one at a time, from a bounded queue. Turns that do not fit are
not checked; another trigger learns them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field

import numpy as np

from ..database.conversations import SqlConversations
from ..database.jobs import SqlJobs
from ..learn import drift_job, drifted
from ..model.daily_sums import PAYER, Payer
from ..model.ports import Embedder
from ..model.types import Recorded, Turn, Vector
from ..util.loops import guarded

log = logging.getLogger(__name__)

MAX_WAITING = 64
"""Most turns that wait for the check; further ones are skipped, because the process is busy."""
TOPIC = 4
"""Earlier turns whose mean is the topic. Comparing with a single turn is too noisy: on LoCoMo 20 %
of neighbouring messages within one session are below the bound, against 7 % with the mean of four,
and three times as many at the border of two sessions."""


@dataclass(frozen=True, slots=True)
class Drift:
    """Compares each turn with the turns before it."""

    conversations: SqlConversations
    jobs: SqlJobs
    embedder: Embedder
    _: KW_ONLY
    threshold: float
    max_queued: int
    on_due: Callable[[], None]
    waiting: asyncio.Queue[tuple[str, int]] = field(
        init=False, default_factory=lambda: asyncio.Queue(MAX_WAITING)
    )

    def note(self, turn: Turn, recorded: Recorded) -> None:
        """Queue a recorded turn for comparison, if there is room."""
        if recorded.pending > TOPIC and not self.waiting.full():
            self.waiting.put_nowait((turn.conversation_id, recorded.seq))

    async def run(self) -> None:
        """Compare queued turns until cancelled."""
        while True:
            conversation_id, seq = await self.waiting.get()
            await guarded(lambda c=conversation_id, s=seq: self._compare(c, s))  # type: ignore[misc]

    async def _compare(self, conversation_id: str, seq: int) -> None:
        turns = await self.conversations.turns(conversation_id, seq - 1 - TOPIC, seq)
        texts = [turn.user_text for turn in turns if turn.user_text.strip()]
        if len(turns) != TOPIC + 1 or len(texts) != len(turns):
            return
        PAYER.set(Payer(turns[0].scope.tenant))
        *before, now = await self.embedder.embed(texts)
        if not drifted(_mean(before), now, self.threshold):
            return
        job = drift_job(turns)
        if job is None or await self.jobs.depth() >= self.max_queued:
            return
        if await self.jobs.put(job):
            log.info("conversation %s turned to another topic", conversation_id)
            self.on_due()


def _mean(vectors: Sequence[Vector]) -> Vector:
    """The normalised mean."""
    total = np.sum(vectors, axis=0, dtype=np.float32)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total, np.float32)
