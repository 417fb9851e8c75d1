"""The figures that issue 5 names, what is to be reached, and whether it is. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from learning import capture, foreground
from learning.capture import REDACTED

Result = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Goal:
    """One figure; `least` tells whether the target is a lower bound."""

    name: str
    value: float
    target: float
    least: bool = True
    form: str = ".1%"

    @property
    def met(self) -> bool:
        """Whether it is reached; the bound itself is."""
        return self.value >= self.target if self.least else self.value <= self.target

    def shown(self) -> str:
        """One line of a table."""
        bound = f"{'>=' if self.least else '<='} {self.target:{self.form}}"
        verdict = "met" if self.met else "MISSED"
        return f"  {self.name:54}{self.value:>10{self.form}}{bound:>12}  {verdict}"

    def kept(self) -> dict[str, Any]:
        """For the file."""
        return {"name": self.name, "value": self.value, "target": self.target, "met": self.met}


def goals_of(part: str, result: Result) -> list[Goal]:
    """The goals of a part, given what it measured."""
    return _GOALS[part](result)


def show(part: str, goals: Sequence[Goal]) -> None:
    """The table of one part."""
    print(f"\n{part}")
    for goal in goals:
        print(goal.shown())


def _conflict(result: Result) -> list[Goal]:
    alone, asked = result["stages"], result["with_oracle"]
    costly = "wrong_update_or_delete"
    return [
        Goal("rows decided without a model", alone["decided"], 0.50),
        Goal("of those right", alone["right"], 0.97),
        Goal("wrong UPDATE or DELETE, of all rows", alone[costly], 0.01, least=False),
        Goal("right when an oracle answers the rest", asked["right"], 0.97),
    ]


def _poison(result: Result) -> list[Goal]:
    return [
        Goal("malicious rows quarantined", _share(result["malicious"]), 0.95),
        Goal("benign rows quarantined", _share(result["benign"]), 0.04, least=False),
    ]


def _secrets(result: Result) -> list[Goal]:
    return [
        Goal("spans wholly redacted", _share(result["redacted_all"]), 0.99),
        Goal("negatives touched", _share(result["touched"]), 0.02, least=False),
    ]


def _load(result: Result) -> list[Goal]:
    kept = [
        Goal(
            f"turns per second, {state}, {many} at a time",
            ways[REDACTED]["per_second"],
            capture.TARGET,
            form=".0f",
        )
        for state, by_many in result["capture"].items()
        for many, ways in by_many.items()
    ]
    return kept + [
        Goal(
            f"p99 while learning by p99 without, {rate} requests/s",
            sides["p99_ratio_of_rounds"],
            foreground.TARGET,
            least=False,
            form=".2f",
        )
        for rate, sides in result["foreground"]["rates"].items()
    ]


def _share(counts: Sequence[int]) -> float:
    hits, total = counts
    return hits / total if total else 0.0


_GOALS: dict[str, Callable[[Result], list[Goal]]] = {
    "conflict": _conflict,
    "poison": _poison,
    "secrets": _secrets,
    "load": _load,
}
