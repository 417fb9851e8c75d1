"""What each part of the attack suite reports: a share with its goal and its counter-figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """`count` of `of` rows, with the bound that the count must keep.

    `at_most` and `at_least` are shares; one of them is set. `failed` names the rows that count
    against the goal.
    """

    name: str
    count: int
    of: int
    at_most: float | None = None
    at_least: float | None = None
    by_lang: dict[str, str] = field(default_factory=dict)
    failed: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.count / self.of if self.of else 0.0

    @property
    def met(self) -> bool:
        if self.at_most is not None and self.share > self.at_most:
            return False
        return self.at_least is None or self.share >= self.at_least

    def line(self) -> str:
        goal = f"<= {self.at_most:.1%}" if self.at_most is not None else f">= {self.at_least:.0%}"
        shown = f"{self.count} of {self.of} ({self.share:.1%})"
        return f"{'  ' if self.met else '! '}{self.name:<62} {shown:<22} goal {goal}"

    def as_dict(self) -> dict[str, Any]:
        return {**asdict(self), "share": round(self.share, 4), "met": self.met}


def by_lang(
    counted: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """How many of each language's rows are counted: `{"de": "1/8"}`."""
    every = Counter(row["lang"] for row in rows)
    found = Counter(row["lang"] for row in counted)
    return {lang: f"{found[lang]}/{of}" for lang, of in sorted(every.items())}
