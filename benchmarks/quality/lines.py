"""Which text a line comes from. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

FROM = 0.8
"""Share of a line's pieces in a text that it comes from: a line is a part of it, or nearly."""
_PIECE = 3


def pieces(text: str) -> set[str]:
    """Runs of letters and digits: what is shown of a text may have lost its marks."""
    plain = "".join(character for character in text.casefold() if character.isalnum())
    return {plain[at : at + _PIECE] for at in range(max(1, len(plain) - _PIECE + 1))} - {""}


def share(line: str, text: str) -> float:
    """The share of a line's pieces that a text has."""
    own = pieces(line)
    return len(own & pieces(text)) / len(own) if own else 1.0


def source(line: str, texts: Mapping[str, str]) -> str | None:
    """The id of the text that a line comes from; None if it comes from none."""
    best = max(texts, key=lambda name: share(line, texts[name]), default=None)
    return best if best is not None and share(line, texts[best]) >= FROM else None


def last(block: str, wanted: Iterable[str]) -> int:
    """Where the last of the wanted texts stands in a block; -1 if none does."""
    return max((block.casefold().rfind(text.casefold()) for text in wanted), default=-1)
