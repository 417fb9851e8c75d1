"""History records as arrays of columns, in text that PostgreSQL can store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...model.types import HistoryRecord
from .. import history_rows
from ..history_rows import COLUMNS

_NOT_TEXT = {"timestamp": "bigint", "is_deleted": "boolean", "valid_at": "bigint", "scores": "json"}
TYPES = tuple(_NOT_TEXT.get(column, "text") for column in COLUMNS.split(", "))
"""The types of `COLUMNS`, in the same order."""

_ESCAPE = "\x1b"
_NUL, _ITSELF = f"{_ESCAPE}0", f"{_ESCAPE}1"
"""PostgreSQL's text holds every character but NUL, so NUL is escaped."""


def columns_of(records: Iterable[HistoryRecord]) -> list[list[object]]:
    """One list per column of `COLUMNS`, with one value per record."""
    rows = map(history_rows.row_of, records)
    return [
        [escaped(value) if isinstance(value, str) else value for value in column]
        for column in zip(*rows, strict=True)
    ]


def record_from(row: Sequence[Any]) -> HistoryRecord:
    """The record kept in a row of `COLUMNS`."""
    return history_rows.record_from(
        [_plain(value) if isinstance(value, str) else value for value in row]
    )


def escaped(text: str) -> str:
    """The text in a form PostgreSQL can store; a lone surrogate becomes a question mark."""
    text = text.encode("utf-8", "replace").decode()
    return text.replace(_ESCAPE, _ITSELF).replace("\x00", _NUL)


def _plain(text: str) -> str:
    return re.sub(f"{_ESCAPE}(.)", lambda found: "\x00" if found[1] == "0" else _ESCAPE, text)
