"""Rows of texts in a file beside their tests: a line each, so that a text can be added alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def tables(test_file: str, **parts: str) -> dict[str, list[Any]]:
    """The tables of `NAME.rows` for `test_NAME.py`, by the heading that stands above each.

    A row is a JSON value, an array where it has several columns; `#` begins a heading.
    What `{NAME}` stands for is given where no secret may stand in a file.
    """
    path = Path(test_file)
    found: dict[str, list[Any]] = {}
    rows: list[Any] = []
    text = path.with_name(f"{path.stem.removeprefix('test_')}.rows").read_text("utf-8")
    for name, part in parts.items():
        text = text.replace(f"{{{name}}}", part)
    for line in text.split("\n"):
        if line.startswith("# "):
            rows = found.setdefault(line.removeprefix("# "), [])
        elif line:
            rows.append(json.loads(line))
    return found
