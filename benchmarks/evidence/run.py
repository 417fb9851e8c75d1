"""Fits the weights of evidence, and shows what they do on sets that they were not fitted on.

    python benchmarks/evidence/run.py [--data FOLDER] [--model pair|minilm|use] [--kept FILE]

Each memory that is weighed for a question is a line, which bears on it or does not (`asked` tells
how questions get their labels). Each set is judged by weights fitted on all others. Prints, by set
and by language, at the threshold: the share of the needed lines that is found, the lines that are
given to a question, the share of them that is needed, and how many questions of strangers, of what
was never told and of no person get any line. Then the weights fitted on all sets, for
`memory/calibration/weights.py`. Writes benchmarks/results/evidence.json. `--kept` keeps the asked
questions in a file, and reads them from it if it is there.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import pickle
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
# Not this folder: its names would hide others.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from evidence import asked  # noqa: E402 - the same
from evidence.asked import FOREIGN, IMPERSONAL, NEVER_TOLD, OWN, Row  # noqa: E402 - the same
from load import RESULTS, write_json  # noqa: E402 - the paths above
from product import Engine, disk_embedder  # noqa: E402 - the same

from recollect.memory.calibration import (  # noqa: E402 - the same
    ANSWERS,
    BUILT_IN,
    AnswerWeights,
    calibration_for,
)
from recollect.memory.calibration.fit import regress  # noqa: E402 - the same
from recollect.memory.recall import evidence  # noqa: E402 - the same
from recollect.memory.recall.hit_evidence import BEHIND, SURE  # noqa: E402 - the same
from recollect.memory.recall.options import RecallOptions  # noqa: E402 - the same

OWN_MATTERS, OWN_COUNTS = ("plain", "persona", "told", "changes"), 4.0
"""Sets of questions of people about themselves (their names begin so), and what they count."""
DIALOGUES = ("LoCoMo", "realtalk", "realmem")
"""Sets that are judged and fit nothing: their lines are turns, most of which tell no fact."""
TOGETHER = {"LoCoMo facts": "LoCoMo", "recall-3": "recall-2", "plain-2.dev": "plain.dev"}
"""Sets that are held out with another, since they are of the same talks or one writer."""
PENALTY = 0.01


def counts_of(rows: Sequence[Row]) -> list[float]:
    """What a line of each question counts: a set as much as the root of its lines."""
    lines: Counter[str] = Counter()
    for row in rows:
        lines[row.set] += len(row.right)
    raw = [
        (OWN_COUNTS if row.set.startswith(OWN_MATTERS) else 1.0) / np.sqrt(max(lines[row.set], 1))
        for row in rows
    ]
    mean = np.average(raw, weights=[max(len(row.right), 1) for row in rows])
    return [float(each / mean) for each in raw]


def fitted(rows: Sequence[Row]) -> AnswerWeights:
    """The weights of these questions, by a logistic regression of all their lines.

    Needed lines count as much as all others together, or the few of them would hardly count.
    """
    rows = [row for row in rows if row.set not in DIALOGUES]
    table = np.hstack([row.table for row in rows]).T.astype(np.float64)
    right = np.concatenate([row.right for row in rows]).astype(np.float64)
    counts = np.repeat(counts_of(rows), [len(row.right) for row in rows])
    needed = counts[right == 0].sum() / counts[right > 0].sum()
    counts = counts * np.where(right > 0, needed, 1.0)
    start = np.zeros(len(ANSWERS) + 1)
    found = regress(table, right, counts, near=start, penalty=PENALTY)
    return AnswerWeights(
        bias=float(found[0]), **dict(zip(ANSWERS, map(float, found[1:]), strict=True))
    )


class Judged(NamedTuple):
    """A question, and which of its lines are given."""

    row: Row
    given: np.ndarray
    """``bool[k]``."""


def judged(row: Row, weights: AnswerWeights, options: RecallOptions) -> Judged:
    """As `recall.weighing.weigh` gives them; which come first, and the limit, count for nothing."""
    odds = evidence.log_odds(row.table.astype(np.float64), weights)
    least = options.threshold if row.personal else max(options.threshold, options.tuning.clear)
    near = odds >= min(odds.max(initial=-np.inf) - BEHIND, SURE)
    return Judged(row, (evidence.probability(odds) >= least) & near)


def held_out(rows: Sequence[Row], options: RecallOptions) -> list[Judged]:
    """Each question judged by weights that its set did not help to fit."""
    groups = sorted({TOGETHER.get(row.set, row.set) for row in rows})
    found: list[Judged] = []
    for group in groups:
        out = [row for row in rows if TOGETHER.get(row.set, row.set) == group]
        others = [row for row in rows if TOGETHER.get(row.set, row.set) != group]
        weights = fitted(others or rows)
        found += [judged(row, weights, options) for row in out]
    return found


def figures(of: Iterable[Judged]) -> dict[str, float]:
    """What the questions are given."""
    needed = came = lines = right = own = 0
    anything: dict[str, list[bool]] = defaultdict(list)
    for row, given in of:
        anything[row.kind].append(bool(given.any()))
        if row.kind == OWN:
            hits = int(np.count_nonzero(given & row.right))
            own, needed, came = own + 1, needed + row.evidence, came + hits
            lines, right = lines + int(np.count_nonzero(given)), right + hits
    nothing = float("nan")
    return {
        "questions": own,
        "found": came / needed if needed else nothing,
        "given": lines / own if own else nothing,
        "precision": right / lines if lines else nothing,
        **{
            kind: float(np.mean(anything[kind])) if anything[kind] else nothing
            for kind in (FOREIGN, NEVER_TOLD, IMPERSONAL)
        },
    }


def by(of: Sequence[Judged], key: Callable[[Row], str]) -> dict[str, dict[str, float]]:
    names = sorted({key(one.row) for one in of})
    return {name: figures(one for one in of if key(one.row) == name) for name in names}


def show(title: str, table: Mapping[str, Mapping[str, float]]) -> None:
    columns = list(next(iter(table.values()), {}))
    print(f"\n{title:22}" + "".join(f"{name:>12}" for name in columns))
    for name, row in table.items():
        cells = (f"{row[c]:12.0f}" if c == "questions" else f"{row[c]:12.3f}" for c in columns)
        print(f"{name:22}" + "".join(cells))


async def ask(data: Path) -> tuple[str, list[Row]]:
    """The embedder's id, and every question in every store that it is asked in."""
    embedder = await disk_embedder(RESULTS)
    engine = await Engine.open(embedder)
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        return embedder.id, await asked.rows(data, engine, calibration)
    finally:
        await engine.close()
        await embedder.close()


