"""Detects other distributions in the environment that provide a package called `recollect`.

`pip install` of such a distribution overwrites our package without a warning, and uninstalling it
deletes ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions

PACKAGE = "recollect"
DISTRIBUTION = "recollect"


def collisions(distributions: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """One line if another distribution provides our package as well; names it."""
    found = packages_distributions() if distributions is None else distributions
    others = sorted(set(found.get(PACKAGE, ())) - {DISTRIBUTION})
    if not others:
        return []
    problem = (
        f"the package `{PACKAGE}` is also provided by {', '.join(others)}: uninstall that, or "
        "install Recollect into a virtual environment of its own (`make setup` in a checkout)"
    )
    return [problem]
