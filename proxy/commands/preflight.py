"""Detects other distributions in the environment that provide a package called `recollect`.

`pip install` of such a distribution overwrites our package without a warning, and uninstalling it
deletes ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distributions

PACKAGE = "recollect"
DISTRIBUTION = "recollect"


def collisions(providers: Iterable[str] | None = None) -> list[str]:
    """One line if another distribution provides our package as well; names it.

    `providers` are the distributions that provide it; those of this environment by default.
    """
    others = {*(_providers() if providers is None else providers)} - {DISTRIBUTION}
    if not others:
        return []
    problem = (
        f"the package `{PACKAGE}` is also provided by {', '.join(sorted(others))}: uninstall that, "
        "or install Recollect into a virtual environment of its own (`make setup` in a checkout)"
    )
    return [problem]


def _providers() -> Iterator[str]:
    """As `importlib.metadata.packages_distributions` tells it for every package, in 60 ms."""
    return (each.metadata["Name"] for each in distributions() if _provides(each))


def _provides(distribution: Distribution) -> bool:
    if told := distribution.read_text("top_level.txt"):
        return PACKAGE in told.split()
    return f"\n{PACKAGE}/" in f"\n{distribution.read_text('RECORD') or ''}"
