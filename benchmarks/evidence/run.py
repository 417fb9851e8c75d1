"""Fits the weights of evidence, and shows what they do on sets that they were not fitted on.

    python benchmarks/evidence/run.py [--data FOLDER] [--model pair|minilm|use]

Each set is judged by weights fitted on all others (`asked` tells how questions get their labels).
Prints three tables: what is recalled for own questions, for strangers' questions, for what was
never told and for impersonal requests; the same by language; and the share of right hits at each
score. Then the weights fitted on all sets, for `memory/calibration/weights.py`. Writes
benchmarks/results/evidence.json.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from evidence import asked  # noqa: E402 - the same
from evidence.asked import FOREIGN, IMPERSONAL, NEVER_TOLD, OWN, Row  # noqa: E402 - the same
from load import RESULTS, write_json  # noqa: E402 - the paths above
from product import Engine, disk_embedder  # noqa: E402 - the same

from recollect.memory.calibration import (  # noqa: E402 - the same
    AnswerWeights,
    EvidenceWeights,
    HitWeights,
    calibration_for,
)
from recollect.memory.calibration.fit import FitRow, fit_answers, fit_right  # noqa: E402
from recollect.memory.recall import evidence  # noqa: E402 - the same
from recollect.memory.recall.options import RecallOptions  # noqa: E402 - the same

KINDS = (OWN, FOREIGN, NEVER_TOLD, IMPERSONAL)
COUNTS: Mapping[str, float] = {OWN: 1.0, FOREIGN: 1.0, NEVER_TOLD: 0.3, IMPERSONAL: 0.7}
"""What a question of each kind counts. What was never told may be nearly told: it counts less."""
WRONG_HITS = 0.15
"""What hits of strangers' questions count for the score: most searches are of one's own."""
TOGETHER = {"LoCoMo facts": "LoCoMo", "recall-3": "recall-2"}
"""Sets that are held out with another, since they are of the same talks or one writer."""
START = EvidenceWeights(
    answers=AnswerWeights(
        bias=0.0, near=3.0, words=3.0, both=0.0, name=0.0, time=0.0, topic=0.0, memories=0.0,
        personal=0.0, elsewhere=0.0,
    ),
    right=HitWeights(bias=0.0, answers=0.0, share=0.0, lead=0.0, place=0.0),
)  # fmt: skip
PENALTY = 0.01
BINS = 5
LEAST_OF_LANGUAGE = 8


def weights_of(rows: Sequence[Row]) -> list[float]:
    """So that a set counts as the root of its size, and no kind of question drowns another."""
    counts = Counter((row.set, row.kind) for row in rows)
    raw = [COUNTS[row.kind] / np.sqrt(counts[row.set, row.kind]) for row in rows]
    return [weight * len(rows) / sum(raw) for weight in raw]


def fitted(rows: Sequence[Row]) -> EvidenceWeights:
    """The weights of these questions."""
    given = weights_of(rows)
    answers = fit_answers(
        [
            FitRow(row.table, row.kind == OWN, weight)
            for row, weight in zip(rows, given, strict=True)
        ],
        START.answers,
        penalty=PENALTY,
    )
    hits, right, weights = [], [], []
    for row, weight in zip(rows, given, strict=True):
        if row.kind in (OWN, FOREIGN):
            odds = evidence.log_odds(row.table[:, row.hits], answers)
            hits.append(evidence.placed(odds, row.fused).T)
            right.append(row.right)
            counts = 1.0 if row.kind == OWN else WRONG_HITS
            weights.append(np.full(len(row.hits), weight * counts))
    found = fit_right(
        np.vstack(hits), np.concatenate(right).astype(float), np.concatenate(weights), START.right
    )
    return EvidenceWeights(answers=answers, right=found)


Judged = tuple[Row, float, np.ndarray]
"""A question, its evidence, and the scores of its hits."""


def judged(row: Row, weights: EvidenceWeights) -> Judged:
    odds = evidence.log_odds(row.table, weights.answers)
    scores = evidence.scores(odds[row.hits], row.fused, weights.right)
    return row, float(evidence.probability(odds.max())), scores


def held_out(rows: Sequence[Row]) -> list[Judged]:
    """Each question judged by weights that its set did not help to fit."""
    groups = sorted({TOGETHER.get(row.set, row.set) for row in rows})
    found: list[Judged] = []
    for group in groups:
        out = [row for row in rows if TOGETHER.get(row.set, row.set) == group]
        weights = fitted([row for row in rows if TOGETHER.get(row.set, row.set) != group])
        found += [judged(row, weights) for row in out]
    return found


def recalled(of: Iterable[Judged], least: float) -> dict[str, float]:
    """The share of each kind of question for which anything is recalled."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for row, probability, _ in of:
        counts[f"{row.kind}{', few' if row.few else ''}"].append(probability >= least)
    return {kind: float(np.mean(each)) for kind, each in counts.items()}


