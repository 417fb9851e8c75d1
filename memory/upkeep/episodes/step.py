"""Plans the episodes of a job: one for each stretch that its turns belong to."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial

from ...learn.belief import sort_by_trust
from ...learn.cleaning import Redact
from ...learn.denials import ended_in, undenied
from ...learn.firewall import clean
from ...learn.options import Unconfirmed
from ...learn.records import memory_id
from ...learn.review import ReviewKinds
from ...llms.metering import NamedModel
from ...model.errors import ExtractionError, NoModelError, StretchOpenError, WithheldError
from ...model.filters import Condition, Operator, field_of
from ...model.jobs import Job, JobKind
from ...model.ports import ChatModel
from ...model.scope import Scope
from ...model.times import to_ms
from ...model.turns import told_to_of
from ...model.types import (
    Candidate,
    Decision,
    EventKind,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Source,
    Turn,
    utc_now,
)
from ...records.parts import Parts
from ..step import UpkeepPlan, Work
from .episode_text import speaks, write
from .rating import by_signs
from .stretches import GAP, Stretch, covers, is_over, name_of
from .touched_stretches import touched

log = logging.getLogger(__name__)

STAGE = "episode"
"""What the history of an episode names as who decided."""
OVER = frozenset({"idle", "flush", "shutdown", "startup", "call"})
"""What starts a job when the conversation is over, or is to be told as far as it is."""
MOST_LEARNED = 500
"""Memories of a conversation whose importance is a sign of its episode's."""


@dataclass(frozen=True, slots=True)
class _Told:
    """The text that is kept of a stretch."""

    text: str
    importance: float | None
    model: str | None = None


