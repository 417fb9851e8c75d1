"""Write `memory/recall/examples.npz`: the example sentences in vectors of USE.

    python tools/embed_examples.py MODEL_DIR

Run it after a change of the sentences (`memory/recall/examples.toml`, `importance.toml` and
`played.toml` beside it). The same sentences give the same file on one kind of processor.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect.memory.calibration import SAFE  # noqa: E402 - the path above
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402
from recollect.memory.model.ports import Embedder  # noqa: E402
from recollect.memory.model.types import Vectors  # noqa: E402
from recollect.memory.recall.client_requests import ClientRequests  # noqa: E402
from recollect.memory.recall.example_vectors import FILE, digest  # noqa: E402
from recollect.memory.recall.examples import (  # noqa: E402
    FOREIGN_LABELS,
    FRAMES,
    OWN_LABELS,
)
from recollect.memory.recall.importance import LEVELS  # noqa: E402
from recollect.memory.recall.prototypes import Prototypes  # noqa: E402
from recollect.memory.recall.role_play import PlayExamples  # noqa: E402


class Listener:
    """USE under a name of which no vectors are kept; notes what it is asked."""

    id = "listener"

    def __init__(self, inner: Embedder) -> None:
        self.dim = inner.dim
        self._inner = inner
        self.heard: dict[int, np.ndarray] = {}

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """As USE does."""
        vectors = await self._inner.embed(texts)
        self.heard |= dict(zip(map(digest, texts), vectors, strict=True))
        return vectors

    async def close(self) -> None:
        """Close USE."""
        await self._inner.close()


async def vectors(model_dir: Path) -> dict[int, np.ndarray]:
    """By the digest of each sentence."""
    options = LocalEmbedderOptions(model="use", model_dir=model_dir)
    listener = Listener(await open_embedder(options))
    await Prototypes.of(listener, SAFE)
    await ClientRequests(listener, SAFE).prepare()
    await PlayExamples.of(listener)
    for texts in (*LEVELS, FRAMES, FOREIGN_LABELS, OWN_LABELS):
        await listener.embed(texts)
    await listener.close()
    return listener.heard


def main() -> None:
    """Embed, write, and say how many there are."""
    parser = argparse.ArgumentParser(description="Embed the example sentences.")
    parser.add_argument("model_dir", type=Path)
    found = asyncio.run(vectors(parser.parse_args().model_dir))
    path = ROOT / "memory/recall" / FILE
    rows = np.stack([found[each] for each in sorted(found)]).astype(np.float16)
    np.savez(path, digests=np.array(sorted(found), np.uint64), vectors=rows)
    print(f"{path}: {len(rows)} sentences, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
