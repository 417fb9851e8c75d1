"""What users feel of the judgements of language, on rows that were not written from its words.

    python -m benchmarks.unseen.run [--data FOLDER]

Rows of our own (`rows/`), in fifteen languages and some without a file, and other people's data
(`gate-external`, `innocent`) beside the sets that the product was written from (`poison`,
`secrets`). Prints each figure with the languages that have most of it, writes
benchmarks/results/unseen.json, and compares with the run before. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import RESULTS, write_json  # noqa: E402 - the script runs without an installation

from recollect.filters.gate.reasons import decide  # noqa: E402 - the same
from recollect.memory.model.types import Message  # noqa: E402 - the same
from recollect.memory.trust.quarantine import judge, judge_text  # noqa: E402 - the same
from recollect.memory.trust.redact import RedactOptions, Redactor  # noqa: E402 - the same
from tests.support.findings import find_secrets  # noqa: E402 - the same

from . import sets  # noqa: E402 - the same
from .orders import for_tools  # noqa: E402 - the same
from .sets import Row  # noqa: E402 - the same

NAME = "unseen"
SOFT = frozenset({"email", "phone", "address", "birth_date"})
"""Personal data, which by default is kept."""
NAMED = 3
"""Languages beside a figure."""
Judged = Iterable[tuple[str, Row, bool]]
"""The name of a figure, a row, and whether it counts."""
_redactor = Redactor(RedactOptions())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    wanted = parser.parse_args()
    try:
        found = dict(measure(wanted.data))
    except FileNotFoundError as error:
        print(f"evaluation data is missing: {error.filename} (use --data)", file=sys.stderr)
        return 2
    before = RESULTS / f"{NAME}.json"
    earlier = json.loads(before.read_text("utf-8")) if before.is_file() else {}
    for name, figure in found.items():
        old = earlier.get(name, figure)["all"]
        was = "" if old == figure["all"] else f"   was {old[0]}/{old[1]}"
        print(f"{name:44}{_text(figure['all']):>18}   {_most(figure)}{was}")
    print(f"\nwritten to {write_json(NAME, found)}")
    return 0


def measure(data: Path) -> Iterator[tuple[str, dict[str, list[int]]]]:
    """Each figure with its hits and total, of all rows ("all") and by language."""
    for kind, (other, judged) in FIGURES.items():
        files = {other: data / f"{other}.dev.jsonl"} | sets.own(kind)
        for stem, path in files.items():
            counts: dict[str, dict[str, list[int]]] = {}
            for figure, row, hit in judged(sets.read(path)):
                lang = row.get("lang") or row.get("language", "en")
                for key in ("all", lang):
                    share = counts.setdefault(figure, {}).setdefault(key, [0, 0])
                    share[0] += hit
                    share[1] += 1
            yield from ((f"{stem}: {figure}", shares) for figure, shares in counts.items())


def gate(rows: Sequence[Row]) -> Judged:
    """What is skipped, of what needs no memory and of what needs it."""
    orders = for_tools([sets.messages(row)[-1]["content"] for row in rows])
    for row, order in zip(rows, orders, strict=True):
        skipped = order or not decide(_chat(sets.messages(row))).recall
        yield "false skips" if row["search"] else "skipped", row, skipped


def innocent(rows: Sequence[Row]) -> Judged:
    """Ordinary texts of which a sentence is withheld, or a part redacted."""
    for row in rows:
        yield "withheld", row, judge_text(row["text"], row["role"]) is not None
        yield "redacted", row, _redactor.redact(row["text"]).text != row["text"]


def planted(rows: Sequence[Row]) -> Judged:
    """Planted facts that can be recalled, and honest ones that cannot."""
    for row in rows:
        held = judge(row["candidate"], _chat(row["messages"]), source="user") is not None
        if row["malicious"]:
            yield "planted, recallable", row, not held
        else:
            yield "honest, withheld", row, held


def secrets(rows: Sequence[Row]) -> Judged:
    """Secrets of which a part stays readable, and texts without one that lose something."""
    for row in rows:
        taken = {at for one in find_secrets(row["text"]) for at in range(one.start, one.end)}
        for span in row["spans"]:
            places = set(range(span["start"], span["end"]))
            if span["kind"] == "none":
                yield "decoys, redacted", row, bool(places & taken)
            elif span["kind"] not in SOFT:
                yield "secrets, readable", row, not places <= taken
        if not row["must_redact"] and not row["spans"]:
            yield "decoys, redacted", row, bool(taken)


FIGURES: Mapping[str, tuple[str, Callable[[Sequence[Row]], Judged]]] = {
    "gate": ("gate-external", gate),
    "innocent": ("innocent", innocent),
    "planted": ("poison", planted),
    "secrets": ("secrets", secrets),
}
"""By what own files are named: the file of the evaluation data, and what is counted."""


def _chat(rows: Sequence[Mapping[str, Any]]) -> list[Message]:
    return [Message(role=row["role"], content=row["content"]) for row in rows]


def _text(share: Sequence[int]) -> str:
    return f"{share[0]}/{share[1]} ({share[0] / max(share[1], 1):.1%})"


def _most(figure: Mapping[str, Sequence[int]]) -> str:
    """The languages with the most hits, which of what should be few are the worst."""
    hits = Counter({lang: share[0] for lang, share in figure.items() if lang != "all"})
    return ", ".join(f"{lang} {n}/{figure[lang][1]}" for lang, n in hits.most_common(NAMED) if n)


if __name__ == "__main__":
    raise SystemExit(main())
