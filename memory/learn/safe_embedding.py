"""Embeds texts of which some may not be embeddable: the others are not lost with them."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence

import numpy as np

from ..model.errors import EmbeddingError
from ..model.ports import Embedder
from ..model.types import Vector

log = logging.getLogger(__name__)


async def each_embedded(embedder: Embedder, texts: Sequence[str]) -> list[Vector | None]:
    """The vector of each text; None for one that cannot be embedded, which is logged.

    If all at once fail, each is embedded alone, unless the embedder fails for any text.

    Raises:
        EmbeddingError: every text failed.
    """
    if not texts:
        return []
    try:
        return list(await embedder.embed(texts))
    except EmbeddingError as error:
        if len(texts) == 1:
            raise
        log.warning("embedding %d texts at once failed: %s", len(texts), error)
    await embedder.embed([unheard()])
    found: list[Vector | None] = []
    failure: EmbeddingError | None = None
    for text in texts:
        try:
            [vector] = await embedder.embed([text])
        except EmbeddingError as error:
            log.warning("a text of %d characters is left out: %s", len(text), error)
            failure = error
            found.append(None)
        else:
            found.append(np.asarray(vector, np.float32))
    if failure is not None and all(vector is None for vector in found):
        raise failure
    return found


def unheard() -> str:
    """A text that no cache has, to find out whether an embedder works."""
    return f"Is anybody there? {uuid.uuid4()}"
