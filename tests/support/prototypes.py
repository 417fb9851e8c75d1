"""What recall compares texts with, embedded by the fake embedder once for all tests of a process.

Half of what a composed product costs in a test: 650 texts, always with the same vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.embedders.cached import CachedEmbedder
from recollect.memory.recall.prototypes import Prototypes, languages_known


@pytest.fixture(scope="session", autouse=True)
def prototypes_once() -> Iterator[None]:
    """Any other embedder, and one of which a test replaced a method, is asked as ever."""
    known: dict[str, Prototypes] = {}
    ask = Prototypes.of

    async def of(embedder: Any, calibration: Any) -> Prototypes:
        if not _is_fake(embedder):
            return await ask(embedder, calibration)
        if embedder.id not in known:
            known[embedder.id] = await ask(embedder, calibration)
        return replace(known[embedder.id], languages=languages_known(calibration))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Prototypes, "of", of)
        yield


def _is_fake(embedder: Any) -> bool:
    inner = embedder._inner if type(embedder) is CachedEmbedder else embedder
    return type(inner) is FakeEmbedder and "embed" not in vars(inner)
