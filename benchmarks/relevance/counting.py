"""What is counted of the lines that were given: hits among cases, by figure and language. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

MOST = 8
"""Lines beyond which a chat is given too much."""
ALL = "all"


class Counts:
    """Sums of hits and of cases, by figure and language; `ALL` has them of all languages."""

    def __init__(self) -> None:
        self.found: dict[str, dict[str, list[float]]] = {}

    def add(self, figure: str, lang: str, hits: float, cases: float = 1) -> None:
        for name in (ALL, lang):
            found = self.found.setdefault(figure, {}).setdefault(name, [0, 0])
            found[0] += hits
            found[1] += cases

    def share(self, figure: str, lang: str = ALL) -> float:
        """Hits of a case; nan if there is none."""
        hits, cases = self.found.get(figure, {}).get(lang, (0, 0))
        return hits / cases if cases else float("nan")

    def as_dict(self) -> dict[str, Any]:
        """For JSON: hits, cases and the share, by figure and language."""
        return {
            figure: {
                lang: {"hits": hits, "cases": cases, "share": hits / cases if cases else None}
                for lang, (hits, cases) in by.items()
            }
            for figure, by in self.found.items()
        }


def lines(
    counts: Counts, figure: str, lang: str, given: Sequence[str], needs: Collection[str]
) -> None:
    """What a question that needs something was given.

    `needed` is the share of the needed facts that came, `right` that of the given lines that are
    needed, `silent` the questions that got nothing, `flooded` those with more than `MOST` lines.
    """
    came = set(needs) & set(given)
    counts.add(f"{figure} needed", lang, len(came), len(needs))
    counts.add(f"{figure} whole", lang, len(came) == len(set(needs)))
    counts.add(f"{figure} right", lang, sum(name in needs for name in given), len(given))
    counts.add(f"{figure} lines", lang, len(given))
    counts.add(f"{figure} silent", lang, not given)
    counts.add(f"{figure} flooded", lang, len(given) > MOST)
