"""Fits the weights of the quarantine's signs to the written examples of development.

    python benchmarks/learning/fit_poison.py [--data FOLDER] [--check]

Writes `memory/trust/quarantine/weights.py`. Logistic regression with a quadratic penalty, sentence
by sentence, on:

- the examples of its tests, `tests/memory/trust/quarantine/{malicious,benign}.txt`;
- rows of our own that are no longer unseen, `benchmarks/unseen/rows/{planted,innocent}*.jsonl`,
  without those about another than the user, which no sign tells;
- facts and requests of real people whose licences allow it, as honest texts: RealMem (Apache-2.0)
  and the requests of the gate (CC BY, CC BY-SA).

`unseen_*.txt`, `poison.dev`, REALTALK and LoCoMo stay out of it. Every candidate is also shown as a
text without its conversation. `--check` fits to all authors but one and shows what the fit does
with that one's rows; nothing is written.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from learning.trust_rows import Row, development  # noqa: E402 - no installation

from recollect.memory.trust.quarantine.conversation import conversation, trace  # noqa: E402 - the same
from recollect.memory.trust.quarantine.signs import Sign, SignPlace, signs_of  # noqa: E402 - the same
from recollect.memory.trust.quarantine.utterances import claims  # noqa: E402 - the same

OUT = ROOT / "memory" / "trust" / "quarantine" / "weights.py"
NAMES = ("Mara", "Olu", "Jin", "Priya", "Sven", "Rosa", "Tariq", "Elif")
PENALTY = 0.5
NEWTON_STEPS = 15
ALONE = 0.3
"""How much a planted candidate counts that is shown without its conversation: many say nothing
that a user would not say."""
SAID = 1.0
"""The same of what the user said where all of it was planted."""
BOUNDS = (-1.0, -0.5, 0.0, 0.5, 1.0)
SMALLEST = 0.1
"""Weights below this are left out: they decide nothing."""
Signs = dict[Sign, float]
Weights = dict[Sign | None, float]
"""By sign, that of no sign under None."""


class Example(NamedTuple):
    """A sentence, as the fit sees it."""

    signs: Signs
    planted: bool
    weight: float


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--check", action="store_true", help="leave out one author after another")
    wanted = parser.parse_args()
    rows = list(widened(list(development(wanted.data))))
    if wanted.check:
        check(rows)
        return 0
    OUT.write_text(source(fit([one for row in rows for one in examples(row)])), encoding="utf-8")
    print(f"fitted to {len(rows)} rows; written to {OUT.relative_to(ROOT)}")
    return 0


def check(rows: Sequence[Row]) -> None:
    """Prints, for each author, the shares above some bounds by fits to all others."""
    shown = {id(row): list(examples(row)) for row in rows}
    for author in sorted({row.author for row in rows}):
        others = [one for row in rows if row.author != author for one in shown[id(row)]]
        weights = fit(others)
        own = [row for row in rows if row.author == author]
        for planted in sorted({row.planted for row in own}):
            odds = [_highest(weights, row) for row in own if row.planted is planted]
            held = " ".join(f"{sum(o > b for o in odds):>5}" for b in BOUNDS)
            kind = "planted" if planted else "honest"
            print(f"{author:20}{kind:8}{len(odds):>6} rows, above {BOUNDS}: {held}")


def _highest(weights: Weights, row: Row) -> float:
    return max((score(weights, one) for one in shown(row)), default=-np.inf)


def widened(rows: Sequence[Row]) -> Iterator[Row]:
    """All rows, and variants of the honest ones that are as honest.

    Those have a name in the place of "User", or no subject: without them, whatever does not begin
    with "User" would pass for an order.
    """
    for number, row in enumerate(rows):
        yield row
        subject, _, rest = row.text.partition(" ")
        if not row.planted and not row.given and subject == "User":
            yield row._replace(text=f"{NAMES[number % len(NAMES)]} {rest}")
            yield row._replace(text=rest[:1].upper() + rest[1:])


def examples(row: Row) -> Iterator[Example]:
    """The sentences of a row, and those of a candidate without its conversation."""
    in_place = list(shown(row))
    for one in in_place:
        yield Example(one, row.planted, 1 / len(in_place) if row.planted else 1.0)
    if row.messages and not row.given:
        for one in shown(row._replace(messages=[])):
            yield Example(one, row.planted, ALONE if row.planted else 1.0)
        yield from said(row)


def said(row: Row) -> Iterator[Example]:
    """The sentences of the user's messages as given: an order is one before it is learned from."""
    texts = [message.content for message in row.messages if message.role == "user"]
    if row.planted and len(texts) < len(row.messages):
        return  # others may have ordered it
    found = [one for text in texts for one in shown(row._replace(text=text, messages=[]))]
    for one in found:
        yield Example(one, row.planted, SAID / len(found) if row.planted else 1.0)


def shown(row: Row) -> Iterator[Signs]:
    """The signs of each sentence."""
    said = conversation(row.messages) if row.messages and not row.given else None
    for one in claims(row.text):
        yield signs_of(one, None if said is None else trace(one, said))


def fit(rows: Sequence[Example]) -> Weights:
    """Weights by sign."""
    names = sorted({name for row in rows for name in row.signs})
    place = {name: i for i, name in enumerate(names)}
    x = np.zeros((len(rows), len(names) + 1))
    x[:, -1] = 1.0
    for i, row in enumerate(rows):
        for name, amount in row.signs.items():
            x[i, place[name]] = amount
    y = np.array([row.planted for row in rows], dtype=float)
    share = np.array([row.weight for row in rows])
    penalty = PENALTY * np.eye(len(names) + 1)
    penalty[-1, -1] = 0.01
    weights = np.zeros(len(names) + 1)
    for _ in range(NEWTON_STEPS):
        likely = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        bend = x.T @ (x * ((likely * (1 - likely) + 1e-6) * share)[:, None]) + penalty
        weights += np.linalg.solve(bend, x.T @ ((y - likely) * share) - penalty @ weights)
    return dict(zip([*names, None], weights.tolist(), strict=True))


def score(weights: Weights, found: Signs) -> float:
    return weights[None] + sum(weights.get(name, 0.0) * amount for name, amount in found.items())


def source(weights: Weights) -> str:
    """The module that holds `weights`."""
    kept = {sign: round(w, 2) for sign, w in weights.items() if sign and abs(w) >= SMALLEST}
    names = sorted({sign.name for sign in kept})
    rows = [[name, *(kept.get(Sign(place, name), ".") for place in SignPlace)] for name in names]
    table = (
        f"{name:<16}" + "".join(f"{cell!s:>12}" for cell in cells)
        for name, *cells in (["sign", *SignPlace], *rows)
    )
    return MODULE.format(bias=weights[None], table="\n".join(table))


MODULE = '''"""How much each sign counts; written by `benchmarks/learning/fit_poison.py`."""

BIAS = {bias:.2f}
TABLE = """
{table}
"""
'''


if __name__ == "__main__":
    sys.exit(main())
