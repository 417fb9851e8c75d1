"""When a conversation is due. Pure.

Turns, tokens and drift are noticed while it goes on; its end, a flush and the shutdown find
whatever is unlearned then. A trigger that does not fire, or fires once too often, costs nothing:
jobs learn what is unlearned up to their turn, and what no job took waits for the idle sweep.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..calibration import Calibration
from ..types import Job, Turn, Vector


def turns_due(pending: int, *, every: int) -> bool:
    """Whether recording a turn, which leaves `pending` of them unlearned, starts a job.

    True at each multiple, not from the first on: while a job waits or runs, the watermark stands
    still and every further turn would start another.
    """
    return pending > 0 and pending % every == 0


def tokens_due(before: int, after: int, *, every: int) -> bool:
    """Whether unlearned turns that had `before` tokens and now have `after` cross a multiple.

    Once for each crossing, whether the multiple is hit or passed.
    """
    return max(after, 0) // every > max(before, 0) // every


def drift_bound(calibration: Calibration) -> float:
    """The cosine below which a message is about something else than the one before it.

    The one below which a memory says nothing about a query: nothing closer to it is measured.
    """
    return calibration.recall


def drifted(previous: Vector, current: Vector, threshold: float) -> bool:
    """Whether the topic changed between two messages, given their embeddings.

    Vectors that cannot be compared (another embedder's, of nothing, not numbers) show no change.
    """
    if previous.shape != current.shape or not previous.size:
        return False
    if not (np.any(previous) and np.any(current)):
        return False
    # False for nan too.
    return bool(float(previous @ current) < threshold)


def drift_job(turns: Sequence[Turn]) -> Job | None:
    """The job for what was said before the last of these unlearned turns, which changed the topic.

    None if there is nothing before it.
    """
    if len(turns) < 2:  # noqa: PLR2004 - one before and one after the change
        return None
    return job_for(turns[-2], turns[-2].seq, reason="drift")


def job_for(turn: Turn, seq: int, *, reason: str) -> Job:
    """The job that learns `turn`, the `seq`-th of its conversation, and all unlearned before it.

    Its id names the end of the work, so that several triggers for the same turns are one job.
    """
    return Job(
        id=f"{turn.conversation_id}:{seq}",
        scope=turn.scope,
        conversation_id=turn.conversation_id,
        upto_seq=seq,
        reason=reason,
    )
