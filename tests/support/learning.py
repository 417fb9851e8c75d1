"""Learners and workers of parts that a test chose, wired as the product wires them."""

from __future__ import annotations

from typing import Any

from memory.background.sessions import Sessions
from memory.background.worker import Worker, WorkerParts
from memory.forget import Forgetter
from memory.learn import Learner, LearnOptions
from memory.state.inmemory import (
    InMemoryConversations,
    InMemoryJobs,
    InMemoryLedger,
    InMemoryTombstones,
)
from memory.types import utc_now


def forgetter_of(store: Any, embedder: Any, history: Any, **parts: Any) -> Forgetter:
    return Forgetter(
        store,
        parts.get("conversations") or InMemoryConversations(),
        parts.get("jobs") or InMemoryJobs(),
        history,
        parts.get("tombstones") or InMemoryTombstones(),
        embedder=embedder,
        clock=parts.get("clock", utc_now),
    )


def learner_of(
    store: Any, embedder: Any, history: Any, *, forgetter: Forgetter | None = None, **options: Any
) -> Learner:
    forgetter = forgetter or forgetter_of(store, embedder, history)
    return Learner(store, embedder, history, guard=forgetter.guard, **options)


def worker_of(
    *,
    store: Any,
    embedder: Any,
    history: Any,
    conversations: Any,
    jobs: Any,
    models: Any,
    options: LearnOptions,
    tombstones: Any = None,
    ledger: Any = None,
    clock: Any = utc_now,
    **learner: Any,
) -> Worker:
    forgetter = forgetter_of(
        store,
        embedder,
        history,
        conversations=conversations,
        jobs=jobs,
        tombstones=tombstones,
        clock=clock,
    )
    parts = WorkerParts(
        learner=learner_of(
            store, embedder, history, forgetter=forgetter, options=options, clock=clock, **learner
        ),
        forgetter=forgetter,
        conversations=conversations,
        jobs=jobs,
        ledger=ledger or InMemoryLedger(),
        models=models,
    )
    return Worker(parts, options, clock=clock)


def sessions_of(
    worker_options: LearnOptions, conversations: Any, jobs: Any, **more: Any
) -> Sessions:
    return Sessions(conversations, jobs, max_queued=worker_options.max_queued, **more)
