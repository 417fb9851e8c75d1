"""Reconciles the candidates of a batch with the stored memories: search, rules, model."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..calibration import Calibration
from ..embedders import in_background
from ..model.ports import ChatModel, Embedder, VectorStore
from ..model.types import Candidate, Decision, EventKind, Scope, Vector
from ..util.quiet import Pause, at_once
from .clarify import clarify
from .neighbours import embedded, nearest
from .once import Group, each_once
from .options import LearnOptions
from .reconcile import Neighbour, Undecided, added, likely, reconcile, statement_of
from .records import latest, memory_id

log = logging.getLogger(__name__)


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


class Reconciler:
    """Decides about candidates; writes nothing. Stateless."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        calibration: Calibration,
        options: LearnOptions,
        pause: Pause = at_once,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._calibration = calibration
        self._options = options
        self._pause = pause

    async def decide(
        self,
        scope: Scope,
        candidates: Sequence[Candidate],
        *,
        batch: str,
        model: ChatModel | None = None,
        moments: Mapping[str, datetime] | None = None,
    ) -> Reconciled:
        """Decide about each candidate.

        `moments` has the time of each turn. A candidate that cannot be embedded is left out.
        Without an answer of `model` the memories of one matter stay pending. Raises EmbeddingError
        and StoreError.
        """
        done = _Batch()
        with in_background():
            vectors = await embedded(self._embedder, candidates)
        for candidate, vector in vectors:
            # Half a millisecond each: yield to requests in between.
            await self._pause()
            at = latest(candidate.turn_ids, moments or {})
            await self._take(done, scope, candidate, vector, memory_id(batch, candidate.text), at)
        await self._ask(done, model)
        groups = each_once(done.groups, done.instead)
        ordered = [sorted(group, key=_is_further) for group in groups]
        further = [one for group in ordered for one in group[1:]]
        return Reconciled([*(group[0] for group in ordered), *further], done.unanswered)

    async def _take(
        self,
        done: _Batch,
        scope: Scope,
        candidate: Candidate,
        vector: Vector,
        new_id: str,
        at: datetime | None,
    ) -> None:
        hits = await nearest(self._store, scope, vector)
        stored = [
            Neighbour.of(hit) for hit in hits if hit.item.id not in done.changed | done.made.keys()
        ]
        own = [replace(near, score=float(vector @ other)) for near, other in done.made.values()]
        decision = reconcile(
            candidate, [*stored, *own], new_id=new_id, calibration=self._calibration, at=at
        )
        # Facts of one batch are linked, and never judged against each other.
        pending = [one for one in stored if one.id in decision.pending]
        decision = replace(decision, pending=tuple(one.id for one in pending))
        if pending:
            done.open[len(done.groups)] = Undecided(candidate, pending, decision, at)
        group = [decision]
        if decision.event is EventKind.DELETE:
            group.append(statement_of(decision, candidate, new_id))
        done.groups.append(group)
        near = likely(candidate, [*stored, *own], self._calibration)
        done.instead.append(replace(added(candidate, near, new_id), pending=()))
        _note(done, candidate, vector, group, at)

    async def _ask(self, done: _Batch, model: ChatModel | None) -> None:
        if not done.open or model is None or not self._options.ask_about_conflicts:
            return
        told = await clarify(model, done.open, prompt=self._options.update_prompt)
        done.unanswered = told.failure is not None
        if told.rejected:
            log.info("%d of %d facts beside others got no answer", told.rejected, len(done.open))
        for number, group in told.groups.items():
            done.groups[number] = group


def _note(
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
            )
            done.made[one.memory_id] = (said, vector)


def _is_further(decision: Decision) -> bool:
    """Whether a decision is about a memory that only ends beside the fact."""
    return decision.event is EventKind.DELETE
