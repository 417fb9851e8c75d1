"""Vectors of the example sentences, embedded when the product was made: a start embeds none.

Of USE, alone or in the pair; any other embedder embeds them at each start.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from importlib import resources

import numpy as np

from ..embedders.weighted_halves import across_languages, is_of_use
from ..model.ports import Embedder
from ..model.types import Vector, Vectors

FILE = "examples.npz"
"""What `tools/embed_examples.py` writes: `digests` of the sentences, and `vectors` in half
precision, which changes cosines by less than 0.0001."""


class ExampleVectors:
    """Vectors of an embedder's example sentences, in rows of unit length."""

    def __init__(self, embedder: Embedder) -> None:
        self.part = across_languages(embedder.id)
        self._embedder = embedder
        self._known = _known() if is_of_use(embedder.id) else {}

    async def of(self, texts: Sequence[str]) -> Vectors:
        """One row for each sentence, embedded now unless all are known. Raises EmbeddingError."""
        known = [self._known.get(digest(text)) for text in texts]
        found = [row for row in known if row is not None]
        if len(found) < len(texts):
            return _unit((await self._embedder.embed(texts))[:, self.part])
        return _unit(np.stack(found).astype(np.float32))


def known_vectors(embedder_id: str, texts: Sequence[str]) -> Vectors | None:
    """What `ExampleVectors.of` gives without embedding anything; None if it would have to."""
    known = _known() if is_of_use(embedder_id) else {}
    found = [row for text in texts if (row := known.get(digest(text))) is not None]
    return _unit(np.stack(found).astype(np.float32)) if 0 < len(found) == len(texts) else None


def digest(text: str) -> int:
    """By which a sentence is found in the file."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def _known() -> Mapping[int, Vector]:
    with resources.files(__package__).joinpath(FILE).open("rb") as file, np.load(file) as kept:
        return dict(zip(kept["digests"].tolist(), kept["vectors"], strict=True))


def _unit(vectors: Vectors) -> Vectors:
    whole: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return whole
