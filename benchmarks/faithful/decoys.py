"""How often redaction changes a text that holds no secret, and how often it leaves a secret.

    python benchmarks/faithful/decoys.py [--data DIR]

Reads `decoys.dev.jsonl` (evaluation data, not part of the product) and our own rows in
`benchmarks/unseen/rows/decoys*.jsonl`. A row has `text`, `lang`, and `secret`: the part that must
not be stored, or empty if nothing may change. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from recollect.memory.trust.redact import RedactOptions, Redactor  # noqa: E402 - the script runs without an installation
from recollect.memory.trust.redact.remains import MARKERS  # noqa: E402 - the same

OWN = ROOT / "benchmarks" / "unseen" / "rows"
Row = Mapping[str, Any]
Share = tuple[int, int]
_REDACTOR = Redactor(RedactOptions())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    path = parser.parse_args().data / "decoys.dev.jsonl"
    if not path.is_file():
        print(f"evaluation data is missing: {path} (use --data)", file=sys.stderr)
        return 2
    for each in (path, *sorted(OWN.glob("decoys*.jsonl"))):
        show(each.stem, measure(read(each)))
    return 0


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def measure(rows: Sequence[Row]) -> dict[str, Any]:
    """Counts and totals over `rows`, with the default options.

    `touched`: rows without a secret whose text changes; `readable`: secrets of which a letter or
    digit stays; `wide`: rows with a secret that lose a letter or digit of another word as well;
    `by language`: the first two; `wrong`: the ids of all such rows.
    """
    read_ = [(row, *_lost(row)) for row in rows]
    touched = [(row, changed) for row, changed, _, _ in read_ if not row["secret"]]
    readable = [(row, left) for row, _, left, _ in read_ if row["secret"]]
    wide = [(row, more) for row, _, _, more in read_ if row["secret"]]
    return {
        "rows": len(rows),
        "touched": share(touched),
        "readable": share(readable),
        "wide": share(wide),
        "by language": {
            lang: (share(_of(touched, lang)), share(_of(readable, lang)))
            for lang in sorted({row["lang"] for row in rows})
        },
        "wrong": [row["id"] for row, hit in (*touched, *readable, *wide) if hit],
    }


def _lost(row: Row) -> tuple[bool, bool, bool]:
    """Whether the text changes, whether the secret is readable, whether more than it is lost."""
    text, secret = row["text"], row["secret"]
    after = _REDACTOR.redact(text).text
    gone = removed(text, after)
    start = text.find(secret)
    inside = range(start, start + len(secret))
    left = any(text[at].isalnum() and at not in gone for at in _telling(secret, start))
    more = any(text[at].isalnum() and at not in inside for at in gone)
    return after != text, left, more


def _telling(secret: str, start: int) -> list[int]:
    """The places of a secret; of several numbers without the words between ("12 left, 7 right")."""
    words = list(re.finditer(r"\S+", secret))
    numbers = [word for word in words if any(map(str.isdigit, word[0]))]
    telling = numbers if len(numbers) > 1 else words
    return [start + at for word in telling for at in range(*word.span())]


def removed(text: str, after: str) -> set[int]:
    """The places of `text` that marks stand for in `after`."""
    for mark in MARKERS.values():
        after = after.replace(mark, "\0")
    kept, at = set[int](), 0
    *pieces, last = after.split("\0")
    for piece in pieces:
        at = text.index(piece, at)
        kept.update(range(at, at + len(piece)))
        at += len(piece)
    kept.update(range(len(text) - len(last), len(text)))
    return set(range(len(text))) - kept


def share(pairs: Iterable[tuple[Row, bool]]) -> Share:
    hits = [hit for _, hit in pairs]
    return sum(hits), len(hits)


def _of(pairs: Iterable[tuple[Row, bool]], lang: str) -> list[tuple[Row, bool]]:
    return [pair for pair in pairs if pair[0]["lang"] == lang]


def show(name: str, result: Mapping[str, Any]) -> None:
    print(f"{name}: {result['rows']} rows\n{'':24}{'decoys touched':>18}{'secrets readable':>18}")
    print(f"{'all':24}{percent(*result['touched']):>18}{percent(*result['readable']):>18}")
    for lang, (touched, readable) in result["by language"].items():
        print(f"{lang:24}{percent(*touched):>18}{percent(*readable):>18}")
    print(f"more than the secret lost: {percent(*result['wide'])}")
    print("wrong: " + (", ".join(result["wrong"]) or "none"))


def percent(count: int, total: int) -> str:
    return f"{count}/{total} ({count / total:.1%})" if total else "-"


if __name__ == "__main__":
    sys.exit(main())
