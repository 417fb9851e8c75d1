"""Formats turns for the model. Pure.

Further lines of a message are indented, so a message cannot end the conversation, begin a turn or
imitate another speaker.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from ...model.messages import shorten
from ...model.types import Turn
from .units import Unit

OPEN, CLOSE = "<conversation>", "</conversation>"
BEFORE = "Said shortly before and remembered already, only to understand the rest; no facts of it:"
AFTER = "Now the turns to read:"
MOST_EARLIER = 400
"""Characters of a text that was learned before."""

_FENCE = regex.compile(r"<(?=\s*/?\s*conversation\b)", regex.IGNORECASE)


def transcript(units: Sequence[Unit]) -> str:
    """The turns, numbered from 1, each with its day.

    Hours are left out: without an offset in the turn they are the server's, in another time zone.
    """
    lines = [OPEN]
    for number, unit in enumerate(units, 1):
        lines.append(f"[{number}] {unit.turn.created_at:%A, %Y-%m-%d}")
        lines += _said("user", unit.user)
        for tool in unit.tools:
            lines += _said(f"tool {inside(tool.name)}", tool.result)
        lines += _said("assistant", unit.assistant)
    return "\n".join([*lines, CLOSE])


def context(turns: Sequence[Turn]) -> str:
    """Turns that were learned before, shortened, in a block of their own; "" without any.

    They tell what "it" and "there" mean in the conversation, and have no numbers: no fact can name
    them as its turn.
    """
    lines = [
        line
        for turn in turns
        for line in (
            *_said("user", shorten(turn.user_text, MOST_EARLIER)),
            *_said("assistant", shorten(turn.assistant_text, MOST_EARLIER)),
        )
    ]
    return "\n".join([BEFORE, *lines, AFTER]) if lines else ""


def _said(who: str, text: str) -> list[str]:
    return [f"{who}: {inside(text)}"] if text.strip() else []


def inside(text: str) -> str:
    """The text indented and without fences, NUL and lone surrogates."""
    sent = text.encode("utf-8", "replace").decode().replace("\0", "")
    return "\n  ".join(_FENCE.sub("\u2039", sent).splitlines())
