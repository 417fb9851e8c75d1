"""Renders memories as fenced data. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.learn import HEARSAY
from recollect.memory.recall import Shown
from recollect.memory.types import MemoryItem, Source

from .disarm import disarmed
from .fence import Fence

_SAID = "User said: "
"""Before what the user said, in their own words: "I" is the user there."""


def render(items: Sequence[MemoryItem], fence: Fence) -> str:
    """The whole message: a heading for each day, oldest first, best memory first within a day.

    A heading per day needs fewer tokens than a date per line, and later days correct earlier ones.
    """
    days: dict[str, list[str]] = {}
    for shown in map(show, items):
        days.setdefault(shown.heading, []).append(shown.line)
    return fence.around("".join(day + "".join(days[day]) for day in sorted(days)))


def show(item: MemoryItem) -> Shown:
    """One memory on one line, under the day it was last changed.

    The text cannot end the fence or leave its mark: line breaks become spaces, markup is disarmed.
    """
    text = " ".join(disarmed(item.text).split())
    source = item.provenance.source
    mark = f"{HEARSAY} " if source.is_hearsay else _SAID if source is Source.SAID else ""
    return Shown(f"{item.updated_at:%Y-%m-%d}:\n", f"- {mark}{text}\n")
