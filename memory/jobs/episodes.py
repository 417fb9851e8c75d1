"""Jobs that write episodes: each follows a job of learning, whatever had that one started."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import replace

from ..model.jobs import Job, JobKind
from ..model.ports import ConversationStore
from ..model.types import Scope, Turn
from ..upkeep.episodes.reading import last_turns
from .upkeep import CALL, UpkeepJobs, upkeep_job


class EpisodeJobs:
    """Enqueues them, where there is a step for them."""

    def __init__(self, upkeep: UpkeepJobs) -> None:
        self._upkeep = upkeep
        self.follows = True
        """Whether learning is followed by them; otherwise they are only called for."""

    async def follow(self, job: Job, turns: Sequence[Turn]) -> None:
        """Enqueue one for the stretches that these turns belong to, which a job has learned.

        It is named after the last turn: however often these are learned, it is one job. Raises
        StateError.
        """
        if not (self.follows and turns and JobKind.EPISODE in self._upkeep.kinds):
            return
        about = upkeep_job(
            JobKind.EPISODE,
            job.scope,
            f"{job.conversation_id}:{job.upto_seq}",
            reason=job.reason,
            conversation_id=job.conversation_id,
            upto=job.upto_seq,
        )
        await self._upkeep.put(replace(about, after_seq=turns[0].seq - 1))


async def called_episodes(conversations: ConversationStore, scope: Scope) -> list[Job]:
    """A job for each of the last conversations of exactly this scope, from their beginning.

    Raises StateError.
    """
    return [
        upkeep_job(
            JobKind.EPISODE,
            scope,
            uuid.uuid4().hex,
            reason=CALL,
            conversation_id=turn.conversation_id,
            upto=turn.seq,
        )
        for turn in await last_turns(conversations, scope)
    ]
