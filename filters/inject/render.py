"""Renders memories as fenced data. Pure and deterministic."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from recollect.memory.learn import HEARSAY
from recollect.memory.model.types import MemoryItem, MemoryStatus, Source
from recollect.memory.recall import NO_WISH, Shown, orders

from .disarm import disarmed
from .fence import Fence

LATELY = timedelta(days=3)
"""Before the newest line of a block: of these days, lines have the time too."""
_SAID = "User said: "
"""Before what the user said, in their own words: "I" is the user there."""
_ASKED = "User asked then: "
"""Before an order, so that nobody takes it for one of this turn."""


def render(items: Sequence[MemoryItem], fence: Fence) -> str:
    """The whole message: a heading for each day, and all lines in the order they were said.

    So later lines correct earlier ones. A heading per day needs fewer tokens than a date per line.
    Nothing depends on the clock: the same memories have the same bytes.
    """
    ordered = sorted(items, key=_order)
    newest = max((item.updated_at for item in ordered), default=None)
    days: dict[str, list[str]] = {}
    for item in ordered:
        heading, line = show(item, timed=newest is None or newest - item.updated_at < LATELY)
        days.setdefault(heading, []).append(line)
    return fence.around("".join(day + "".join(lines) for day, lines in days.items()))


def show(item: MemoryItem, *, timed: bool = True) -> Shown:
    """One memory on one line, under the day it was last changed; `timed` with the time (UTC).

    The text cannot end the fence or leave its mark: line breaks become spaces, markup is disarmed.
    """
    text = " ".join(disarmed(item.text).split())
    time = f"{item.updated_at:%H:%M} " if timed else ""
    return Shown(f"{item.updated_at:%Y-%m-%d}:\n", f"- {time}{_mark(item)}{text}{_end(item)}\n")


def _mark(item: MemoryItem) -> str:
    source = item.provenance.source
    if source.is_hearsay or NO_WISH in item.provenance.flags:
        return f"{HEARSAY} "
    if orders(item.text):
        return _ASKED
    return _SAID if source is Source.SAID else ""


def _end(item: MemoryItem) -> str:
    """Of what is no more true, until when it was."""
    if item.status is not MemoryStatus.SUPERSEDED:
        return ""
    return " (no longer)" if item.valid_to is None else f" (until {item.valid_to:%Y-%m-%d})"


def _order(item: MemoryItem) -> tuple[float, int]:
    return item.updated_at.timestamp(), item.provenance.sequence
