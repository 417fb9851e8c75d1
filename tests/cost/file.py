"""The file of the counts: reading, writing, and what differs from it. Pure but for its ends."""

from __future__ import annotations

import json
import os
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from .counted import Counts
from .measure import Cost

FILE = Path(__file__).with_name("counts.toml")
HERE = f"{sys.version_info.major}.{sys.version_info.minor}"
TOLERANCE = 0.05 if os.environ.get("CI") else 0.04
"""Share of a count by which it may differ from the file. A count varies by less than a percent,
so what passes here at 4 % passes in CI at 5 %, and what `write` leaves below 3 % passes here."""
WRITTEN = 0.03
"""Share of a count from which on `write` takes up the new number."""
BY_VERSION = ("tasks", "functions")
"""Counts that are another number on another version of Python."""
COMMAND = 'python -m tests.cost.write --reason "why it costs that"'
_HEAD = f"""\
# What each kind of request costs; see tests/cost/counted.py for the counts. Written by
#   {COMMAND}
# and compared by tests/cost/test_counts.py: a count that differs by more than 5 % fails in CI, by
# more than 4 % elsewhere. Numbers that moved by less than 3 % stay as they were written.
"""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why the file was written, and what became of which numbers."""

    reason: str
    changed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Written:
    """What stands in the file."""

    python: str
    """The version on which it was written."""
    costs: Mapping[str, Cost]
    """By the kind's name."""
    reasons: Sequence[Reason] = ()
    """That of the last writing; those before it are in the history of the file."""


@dataclass(frozen=True, slots=True)
class Change:
    """A number that differs; None where there is none, or where the kind is new or gone."""

    kind: str
    count: str
    old: int | str | None
    new: int | str | None

    @property
    def percent(self) -> str:
        if not isinstance(self.old, int) or not isinstance(self.new, int) or not self.old:
            return ""
        return f"{(self.new / self.old - 1) * 100:+.1f} %"

    def __str__(self) -> str:
        shown = f"{self.kind}: {self.count} {self.old} -> {self.new}"
        return f"{shown} ({self.percent})" if self.percent else shown


def parse(text: str) -> Written:
    raw = tomllib.loads(text)
    costs = {}
    for kind, row in raw["costs"].items():
        outcome = row.pop("outcome")
        costs[kind] = Cost(outcome, Counts(**row))
    reasons = [Reason(each["reason"], tuple(each["changed"])) for each in raw.get("reasons", ())]
    return Written(raw["python"], costs, reasons)


def render(written: Written) -> str:
    """A line for each kind, so that a difference shows which ones changed."""
    width = max(map(len, written.costs), default=0) + 2
    lines = [_HEAD, f"python = {json.dumps(written.python)}", "", "[costs]"]
    for kind, cost in written.costs.items():
        counts = ", ".join(f"{name} = {number}" for name, number in asdict(cost.counts).items())
        name, outcome = json.dumps(kind), json.dumps(cost.outcome)
        lines.append(f"{name:{width}} = {{ outcome = {outcome}, {counts} }}")
    for each in written.reasons:
        lines += ["", "[[reasons]]", f"reason = {json.dumps(each.reason, ensure_ascii=False)}"]
        changed = [f"  {json.dumps(line)}," for line in each.changed]
        lines += ["changed = [", *changed, "]"] if changed else ["changed = []"]
    return "\n".join(lines) + "\n"


def differences(
    old: Written, new: Mapping[str, Cost], *, python: str = HERE, tolerance: float = TOLERANCE
) -> list[Change]:
    """What differs by more than the tolerance, in either direction.

    On another version of Python than that of the file only what is the same on all is compared.
    """
    names = [name for name in Counts.names() if python == old.python or name not in BY_VERSION]
    found: list[Change] = []
    for kind in [*old.costs, *(kind for kind in new if kind not in old.costs)]:
        before, after = old.costs.get(kind), new.get(kind)
        if before is None or after is None:
            found.append(Change(kind, "kind", _has(before), _has(after)))
            continue
        if before.outcome != after.outcome:
            found.append(Change(kind, "outcome", before.outcome, after.outcome))
        found += _of_counts(kind, names, before.counts, after.counts, tolerance)
    return found


def _has(cost: Cost | None) -> str:
    return "none" if cost is None else "counted"


def _of_counts(
    kind: str, names: Iterable[str], before: Counts, after: Counts, tolerance: float
) -> list[Change]:
    pairs = ((name, getattr(before, name), getattr(after, name)) for name in names)
    return [
        Change(kind, name, old, new) for name, old, new in pairs if abs(new - old) > old * tolerance
    ]


def table(changes: Sequence[Change]) -> str:
    """The changes for a person, and what to do about them."""
    rows = [("kind", "count", "old", "new", "")]
    rows += [(c.kind, c.count, str(c.old), str(c.new), c.percent) for c in changes]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [
        f"{row[0]:{widths[0]}}  {row[1]:{widths[1]}}"
        + "".join(f"  {cell:>{width}}" for cell, width in zip(row[2:], widths[2:], strict=True))
        for row in rows
    ]
    return "\n".join(
        [
            f"requests cost something else than {FILE.name} says:",
            "",
            *(line.rstrip() for line in lines),
            "",
            "If more is right, say why; if less, lower the numbers, or they hide the next rise:",
            f"  {COMMAND}",
        ]
    )
