"""What a local reranker would buy: evidence found, and milliseconds, beside the present ranking.

    OMP_NUM_THREADS=1 python -m benchmarks.rerank --data FOLDER [--most 1] [--json FILE]

Stores the turns of LoCoMo conversations as they are and asks their answerable questions. The best
`TOP` hits of `Recaller.rank` are put into another order by each candidate:

- MaxSim (late interaction; Khattab and Zaharia 2020) over the token vectors of MiniLM, alone and
  mixed with the fused score. The tokens of the hits are computed for each question.
- The same with stored tokens. The order is equal, and only the comparison costs time.
- MMR (Carbonell and Goldstein 1998) over the stored vectors.
- The fused score alone, without the rule that relevant hits come first. It is the control of the
  mixtures.
- The perfect order, which is the limit of any reranker.

A cross-encoder is absent: no Python package was found that holds the weights of one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from recollect.memory.embedders import LocalEmbedderOptions, local, open_embedder
from recollect.memory.embedders.local.batches import RUN_TOKENS, leading, pack
from recollect.memory.embedders.local.embedder import MAX_TOKENS
from recollect.memory.embedders.local.model import GRAPH, read_tokenizer
from recollect.memory.embedders.local.session import open_session
from recollect.memory.embedders.local.tensors import WordTable
from recollect.memory.embedders.local.weights import TOKENIZER, WEIGHTS
from recollect.memory.engine.options import DEFAULT_MODEL_DIR
from recollect.memory.model.types import Vectors
from recollect.memory.recall.ranking import Ranked

sys.path.append(str(Path(__file__).parent / "recall"))
# The benchmarks are scripts: mypy finds their siblings only with MYPYPATH.
from locomo import files, samples, turns  # type: ignore[import-not-found, unused-ignore]
from product import Engine, Filed  # type: ignore[import-not-found, unused-ignore]

TOP = 30
KS = (5, 10)
SHARES = (0.1, 0.25, 0.5)
"""Of MaxSim in a mixture."""
LAMBDAS = (0.9, 0.7, 0.5)
"""Of relevance in MMR; the rest is novelty."""
BASE = "as it is"

SURE = 1.96
"""Standard errors on each side of a mean that make a 95 % interval."""

Scores = npt.NDArray[np.float64]
Order = Sequence[int]
T = TypeVar("T")


class TokenModel:
    """MiniLM with one vector for each token, in the runs of the product's embedder."""

    def __init__(self, folder: Path) -> None:
        graph, hidden = _with_hidden(resources.files(local).joinpath(GRAPH).read_bytes())
        self._hidden = hidden
        self._tokenizer = read_tokenizer(folder / TOKENIZER.name, MAX_TOKENS)
        self._words = WordTable.open(folder / WEIGHTS.name)
        self._session = open_session(graph, folder / WEIGHTS.name, 1)

    def embed(self, text: str) -> None:
        """Do the work of one query embedding: it is what the extra time is compared with."""
        self._run("embedding", self._ids([text]))

    def tokens(self, texts: Sequence[str]) -> list[Vectors]:
        """Unit vectors of each text's tokens, without those of [CLS] and [SEP]."""
        left, found = self._ids(texts), list[Vectors]()
        while left:
            count = leading(map(len, left), RUN_TOKENS)
            run, left = left[:count], left[count:]
            rows = self._run(self._hidden, run)
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
            ends = np.cumsum([len(ids) for ids in run])[:-1]
            # A text without words keeps the vector of [SEP], so that a maximum exists.
            found += [part[1:-1] if len(part) > 2 else part[-1:] for part in np.split(rows, ends)]
        return found

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self._tokenizer.encode_batch_fast(list(texts))]

    def _run(self, output: str, run: Sequence[Sequence[int]]) -> Vectors:
        ids, positions, owners = pack(run)
        feed = {"words": self._words.rows(ids), "positions": positions, "texts": owners}
        rows: Vectors = self._session.run([output], feed)[0]
        return rows


