"""Fits the weights of the quarantine's signs to the written examples of its tests.

    python benchmarks/learning/fit_poison.py

Writes `memory/trust/quarantine/weights.py`. Logistic regression with a quadratic penalty on the
rows of `tests/memory/trust/quarantine/{malicious,benign}.txt`; those of `unseen_*.txt` and all
evaluation data stay out of it. Prints what a fit to four fifths does with the other fifth.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from recollect.memory.trust.quarantine.origin import trace  # noqa: E402 - no installation
from recollect.memory.trust.quarantine.segments import voices  # noqa: E402 - no installation
from recollect.memory.trust.quarantine.signs import SIGNS_PER_CUE, signs  # noqa: E402 - no installation
from recollect.memory.trust.quarantine.voice import hear  # noqa: E402 - no installation
from recollect.memory.types import Message  # noqa: E402 - no installation
from tests.memory.trust.quarantine.corpus import Example, examples  # noqa: E402 - the same

OUT = ROOT / "memory" / "trust" / "quarantine" / "weights.py"
NAMES = ("Mara", "Olu", "Jin", "Priya", "Sven", "Rosa", "Tariq", "Elif")
PENALTY = 3.0
NEWTON_STEPS = 15
FOLDS = 5
BOUNDS = (-0.5, 0.0, 0.25, 0.5, 1.0)
SMALLEST = 0.05
"""Weights below this are left out: they decide nothing."""
Row = dict[str, float]


def main() -> int:
    rows = [(True, each) for each in examples("malicious.txt") if each.messages]
    rows += [(False, each) for each in examples("benign.txt") if each.messages]
    check(rows)
    OUT.write_text(source(fit(widened(rows))), encoding="utf-8")
    return 0


def check(rows: Sequence[tuple[bool, Example]]) -> None:
    """Prints the shares weighed as planted by fits that have not seen them."""
    mixed = random.Random(1).sample(rows, len(rows))
    hits: dict[bool, list[float]] = {True: [], False: []}
    for fold in range(FOLDS):
        weights = fit(widened([row for i, row in enumerate(mixed) if i % FOLDS != fold]))
        for planted, example in mixed[fold::FOLDS]:
            hits[planted].append(score(weights, shown(example)))
    for bound in BOUNDS:
        shares = {planted: sum(odds > bound for odds in found) for planted, found in hits.items()}
        print(
            f"log odds above {bound:4}: {shares[True]}/{len(hits[True])} planted, "
            f"{shares[False]}/{len(hits[False])} honest"
        )


def widened(rows: Sequence[tuple[bool, Example]]) -> list[tuple[bool, Row]]:
    """The signs of all rows, and of variants of the honest ones that are as honest.

    Those have a name in the place of "User", or are given as they are: without that, whatever
    does not begin with "User" would pass for an order.
    """
    found = []
    for number, (planted, example) in enumerate(rows):
        found.append((planted, shown(example)))
        if planted:
            continue
        texts = [example.candidate]
        if texts[0].startswith("User"):
            rest = texts[0].partition(" ")[2]
            named = f"{NAMES[number % len(NAMES)]} {rest}"
            found.append((planted, shown(example._replace(candidate=named))))
            texts += [rest[:1].upper() + rest[1:], named]
        found += [(planted, shown(Example("", [user(text)], text))) for text in texts]
    return found


def user(text: str) -> Message:
    return Message(role="user", content=text)


def shown(example: Example) -> Row:
    voice = hear(example.candidate)
    return signs(voice, trace(voice, voices(example.messages)))


def fit(rows: Sequence[tuple[bool, Row]]) -> Row:
    """Weights by sign, that of no sign under the empty name."""
    names = sorted({name for _, row in rows for name in row})
    x = np.array([[row.get(name, 0.0) for name in names] + [1.0] for _, row in rows])
    y = np.array([planted for planted, _ in rows], dtype=float)
    weights = np.zeros(len(names) + 1)
    for _ in range(NEWTON_STEPS):
        odds = 1.0 / (1.0 + np.exp(-x @ weights))
        bend = x.T @ (x * (odds * (1 - odds) + 1e-6)[:, None]) + PENALTY * np.eye(len(weights))
        weights += np.linalg.solve(bend, x.T @ (y - odds) - PENALTY * weights)
    return dict(zip([*names, ""], weights.tolist(), strict=True))


def score(weights: Row, row: Row) -> float:
    return weights[""] + sum(weights.get(name, 0.0) * amount for name, amount in row.items())


def source(weights: Row) -> str:
    """The module that holds `weights`."""
    kept = {n: round(w, 2) for n, w in sorted(weights.items()) if n and abs(w) >= SMALLEST}
    cues = sorted({name.partition(" ")[2] for name in kept if is_of_cue(name)})
    head = "cue         " + "".join(f"{kind:>8}" for kind in SIGNS_PER_CUE)
    table = [
        f"{cue:<12}" + "".join(cell(kept, kind, cue) for kind in SIGNS_PER_CUE) for cue in cues
    ]
    alone = [f'    "{name}": {kept[name]},' for name in kept if not is_of_cue(name)]
    return MODULE.format(
        bias=weights[""], head=head, table="\n".join(table), alone="\n".join(alone)
    )


def is_of_cue(name: str) -> bool:
    kind, _, cue = name.partition(" ")
    return bool(cue) and kind in SIGNS_PER_CUE


def cell(kept: Row, kind: str, cue: str) -> str:
    return f"{kept.get(f'{kind} {cue}', '.'):>8}"


MODULE = '''"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

from __future__ import annotations

BIAS = {bias:.2f}
_ALONE = {{
{alone}
}}
_OF_CUES = """
{head}
{table}
"""


def _weights() -> dict[str, float]:
    (_, *kinds), *rows = map(str.split, _OF_CUES.strip().splitlines())
    of_cues = {{
        f"{{kind}} {{cue}}": float(weight)
        for cue, *row in rows
        for kind, weight in zip(kinds, row, strict=True)
        if weight != "."
    }}
    return of_cues | _ALONE


WEIGHTS = _weights()
"""Of the names of signs; a sign that is not here counts nothing."""
'''


if __name__ == "__main__":
    sys.exit(main())
