"""Working blocks as they stand in a prompt, within a budget: the same blocks, the same bytes. Pure.

A block that does not fit is cut off, and a line says so. Each line of a value has a dash before it,
so that the lines of an echo are known for ours (`memory/learn/firewall/block.py`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import regex

from ..learn import BLOCKS_PREAMBLE, HEARSAY
from ..model.blocks import Author
from .lines import Fence, disarmed, frame
from .visibility import SeenBlock

CUT_OFF = "- (the rest of this block does not fit here)\n"
EMPTY = "- (empty)\n"
_CHARACTER = regex.compile(r"\X")
_MOST_CHARS = 16
"""Characters of a token that are looked at, to find where a line has to end."""


class BlockPage(NamedTuple):
    """The working blocks of a chat."""

    text: str
    """The whole message; empty without blocks."""
    complete: bool
    """Whether all blocks stand in it whole."""


NO_BLOCKS = BlockPage("", complete=True)


def page_of(
    seen: Sequence[SeenBlock], *, budget: int, count: Callable[[str], int], fence: Fence
) -> BlockPage:
    """The message with these blocks, in their order; it has at most `budget` tokens."""
    room = budget - count(frame(BLOCKS_PREAMBLE))
    if not seen or room <= 0:
        return BlockPage("", complete=not seen)
    whole = "".join("".join(_lines_of(each)) for each in seen)
    lines = whole if len(whole) <= room * _MOST_CHARS and count(whole) <= room else ""
    while not lines and room > 0:
        lines = _fitted(seen, room, count)
        over = count(lines) - room
        if over > 0:  # more than its lines one by one, which hardly any tokenizer does
            lines, room = "", room - over
    text = fence.around(lines, BLOCKS_PREAMBLE) if lines else ""
    return BlockPage(text, complete=lines == whole)


def _lines_of(seen: SeenBlock) -> Iterator[str]:
    block = seen.block
    fixed = "" if seen.writable and not block.read_only else " (read-only)"
    if block.author is Author.SHARED:
        fixed += f" {HEARSAY}"  # another user wrote in it last
    about = f" {disarmed(block.description)}" if block.description else ""
    yield f"* Block {block.label}{fixed}:{about}\n"
    if not block.value.strip():
        yield EMPTY
        return
    for line in block.value.splitlines():
        text = disarmed(line.rstrip())
        yield f"- {text}\n" if text else "\n"


def _fitted(seen: Sequence[SeenBlock], room: int, count: Callable[[str], int]) -> str:
    """As many lines as fit, with what tells that there are more."""
    left = room - count(CUT_OFF) - count(_more(len(seen)))
    kept: list[str] = []
    for number, each in enumerate(seen):
        for at, line in enumerate(_lines_of(each)):
            needed = _tokens(line, left, count)
            if needed <= left:
                kept.append(line)
                left -= needed
                continue
            if at == 0:
                return "".join([*kept, _more(len(seen) - number)])
            kept += [_beginning(line, left, count), CUT_OFF]
            behind = len(seen) - number - 1
            return "".join([*kept, _more(behind) if behind else ""])
    return "".join(kept)


def _tokens(line: str, left: int, count: Callable[[str], int]) -> int:
    """Of a line; of one that is far too long, some number that is too large."""
    return left + 1 if len(line) > max(left, 0) * _MOST_CHARS else count(line)


def _more(blocks: int) -> str:
    said = "1 more block does" if blocks == 1 else f"{blocks} more blocks do"
    return f"- ({said} not fit here)\n"


def _beginning(line: str, left: int, count: Callable[[str], int]) -> str:
    """The beginning of a line that fits, by whole words if it has any; "" if none does."""
    most = max(left, 0) * _MOST_CHARS
    ends = [found.end() for found in _CHARACTER.finditer(line.rstrip("\n")[: most + 1])][:most]
    fits = bisect_left(ends, left + 1, key=lambda end: count(line[:end] + "\n"))
    part = line[: ends[fits - 1]] if fits else ""
    words = part.rpartition(" ")[0]
    shown = words if len(words) > len("-") else part
    return f"{shown}\n" if len(shown) > len("- ") else ""