def _with_hidden(graph: bytes) -> tuple[bytes, str]:
    """The graph with a second output, the input of its pooling, and the name of that.

    Two protobuf messages end to end are their union, so the `onnx` package is not needed.
    """
    # The nodes are in the order of their work: the last norm is that of the last layer.
    name = re.findall(rb"layernormalization_\d+", graph)[-1]
    elements = b"\x08\x01"  # TypeProto.Tensor: elem_type = FLOAT
    of_type = _field(2, _field(1, elements))  # ValueInfoProto.type: TypeProto.tensor_type
    output = _field(12, _field(1, name) + of_type)  # GraphProto.output
    return graph + _field(7, output), name.decode()  # ModelProto.graph


def _field(number: int, content: bytes) -> bytes:
    """A protobuf field of bytes; a length below 128 is one byte."""
    assert len(content) < 128
    return bytes([number << 3 | 2, len(content)]) + content


def max_sim(asked: Vectors, tokens: Sequence[Vectors]) -> Scores:
    """``float64[n]``: the mean over the question's tokens of the best cosine in each text."""
    starts = np.cumsum([0, *map(len, tokens[:-1])])
    cosines = np.concatenate(tokens) @ asked.T
    best: Scores = np.maximum.reduceat(cosines, starts, axis=0).astype(np.float64)
    return np.asarray(best.mean(axis=1))


def mmr(relevance: Scores, vectors: Vectors, share: float, most: int) -> list[int]:
    """The first `most` of an order in which a hit loses by its likeness to those before it."""
    likeness = vectors @ vectors.T
    nearest, left = np.zeros(len(relevance)), np.ones(len(relevance), bool)
    chosen: list[int] = []
    for _ in range(min(most, len(relevance))):
        worth = np.where(left, share * relevance - (1 - share) * nearest, -np.inf)
        best = int(np.argmax(worth))
        chosen.append(best)
        left[best] = False
        nearest = np.maximum(nearest, likeness[best])
    return chosen


def stretched(scores: Scores) -> Scores:
    """The scores from 0 to 1."""
    spread = float(np.ptp(scores))
    return (scores - scores.min()) / spread if spread else np.zeros_like(scores)


def mixed(part: float, late: Scores, fused: Scores) -> list[int]:
    """Best first, by this part of MaxSim and the rest of the fused score."""
    return falling(part * stretched(late) + (1 - part) * fused)


def falling(scores: Scores) -> list[int]:
    """Positions, best first; equal scores keep their order."""
    return [int(at) for at in np.argsort(-scores, kind="stable")]


@dataclass
class Tally:
    """What one candidate got, by question."""

    seconds: list[float] = field(default_factory=list)
    found: dict[int, list[float]] = field(default_factory=lambda: {k: [] for k in KS})


