"""Learning with its IO: extract, look up what is near, reconcile, apply."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import numpy as np

from ..calibration import Calibration, calibration_for
from ..errors import EmbeddingError
from ..ports import ChatModel, Embedder, HistoryLog, VectorStore
from ..types import (
    Candidate,
    Decision,
    EventKind,
    MemoryEvent,
    MemoryType,
    Message,
    Provenance,
    Scope,
    Vector,
    Vectors,
    utc_now,
)
from .apply import apply
from .extract import extract
from .reconcile import Neighbour, reconcile

log = logging.getLogger(__name__)

NEIGHBOURS = 5
"""Memories a candidate is compared with."""
MAX_SEEN = 1280
"""Memories looked through for them, at most."""

_MEMORY_IDS = uuid.UUID("0c9d8f4e-7f3a-4a56-8a0b-2c1f0d9be6a1")


class Learner:
    """Turns conversations into memories. Holds no state of its own."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        history: HistoryLog,
        *,
        calibration: Calibration | None = None,
        max_output_tokens: int = 2000,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._history = history
        self._calibration = calibration or calibration_for(embedder.id, dim=embedder.dim)
        self._max_output_tokens = max_output_tokens
        self._clock = clock

    async def decide(
        self,
        scope: Scope,
        conversation: Sequence[Message],
        model: ChatModel,
        *,
        at: datetime,
        batch: str,
        prompt: str | None = None,
    ) -> list[Decision]:
        """Extract facts and decide about each; nothing is written.

        The ids of new memories follow from `batch` and the fact, so that deciding again after a
        crash proposes the same ids.

        Raises:
            ModelError, ExtractionError, EmbeddingError, StoreError: nothing was learned.
        """
        candidates = await extract(
            model, conversation, at=at, prompt=prompt, max_tokens=self._max_output_tokens
        )
        return await self.reconcile(scope, candidates, batch=batch)

    async def reconcile(
        self, scope: Scope, candidates: Sequence[Candidate], *, batch: str
    ) -> list[Decision]:
        """Decide about each candidate, given what is stored and the candidates before it.

        Raises:
            EmbeddingError, StoreError: as above.
        """
        decisions: list[Decision] = []
        made: dict[str, tuple[Neighbour, Vector]] = {}
        for candidate, vector in await self._embed(candidates):
            stored = await self._neighbours(scope, vector)
            here = [
                Neighbour(near.id, near.text, near.type, float(vector @ other))
                for near, other in made.values()
            ]
            # What this batch decided about a memory is newer than what the store still says.
            neighbours = [near for near in stored if near.id not in made] + here
            decision = reconcile(
                candidate,
                neighbours,
                new_id=memory_id(batch, candidate.text),
                calibration=self._calibration,
            )
            decisions.append(decision)
            if decision.event is not EventKind.NONE:
                near = Neighbour(decision.memory_id, decision.text, decision.type, 1.0)
                made[decision.memory_id] = (near, vector)
        return decisions

    async def carry_out(
        self,
        scope: Scope,
        decisions: Sequence[Decision],
        *,
        at: datetime,
        batch: str,
        provenance: Provenance,
        metadata: Mapping[str, Any] | None = None,
    ) -> list[MemoryEvent]:
        """Write what was decided; repeating it changes nothing.

        Raises:
            EmbeddingError, StoreError, StateError: the same call again completes it.
        """
        if not decisions:
            return []
        return await apply(
            decisions,
            await self._embedder.embed([decision.text for decision in decisions]),
            scope=scope,
            batch=batch,
            at=at,
            now=self._clock(),
            store=self._store,
            history=self._history,
            embedder_id=self._embedder.id,
            provenance=provenance,
            metadata=metadata or {},
        )

    async def _neighbours(self, scope: Scope, vector: Vector) -> list[Neighbour]:
        # A scope also sees narrower ones (a user's memories with one agent): those are not its to
        # change, and however many of them are nearer, they must not hide its own.
        limit = NEIGHBOURS
        while True:
            hits = await self._store.search(scope, vector, limit=limit, fresh=True)
            own = [hit for hit in hits if hit.item.scope == scope][:NEIGHBOURS]
            if len(own) == NEIGHBOURS or len(hits) < limit or limit >= MAX_SEEN:
                return [Neighbour(h.item.id, h.item.text, h.item.type, h.score) for h in own]
            limit *= 4

    async def _embed(self, candidates: Sequence[Candidate]) -> list[tuple[Candidate, Vector]]:
        """One batch; if that fails each on its own, so that one bad text costs only itself."""
        if not candidates:
            return []
        try:
            vectors: Vectors = await self._embedder.embed([c.text for c in candidates])
        except EmbeddingError as error:
            if len(candidates) == 1:
                raise
            log.warning("embedding %d facts at once failed: %s", len(candidates), error)
        else:
            return list(zip(candidates, vectors, strict=True))
        return await self._embed_singly(candidates)

    async def _embed_singly(
        self, candidates: Sequence[Candidate]
    ) -> list[tuple[Candidate, Vector]]:
        done: list[tuple[Candidate, Vector]] = []
        failure: EmbeddingError | None = None
        for candidate in candidates:
            try:
                [vector] = await self._embedder.embed([candidate.text])
            except EmbeddingError as error:
                log.warning("a fact of %d characters is left out: %s", len(candidate.text), error)
                failure = error
            else:
                done.append((candidate, np.asarray(vector, np.float32)))
        if failure is not None and not done:
            raise failure
        return done


def memory_id(batch: str, text: str) -> str:
    """The id of a memory that `batch` creates with this text."""
    return str(uuid.uuid5(_MEMORY_IDS, f"{batch}|{text}"))


def dump_decisions(decisions: Sequence[Decision]) -> str:
    """Decisions as a job keeps them."""
    return json.dumps([asdict(decision) for decision in decisions], ensure_ascii=False)


def load_decisions(checkpoint: str) -> list[Decision]:
    """The decisions `dump_decisions` kept."""
    return [
        Decision(**{**row, "event": EventKind(row["event"]), "type": MemoryType(row["type"])})
        for row in json.loads(checkpoint)
    ]
