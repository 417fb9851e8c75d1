"""Decides when a conversation is due. Pure.

Turns, tokens and drift trigger during a conversation; idleness, a flush and a shutdown enqueue the
rest. A trigger may be missed or fire twice: a job learns all unlearned turns up to its own, and the
idle check finds the remaining ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..calibration import Calibration
from ..model.types import Job, Turn, Vector


def turns_due(pending: int, *, every: int) -> bool:
    """Whether a turn that leaves `pending` unlearned turns starts a job.

    True only at multiples of `every`: `pending` keeps growing while a job waits or runs, and would
    otherwise start a job with every turn.
    """
    return pending > 0 and pending % every == 0


def tokens_due(before: int, after: int, *, every: int) -> bool:
    """Whether the unlearned tokens reached or passed a multiple of `every`."""
    return max(after, 0) // every > max(before, 0) // every


def drift_bound(calibration: Calibration) -> float:
    """The cosine below which the topic changed.

    It is the recall threshold, the nearest bound that is calibrated.
    """
    return calibration.recall


def drifted(previous: Vector, current: Vector, threshold: float) -> bool:
    """Whether the topic changed, given two embeddings. False if they cannot be compared."""
    if previous.shape != current.shape or not previous.size:
        return False
    if not (np.any(previous) and np.any(current)):
        return False
    # False for nan too.
    return bool(float(previous @ current) < threshold)


def drift_job(turns: Sequence[Turn]) -> Job | None:
    """The job for the turns before the last one, which changed the topic; None without any."""
    if len(turns) < 2:  # noqa: PLR2004 - one before and one after the change
        return None
    return job_for(turns[-2], turns[-2].seq, reason="drift")


def job_for(turn: Turn, seq: int, *, reason: str) -> Job:
    """The job that learns all unlearned turns up to `turn`, the `seq`-th of its conversation.

    Its id names the last turn, so several triggers for the same turns make one job.
    """
    return Job(
        id=f"{turn.conversation_id}:{seq}",
        scope=turn.scope,
        conversation_id=turn.conversation_id,
        upto_seq=seq,
        reason=reason,
    )
