"""Jobs that write episodes: each follows a job of learning, whatever had that one started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model.jobs import Job, JobKind
from ..model.types import Turn
from .upkeep import UpkeepJobs, upkeep_job


class EpisodeJobs:
    """Makes them, where there is a step for them."""

    def __init__(self, upkeep: UpkeepJobs) -> None:
        self._upkeep = upkeep
        self.follows = True
        """Whether learning is followed by them; otherwise they are only called for."""

    def following(self, job: Job, turns: Sequence[Turn]) -> Job | None:
        """The one for the stretches that these turns belong to, which a job has learned.

        It is named after the last turn: however often these are learned, it is one job.
        """
        if not (self.follows and turns and JobKind.EPISODE in self._upkeep.kinds):
            return None
        about = upkeep_job(
            JobKind.EPISODE,
            job.scope,
            f"{job.conversation_id}:{job.upto_seq}",
            reason=job.reason,
            conversation_id=job.conversation_id,
            upto=job.upto_seq,
        )
        return replace(about, after_seq=turns[0].seq - 1)
