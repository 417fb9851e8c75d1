"""Is the environment ours? Our top-level packages have names that others use too.

`pip install` of such a package overwrites ours without a warning, and uninstalling it deletes ours.
The product is an application with a virtual environment of its own; this finds the mistake early.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import packages_distributions

OURS = ("proxy", "filters", "memory", "config")
DISTRIBUTION = "recollect"


def collisions(distributions: Mapping[str, Sequence[str]] | None = None) -> list[str]:
    """One line for each of our packages that another distribution also provides."""
    found = packages_distributions() if distributions is None else distributions
    return [
        f"the package `{package}` is also provided by {', '.join(others)}: install Recollect "
        "into a virtual environment of its own (`make setup`)"
        for package in OURS
        if (others := sorted(set(found.get(package, ())) - {DISTRIBUTION}))
    ]
