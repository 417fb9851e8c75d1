"""What redaction takes from ordinary texts with names and references, and the told secrets it leaves.

Rows are those of `benchmarks/faithful/decoys.py`: `text`, `lang`, and `secret`, empty in ordinary
texts. `rows/redaction.jsonl` was written after the rules were frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from faithful import decoys

from benchmarks.attacks.figure import Figure

ROWS = Path(__file__).parent / "rows"


async def measure() -> Sequence[Figure]:
    """Ordinary texts that are changed, and told secrets of which something stays."""
    return [
        figure
        for stem in ("redaction.dev", "redaction")
        if (path := ROWS / f"{stem}.jsonl").is_file()
        for figure in _figures(stem, decoys.read(path))
    ]


def _figures(stem: str, rows: Sequence[decoys.Row]) -> list[Figure]:
    ordinary = [row for row in rows if not row["secret"]]
    told = [row for row in rows if row["secret"]]
    return [
        _figure(f"{stem}: ordinary texts changed", ordinary, "touched", 0.02),
        _figure(f"{stem}: told secrets readable", told, "readable", 0.1),
    ]


def _figure(name: str, rows: Sequence[decoys.Row], what: str, bound: float) -> Figure:
    measured = decoys.measure(rows)
    count, of = measured[what]
    at = 0 if what == "touched" else 1
    by_lang = {lang: "{} of {}".format(*both[at]) for lang, both in measured["by language"].items()}
    wrong = set(measured["wrong"])
    failed = tuple(f"{row['id']} {row['text']}" for row in rows if row["id"] in wrong)
    return Figure(name, count, of, at_most=bound, by_lang=by_lang, failed=failed)
