"""Labelled pairs, one JSON object per line. Pure; docs/repair.md describes the rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from ..model.errors import InvalidInputError
from .derivation import LEAST_ROWS


class Label(StrEnum):
    """The label of a pair; the names of `Measured`."""

    RELEVANT = "relevant"
    UNRELATED = "unrelated"
    SAME = "same"
    UPDATE = "update"
    DIFFERENT = "different"


RECALL = (Label.RELEVANT, Label.UNRELATED)
"""Labels of rows with a query and a memory; only usable together."""
CHANGE = (Label.SAME, Label.UPDATE, Label.DIFFERENT)
"""Labels of rows with an old and a new fact; only usable together."""
_VALUES: dict[str, dict[bool | str, Label]] = {
    "relevant": {True: Label.RELEVANT, False: Label.UNRELATED},
    "same": {True: Label.SAME, False: Label.DIFFERENT, "update": Label.UPDATE},
}
_WRITTEN = {
    label: f'"{name}": {json.dumps(value)}'
    for name, values in _VALUES.items()
    for value, label in values.items()
}


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts and their relation."""

    one: str
    other: str
    label: Label


def parse_pairs(lines: Iterable[str]) -> list[Pair]:
    """The pairs of a file; blank lines are skipped, unknown fields are ignored.

    Raises:
        InvalidInputError: names the line (from 1) and the field.
    """
    return [_pair(line, f"line {number}") for number, line in enumerate(lines, 1) if line.strip()]


def check_counts(pairs: Iterable[Pair]) -> None:
    """Check that at least one kind of row has enough rows of each of its labels.

    Raises:
        InvalidInputError: names the label that has too few rows.
    """
    counts = dict.fromkeys(Label, 0)
    for pair in pairs:
        counts[pair.label] += 1
    if not any(counts.values()):
        raise InvalidInputError("rows", "there are none")
    for kind in (RECALL, CHANGE):
        few = [label for label in kind if counts[label] < LEAST_ROWS]
        if few and any(counts[label] for label in kind):
            found = f"needs at least {LEAST_ROWS} rows, there are {counts[few[0]]}"
            raise InvalidInputError(_WRITTEN[few[0]], found)


def _pair(line: str, where: str) -> Pair:
    row = _object(line, where)
    recall, change = ("query", "memory", "relevant"), ("old", "new", "same")
    is_recall, is_change = (any(name in row for name in names) for names in (recall, change))
    if is_recall == is_change:
        raise InvalidInputError(
            where, f"expected either the fields {', '.join(recall)} or {', '.join(change)}"
        )
    one, other, label = recall if is_recall else change
    return Pair(_text(row, one, where), _text(row, other, where), _label(row, label, where))


def _object(line: str, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidInputError(where, f"is not JSON: {error}") from None
    if not isinstance(row, dict):
        raise InvalidInputError(where, "expected a JSON object")
    return row


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{where}: {name}", "expected some text")
    return value


def _label(row: Mapping[str, Any], name: str, where: str) -> Label:
    value, labels = row.get(name), _VALUES[name]
    # 0 and 1 would match False and True.
    if not isinstance(value, (bool, str)) or value not in labels:
        allowed = "true or false" if name == "relevant" else 'true, false or "update"'
        raise InvalidInputError(f"{where}: {name}", f"expected {allowed}")
    return labels[value]
