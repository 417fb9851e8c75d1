"""Learning with its IO: turns become decisions, and decisions become memories.

turns -> firewall -> extract -> trust -> reconcile -> (ask) -> decisions
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Self, TypeVar

from ..forget import WriteGuard
from ..llms.metering import NamedModel
from ..model.errors import EmbeddingError, ExtractionError, ModelError
from ..model.filters import EVERYTHING, Filter
from ..model.ports import ChatModel
from ..model.types import Candidate, Decision, EventKind, Scope, Turn, utc_now
from ..records.parts import Parts
from ..records.writing import InsidePorts
from ..util.idle_gate import Pause, at_once
from .apply import Also, Applied, Applier, count_uses
from .belief import Suspicious, held_back, sort_by_trust
from .cleaning import Redact
from .confirmation import confirmed, held_id
from .conflict_resolution import ConflictResolver
from .extract import FULL, GRAPH_FORM, TRIPLE_FORM, Doubted, Effort, Extraction, extract
from .fact_context import with_fact_contexts
from .fact_verification import verified
from .firewall import clean
from .options import ContextBy, LearnOptions
from .pictures import VISION_PROMPT, PictureDescriber
from .procedure import induce
from .reconciler import Reconciler
from .records import Batch
from .review import ReviewKinds
from .safe_embedding import unheard
from .unfinished import summarize
from .waiting import known_already, of_words, once, quarantined, without_ends

log = logging.getLogger(__name__)

T = TypeVar("T")

Guards = Callable[[Scope], Awaitable[WriteGuard]]
"""Makes the write guard for a batch of a scope."""
MAX_RECALLED = 500
"""Most memories shown in a batch whose texts the firewall compares with."""


@dataclass(frozen=True, slots=True)
class Learned:
    """The result of a batch before anything is written."""

    decisions: tuple[Decision, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)
    """Rejected candidates and texts, by reason."""
    removed: Mapping[str, int] = field(default_factory=dict)
    """Pieces of text that the firewall removed, by reason."""
    strategy: str = ""
    """The way of asking that worked."""
    unread: tuple[str, ...] = ()
    """Ids of turns that no way of asking could read; the others were learned."""
    unanswered: bool = False
    """The model could not be asked about memories of one matter: they are pending."""
    not_embedded: tuple[str, ...] = ()
    """Ids of the turns of facts that could not be embedded; they are among the rejected."""


class Learner:
    """Turns conversations into memories. Stateless."""

    def __init__(
        self,
        parts: Parts,
        *,
        guard: Guards,
        options: LearnOptions | None = None,
        redact: Redact = str,
        vision: ChatModel | None = None,
        pause: Pause = at_once,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`guard` is `Forgetter.guard`; `redact` removes secrets from a text.

        `pause` is awaited between steps of computing.
        """
        self._review: ReviewKinds | None = None
        self._store = parts.store
        self._embedder = parts.embedder
        self._options = options or LearnOptions()
        self.redact = redact
        self.vision = vision
        """Describes pictures of all tenants. Whoever has it called counts that for the tenant."""
        self._pause = pause
        self._form = GRAPH_FORM
        self.applier = Applier(parts.store, parts.writer, parts.embedder, clock=clock)
        """Writes decisions that say nothing about how memories were used."""
        self.reconciler = Reconciler(
            parts.store, parts.embedder, parts.calibration, self._options, pause, parts.scale
        )
        self.settler = ConflictResolver(parts, self._options, pause=pause)
        self.guard = guard
        """Call it before anything of a batch is read. Raises StateError."""

    def asking(self, *, graph: bool, review: ReviewKinds | None = None) -> Self:
        """The same, which asks a model for entities and relations only if there is a `graph`.

        `review` tells which facts wait for a person.
        """
        self._review = review
        self._form = GRAPH_FORM if graph else TRIPLE_FORM
        return self

    async def decide(
        self,
        scope: Scope,
        turns: Sequence[Turn],
        model: ChatModel,
        *,
        batch: str,
        prompt: str | None = None,
        earlier: Sequence[Turn] = (),
        vision: PictureDescriber | None = None,
        effort: Effort = FULL,
        where: Filter = EVERYTHING,
    ) -> Learned:
        """Extract facts and decide about each; nothing is written.

        The ids of new memories are derived from `batch` and the fact. `earlier` are the turns just
        before, which were learned and only tell what is spoken of. `vision` describes pictures.
        Facts are compared with the memories that pass `where`.

        Raises:
            ModelError, ExtractionError: no answer of `model` could be read.
            EmbeddingError, StoreError, HourSpentError: nothing was learned.
        """
        known = await self._shown(scope, turns)
        named = NamedModel(model)
        cleaned = await self._computed(partial(clean, turns, known))
        said: Sequence[Turn] = cleaned.turns
        if vision is not None:
            said = await vision.turns(said)
        before = (await self._computed(partial(clean, earlier, known))).turns if earlier else ()
        extraction = await extract(
            named,
            said,
            known=known,
            earlier=before,
            prompt=prompt or self._options.instructions(),
            max_tokens=self._options.max_output_tokens,
            effort=effort,
            form=self._form,
            pause=self._pause,
        )
        extraction, candidates, failed = await self._checked(named, said, before, extraction)
        learned = await self._decided(
            scope,
            candidates,
            # The original turns: markup that the firewall removed is still suspicious.
            [late if turn.images else turn for turn, late in zip(turns, said, strict=True)],
            model,
            batch=batch,
            extractor=named.name,
            doubted=extraction.doubted,
            where=where,
            moments={turn.id: turn.created_at.astimezone(UTC) for turn in turns},
        )
        rejected = Counter(extraction.rejected) + Counter(learned.rejected) + failed
        return replace(
            learned,
            rejected=dict(rejected),
            removed=cleaned.removed,
            strategy=extraction.strategy,
            unread=tuple(extraction.failed),
        )

    async def _checked(
        self,
        named: NamedModel,
        said: Sequence[Turn],
        before: Sequence[Turn],
        extraction: Extraction,
    ) -> tuple[Extraction, Sequence[Candidate], Counter[str]]:
        """The facts after the model was asked about them, with the procedures; what failed."""
        failed: Counter[str] = Counter()
        if self._options.verify:
            extraction, failed = await verified(named, said, extraction)
        candidates: Sequence[Candidate] = extraction.candidates
        if self._options.context is ContextBy.MODEL:
            candidates, unsituated = await with_fact_contexts(
                named, said, candidates, earlier=before, pause=self._pause
            )
            failed += unsituated
        more, failed_more = await self._procedures(said, named)
        return extraction, [*candidates, *more], failed + failed_more

    async def induced(
        self,
        scope: Scope,
        run: Turn,
        model: ChatModel,
        *,
        batch: str,
        prompt: str | None = None,
        unfinished: bool = False,
    ) -> Learned:
        """Decide about the procedure of one run; nothing is written. Raises as `decide`.

        Of an `unfinished` run, which is bounded, decide about what is left to go on from.
        """
        named = NamedModel(model)
        cleaned = await self._computed(partial(clean, [run]))
        told = summarize if unfinished else induce
        found = [await told(named, turn, prompt=prompt) for turn in cleaned.turns]
        candidates = [candidate for candidate in found if candidate is not None]
        learned = await self._decided(
            scope, candidates, [run], model, batch=batch, extractor=named.name
        )
        rejected = Counter({} if candidates else {"no_procedure": 1}) + Counter(learned.rejected)
        return replace(learned, rejected=dict(rejected), removed=cleaned.removed)

    async def _decided(
        self,
        scope: Scope,
        candidates: Sequence[Candidate],
        turns: Sequence[Turn],
        model: ChatModel,
        *,
        batch: str,
        extractor: str | None,
        doubted: Sequence[Doubted] = (),
        where: Filter = EVERYTHING,
        moments: Mapping[str, datetime] | None = None,
    ) -> Learned:
        """The decisions about what was extracted: what is believed is reconciled, the rest held."""
        trusted = await self._computed(
            partial(
                sort_by_trust,
                candidates,
                turns,
                redact=self.redact,
                unconfirmed=self._options.unconfirmed,
            )
        )
        reconciled = await self.reconciler.decide(
            scope, trusted.believed, batch=batch, model=model, moments=moments, where=where
        )
        suspicious = trusted.suspicious
        if doubted:
            suspicious += await self._computed(
                partial(held_back, doubted, turns, redact=self.redact)
            )
        told = await self._reviewed(scope, reconciled.decisions)
        decisions = await self._withholding(scope, told, suspicious, batch)
        left_out = {"not_embedded": len(reconciled.left_out)} if reconciled.left_out else {}
        return Learned(
            tuple(replace(decision, model=extractor) for decision in decisions),
            {**trusted.rejected, **left_out},
            unanswered=reconciled.unanswered,
            not_embedded=tuple(each for one in reconciled.left_out for each in one.turn_ids),
        )

    def describer(
        self, vision: ChatModel | None, template: str | None = None
    ) -> PictureDescriber | None:
        """What puts descriptions in the places of pictures, as a template says it."""
        if vision is None:
            return None
        picture = self._options.template_of(template).picture
        return PictureDescriber(vision, self.redact, picture or VISION_PROMPT)

    async def embeds(self) -> bool:
        """Whether the embedder works, tested with a unique text that no cache has."""
        try:
            await self._embedder.embed([unheard()])
        except EmbeddingError:
            return False
        return True

    async def carry_out(
        self,
        decisions: Sequence[Decision],
        batch: Batch,
        guard: WriteGuard,
        also: Also | None = None,
        *,
        whole: bool | None = None,
    ) -> Applied:
        """Apply the decisions, and count what they used. Raises as `Applier.apply`.

        With `also` all of them, or nothing, unless `whole` is False.
        """
        if not (decisions or also):
            return Applied([])

        async def used(ports: InsidePorts, applied: Applied) -> None:
            await count_uses(ports.state.usage, batch, decisions, applied.events)
            if also is not None:
                await also(ports, applied)

        every = also is not None if whole is None else whole
        return await self.applier.apply(decisions, batch, guard, also=used, whole=every)

    async def _computed(self, work: Callable[[], T]) -> T:
        """The result of work that takes several milliseconds, from a thread; requests go first."""
        await self._pause()
        return await asyncio.to_thread(work)

    async def _shown(self, scope: Scope, turns: Sequence[Turn]) -> list[str]:
        ids = list(dict.fromkeys(each for turn in turns for each in turn.recalled))
        if not ids:
            return []
        return [item.text for item in await self._store.get(scope.tenant, ids[-MAX_RECALLED:])]

    async def _procedures(
        self, turns: Sequence[Turn], model: ChatModel
    ) -> tuple[list[Candidate], Counter[str]]:
        """What turns with tools teach. Failures are counted, not raised."""
        found: list[Candidate] = []
        failed: Counter[str] = Counter()
        for turn in turns:
            if not turn.steps:
                continue
            try:
                candidate = await induce(model, turn)
            except (ModelError, ExtractionError) as error:
                log.info("no procedure was learned: %s", error)
                failed["procedure_failed"] += 1
            else:
                found += [candidate] if candidate else []
        return found, failed

    async def _reviewed(self, scope: Scope, decisions: Sequence[Decision]) -> Sequence[Decision]:
        """The decisions with those about facts of a kind that waits for a person waiting."""
        if not self._review:
            return decisions
        kinds = await self._review.of_decisions(decisions)
        if not kinds:
            return decisions
        waiting = without_ends(decisions, kinds, partial(held_id, scope))
        turns = {turn for each in waiting for turn in each.turn_ids}
        words = await self._store.resting_on(scope.tenant, (), sorted(turns))
        kept, instead = of_words(waiting, [item for item in words if item.scope == scope])
        if kept:
            kinds = {at: some for at, some in kinds.items() if decisions[at].text not in kept}
            waiting = without_ends(decisions, kinds, partial(held_id, scope))
        log.info("%d facts wait for a person", len(kinds))
        return [*waiting, *instead]

    async def _withholding(
        self,
        scope: Scope,
        decisions: Sequence[Decision],
        suspicious: Sequence[Suspicious],
        batch: str,
    ) -> list[Decision]:
        """The decisions about what is believed, and those about what is withheld."""
        held = [held_id(scope, one.candidate.text) for one in suspicious]
        held += [each.memory_id for each in decisions if each.event is EventKind.QUARANTINE]
        new = [each for each in decisions if each.event is EventKind.ADD]
        twins = [held_id(scope, each.text) for each in new if not each.source.is_hearsay]
        known = await self._store.get(scope.tenant, list(dict.fromkeys([*held, *twins])))
        by_id = {item.id: item for item in known}
        decisions = [once(confirmed(each, by_id, scope), by_id, batch) for each in decisions]
        made = [quarantined(one, scope, decisions) for one in suspicious]
        parts: dict[int, list[str]] = defaultdict(list)
        for one, decision in zip(suspicious, made, strict=True):
            if one.rest is not None:
                parts[one.rest].append(decision.memory_id)
        return [
            replace(decision, withheld=tuple(parts.get(number, ())))
            for number, decision in enumerate(decisions)
        ] + [
            known_already(decision) if decision.memory_id in by_id else decision
            for decision in made
        ]