def by(
    of: Sequence[Judged], key: Callable[[Row], str], least: float
) -> dict[str, dict[str, float]]:
    names = sorted({key(one[0]) for one in of})
    return {name: recalled([one for one in of if key(one[0]) == name], least) for name in names}


def right_hits(of: Iterable[Judged]) -> dict[str, dict[str, float]]:
    """The share of right hits at each score, among the ten best of own questions."""
    counts: dict[int, list[bool]] = defaultdict(list)
    for row, _, scores in of:
        if row.kind == OWN and not row.few:
            for score, right in zip(scores[:10], row.right[:10], strict=True):
                counts[min(int(score * BINS), BINS - 1)].append(bool(right))
    return {
        f"{at / BINS:g}": {"hits": len(each), "right": float(np.mean(each))}
        for at, each in sorted(counts.items())
    }


def show(title: str, table: Mapping[str, Mapping[str, float]]) -> None:
    kinds = [f"{kind}{few}" for few in ("", ", few") for kind in KINDS]
    kinds = [kind for kind in kinds if any(kind in row for row in table.values())]
    print(f"\n{title:16}" + "".join(f"{kind:>17}" for kind in kinds))
    for name, row in table.items():
        print(f"{name:16}" + "".join(f"{row.get(kind, float('nan')):17.3f}" for kind in kinds))
    mean = {kind: np.mean([row[kind] for row in table.values() if kind in row]) for kind in kinds}
    print(f"{'mean':16}" + "".join(f"{mean[kind]:17.3f}" for kind in kinds))


async def main(data: Path) -> int:
    embedder = await disk_embedder(RESULTS)
    engine = await Engine.open(embedder)
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        rows = await asked.rows(data, engine, calibration)
    finally:
        await engine.close()
        await embedder.close()
    least = RecallOptions().evidence
    apart = held_out(rows)
    sets = by(apart, lambda row: row.set, least)
    show("set, held out", sets)
    own = [one for one in apart if one[0].set in ("recall", "recall-2", "recall-3", "persona")]
    languages = by(own, lambda row: row.language, least)
    show("our own stores", languages)
    scores = right_hits(apart)
    print("\nscore    hits   right, held out")
    for start, row in scores.items():
        print(f"{start:5}{row['hits']:8.0f}{row['right']:8.3f}")
    weights = fitted(rows)
    print(f"\nfitted on all {len(rows)} questions, for {embedder.id}:")
    for part in (weights.answers, weights.right):
        print("  ", {name: round(value, 2) for name, value in asdict(part).items()})
    result = {
        "embedder": embedder.id, "questions": len(rows), "least": least, "sets": sets,
        "languages": languages, "scores": scores, "weights": asdict(weights),
    }  # fmt: skip
    print(f"written to {write_json('evidence', result)}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--model", default="pair", choices=("pair", "minilm", "use"))
    given = parser.parse_args()
    os.environ["EMBEDDER"] = given.model
    sys.exit(asyncio.run(main(given.data)))
