"""Reconciles the candidates of a batch with the stored memories: search, rules, model."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..calibration import Calibration
from ..embedders import in_background
from ..memories import SqlMemories
from ..model.endings import PERSON, denied_at
from ..model.errors import ModelError, WithheldError
from ..model.filters import EVERYTHING, Filter
from ..model.ports import ChatModel, Embedder
from ..model.types import (
    ACTIVE,
    Candidate,
    ChatRequest,
    Decision,
    EventKind,
    MemoryStatus,
    Scope,
    ScoredMemory,
    Vector,
)
from ..recall.importance import ImportanceScale, agreed
from ..util.idle_gate import Pause, at_once
from .denials import DENIABLE
from .options import LearnOptions
from .reconcile import (
    ANSWER_SCHEMA,
    Neighbour,
    Undecided,
    added,
    asked_about,
    calls,
    denied_by,
    likely,
    question,
    read_answer,
    reconcile,
    statement_of,
)
from .reconcile.rules import NEW
from .records import latest, memory_id
from .safe_embedding import each_embedded

log = logging.getLogger(__name__)

NEIGHBOURS = 12
"""Memories a candidate is compared with."""
MAX_SEEN = 1280
"""Most hits that are searched for them."""
SEEN = 16
"""Hits that are searched for at first if what has ended is among them."""
HELD_OR_ENDED = ACTIVE | DENIABLE
DENIED = "a person said later that it is not so"
"""The reason why a fact is not learned."""


async def nearest(
    store: SqlMemories, scope: Scope, vectors: Sequence[Vector], where: Filter = EVERYTHING
) -> list[list[ScoredMemory]]:
    """The nearest active memories of exactly this scope that pass, for each vector, read fresh.

    A search also returns memories of narrower scopes (a user's memories with one agent). The scope
    may not change those, so the limit grows until enough of its own are found. Raises StoreError.
    """
    return [active for active, _ in await near_and_ended(store, scope, vectors, ACTIVE, where)]


Near = tuple[list[ScoredMemory], list[ScoredMemory]]


async def near_and_ended(
    store: SqlMemories,
    scope: Scope,
    vectors: Sequence[Vector],
    statuses: Collection[MemoryStatus] = HELD_OR_ENDED,
    where: Filter = EVERYTHING,
) -> list[Near]:
    """The same, and those that a person ended among what is about as near."""
    limit = NEIGHBOURS if statuses == ACTIVE else SEEN
    found: dict[int, Near] = {}
    while left := [at for at in range(len(vectors)) if at not in found]:
        several = await store.search_each(
            scope, [vectors[at] for at in left], limit=limit, statuses=statuses, where=where
        )
        for at, hits in zip(left, several, strict=True):
            own = [hit for hit in hits if hit.item.scope == scope]
            active = [hit for hit in own if hit.item.status is MemoryStatus.ACTIVE][:NEIGHBOURS]
            if len(active) == NEIGHBOURS or len(hits) < limit or limit >= MAX_SEEN:
                found[at] = active, [hit for hit in own if denied_at(hit.item)]
        limit *= 4
    return [found[at] for at in range(len(vectors))]


def weighed(candidate: Candidate, vector: Vector, scale: ImportanceScale | None) -> Candidate:
    """The candidate with the importance that the model and its meaning agree on.

    What has no quote is a text of the model's about several turns, whose importance is its own.
    """
    if scale is None or candidate.quote is None:
        return candidate
    told = scale.told(candidate.text, vector)
    return replace(candidate, importance=agreed(candidate.importance, told))


_CHANGES = frozenset({EventKind.UPDATE, EventKind.DELETE})
_KEPT = "changed or confirmed by another fact of the same turns, so both are kept"

Group = Sequence[Decision]
"""All decisions that one fact causes."""


def each_once(groups: Sequence[Group], instead: Sequence[Decision]) -> list[Group]:
    """The groups without a second change of one memory; `instead` are the ADDs of the facts."""
    held = {one.memory_id for group in groups for one in group if one.event is EventKind.NONE}
    kept: list[Group] = []
    changed: set[str] = set()
    for group, own in zip(groups, instead, strict=True):
        gone = {one.memory_id for one in group if one.event is EventKind.NONE} & changed
        clash = gone or _changed(group) & (held | changed)
        kept.append(_without(group, held | changed, own) if clash else group)
        changed |= _changed(kept[-1])
    return kept


def _changed(group: Group) -> set[str]:
    return {one.memory_id for one in group if one.event in _CHANGES}


def _without(group: Group, held: Iterable[str], added: Decision) -> Group:
    rest = [one for one in group if one.memory_id not in held]
    if any(one.event is EventKind.UPDATE for one in group if one not in rest):
        # The ADD beside it may say only the other part of the fact.
        rest = [one for one in rest if one.event is not EventKind.ADD]
    stated = any(one.event not in _CHANGES or one.event is EventKind.UPDATE for one in rest)
    return rest if stated else [*rest, replace(added, reason=f"{added.reason}: {_KEPT}")]


MAX_TOKENS = 1000
"""Most tokens of an answer: a row takes about twenty, and more with a text of its own."""


@dataclass(slots=True)
class Clarified:
    """The decisions of a model."""

    groups: dict[int, Group] = field(default_factory=dict)
    """By the numbers with a valid answer; the others keep their ADD with the pending memories."""
    failure: ModelError | None = None
    """Of the last call that failed."""


async def clarify(
    model: ChatModel, asked: Mapping[int, Undecided], *, prompt: str | None = None
) -> Clarified:
    """Ask about these facts. `prompt` replaces the instructions.

    A failing model costs a redundant memory, never a fact.
    """
    done = Clarified()
    for numbers in calls(list(asked)):
        left = {n: asked[n] for n in numbers}
        while left:
            left = await _answered(model, left, prompt, done)
    return done


async def _answered(
    model: ChatModel, asked: Mapping[int, Undecided], prompt: str | None, done: Clarified
) -> dict[int, Undecided]:
    """Note what a model says of these facts; what to ask about without those kept from it."""
    facts = list(asked.values())
    request = ChatRequest(
        messages=question(facts, prompt),
        holds=[item for one in facts for item in one.held],
        schema=ANSWER_SCHEMA,
        max_tokens=MAX_TOKENS,
    )
    try:
        told = read_answer((await model.complete(request)).text, facts)
    except ModelError as error:
        done.failure = error
        if isinstance(error, WithheldError):
            left = {n: one for n, one in asked.items() if not error.ids & {m.id for m in one.held}}
            return left if len(left) < len(asked) else {}
        log.info("%d facts are kept beside older ones until a model answers: %s", len(asked), error)
        return {}
    done.groups |= {number: group for number, group in zip(asked, told, strict=True) if group}
    return {}


@dataclass(slots=True)
class _Batch:
    """The facts of a batch so far."""

    groups: list[Group] = field(default_factory=list)
    instead: list[Decision] = field(default_factory=list)
    """The ADD of each fact."""
    open: dict[int, Undecided] = field(default_factory=dict)
    made: dict[str, tuple[Neighbour, Vector]] = field(default_factory=dict)
    """What the batch says, by id of the memory that says it."""
    changed: set[str] = field(default_factory=set)
    unanswered: bool = False


@dataclass(frozen=True, slots=True)
class Reconciled:
    """The decisions about a batch."""

    decisions: list[Decision]
    """First what becomes of each candidate, in order, then what else ends."""
    unanswered: bool = False
    """The model could not be asked about memories of one matter: they are pending."""
    left_out: Sequence[Candidate] = ()
    """Those that could not be embedded."""


class Reconciler:
    """Decides about candidates; writes nothing. Stateless."""

    def __init__(
        self,
        store: SqlMemories,
        embedder: Embedder,
        calibration: Calibration,
        options: LearnOptions,
        pause: Pause = at_once,
        scale: ImportanceScale | None = None,
    ) -> None:
        """`scale` tells by its meaning how much a fact is worth."""
        self._store = store
        self._embedder = embedder
        self._calibration = calibration
        self._options = options
        self._pause = pause
        self._scale = scale

    async def decide(
        self,
        scope: Scope,
        candidates: Sequence[Candidate],
        *,
        batch: str,
        model: ChatModel | None = None,
        moments: Mapping[str, datetime] | None = None,
        where: Filter = EVERYTHING,
    ) -> Reconciled:
        """Decide about each candidate, by the memories that pass `where`.

        Whatever that is, what a person said is not so is not learned again.

        `moments` has the time of each turn. A candidate that cannot be embedded is left out and
        counted.
        Without an answer of `model` the memories of one matter stay pending. Raises EmbeddingError
        and StoreError.
        """
        done = _Batch()
        with in_background():
            vectors = await each_embedded(self._embedder, [each.sought for each in candidates])
        told = [
            (each, vector)
            for each, vector in zip(candidates, vectors, strict=True)
            if vector is not None
        ]
        sought = [vector for _, vector in told]
        around = await near_and_ended(self._store, scope, sought)
        if where != EVERYTHING:
            among = await nearest(self._store, scope, sought, where)
            around = [(few, ended) for few, (_, ended) in zip(among, around, strict=True)]
        for (each, vector), near in zip(told, around, strict=True):
            # Half a millisecond each: yield to requests in between.
            await self._pause()
            at = latest(each.turn_ids, moments or {})
            candidate = weighed(each, vector, self._scale)
            self._take(done, candidate, vector, near, memory_id(batch, candidate.text), at)
        await self._ask(done, model)
        groups = each_once(done.groups, done.instead)
        ordered = [sorted(group, key=_is_further) for group in groups]
        further = [one for group in ordered for one in group[1:]]
        left_out = [
            each for each, vector in zip(candidates, vectors, strict=True) if vector is None
        ]
        return Reconciled([*(group[0] for group in ordered), *further], done.unanswered, left_out)

    def _take(
        self,
        done: _Batch,
        candidate: Candidate,
        vector: Vector,
        around: Near,
        new_id: str,
        at: datetime | None,
    ) -> None:
        hits, ended = around
        if denial := denied_by(candidate, ended, at=at, calibration=self._calibration):
            kept_out = _kept_out(candidate, denial)
            done.groups.append([kept_out])
            done.instead.append(kept_out)
            return
        stored = [
            Neighbour.of(hit) for hit in hits if hit.item.id not in done.changed | done.made.keys()
        ]
        own = [replace(near, score=float(vector @ other)) for near, other in done.made.values()]
        decision = reconcile(
            candidate, [*stored, *own], new_id=new_id, calibration=self._calibration, at=at
        )
        # Facts of one batch are linked, and never judged against each other.
        pending = tuple(one.id for one in stored if one.id in decision.pending)
        decision = replace(decision, pending=pending)
        if decision.stage == NEW and stored:
            decision = _unjudged(decision)
            asked = asked_about(candidate, stored, self._calibration)
            done.open[len(done.groups)] = Undecided(candidate, asked, decision, at)
        group = [decision]
        if decision.event is EventKind.DELETE:
            group.append(statement_of(decision, candidate, new_id))
        done.groups.append(group)
        near = likely(candidate, [*stored, *own], self._calibration)
        done.instead.append(replace(added(candidate, near, new_id), pending=()))
        _note_made(done, candidate, vector, group, at)

    async def _ask(self, done: _Batch, model: ChatModel | None) -> None:
        if not done.open or model is None:
            return
        told = await clarify(model, done.open, prompt=self._options.judging)
        done.unanswered = told.failure is not None
        if silent := len(done.open) - len(told.groups):
            log.info("%d of %d facts beside others got no answer", silent, len(done.open))
        for number, group in told.groups.items():
            done.groups[number] = group


def _unjudged(decision: Decision) -> Decision:
    """The ADD of a fact that a model is asked about, as it is stored without an answer.

    What is linked with nothing has no matter: so it waits for one (`conflict_resolution`).
    """
    return replace(decision, matter=None) if decision.matter == decision.memory_id else decision


def _kept_out(candidate: Candidate, denial: ScoredMemory) -> Decision:
    """What is decided of a fact that a person said is not so, after it was said."""
    return Decision(
        event=EventKind.NONE,
        memory_id=denial.item.id,
        text=denial.item.text,
        type=candidate.type,
        stage=PERSON,
        score=denial.score,
        reason=DENIED,
        # It is not confirmed by what was said before.
        flags=(PERSON,),
        **candidate.grounds(),
    )


def _note_made(
    done: _Batch, candidate: Candidate, vector: Vector, group: Group, at: datetime | None
) -> None:
    for one in group:
        if one.event is EventKind.DELETE:
            done.changed.add(one.memory_id)
            done.made.pop(one.memory_id, None)
        elif one.event is not EventKind.NONE:
            said = Neighbour(
                id=one.memory_id,
                text=one.text,
                type=one.type,
                score=1.0,
                created_at=at,
                matter=one.matter or "",
                turn_ids=candidate.turn_ids,
                is_hearsay=candidate.source.is_hearsay,
            )
            done.made[one.memory_id] = (said, vector)


def _is_further(decision: Decision) -> bool:
    """Whether a decision is about a memory that only ends beside the fact."""
    return decision.event is EventKind.DELETE
