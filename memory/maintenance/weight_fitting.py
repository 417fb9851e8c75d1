"""Fits the weights of evidence to an operator's pairs of questions and memories."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from ..calibration import AnswerWeights, Calibration, Label, Pair
from ..calibration.fit import FitRow, fit_answers
from ..embedders import CachedEmbedder, embed_queries
from ..model.ports import Embedder
from ..model.types import MemoryItem, MemoryType, Scope, StoredMemory, Vector, utc_now
from ..recall import evidence
from ..recall.index.user_index import UserIndex
from ..recall.signals import analysed, signals_of

PENALTY = 20.0
"""What a weight's distance of one from the built-in one costs, in questions: dozens of an
operator's own move weights that thousands gave, and do not overturn them."""
_SCOPE = Scope(tenant="calibrate", user_id="pool")


async def refit(
    embedder: Embedder, pairs: Sequence[Pair], calibration: Calibration
) -> AnswerWeights:
    """The weights, from the relevant pairs; without any, those of `calibration`.

    The memories of all relevant pairs are one store. Each question is asked in it as it is, and
    without the memories that answer it. Raises EmbeddingError.
    """
    wanted: dict[str, set[str]] = defaultdict(set)
    for pair in pairs:
        if pair.label is Label.RELEVANT:
            wanted[pair.one].add(pair.other)
    texts = list(dict.fromkeys(text for answers in wanted.values() for text in answers))
    if not texts:
        return calibration.weights
    embedder = CachedEmbedder(embedder)
    vectors = await embedder.embed(texts)
    index = UserIndex.of(embedder.dim, map(_stored, texts, vectors))
    queries = await embed_queries(embedder, list(wanted))
    asked = [
        one
        for (text, answers), vector in zip(wanted.items(), queries, strict=True)
        for one in _asked(index, text, answers, vector, calibration)
    ]
    return fit_answers(asked, calibration.weights, penalty=PENALTY)


def _stored(text: str, vector: Vector) -> StoredMemory:
    now = utc_now()
    item = MemoryItem(
        id=text, text=text, type=MemoryType.SEMANTIC, scope=_SCOPE, created_at=now, updated_at=now,
        embedder_id="calibrate",
    )  # fmt: skip
    return StoredMemory(item, vector)


def _asked(
    index: UserIndex, text: str, answers: set[str], vector: Vector, calibration: Calibration
) -> list[FitRow]:
    """The question with its answers in the store, and without."""
    read = analysed([text], vector[np.newaxis], index.languages, utc_now())
    found = signals_of(index, read, calibration, neighbours=0.0)
    every = index.admitted(_SCOPE)
    others = every & np.array([entry and entry.item.id not in answers for entry in index.entries])
    asked = []
    for among, answered in ((every, True), (others, False)):
        if among.any():
            at = np.flatnonzero(among)
            near = evidence.near(found, at, calibration)
            beside = evidence.guessed(near)
            table = evidence.told(found, at, near, beside, personal=read.speaks_of_user)
            asked.append(FitRow(table, answered))
    return asked
