"""What the local embedders find by vectors alone, and with which weights the pair finds most.

    python benchmarks/embedders.py [--data FOLDER] [--own]

The share of the evidence that is among the five nearest memories, for MiniLM, for USE and for both
end to end, where the second counts `b` times as much as the first: the query is `[m || b * u]`, a
stored memory `[m || u]`. On LoCoMo, REALTALK and RealMem (evaluation only, in ../shared/data), and
on our own stores in other languages that were seen before; those that were not seen are shown apart
and nothing is chosen by them. The weights in use are in `memory/embedders/halves.py`.

Prints a table and writes benchmarks/results/embedders.json.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

import locomo  # noqa: E402 - the paths above
from load import RESULTS, write_json  # noqa: E402
from unseen import sets  # noqa: E402
from vectors import DiskEmbedder  # noqa: E402

from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402
from recollect.memory.engine.options import DEFAULT_MODEL_DIR  # noqa: E402

NEAREST = 5
WEIGHTS = (0.0, 0.2, 0.35, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)
ALONE = float("inf")

Asked = tuple[str, frozenset[int]]
Store = tuple[str, Sequence[str], Sequence[Asked]]
"""The name of its set, its memories, and its questions with the numbers of their evidence."""


def english(data: Path) -> Iterator[Store]:
    """Other people's conversations. Raises MissingDataError."""
    for sample in locomo.samples(locomo.files(data)):
        talk = locomo.turns(*sample)
        entries = [entry for session in talk.sessions for entry in session.entries]
        numbers = {entry.id: number for number, entry in enumerate(entries)}
        asked = [
            (q.text, frozenset(numbers[each] for each in q.evidence))
            for q in talk.questions
            if q.answerable
        ]
        yield "LoCoMo", [entry.text for entry in entries], asked
    for name in sets.STORES:
        for row in sets.rows(data, name):
            yield store(row, name.removeprefix("ood-"))


def own() -> Iterator[Store]:
    """Our own stores, by language; those that nobody looked at are marked."""
    for stem, path in sets.own("recall").items():
        for row in sets.read(path):
            seen = stem in sets.DEVELOPMENT
            yield store(row, row["lang"] if seen else f"{row['lang']} (unseen)")


def store(row: Mapping, name: str) -> Store:
    numbers = {memory["id"]: number for number, memory in enumerate(row["memories"])}
    asked = [
        (q["question"], frozenset(numbers[each] for each in q["evidence"] if each in numbers))
        for q in row["questions"]
    ]
    return name, [sets.stored(memory) for memory in row["memories"]], [q for q in asked if q[1]]


async def found(embedders: Sequence[DiskEmbedder], stores: Sequence[Store]) -> dict:
    """The share of the evidence found by set and weight of the second embedder, and questions."""
    shares: dict[str, dict[float, list[float]]] = defaultdict(lambda: defaultdict(list))
    for name, memories, questions in stores:
        cosines = [await _cosines(each, memories, [q for q, _ in questions]) for each in embedders]
        for weight in (*WEIGHTS, ALONE):
            first, second = (0.0, 1.0) if weight == ALONE else (1.0, weight)
            scores = first * cosines[0] + second * cosines[1]
            best = np.argsort(-scores, axis=1, kind="stable")[:, :NEAREST]
            shares[name][weight] += [
                len(evidence & set(row.tolist())) / len(evidence)
                for (_, evidence), row in zip(questions, best, strict=True)
            ]
    return {
        name: {
            "questions": len(by_weight[ALONE]),
            "found": {str(weight): float(np.mean(each)) for weight, each in by_weight.items()},
        }
        for name, by_weight in shares.items()
    }


async def _cosines(embedder: DiskEmbedder, memories: Sequence[str], asked: Sequence[str]):
    return await embedder.embed(asked) @ (await embedder.embed(memories)).T


def show(result: Mapping[str, Mapping]) -> None:
    print(f"{'set':16}{'questions':>10}" + "".join(f"{f'b={w:g}':>8}" for w in WEIGHTS), " alone")
    for name, row in result.items():
        cells = "".join(f"{row['found'][str(w)]:8.3f}" for w in (*WEIGHTS, ALONE))
        print(f"{name:16}{row['questions']:10}{cells}")


async def main(data: Path, *, with_english: bool) -> int:
    try:
        stores = [*own(), *(english(data) if with_english else ())]
    except locomo.MissingDataError as error:
        print(error, file=sys.stderr)
        return 2
    folder = DEFAULT_MODEL_DIR.expanduser()
    embedders = []
    for model in ("minilm", "use"):
        options = LocalEmbedderOptions(model=model, model_dir=folder)
        embedders.append(DiskEmbedder(await open_embedder(options), RESULTS / "embeddings.db"))
    result = await found(embedders, stores)
    show(result)
    print(f"written to {write_json('embedders', result)}")
    for embedder in embedders:
        await embedder.close()
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--own", action="store_true", help="only our own stores: a minute")
    given = parser.parse_args()
    sys.exit(asyncio.run(main(given.data, with_english=not given.own)))
