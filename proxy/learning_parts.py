"""Composing what learns: the same for the proxy and for a worker of its own."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta

from config import Settings
from memory.background.quiet import Quiet, at_once
from memory.background.sessions import Sessions
from memory.background.worker import Worker, WorkerParts
from memory.forget import Forgetter, Retention
from memory.learn import Learner
from memory.llms import MeteredModel, OpenAIChatModel
from memory.ports import ChatModel, Ledger, ModelSource
from memory.trust.redact import Redactor
from memory.types import utc_now

from .backends import Backends
from .learning import Learning, repeat
from .tasks import Tasks
from .telemetry import Telemetry

RETENTION_SECONDS = 600.0
"""How often memories are looked for that are too old or too many."""
PRUNE_SECONDS = 3600.0
"""How often the texts of turns are looked for that were learned long ago."""
DRAIN_SECONDS = 10.0
"""Longest a shutdown goes on learning; a pod is killed 30 s after it was told to stop."""


@dataclass(frozen=True, slots=True)
class LearningParts:
    """What was composed."""

    learning: Learning
    forgetter: Forgetter
    retention: Retention
    redactor: Redactor
    vision: Callable[[str], ChatModel] | None
    prune: Callable[[], Awaitable[object]]
    usable: bool
    """Whether no part is damaged: a job would ask its model, and could keep nothing of it."""


def compose_learning(
    settings: Settings,
    backends: Backends,
    models: ModelSource,
    telemetry: Telemetry,
    stack: AsyncExitStack,
    *,
    redactor: Redactor,
    quiet: Quiet | None = None,
    proposal_key: bytes | None = None,
) -> LearningParts:
    """Nothing runs before `start_learning`. `proposal_key` is for `Forgetter`.

    Learning lets those go first whom `quiet` knows to wait.
    """
    state, options = backends.state, settings.learn
    vision = _vision(settings, state.ledger, stack)
    forgetter = Forgetter(
        backends.store,
        state.conversations,
        state.jobs,
        backends.history,
        state.tombstones,
        embedder=backends.embedder,
        gone=backends.gone,
        key=proposal_key,
    )
    learner = Learner(
        backends.store,
        backends.embedder,
        backends.history,
        guard=forgetter.guard,
        calibration=backends.recaller.calibration,
        options=options,
        redact=lambda text: redactor.redact(text).text,
        vision=vision,
        pause=at_once if quiet is None else quiet.gap,
    )
    worker = Worker(
        WorkerParts(
            learner=learner,
            forgetter=forgetter,
            conversations=state.conversations,
            jobs=state.jobs,
            ledger=state.ledger,
            models=models,
        ),
        options,
    )
    sessions = Sessions(state.conversations, state.jobs, max_queued=options.max_queued)
    learning = Learning(worker, sessions, options, telemetry, shared=state.shared)
    retention = Retention(
        backends.store, backends.history, state.tombstones, forgetter, settings.retention
    )

    async def prune() -> int:
        before = utc_now() - timedelta(days=settings.state.turn_days)
        return await state.conversations.prune(learned_before=before)

    usable = backends.complete
    return LearningParts(learning, forgetter, retention, redactor, vision, prune, usable)


async def start_learning(parts: LearningParts, settings: Settings, stack: AsyncExitStack) -> None:
    """Start the loops; when `stack` is left they learn on for a moment and end then."""
    loops = Tasks()
    learns = settings.learn.enabled and parts.usable
    if learns:
        await parts.learning.begin()
        parts.learning.start(loops)
    loops.start(repeat(RETENTION_SECONDS, parts.retention.run), name="retention")
    loops.start(repeat(PRUNE_SECONDS, parts.prune), name="old turns")
    stack.push_async_callback(loops.drain, 0)
    if learns:
        stack.push_async_callback(parts.learning.stop, DRAIN_SECONDS)


def _vision(
    settings: Settings, ledger: Ledger, stack: AsyncExitStack
) -> Callable[[str], ChatModel] | None:
    """What describes a tenant's pictures, at its expense."""
    if settings.learn.vision is None:
        return None
    model = OpenAIChatModel(settings.learn.vision)
    stack.push_async_callback(model.close)
    budget = settings.learn.daily_tokens
    return lambda tenant: MeteredModel(model, ledger, tenant, daily_tokens=budget)
