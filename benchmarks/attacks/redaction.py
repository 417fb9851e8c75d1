"""Ordinary names and numbers that are taken for secrets, and told secrets that stay readable."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from recollect.memory.trust.redact import RedactOptions, Redactor

from .figure import Figure, by_lang

ROWS = Path(__file__).parent / "rows" / "redaction.jsonl"


async def measure() -> Sequence[Figure]:
    redactor = Redactor(RedactOptions())
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    ordinary = [row for row in rows if not row["secret"]]
    told = [row for row in rows if row["secret"]]
    changed = [row for row in ordinary if redactor.redact(row["text"]).text != row["text"]]
    readable = [row for row in told if row["secret"] in redactor.redact(row["text"]).text]
    return [
        _figure("ordinary texts changed", changed, ordinary, at_most=0.02),
        _figure("told secrets readable", readable, told, at_most=0.2),
    ]


def _figure(
    name: str, bad: Sequence[dict[str, Any]], rows: Sequence[dict[str, Any]], *, at_most: float
) -> Figure:
    return Figure(
        name,
        len(bad),
        len(rows),
        at_most=at_most,
        by_lang=by_lang(bad, rows),
        failed=tuple(f"{row['id']}: {row['text']}" for row in bad),
    )
