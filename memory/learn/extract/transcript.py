"""Splits turns into units that fit in one call, and formats them for the model. Pure.

Further lines of a message are indented, so a message cannot end the conversation, begin a turn or
imitate another speaker.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from ...language.words import sentences
from ...model.messages import shorten
from ...model.types import ToolStep, Turn
from ...model.zones import said_at
from ...util import lazy_regex as regex

MAX_PIECE_CHARS = 11_500
"""Of the user's text in one unit; longer texts are split at the end of a sentence."""
OVERLAP_CHARS = 300
"""Overlap of two pieces, so that a fact of two sentences is whole in one of them."""
MIN_HALVED_CHARS = 3_000
"""A shorter piece is not halved: its failure is not due to its length."""
MAX_TURN_CHARS = 600_000
"""Of the user's text in one turn, about 150,000 tokens; of a longer one both ends are read."""
MAX_CONTEXT_CHARS = 4_000
"""Of an assistant's answer, which gives the context of the user's words."""
MAX_STEPS = 4
MAX_STEP_CHARS = 400
"""Of a tool's result, for the last `MAX_STEPS` tools of a turn."""
MAX_CALL_CHARS = 36_000
"""Of one call, about 9,000 tokens."""

_SENTENCE_END = regex.compile(r"(?<=[.!?\n\u3002\uff01\uff1f\u0964])\s*")


@dataclass(frozen=True, slots=True)
class Unit:
    """A turn or a piece of one; the last piece has the answer."""

    turn: Turn
    user: str
    assistant: str = ""
    tools: tuple[ToolStep, ...] = ()
    """Shown without their arguments."""

    @property
    def size(self) -> int:
        """Approximate characters in the transcript."""
        return len(self.user) + len(self.assistant) + MAX_STEP_CHARS * len(self.tools) + 60


def units_of(turns: Iterable[Turn]) -> list[Unit]:
    """The units of all turns, in order."""
    return [unit for turn in turns for unit in _units(turn)]


def shortened(turns: Sequence[Turn], least: int) -> list[Unit]:
    """Each turn as one unit, so short that all fit in a call; at least `least` characters."""
    share = max(least, MAX_CALL_CHARS // max(1, len(turns)))
    return [
        Unit(
            turn, shorten(turn.user_text, share * 2 // 3), shorten(turn.assistant_text, share // 3)
        )
        for turn in turns
    ]


def batches(units: Iterable[Unit]) -> list[list[Unit]]:
    """Batches of up to `MAX_CALL_CHARS`; each unit is in exactly one."""
    parts: list[list[Unit]] = []
    size = 0
    for unit in units:
        if not parts or size + unit.size > MAX_CALL_CHARS:
            parts.append([])
            size = 0
        parts[-1].append(unit)
        size += unit.size
    return parts


def halves(units: Sequence[Unit]) -> list[list[Unit]]:
    """Smaller batches with the same units; none if it cannot be divided."""
    if len(units) > 1:
        middle = len(units) // 2
        return [list(units[:middle]), list(units[middle:])]
    [unit] = units
    if len(unit.user) < MIN_HALVED_CHARS:
        return []
    first, *rest = pieces_of(unit.user, len(unit.user) // 2 + OVERLAP_CHARS)
    parts = [Unit(unit.turn, first), *(Unit(unit.turn, piece) for piece in rest)]
    return [[part] for part in (*parts[:-1], replace(unit, user=parts[-1].user))]


def pieces_of(text: str, most: int = MAX_PIECE_CHARS) -> list[str]:
    """A text in overlapping pieces of at most `most` characters, cut where sentences end."""
    return list(_pieces(text, most)) if len(text) > most else [text]


def spans_of_sentences(text: str) -> list[tuple[int, int]]:
    """The offsets of the sentences of a text."""
    cuts = accumulate(map(len, sentences(text)), initial=0)
    return [(a, b) for a, b in pairwise(cuts) if text[a:b].strip()]


def _units(turn: Turn) -> Iterator[Unit]:
    user = shorten(turn.user_text, MAX_TURN_CHARS)
    assistant = shorten(turn.assistant_text.strip(), MAX_CONTEXT_CHARS)
    tools = tuple(
        ToolStep(step.name[:80], "", shorten(step.result, MAX_STEP_CHARS))
        for step in turn.steps[-MAX_STEPS:]
        if step.result.strip()
    )
    if not (user.strip() or assistant or tools):
        return
    *before, last = pieces_of(user)
    for piece in before:
        yield Unit(turn, piece)
    yield Unit(turn, last, assistant, tools)


def _pieces(text: str, most: int) -> Iterator[str]:
    start = 0
    while len(text) - start > most:
        end = _cut(text, start + most // 2, start + most)
        yield text[start:end]
        start = max(_cut(text, end - OVERLAP_CHARS, end - OVERLAP_CHARS // 2), start + most // 4)
    yield text[start:]


def _cut(text: str, first: int, last: int) -> int:
    """The last sentence end between two offsets, or the last blank, or `last`."""
    ends = [found.end() for found in _SENTENCE_END.finditer(text, first, last)]
    if ends and ends[-1] > first:
        return ends[-1]
    blank = text.rfind(" ", first, last)
    return blank + 1 if blank > first else last


OPEN, CLOSE = "<conversation>", "</conversation>"
BEFORE = "Said shortly before and remembered already, only to understand the rest; no facts of it:"
AFTER = "Now the turns to read:"
MOST_EARLIER = 400
"""Characters of a text that was learned before."""

_FENCE = regex.compile(r"<(?=\s*/?\s*conversation\b)", regex.IGNORECASE)


def transcript_of(units: Sequence[Unit]) -> str:
    """The turns, numbered from 1, each with its day.

    Hours are left out: without an offset in the turn they are the server's, in another time zone.
    """
    lines = [OPEN]
    for number, unit in enumerate(units, 1):
        lines.append(f"[{number}] {said_at(unit.turn):%A, %Y-%m-%d}")
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
