"""When a conversation is due. Pure."""

from __future__ import annotations

from ..types import Job, Turn


def turns_due(pending: int, *, every: int) -> bool:
    """Whether recording a turn, which leaves `pending` of them unlearned, starts a job.

    True at each multiple, not from the first on: while a job waits or runs, the watermark stands
    still and every further turn would start another.
    """
    return pending > 0 and pending % every == 0


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