class EpisodeStep:
    """Writes the episode of a stretch once it is over, and rewrites it when it goes on."""

    kind = JobKind.EPISODE

    def __init__(
        self,
        parts: Parts,
        *,
        idle_seconds: float,
        redact: Redact = str,
        clock: Callable[[], datetime] = utc_now,
        review: ReviewKinds | None = None,
    ) -> None:
        """`idle_seconds` is when a conversation is over for learning; `redact` removes secrets.

        `review` tells what waits for a person: no episode tells that.
        """
        self._review = review
        self._store = parts.store
        self._conversations = parts.state.conversations
        self._quiet = min(GAP, timedelta(seconds=idle_seconds))
        self._redact = redact
        self._clock = clock

    async def plan(self, work: Work) -> UpkeepPlan:
        """The episodes to write or to rewrite. Raises as `UpkeepStep.plan`, and `Work.without`."""
        found = await self._due(work.job, wait=not work.dry)
        figures: Counter[str] = Counter()
        decisions: list[Decision] = []
        for stretch in found:
            decision = await self._decided(work, stretch, figures)
            decisions += [decision] if decision else []
        last = [stretch.turns[-1] for stretch in found]
        return UpkeepPlan(
            tuple(decisions),
            dict(figures),
            moments={turn.id: to_ms(turn.created_at) for turn in last},
        )

    async def _due(self, job: Job, *, wait: bool) -> list[Stretch]:
        """The stretches of the job that are over. Raises StretchOpenError."""
        found = await touched(self._conversations, job, GAP)
        due = list(found.stretches[:-1] if found.goes_on else found.stretches)
        if due and wait and not (found.goes_on or self._may_tell(job)):
            over = is_over(due[-1], later=found.later, quiet=self._quiet, now=self._clock())
            if not over:
                raise StretchOpenError(due[-1].ended_at + self._quiet)
        return due

    def _may_tell(self, job: Job) -> bool:
        """Whether nothing need be waited for: learning said so, or the job has rested."""
        return job.reason in OVER or job.attempts > 1

    async def _decided(
        self, work: Work, stretch: Stretch, figures: Counter[str]
    ) -> Decision | None:
        memory = episode_id(work.scope, stretch.name)
        known = next(iter(await self._store.get(work.scope.tenant, [memory])), None)
        if known is not None and not _may_rewrite(known, stretch):
            return None
        told = await self._told(work, stretch, figures)
        if told is None:
            return None
        figures["extended" if known else "written"] += 1
        importance = told.importance
        if importance is None:
            learned = await self._learned(work.scope, stretch)
            importance = await asyncio.to_thread(by_signs, stretch.turns, learned)
        return Decision(
            event=EventKind.ADD if known is None else EventKind.UPDATE,
            memory_id=memory,
            text=told.text,
            type=MemoryType.EPISODIC,
            old_text=None if known is None else known.text,
            stage=STAGE,
            reason="rated" if told.importance is not None else "rated by signs",
            scores={"importance": importance},
            turn_ids=stretch.ids,
            stretch=stretch.turns[0].id,
            told_to=told_to_of(stretch.turns),
            source=Source.EXTRACTION,
            model=told.model,
            importance=importance,
        )

    async def _told(self, work: Work, stretch: Stretch, figures: Counter[str]) -> _Told | None:
        """What is believed of what a model tells; None if there is nothing to tell."""
        denied = await ended_in(self._store, work.scope)
        cleaned = await asyncio.to_thread(lambda: clean(undenied(stretch.turns, denied)))
        if not speaks(cleaned.turns):
            figures["silent"] += 1
            return None
        if work.model is None:
            raise work.without or NoModelError
        told = await self._asked(work.model, cleaned.turns, figures)
        if told is None:
            return None
        trusted = await asyncio.to_thread(partial(self._trusted, told.text, cleaned.turns))
        if self._review and trusted:
            trusted = await self._review.without(trusted)
        figures["withheld"] += trusted != told.text
        return replace(told, text=trusted) if trusted else None

    async def _asked(
        self, model: ChatModel, turns: Sequence[Turn], figures: Counter[str]
    ) -> _Told | None:
        """In the model's words; None if it is small talk, or nothing can be believed.

        Asked again it would say the same, and the user's own words are recalled without an episode.
        """
        figures["calls"] += 1
        named = NamedModel(model)
        try:
            written = await write(named, turns)
        except WithheldError:
            figures["withheld"] += 1
            return None
        except ExtractionError as error:
            log.info("no episode is kept: %s", error)
            figures["unbelieved"] += 1
            return None
        if written is None:
            figures["small_talk"] += 1
            return None
        return _Told(written.text, written.importance, model=named.name)

    def _trusted(self, text: str, turns: Sequence[Turn]) -> str:
        """The text without secrets, and without what reads like an order to a model."""
        candidate = Candidate(
            text=text,
            type=MemoryType.EPISODIC,
            turn_ids=tuple(turn.id for turn in turns),
            source=Source.EXTRACTION,
        )
        trusted = sort_by_trust(
            [candidate], turns, redact=self._redact, unconfirmed=Unconfirmed.QUARANTINE
        )
        return trusted.believed[0].text if trusted.believed else ""

    async def _learned(self, scope: Scope, stretch: Stretch) -> list[float]:
        """The importances of what was learned from these turns."""
        conversation = stretch.turns[0].conversation_id
        where = Condition(field_of("session"), Operator.EQ, conversation)
        items = await self._store.list(scope, limit=MOST_LEARNED, where=where)
        return [
            item.importance
            for item in items
            if item.type is not MemoryType.EPISODIC and stretch.touches(item.provenance.turn_ids)
        ]


def episode_id(scope: Scope, name: str) -> str:
    """The id of the episode of a stretch by its name: whoever writes it writes the same one."""
    return memory_id(f"{STAGE}|{scope.partition}|{scope.ids()}|{name}", "")


def episodes_with(scope: Scope, conversation_id: str, turn_ids: Sequence[str]) -> list[str]:
    """The ids of all episodes that may begin with one of these turns, written or not."""
    return [episode_id(scope, name_of(conversation_id, turn)) for turn in turn_ids]


def _may_rewrite(known: MemoryItem, stretch: Stretch) -> bool:
    """Whether there is something new to tell, and nobody has changed or ended the episode."""
    active = known.status is MemoryStatus.ACTIVE
    ours = (known.provenance.batch or "").startswith(f"{JobKind.EPISODE.value}:")
    return active and ours and not covers(known.provenance.turn_ids, stretch)
