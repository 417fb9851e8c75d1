"""Learners and workers of parts that a test chose, wired as the product wires them."""

from __future__ import annotations

from typing import Any

from recollect.memory.forget import Forgetter
from recollect.memory.jobs.sessions import Sessions
from recollect.memory.jobs.worker import Worker
from recollect.memory.learn import Learner, LearnOptions
from recollect.memory.model.types import utc_now
from recollect.memory.util.clock import CLOCK, Clock

from .parts import parts_of
from .unsaid import NothingSaid


def forgetter_of(
    store: Any, embedder: Any, history: Any, *, clock: Any = utc_now, **parts: Any
) -> Forgetter:
    chosen = parts_of(store=store, embedder=embedder, history=history, **parts)
    return Forgetter(chosen, heard=NothingSaid(), clock=clock)


def learner_of(
    store: Any,
    embedder: Any,
    history: Any,
    *,
    forgetter: Forgetter | None = None,
    calibration: Any = None,
    **options: Any,
) -> Learner:
    chosen = {"store": store, "embedder": embedder, "history": history, "calibration": calibration}
    if forgetter is not None:
        # What was forgotten is known where the forgetter keeps it.
        chosen["writer"] = forgetter._writer
    parts = parts_of(**chosen)
    forgetter = forgetter or Forgetter(parts, heard=NothingSaid())
    return Learner(parts, guard=forgetter.guard, **options)


def worker_of(
    *, models: Any, options: LearnOptions, clock: Clock = CLOCK, learner: Any = None, **parts: Any
) -> Worker:
    """`learner` are further options of the learner."""
    chosen = parts_of(**parts)
    now, more = clock.now, learner or {}
    forgetter = Forgetter(chosen, heard=NothingSaid(), clock=now)
    learns = Learner(chosen, guard=forgetter.guard, options=options, clock=now, **more)
    return Worker(chosen, learns, models, options, clock=clock)


def sessions_of(
    worker_options: LearnOptions, conversations: Any, jobs: Any, **more: Any
) -> Sessions:
    return Sessions(conversations, jobs, max_queued=worker_options.max_queued, **more)
