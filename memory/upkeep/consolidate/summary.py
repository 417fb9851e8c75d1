"""Makes one text of a topic's memories out of a model's answer, as far as it is true. Pure.

Each point is cut from one memory (`truncation`) and stands on every memory that it is cut from. A
memory is covered if a point has all its names and numbers and most of its words, or is said whole
where the answer leaves out more than may go; a point that covers none is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from ...model.endings import began
from ...model.types import MemoryItem
from ...recall.traits import lasts, orders
from ...trust.quarantine import judge_text
from .prompts import Said
from .truncation import Note

MAX_CHARS = 1_000
"""Of a summary: a longer one takes the place of what answers besides."""
Redact = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class TopicSummary:
    """A text, and the memories that it says wholly."""

    text: str
    covers: tuple[MemoryItem, ...]
    """In the order in which they were said."""


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    covers: tuple[MemoryItem, ...]

    @property
    def at(self) -> datetime:
        return max(map(began, self.covers))


def summary_of(
    sources: Sequence[MemoryItem],
    said: Sequence[Said],
    *,
    redact: Redact,
    least: int,
    must: Sequence[MemoryItem] = (),
) -> TopicSummary | None:
    """The summary of what an answer says of the numbered `sources`; None if it is not worth it.

    It covers at least so many of them, and all that it `must`: those are said in full where the
    answer leaves them out. It is no longer than what it covers, and carries nothing that the judge
    of texts or the redaction objects to.
    """
    parts = _parts(sources, said)
    there = {item.id for part in parts for item in part.covers}
    parts += [_Part(Note(item.text).whole, (item,)) for item in must if item.id not in there]
    parts = _fitting(parts, must)
    covers = tuple(item for item in sources if any(item in part.covers for part in parts))
    text = _joined(parts)
    if len(covers) < least or len(text) > MAX_CHARS:
        return None
    if any(item not in covers for item in must):
        return None
    # Without the days, which recall writes above single memories too.
    told = sum(len(part.text) for part in parts)
    if told > sum(len(Note(item.text).whole) for item in covers) or _is_unfit(text, redact):
        return None
    return TopicSummary(text, covers)


def _parts(sources: Sequence[MemoryItem], said: Sequence[Said]) -> list[_Part]:
    """The points that cover memories which no earlier point covers."""
    notes = {number: Note(item.text) for number, item in enumerate(sources, 1)}
    covered: set[str] = set()
    parts: list[_Part] = []
    for one in said:
        if not one.numbers or not notes.keys() >= set(one.numbers):
            continue  # who names a note that was not shown is not believed
        found = [
            (sources[number - 1], text)
            for number in dict.fromkeys(one.numbers)
            if (text := notes[number].said_by(one.text))
        ]
        new = [(item, text) for item, text in found if item.id not in covered]
        if new:
            covered |= {item.id for item, _ in new}
            parts.append(_Part(new[-1][1], tuple(item for item, _ in new)))
    return parts


def _fitting(parts: Sequence[_Part], must: Sequence[MemoryItem]) -> list[_Part]:
    """As many as there is room for, those that must be there first."""
    kept: list[_Part] = []
    for part in sorted(parts, key=lambda part: not any(item in must for item in part.covers)):
        if len(_joined([*kept, part])) <= MAX_CHARS:
            kept.append(part)
    return kept


def _joined(parts: Sequence[_Part]) -> str:
    """The points in the order they were said, under their days if these differ."""
    ordered = sorted(parts, key=lambda part: (part.at, part.text))
    days = [
        (day, " ".join(part.text for part in same))
        for day, same in groupby(ordered, key=lambda part: f"{part.at:%Y-%m-%d}")
    ]
    if len(days) == 1:
        return days[0][1]
    return " ".join(f"{day}: {told}" for day, told in days)


def _is_unfit(text: str, redact: Redact) -> bool:
    """Whether a text would be doubted, or changes how answers are given."""
    return judge_text(text) is not None or redact(text) != text or lasts(text) or orders(text)