class Bench:
    """The candidates, and what they got so far."""

    def __init__(self, engine: Engine, model: TokenModel) -> None:
        self._engine = engine
        self._recaller = engine.recaller()
        self._model = model
        self.tallies: dict[str, Tally] = defaultdict(Tally)
        self.embedding: list[float] = []
        self.ranking: list[float] = []
        self.sizes: list[int] = []

    async def ask(self, filed: Filed) -> None:
        """Ask the answerable questions of one conversation."""
        index = await self._engine.indexes.get(filed.scope)
        assert index is not None
        for asked in filed.conversation.questions:
            if not asked.answerable:
                continue
            started = time.perf_counter()
            got = await self._recaller.rank(filed.scope, asked.text, most=TOP, now=filed.now)
            self.ranking.append(time.perf_counter() - started)
            if not got.ranked:
                continue
            sources = [filed.source_of[hit.item.id] for hit in got.ranked]
            vectors = np.stack([index.vectors.row(hit.position) for hit in got.ranked])
            right = np.array([source in asked.evidence for source in sources], float)
            orders = self._orders(asked.text, got.ranked, vectors)
            for name, (order, seconds) in {**orders, "perfect": (falling(right), 0.0)}.items():
                tally = self.tallies[name]
                tally.seconds.append(seconds)
                for k in KS:
                    best = {sources[at] for at in order[:k]}
                    tally.found[k].append(len(best & asked.evidence) / len(asked.evidence))

    def _orders(
        self, question: str, hits: Sequence[Ranked], vectors: Vectors
    ) -> dict[str, tuple[Order, float]]:
        """The order of each candidate, and its seconds beyond those of the ranking."""
        _, seconds = _timed(self._model.embed, question)
        self.embedding.append(seconds)
        # The question's tokens are a by-product of its embedding, so they cost nothing more.
        [asked] = self._model.tokens([question])
        tokens, encoding = _timed(self._model.tokens, [hit.item.text for hit in hits])
        self.sizes += map(len, tokens)
        late, comparing = _timed(max_sim, asked, tokens)
        fused = stretched(np.array([hit.score for hit in hits], np.float64))
        orders: dict[str, tuple[Order, float]] = {BASE: (range(len(hits)), 0.0)}
        orders["fused score alone"] = _timed(falling, fused)
        for part in SHARES:
            order, mixing = _timed(mixed, part, late, fused)
            orders[f"MaxSim {part:.2f}"] = order, encoding + comparing + mixing
        order, sorting = _timed(falling, late)
        orders["MaxSim alone"] = order, encoding + comparing + sorting
        orders["MaxSim alone, tokens stored"] = order, comparing + sorting
        for part in LAMBDAS:
            orders[f"MMR {part:.1f}"] = _timed(mmr, fused, vectors, part, max(KS))
        return orders


def _timed(work: Callable[..., T], *given: Any) -> tuple[T, float]:
    started = time.perf_counter()
    result = work(*given)
    return result, time.perf_counter() - started


def rows(bench: Bench) -> list[dict[str, Any]]:
    """One for each candidate: evidence found, the gain with its 95 % interval, and time."""
    one, base = median(bench.embedding), bench.tallies[BASE]
    made = []
    for name, tally in bench.tallies.items():
        row: dict[str, Any] = {"candidate": name}
        for k in KS:
            gains = [a - b for a, b in zip(tally.found[k], base.found[k], strict=True)]
            row[f"R@{k}"] = fmean(tally.found[k])
            row[f"gain@{k}"] = fmean(gains)
            row[f"sure@{k}"] = SURE * stdev(gains) / math.sqrt(len(gains))
        row["extra_ms"] = median(tally.seconds) * 1e3
        row["embeddings"] = median(tally.seconds) / one
        made.append(row)
    return made


def show(made: Sequence[dict[str, Any]]) -> None:
    """Print the table."""
    heads = "".join(f"{f'R@{k}':>8}{'gain':>9}{'+-':>7}" for k in KS)
    print(f"{'':29}{heads}{'extra ms':>10}{'embeddings':>12}")
    for row in made:
        cells = "".join(
            f"{row[f'R@{k}']:8.3f}{row[f'gain@{k}']:+9.3f}{row[f'sure@{k}']:7.3f}" for k in KS
        )
        print(f"{row['candidate']:29}{cells}{row['extra_ms']:10.2f}{row['embeddings']:12.2f}")


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=1, help="Conversations.")
    parser.add_argument("--json", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    folder = DEFAULT_MODEL_DIR.expanduser()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=folder))
    engine, model = await Engine.open(embedder), TokenModel(folder)
    bench = Bench(engine, model)
    for sample in samples(files(chosen.data))[: chosen.most]:
        await bench.ask(await engine.file(turns(*sample)))
    made = rows(bench)
    about = {
        "questions": len(bench.embedding),
        "top": TOP,
        "embedding_ms": median(bench.embedding) * 1e3,
        "rank_ms": median(bench.ranking) * 1e3,
        "tokens": fmean(bench.sizes),
    }
    show(made)
    print(", ".join(f"{name} {value:.4g}" for name, value in about.items()))
    if chosen.json:
        chosen.json.write_text(json.dumps({**about, "candidates": made}, indent=2))
    await engine.close()
    await embedder.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