def main(data: Path, kept: Path | None) -> int:
    if kept is not None and kept.is_file():
        embedder, rows = pickle.loads(kept.read_bytes())
    else:
        embedder, rows = asyncio.run(ask(data))
        if kept is not None:
            kept.write_bytes(pickle.dumps((embedder, rows)))
    options = RecallOptions()
    apart = held_out(rows, options)
    sets = by(apart, lambda row: row.set + (", few" if row.few else ""))
    show("set, held out", sets)
    languages = by(apart, lambda row: row.language)
    show("language, held out", languages)
    weights = fitted(rows)
    together = {
        "fitted on all": figures(judged(row, weights, options) for row in rows),
        "as built in": figures(judged(row, BUILT_IN, options) for row in rows),
    }
    show("weights", together)
    print(f"\nfitted on all {len(rows)} questions, for {embedder}:")
    print("  ", {name: round(value, 2) for name, value in asdict(weights).items()})
    result = {
        "embedder": embedder, "questions": len(rows), "threshold": options.threshold, "sets": sets,
        "languages": languages, **together, "weights": asdict(weights),
    }  # fmt: skip
    print(f"written to {write_json('evidence', result)}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--model", default="pair", choices=("pair", "minilm", "use"))
    parser.add_argument("--kept", type=Path, default=None)
    chosen = parser.parse_args()
    os.environ["EMBEDDER"] = chosen.model
    sys.exit(main(chosen.data, chosen.kept))
