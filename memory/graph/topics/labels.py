"""Labels a topic without a model: words of one of its memories. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.types import MemoryItem

LABEL_CHARS = 60
"""As much as fits beside a circle, and in a line of a list."""
_ELLIPSIS = "…"


def shortened(text: str, most: int = LABEL_CHARS) -> str:
    """The beginning of a text in one line, cut between words where there are any."""
    line = " ".join(text.split())
    if len(line) <= most:
        return line
    cut = line[: most - len(_ELLIPSIS)]
    before, space, _ = cut.rpartition(" ")
    return (before if space and len(before) > most // 2 else cut).rstrip(" ,;:.") + _ELLIPSIS


def condensing(members: Sequence[MemoryItem]) -> MemoryItem | None:
    """The member that cites most of the others, at least two of them; the latest of equals."""
    ids = {item.id for item in members}
    cited = [(len(ids & set(item.provenance.cites)), at) for at, item in enumerate(members)]
    most, at = max(cited)
    return members[at] if most > 1 else None
