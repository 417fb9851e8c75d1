"""Tells by meaning what a client asks of a model for itself: a title, tags, a command's prefix.

As `prototypes`, a text is compared with sentences of its kind and of the other: what people ask,
and how they and programs tell an assistant what to be.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..calibration import Calibration
from ..language import language_of
from ..language.words import sentences
from ..model.ports import Embedder
from ..model.types import Vector
from ..util.lru import Lru
from .example_vectors import ExampleVectors, digest
from .examples import CLIENT_REQUESTS, TO_ASSISTANTS
from .prototypes import Kinds, languages_known, nearness

FIRST, LAST = 10, 6
"""Sentences that are read of a long text, at its beginning and at its end."""
_SHORTEST, _LONGEST = 8, 200
"""Characters of a sentence that tells something, and those that are read of a longer one."""
_DIFFER = 0.1
"""The standard deviation of USE's cosines of both kinds: likeness is on its scale."""
_KEPT = 1024
NONE = -1.0
"""Of a text in a language that the embedder does not know."""
_DIGITS = dict.fromkeys(map(ord, "0123456789"))


class ClientRequests:
    """Tells how alike a text is to clients' requests; the last texts are remembered."""

    def __init__(self, embedder: Embedder, calibration: Calibration) -> None:
        self._vectors = ExampleVectors(embedder)
        self._languages = languages_known(calibration)
        self._kinds: Kinds | None = None
        self._unit = 1.0
        self._known: Lru[int, float] = Lru(_KEPT)

    async def prepare(self) -> None:
        """Embed about 120 short texts, which USE need not; until then nothing is alike.

        Raises EmbeddingError.
        """
        own = await self._vectors.of(CLIENT_REQUESTS)
        others = await self._vectors.of(TO_ASSISTANTS)
        self._unit = float((own @ others.T).std()) / _DIFFER
        self._kinds = Kinds.of(own, others)

    async def likeness(self, text: str) -> float:
        """How much nearer it is to clients' requests: its nearest sentence, and all of them.

        Instructions are sent again with every message, so a text is embedded once, whatever
        numbers are in it. Raises EmbeddingError.
        """
        told = told_of(text)
        key = digest("\n".join(told).translate(_DIGITS))
        known = self._known.get(key)
        if known is None and (kinds := self._kinds) is not None:
            known = await self._likeness(told, kinds)
            self._known.put(key, known)
        return NONE if known is None else known

    async def _likeness(self, told: Sequence[str], kinds: Kinds) -> float:
        if not told or language_of(" ".join(told)) not in self._languages:
            return NONE
        near = [self._nearer(vector, kinds) for vector in await self._vectors.of(told)]
        return max(near) + sum(near) / len(near)

    def _nearer(self, vector: Vector, kinds: Kinds) -> float:
        own, others = map(nearness, kinds.cosines(vector / np.float32(self._unit)))
        return own - others


def told_of(text: str) -> list[str]:
    """The sentences that are read of a text."""
    lines = (" ".join(one.split()) for one in sentences(text))
    told = [one[:_LONGEST] for one in lines if len(one) >= _SHORTEST]
    return told if len(told) <= FIRST + LAST else [*told[:FIRST], *told[-LAST:]]
