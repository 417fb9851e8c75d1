# ruff: noqa: RUF001 - punctuation of other scripts is meant
"""Cuts the user's own text into passages: as written, ended where a sentence or an item ends. Pure.

A list stays with the line that opens it. What only asks stands apart from what tells, and a lasting
order apart from both, because it goes with every message.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import regex

from ..language.supplied_parts import is_field, is_item, opens
from ..language.words import sentences
from ..recall.asking import Whole, only_asks, speaks_of_user
from ..recall.traits import lasts, with_others

LONGEST = 500
"""Characters of the longest passage."""
GROUPED = 400
"""Characters up to which sentences that follow each other are one passage."""
TOGETHER = 160
"""Characters of a statement with the question beside it: either may be half of the sense."""
REMARK = 24
"""Of a remark that goes on with an instruction ("Stop with the emojis. All of them.")."""
_HEADING = 60
_OPENING = 200
"""Characters of the longest line that opens a list: each part of that has it."""
_NEAR = 12
"""Sentences before a wish, and behind it, that tell whose it is."""
_FEWEST_ITEMS = 2
_NUMBERED = regex.compile(r"\d[.)]\s*$")
_BREAK = regex.compile(r"[,;:،，；、]\s*|\s+")


class CutText(NamedTuple):
    """A passage of a text."""

    text: str
    asks: bool = False
    """It is nothing but questions, orders and small talk."""

    @property
    def of_nobody(self) -> bool:
        """Whether it asks, and does not speak of the user or their people."""
        return self.asks and not speaks_of_user(self.text)


def cut(text: str) -> list[CutText]:
    """The passages of a text, in order."""
    whole = Whole.of(text)
    return [one for block in _blocks(text.split("\n")) for one in _passages(block, whole)]


def pieces(text: str) -> Iterator[str]:
    """Material in passages that end where a line ends, as far as its lines are short."""
    some = ""
    for line in text.splitlines(keepends=True):
        for piece in _bounded(line):
            if some.strip() and len(some) + len(piece) > LONGEST:
                yield some.strip()
                some = ""
            some += piece
    if some.strip():
        yield some.strip()


class _Block(NamedTuple):
    """Lines that belong together: a list with its heading, or prose."""

    lines: Sequence[str]
    is_list: bool


def _blocks(lines: Sequence[str]) -> Iterator[_Block]:
    at, prose = 0, list[str]()
    while at < len(lines):
        end = _list_end(lines, at)
        if end == at:
            prose.append(lines[at])
            at += 1
            continue
        heading = [prose.pop()] if prose and _is_heading(prose[-1]) else []
        if len(heading) + end - at < _FEWEST_ITEMS:
            prose += [*heading, *lines[at:end]]
        else:
            if prose:
                yield _Block(prose, is_list=False)
            yield _Block([*heading, *lines[at:end]], is_list=True)
            prose = []
        at = end
    if prose:
        yield _Block(prose, is_list=False)


def _list_end(lines: Sequence[str], at: int) -> int:
    """Behind the last of the items, or of the lines of a form, that begin there."""
    for kind in (is_item, is_field):
        end = at
        while end < len(lines) and (kind(lines[end]) or (end > at and lines[end][:2].isspace())):
            end += 1
        if end > at:
            return end
    return at


def _is_heading(line: str) -> bool:
    told = line.strip()
    return (len(told) <= _OPENING and opens(told)) or (
        0 < len(told) <= _HEADING and told[-1].isalnum()
    )


def _passages(block: _Block, whole: Whole) -> Iterator[CutText]:
    if block.is_list:
        yield from _items(block.lines, whole)
    else:
        yield from _grouped(_with_others(_sentences("\n".join(block.lines))), whole)


def _items(lines: Sequence[str], whole: Whole) -> Iterator[CutText]:
    """A list; of a long one each part with its heading."""
    heading = lines[0] if not (is_item(lines[0]) or is_field(lines[0])) else ""
    told = [heading.rstrip(" :\uff1a")] if heading else lines
    asks = all(only_asks(one, whole) for one in told)
    text = heading
    for line in lines[1 if heading else 0 :]:
        for piece in _bounded(line, LONGEST - len(heading) - 1):
            if len(text) + len(piece) >= LONGEST and text != heading:
                yield CutText(text.strip(), asks)
                text = heading
            text = f"{text}\n{piece}"
    yield CutText(text.strip(), asks)


def _sentences(text: str) -> list[str]:
    """Sentences, as written; a number with a full stop does not end one ("am 15. Mai")."""
    joined: list[str] = []
    for sentence in sentences(text):
        last = joined[-1] if joined and len(joined[-1]) <= LONGEST else ""
        if _NUMBERED.search(last) and "\n" not in last:
            joined[-1] += sentence
        elif sentence.strip():
            joined.append(sentence)
    return [piece for sentence in joined for piece in _bounded(sentence)]


def _bounded(sentence: str, most: int = LONGEST) -> Iterator[str]:
    """The sentence, or pieces of one that is too long for a passage."""
    while len(sentence) > most:
        ends = [found.end() for found in _BREAK.finditer(sentence, most // 2, most)]
        end = ends[-1] if ends else most
        yield sentence[:end]
        sentence = sentence[end:]
    yield sentence


def _with_others(told: Sequence[str]) -> Sequence[str]:
    """The sentences; a wish in somebody else's text with what stands around it, which shows whose.

    That is not told again beside it.
    """
    found = {
        one: around
        for n, one in enumerate(told)
        if lasts(one)
        and (around := with_others("".join(told[max(0, n - _NEAR) : n + _NEAR + 1]), one.strip()))
    }
    if not found:
        return told
    left = (
        one
        for one in told
        if one in found or not any(one.strip() in each for each in found.values())
    )
    return list(dict.fromkeys(f"{found[one]}\n" if one in found else one for one in left))


def _grouped(told: Sequence[str], whole: Whole) -> Iterator[CutText]:
    """The sentences, as few passages as possible."""
    text, before = "", ""
    for sentence in told:
        kind = "wish" if lasts(sentence) else "asks" if only_asks(sentence, whole) else "tells"
        long = len(text) + len(sentence)
        goes_on = _goes_on(before, kind, sentence, long)
        if text and (long > GROUPED or not goes_on):
            yield CutText(text.strip(), before == "asks")
            text = ""
        if not ((text and goes_on and kind == "asks") or (before == "wish" and text)):
            before = kind
        text += sentence
    if text.strip():
        yield CutText(text.strip(), before == "asks")


def _goes_on(before: str, kind: str, sentence: str, together: int) -> bool:
    """Whether a sentence belongs to what stands before it."""
    if before == kind:
        return True
    if "wish" in (before, kind):
        remarks = before == "wish" and kind == "tells" and len(sentence) <= REMARK
        return remarks and not speaks_of_user(sentence)
    return together <= TOGETHER
