"""Topic drift: a conversation that turns to something else is due up to there.

Looked at after the answer, one turn at a time and only as many as there is room for: what is left
out is learned all the same, by one of the other triggers.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import numpy as np

from ..learn import drift_job, drifted
from ..ports import ConversationStore, Embedder, JobQueue
from ..types import Recorded, Turn, Vector
from .loops import guarded

log = logging.getLogger(__name__)

MAX_WAITING = 64
"""Turns that wait to be compared; more means that the process has better things to do."""
TOPIC = 4
"""Turns before one that make its topic. Neighbouring messages alone say little: on LoCoMo 20 % of
them within one session are below the bound, of messages and the mean of four before them 7 %, and
three times as many at the border of two sessions."""


class Drift:
    """Compares each turn with those before."""

    def __init__(
        self,
        conversations: ConversationStore,
        jobs: JobQueue,
        embedder: Embedder,
        *,
        threshold: float,
        max_queued: int,
        on_due: Callable[[], None],
    ) -> None:
        self._conversations = conversations
        self._jobs = jobs
        self._embedder = embedder
        self._threshold = threshold
        self._max_queued = max_queued
        self._on_due = on_due
        self._waiting: asyncio.Queue[tuple[str, int]] = asyncio.Queue(MAX_WAITING)

    def note(self, turn: Turn, recorded: Recorded) -> None:
        """A turn was recorded: it may be compared when there is time."""
        if recorded.pending > TOPIC and not self._waiting.full():
            self._waiting.put_nowait((turn.conversation_id, recorded.seq))

    async def run(self) -> None:
        """Compare what was noted, for ever."""
        while True:
            conversation_id, seq = await self._waiting.get()
            await guarded(lambda c=conversation_id, s=seq: self._compare(c, s))  # type: ignore[misc]

    async def _compare(self, conversation_id: str, seq: int) -> None:
        turns = await self._conversations.turns(conversation_id, seq - 1 - TOPIC, seq)
        texts = [turn.user_text for turn in turns if turn.user_text.strip()]
        if len(turns) != TOPIC + 1 or len(texts) != len(turns):
            return
        *before, now = await self._embedder.embed(texts)
        if not drifted(_mean(before), now, self._threshold):
            return
        job = drift_job(turns)
        if job is None or await self._jobs.depth() >= self._max_queued:
            return
        if await self._jobs.put(job):
            log.info("conversation %s turned to another topic", conversation_id)
            self._on_due()


def _mean(vectors: Sequence[Vector]) -> Vector:
    """The direction of some vectors together."""
    total = np.sum(vectors, axis=0, dtype=np.float32)
    length = float(np.linalg.norm(total))
    return np.asarray(total / length if length else total, np.float32)
