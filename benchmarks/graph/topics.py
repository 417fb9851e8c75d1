"""How well topics are found, and how long a scope of 20,000 memories takes.

    python benchmarks/graph/topics.py [FILE ...] [--seconds]

Rows have `lang`, `topic` and `text`. Those of each language are clustered by themselves, as a user
has one, in twenty orders. B-cubed (Bagga and Baldwin 1998, "Entity-based cross-document
coreferencing using the vector space model", ACL): of each memory's topic the share that is of its
label (precision), and of its label the share that is in its topic (recall); means over memories
and orders. Beside ours are the whole
vector of the pair, one cosine for all embedders (0.70), and memories by themselves.

`rows/topics.dev.jsonl` chose the bounds; `rows/topics.jsonl` was written by the same author after
they were frozen, before it was run. It showed that of the two models in one vector the second is
better alone, so `rows/topics-2.jsonl` was written after that was settled. `--seconds` measures
20,000 memories: of 2,000 topics, and each by itself, which is the slowest.

Prints tables, writes benchmarks/results/graph-topics.json. Exits with 2 without the weights.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402 - the script runs without an installation

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same
from recollect.memory.engine.options import DEFAULT_MODEL_DIR  # noqa: E402 - the same
from recollect.memory.graph.topics.clusters import Clusters, TopicBounds  # noqa: E402 - the same
from recollect.memory.graph.topics.topic_space import TopicSpace  # noqa: E402 - the same
from recollect.memory.model.errors import EmbeddingError  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows"
ORDERS = 20
MODELS = ("pair", "use", "minilm")
MANY, DIM = 20_000, 512
"""Memories, and the numbers that count of the default embedder's vectors."""
FIXED = TopicBounds(0.70, 0.93)
ALONE = TopicBounds(2.0, 2.0)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    default = [ROWS / f"{name}.jsonl" for name in ("topics.dev", "topics", "topics-2")]
    parser.add_argument("files", type=Path, nargs="*", default=default)
    parser.add_argument("--seconds", action="store_true", help="also how long many take")
    wanted = parser.parse_args()
    try:
        found = asyncio.run(measured(wanted.files))
    except EmbeddingError as error:
        print(error, file=sys.stderr)
        return 2
    result: dict[str, Any] = {"found": found}
    if wanted.seconds:
        result["seconds"] = seconds()
    write_json("graph-topics", result)
    return 0


async def measured(files: Sequence[Path]) -> list[dict[str, Any]]:
    """A row for each file, model, language and way."""
    told = []
    print(f"{'rows':10} {'model':6} {'lang':4} {'n':>3} {'way':5}     P     R     F  topics")
    for model in MODELS:
        options = LocalEmbedderOptions(model_dir=DEFAULT_MODEL_DIR, model=model)
        embedder = await open_embedder(options)
        for path in files:
            rows = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line]
            vectors = np.asarray(await embedder.embed([row["text"] for row in rows]))
            for lang in sorted({row["lang"] for row in rows}):
                at = [n for n, row in enumerate(rows) if row["lang"] == lang]
                labels = [rows[n]["topic"] for n in at]
                for way, (part, bounds) in ways(embedder, vectors[at]).items():
                    row = {"rows": path.stem, "model": model, "lang": lang, "way": way}
                    told.append(row | scores(part, labels, bounds))
                    print(line_of(told[-1], labels))
        await embedder.close()
    return told


def ways(embedder: Embedder, vectors: np.ndarray) -> dict[str, tuple[np.ndarray, TopicBounds]]:
    """What is clustered by which bounds: as the product does, and what it is compared with."""
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    space = TopicSpace.of(embedder.id, embedder.dim, calibration)
    return {
        "ours": (space.part(list(vectors)), space.bounds),
        "whole": (vectors, TopicSpace(calibration).bounds),
        "0.70": (vectors, FIXED),
        "alone": (vectors, ALONE),
    }


def scores(vectors: np.ndarray, labels: Sequence[str], bounds: TopicBounds) -> dict[str, float]:
    """The means over the orders."""
    each = [scored(vectors, labels, bounds, seed) for seed in range(ORDERS)]
    names = ("precision", "recall", "f", "topics")
    return dict(zip(names, np.mean(each, axis=0).round(3).tolist(), strict=True))


def line_of(row: dict[str, Any], labels: Sequence[str]) -> str:
    return (
        f"{row['rows']:10} {row['model']:6} {row['lang']:4} {len(labels):3} {row['way']:5} "
        f"{row['precision']:5.2f} {row['recall']:5.2f} {row['f']:5.2f} "
        f"{row['topics']:5.1f} of {len(set(labels))}"
    )


def scored(
    vectors: np.ndarray, labels: Sequence[str], bounds: TopicBounds, seed: int
) -> tuple[float, float, float, float]:
    """Precision, recall, their harmonic mean, and how many topics, in one order."""
    order = list(range(len(labels)))
    random.Random(seed).shuffle(order)
    clusters = Clusters(vectors.shape[1], bounds)
    clusters.add(vectors[order])
    found = [[labels[order[at]] for at in members] for members in clusters.found()]
    pairs = [
        (topic.count(label), len(topic), labels.count(label)) for topic in found for label in topic
    ]
    precision = sum(same / size for same, size, _ in pairs) / len(pairs)
    recall = sum(same / all_ for same, _, all_ in pairs) / len(pairs)
    return precision, recall, 2 * precision * recall / (precision + recall), len(found)


def seconds() -> dict[str, float]:
    """What 20,000 memories cost, and whether portions are the same as all at once."""
    chance = np.random.default_rng(0)
    around = chance.normal(size=(2000, DIM)).astype(np.float32)
    noise = chance.normal(size=(MANY, DIM)).astype(np.float32)
    told = {}
    for name, vectors in (
        ("2,000 topics", around[chance.integers(0, len(around), MANY)] + noise * 0.7),
        ("by themselves", noise),
    ):
        begun = time.process_time()
        at_once = _clustered(vectors, MANY)
        told[name] = round(time.process_time() - begun, 1)
        print(f"{MANY} memories, {name}: {told[name]} s of CPU, {len(at_once)} topics")
        assert _clustered(vectors, 777) == at_once
    return told


def _clustered(vectors: np.ndarray, portion: int) -> list[tuple[int, ...]]:
    clusters = Clusters(DIM, TopicBounds(0.31, 0.50))
    for first in range(0, len(vectors), portion):
        clusters.add(vectors[first : first + portion])
    return clusters.found()


if __name__ == "__main__":
    sys.exit(main())
