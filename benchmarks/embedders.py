"""What the local embedders find by vectors alone, and with which weights the pair finds most.

    python benchmarks/embedders.py [--data FOLDER] [--own] [--exact GRAPH]
    python benchmarks/embedders.py --speed [--base FOLDER]

The share of the evidence that is among the five nearest memories, for MiniLM, for USE and for both
end to end, where the second counts `b` times as much as the first: the query is `[m || b * u]`, a
stored memory `[m || u]`. On LoCoMo, REALTALK and RealMem (evaluation only, in ../shared/data), and
on our own stores in other languages that were seen before; those that were not seen are shown apart
and nothing is chosen by them. The weights in use are in `memory/embedders/halves.py`.

With `--exact` (what `tools/build_minilm_graph.py --exact` writes), the pair as the product asks it
is shown beside the pair with MiniLM in single precision, beside old stores (exact vectors, asked in
8-bit integers) and beside stores of which half is old: among the five and the ten nearest.

With `--speed`, what embedding costs (`embedding_speed`), beside another checkout.

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

import embedding_speed  # noqa: E402
import locomo  # noqa: E402 - the paths above
from load import RESULTS, write_json  # noqa: E402
from unseen import sets  # noqa: E402
from vectors import DiskEmbedder  # noqa: E402

from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402
from recollect.memory.embedders.halves import weights_for  # noqa: E402
from recollect.memory.embedders.local import HALVES, model  # noqa: E402
from recollect.memory.engine.options import DEFAULT_MODEL_DIR  # noqa: E402
from recollect.memory.language import language_of  # noqa: E402

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


async def precisions(
    quantised: DiskEmbedder, exact: DiskEmbedder, use: DiskEmbedder, stores: Sequence[Store]
) -> dict:
    """The share found by set, by what asks and what is stored, and by how many are looked at."""
    chance = np.random.default_rng(1)
    shares: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for name, memories, questions in stores:
        asked = [question for question, _ in questions]
        weights = np.stack([weights_for(language_of(each), HALVES) for each in asked])
        stored = {each: await each.embed(memories) for each in (quantised, exact, use)}
        of = {each: await each.embed(asked) for each in (quantised, exact, use)}
        old = chance.random((len(memories), 1)) < 0.5
        for kind, asker, rows in (
            ("exact", exact, stored[exact]),
            ("int8", quantised, stored[quantised]),
            ("int8, old store", quantised, stored[exact]),
            ("int8, half old", quantised, np.where(old, stored[exact], stored[quantised])),
        ):
            queries = np.concatenate([of[asker], of[use]], axis=1) * weights
            cosines = queries @ np.concatenate([rows, stored[use]], axis=1).T
            order = np.argsort(-cosines, axis=1, kind="stable")
            for most in (NEAREST, 2 * NEAREST):
                shares[name][f"{kind} @{most}"] += [
                    len(evidence & set(row[:most].tolist())) / len(evidence)
                    for (_, evidence), row in zip(questions, order, strict=True)
                ]
    return {
        name: {kind: float(np.mean(x)) for kind, x in row.items()} for name, row in shares.items()
    }


def show_precisions(result: Mapping[str, Mapping[str, float]]) -> None:
    for name, row in result.items():
        print(f"{name:16}" + "  ".join(f"{kind} {share:.3f}" for kind, share in row.items()))


def show(result: Mapping[str, Mapping]) -> None:
    print(f"{'set':16}{'questions':>10}" + "".join(f"{f'b={w:g}':>8}" for w in WEIGHTS), " alone")
    for name, row in result.items():
        cells = "".join(f"{row['found'][str(w)]:8.3f}" for w in (*WEIGHTS, ALONE))
        print(f"{name:16}{row['questions']:10}{cells}")


async def opened(name: str, *, kind: str = "int8 ") -> DiskEmbedder:
    options = LocalEmbedderOptions(model=name, model_dir=DEFAULT_MODEL_DIR.expanduser())
    return DiskEmbedder(await open_embedder(options), RESULTS / "embeddings.db", kind=kind)


async def main(data: Path, *, with_english: bool, exact: Path | None) -> int:
    try:
        stores = [*own(), *(english(data) if with_english else ())]
    except locomo.MissingDataError as error:
        print(error, file=sys.stderr)
        return 2
    embedders = [await opened("minilm"), await opened("use")]
    result = await found(embedders, stores)
    show(result)
    if exact is not None:
        model.GRAPH = str(exact.resolve())
        embedders.append(await opened("minilm", kind=""))
        beside = await precisions(embedders[0], embedders[2], embedders[1], stores)
        show_precisions(beside)
        result = {"weights": result, "precisions": beside}
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
    parser.add_argument("--exact", type=Path, help="MiniLM's graph in single precision")
    parser.add_argument("--speed", action="store_true", help="what it costs, instead")
    parser.add_argument("--base", type=Path, help="another checkout, for --speed")
    given = parser.parse_args()
    if given.speed:
        embedding_speed.compare(given.base)
        sys.exit()
    sys.exit(asyncio.run(main(given.data, with_english=not given.own, exact=given.exact)))
