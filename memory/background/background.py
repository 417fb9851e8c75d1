"""The engine's background loops: learning, retention, store maintenance and pruning."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta

from ..forget import Forgetter, Retention
from ..learn import Learner, drift_bound
from ..options import EngineOptions
from ..parts import Parts
from ..ports import ModelSource
from ..tasks import Tasks
from ..types import Recorded, Turn, utc_now
from .drift import Drift
from .learning import Learning, OnRun, unnoticed
from .loops import repeat
from .sessions import Sessions
from .worker import Worker

RETENTION_SECONDS = 600.0
"""Interval between checks for memories that are too old or too many."""
PRUNE_SECONDS = 3600.0
"""Interval between removals of the texts of turns that were learned long ago."""
DRAIN_SECONDS = 10.0
"""Longest time a shutdown continues to learn. Kubernetes kills a pod 30 s after SIGTERM."""


class Background:
    """The loops of one engine. They run only inside `running`."""

    def __init__(
        self,
        parts: Parts,
        learner: Learner,
        forgetter: Forgetter,
        models: ModelSource,
        options: EngineOptions,
        on_run: OnRun = unnoticed,
    ) -> None:
        """`models` finds the model of a job; `on_run` is called after each run of a job."""
        state, learn = parts.state, options.learn
        self._parts = parts
        self._options = options
        self.worker = Worker(state, learner, forgetter, models, learn)
        sessions = Sessions(state.conversations, state.jobs, max_queued=learn.max_queued)
        self.learning = Learning(self.worker, sessions, learn, on_run, shared=state.shared)
        self.retention = Retention(
            parts.store,
            parts.history,
            state.tombstones,
            state.locks,
            forgetter,
            options.retention,
        )
        threshold = learn.drift_threshold
        self._drift = Drift(
            state.conversations,
            state.jobs,
            parts.embedder,
            threshold=drift_bound(parts.calibration) if threshold is None else threshold,
            max_queued=learn.max_queued,
            on_due=self.learning.wake,
        )

    def recorded(self, turn: Turn, recorded: Recorded) -> None:
        """Queue a recorded turn for the topic check."""
        if self._options.learn.drift:
            self._drift.note(turn, recorded)

    async def prune(self) -> int:
        """Remove the texts of turns that were learned long ago; returns how many."""
        days = self._options.state.turn_days
        if days is None:
            return 0
        before = utc_now() - timedelta(days=days)
        return await self._parts.state.conversations.prune(learned_before=before)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the loops; on exit, learning continues for up to `DRAIN_SECONDS`."""
        # With a part missing, a job would pay for a model call whose result cannot be stored.
        learns = self._options.learn.enabled and self._parts.complete
        loops, tidy = Tasks(), self._options.store.maintain_seconds
        async with AsyncExitStack() as stack:
            stack.push_async_callback(self.learning.leave)
            stack.push_async_callback(loops.drain, 0)
            loops.start(repeat(tidy, self._parts.store.maintain), name="store")
            loops.start(repeat(RETENTION_SECONDS, self.retention.run), name="retention")
            loops.start(repeat(PRUNE_SECONDS, self.prune), name="old turns")
            if learns:
                loops.start(self._drift.run(), name="topic drift")
                await self.learning.begin()
                self.learning.start(loops)
                stack.push_async_callback(self.learning.stop, DRAIN_SECONDS)
            yield
