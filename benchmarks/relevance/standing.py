"""Which notes stand in every chat: told wishes that do, and ordinary notes that must not.

    python benchmarks/relevance/standing.py [--data FOLDER] [--fit] [--show SET]

Reads labelled rows (`rows/standing*.jsonl`, and those of `benchmarks/unseen` and
`benchmarks/attacks`) and rows of which none stands. Prints, by set and by language, the share of
wishes that stand and of others that do, and writes benchmarks/results/standing.json. Rows whose
file has `.dev` in its name were known when the rule was made. With `--fit` also the weights of
`memory/recall/lasting_wishes.py`, fitted on these, and the shares of rows left out of the fit.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from load import RESULTS, write_json  # noqa: E402 - the script runs without an installation
from product import disk_embedder  # noqa: E402 - the same

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.calibration.fit import regress  # noqa: E402 - the same
from recollect.memory.recall import lasting_wishes  # noqa: E402 - the same
from recollect.memory.recall.prototypes import Likeness, Prototypes  # noqa: E402 - the same

UNSEEN, ATTACKS = (ROOT / "benchmarks" / name / "rows" for name in ("unseen", "attacks"))
OWN = Path(__file__).parent / "rows"
ORDINARY = ("tell", "tell-2", "tell-4", "tell-5", "tell-6", "noise", "noise-3")
"""Sets of `benchmarks/unseen` without a wish about answers."""
NAMED = frozenset({"name", "wish", "preference", "style"})
"""Their kinds that may be wishes."""
FOLDS, PENALTY = 8, 0.005


@dataclass(frozen=True)
class Note:
    """A text, and whether it is to stand."""

    set: str
    language: str
    text: str
    stands: bool
    learned: bool = False


def _lines(path: Path) -> Iterator[dict]:
    if path.is_file():
        yield from map(json.loads, filter(str.strip, path.read_text("utf-8").splitlines()))


def notes(data: Path) -> list[Note]:
    """Every row."""
    found: list[Note] = []
    for path in sorted(OWN.glob("standing*.jsonl")):
        found += [
            Note(path.name.removesuffix(".jsonl"), row["lang"], row["text"], row["stands"],
                 row.get("learned", False))
            for row in _lines(path)
        ]  # fmt: skip
    for row in _lines(UNSEEN / "wishes.jsonl"):
        found.append(Note("wishes", row["language"], row["text"], row["lasting"]))
    for row in _lines(UNSEEN / "learned-wishes.jsonl"):
        found.append(Note("learned", row["language"], row["text"], row["wish"], learned=True))
    for row in _lines(ATTACKS / "wishes.dev.jsonl"):
        if row["kind"] == "lasting":
            found.append(Note("lasting", row["lang"], row["text"], stands=True))
    for name in ORDINARY:
        for row in _lines(UNSEEN / f"{name}.jsonl"):
            language = row.get("lang") or row.get("language", "en")
            if row["kind"] not in NAMED:
                text = row.get("tell") or row["text"]
                found.append(Note(name.partition("-")[0], language, text, stands=False))
    for row in _lines(data / "pairs.dev.jsonl"):
        language = row.get("lang", "en")
        found += [Note("pairs", language, row[key], stands=False) for key in ("first", "second")]
    return found


async def meanings(rows: Sequence[Note]) -> list[Likeness | None]:
    """What each text means, as the product judges it."""
    embedder = await disk_embedder(RESULTS)
    try:
        calibration = calibration_for(embedder.id, dim=embedder.dim)
        prototypes = await Prototypes.of(embedder, calibration)
        vectors = np.asarray(await embedder.embed([row.text for row in rows]))
        return [
            prototypes.told(vector) if row.language in prototypes.languages else None
            for row, vector in zip(rows, vectors, strict=True)
        ]
    finally:
        await embedder.close()


Table = dict[str, dict[str, float]]


def shares(rows: Sequence[Note], stood: Sequence[bool], key: str) -> Table:
    """By set or language: how many wishes and other notes there are, and the share that stands."""
    counts: dict[str, dict[bool, list[bool]]] = defaultdict(lambda: {True: [], False: []})
    for row, stands in zip(rows, stood, strict=True):
        counts[getattr(row, key)][row.stands].append(stands)
    return {
        name: {
            "wishes": len(each[True]),
            "wishes that stand": float(np.mean(each[True])) if each[True] else float("nan"),
            "others": len(each[False]),
            "others that stand": float(np.mean(each[False])) if each[False] else float("nan"),
        }
        for name, each in sorted(counts.items())
    }


def show(title: str, table: Table) -> None:
    """Print a table of `shares`."""
    print(f"\n{title:18}wishes  stand  others  stand")
    for name, row in table.items():
        wishes, stand, others, wrong = row.values()
        print(f"{name:18}{wishes:6} {stand:6.2f} {others:7} {wrong:6.3f}")


NAMES = tuple(field.name for field in fields(lasting_wishes.WishSigns))


def fitted(signs: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """``float64[n + 1]``: the weights and the bias; others count twice as much as wishes."""
    mean, size = signs.mean(0), signs.std(0) + 1e-9
    counts = np.where(wanted, 1 - wanted.mean(), 2 * wanted.mean())
    counts /= counts.mean()
    given = (signs - mean) / size
    near = np.zeros(signs.shape[1] + 1)
    bias, *weights = regress(given, wanted, counts, near=near, penalty=PENALTY * len(signs))
    plain = np.array(weights) / size
    return np.r_[plain, bias - float(plain @ mean)]


def fit(rows: Sequence[Note], meant: Sequence[Likeness | None]) -> None:
    """Fit on the rows for development; print the weights, and what rows left out get."""
    known = [
        (row, told) for row, told in zip(rows, meant, strict=True)
        if told is not None and (not row.set.startswith("standing") or ".dev" in row.set)
    ]  # fmt: skip
    table = np.array(
        [
            [float(getattr(found, name)) for name in NAMES]
            for row, told in known
            for found in [lasting_wishes.WishSigns.of(row.text, told)]
        ]
    )
    wanted = np.array([row.stands for row, _ in known])
    fold = np.random.default_rng(1).integers(0, FOLDS, len(known))
    odds = np.zeros(len(known))
    for one in range(FOLDS):
        weights = fitted(table[fold != one], wanted[fold != one])
        odds[fold == one] = table[fold == one] @ weights[:-1] + weights[-1]
    for least in (-1.0, 0.0, 0.5, 1.0, 1.5):
        stood = [
            (row.learned or lasting_wishes.may_last(row.text)) and value >= least - row.learned
            for (row, _), value in zip(known, odds, strict=True)
        ]
        show(f"left out, {least}", shares([row for row, _ in known], stood, "set"))
    weights = fitted(table, wanted)
    print({name: round(float(value), 2) for name, value in zip(NAMES, weights, strict=False)})
    print("bias", round(float(weights[-1]), 2))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--show", default="", help="print the errors of this set")
    given = parser.parse_args()
    rows = notes(given.data)
    meant = asyncio.run(meanings(rows))
    if given.fit:
        fit(rows, meant)
        return 0
    stood = [
        lasting_wishes.is_lasting_wish(row.text, told, learned=row.learned)
        for row, told in zip(rows, meant, strict=True)
    ]
    sets, languages = shares(rows, stood, "set"), shares(rows, stood, "language")
    show("set", sets)
    show("language", languages)
    for row, stands in zip(rows, stood, strict=True):
        if row.set == given.show and stands != row.stands:
            print("stands" if stands else "does not", row.language, row.text)
    print(f"written to {write_json('standing', {'sets': sets, 'languages': languages})}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
