# ruff: noqa: RUF001 - colons and quotation marks of other scripts are meant
"""Divides a message into the user's own words and material that they hand over. Pure.

Structure tells it: fences, quoted lines, elements, JSON, code, tables, mails, chats. Nothing is
dropped. In doubt a part is the user's own, because only that can be kept as they said it.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from typing import Any, NamedTuple

import regex

from .message import is_chore
from .supplied_parts import MessagePart, supplied_parts

MOST_PARSED = 20
"""Places of a message at which JSON is looked for: each may be read to its end."""
_FENCE = regex.compile(r"[ \t]*(```+|~~~+|\"\"\"|''')")
_ELEMENT = regex.compile(r"\s*<([A-Za-z][\w:-]{0,40}+)(?:\s[^<>]{0,200}+)?>")
_CLOSES = regex.compile(r"</([A-Za-z][\w:-]{0,40}+)>\s*$")
_TEXT_KEYS = ("text", "content", "message", "body", "prompt", "query")
"""Where the JSON of clients has what the user wrote."""
_CODE = regex.compile(
    r"[{};]\s*$|^\s*[\])}]|^\s*['\"][\w.-]+['\"]\s*:|=>|::|[=!]=|\$\{|</\w|/>|&&|\|\||\w\(\S{0,200}\)"
    r"|^\s*(?:@@ |\+\+\+ |--- \S|<{4,}|={4,}\s*$|>{4,}|diff --git)|^\s*(?:[$%] |#!|//|/\*)\s?\S"
    r"|^\s*[\w.\[\]'\"-]+\s*[:+-]?=\s*\S|^\s+at \S+|^\s*File \"|^Traceback\b"
    r"|\b\p{Lu}\w+(?:Error|Exception)\b|^\W?(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b[ :]"
)
"""What lines of programs have: their syntax, and names that standards fix."""
_SURE = regex.compile(r"^\s*['\"][\w.-]+['\"]\s*:|^\W?(?:ERROR|FATAL|WARN)\b[ :]|\);\s*$")
"""The same of a line that stands alone."""
_DIFF = regex.compile(r"@@ |\+\+\+ \S|--- \S+/|diff --git |<{7} |>{7} |index [0-9a-f]{7,}\.\.")
_KEY = regex.compile(r"^\w[\w-]*:\s*$")
_UNDER_KEY = regex.compile(r"^\s+(?:- )?\S+:?\s")
_CELLS = regex.compile(r",(?=\S)|;(?=\S)|\t|\|")
_HEADER = regex.compile(r"[ \t]*\p{Lu}[\p{L}-]{1,20}[ \u00a0]?[:：][ \t]*\S")
_MAIL = regex.compile(
    r"[ \t]*(?:From|To|Cc|Subject|Date|Sent|Reply-To|Message-ID):\s", regex.IGNORECASE
)
"""Field names of RFC 5322."""
_SPOKEN = regex.compile(
    r"[ \t]*(?:[\[(]?\d{1,2}[:.]\d\d\S*[\])]?[ -]+)?(\p{Lu}[\p{L} .]{0,24})[:：][ \t]"
)
_STAMPED = regex.compile(r"\p{Lu}[\p{L} .]{0,30}\s+\d{1,2}[:.]\d\d(?:\s?[AaPp][Mm])?\s*")
"""Who speaks, and when, on a line of its own."""
_MARKED = regex.compile(r"[-=_*]{4,}\s*\p{L}[^-=_*]{0,80}[-=_*]{4,}|[★☆⭐]{2,}")
_TIMED = regex.compile(r"[ \t]*[\[(]?(?:\d[\d./-]{2,9},?\s)?\d{1,2}[:.]\d\d\b")
_SHORT_LINE, _LONG_LINE = 40, 200
_FEWEST_CAPITALS = 3
"""Words of a headline: a form may begin with one or two."""
_ENDS = (".", "!", "?", "。", "！", "？", "…", ":", "：")


class _Line(NamedTuple):
    text: str
    own: bool = True


def parts_of(text: str, *, introduced: bool = False) -> list[MessagePart]:
    """The parts of a message, in order; parts of the same kind that follow each other are one.

    `introduced`: the meaning of its first line says that a text follows (`introduction_of`).
    """
    if is_chore(text):
        return [MessagePart(text, own=False)] if text.strip() else []
    lines = _blocks(_unwrapped(text).splitlines())
    found = [part for own, some in _runs(lines) for part in _own_parts(some, own=own)]
    return [
        part for part in _joined(supplied_parts(found, introduced=introduced)) if part.text.strip()
    ]


def own_words(text: str) -> str:
    """The parts of a message that are the user's own."""
    return "\n\n".join(part.text for part in parts_of(text) if part.own)


def label_of(text: str) -> str:
    """What a text begins with before a colon: it may say whose words follow; "" without one."""
    found = _NAMED.match(text)
    return found[1] if found else ""


_NAMED = regex.compile(r"\s*(\p{L}(?:[^\n:：.!?;,]|\.(?=\w)){1,48}?)\s?[:：](?![/:]|\s*\d)\s*\S")


def _unwrapped(text: str) -> str:
    """What a client put whole into one element or one JSON object."""
    stripped = text.strip()
    if (found := _ELEMENT.match(stripped)) and stripped.endswith(f"</{found[1]}>"):
        inner = stripped[found.end() : -len(found[1]) - 3]
        return inner if f"<{found[1]}" not in inner else text
    if stripped.startswith("{") and stripped.endswith("}"):
        texts = _texts(_parsed(stripped, 0))
        return texts[0] if len(texts) == 1 else text
    return text


def _texts(parsed: tuple[Any, int] | None) -> list[str]:
    """What an object has under the keys of texts."""
    value = parsed[0] if parsed else None
    held = [value.get(key) for key in _TEXT_KEYS] if isinstance(value, dict) else []
    return [one for one in held if isinstance(one, str) and one.strip()]


def _parsed(text: str, at: int) -> tuple[Any, int] | None:
    """The JSON that begins there, and where it ends."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return (value, end) if isinstance(value, dict | list) and value else None


_DECODER = json.JSONDecoder()


def _blocks(lines: Sequence[str]) -> list[_Line]:
    """The lines; those in fences, quoted lines, elements and JSON are material."""
    found: list[_Line] = []
    closing = _closing_elements(lines)
    parsed, at = 0, 0
    while at < len(lines):
        line, end = lines[at], at
        if fence := _FENCE.match(line):
            end = _closing(lines, at, fence[1])
        elif line.lstrip().startswith(">"):
            end = at + 1
        elif element := _ELEMENT.match(line):
            ends = closing.get(element[1], ())
            place = bisect_left(ends, at + 1)
            end = ends[place] if place < len(ends) else at
        elif parsed < MOST_PARSED and line.lstrip()[:1] in ("{", "["):
            parsed, end = parsed + 1, _json_end(lines, at)
        if end > at:
            found += [_Line(one, own=False) for one in lines[at:end]]
        else:
            found.append(_Line(line))
        at = max(end, at + 1)
    return found


def _closing(lines: Sequence[str], at: int, fence: str) -> int:
    """Behind the line that closes a fence; an open one of code reaches to the end."""
    if lines[at].rstrip().endswith(fence) and lines[at].strip() != fence:
        return at + 1
    close = next((n for n in range(at + 1, len(lines)) if lines[n].strip().startswith(fence)), None)
    if close is None:
        return len(lines) if fence[0] in "`~" else at
    return close + 1


def _closing_elements(lines: Sequence[str]) -> dict[str, list[int]]:
    """By the name of elements, behind which lines one ends: found once for all of a message."""
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        if close := _CLOSES.search(line):
            found.setdefault(close[1], []).append(number)
    return found


def _json_end(lines: Sequence[str], at: int) -> int:
    """Behind the JSON that begins in a line, if it fills its lines."""
    rest = "\n".join(lines[at:])
    found = _parsed(rest, len(rest) - len(rest.lstrip()))
    if found is None or rest[found[1] :].split("\n", 1)[0].strip(" \t,;"):
        return at
    return at + rest[: found[1]].count("\n") + 1


def _runs(lines: Sequence[_Line]) -> Iterator[tuple[bool, list[str]]]:
    for own, some in groupby(lines, lambda line: line.own):
        yield own, [line.text for line in some]


def _own_parts(lines: list[str], *, own: bool) -> list[MessagePart]:
    """The paragraphs of a run of lines; code, tables and records are material."""
    if not own:
        return [MessagePart("\n".join(lines), own=False)]
    runs = groupby(lines, lambda one: bool(one.strip()))
    paragraphs = [list(some) for filled, some in runs if filled]
    records = _records(paragraphs)
    return [
        MessagePart(
            "\n".join(each), own=number not in records and not (_is_code(each) or _is_table(each))
        )
        for number, each in enumerate(paragraphs)
    ]


def _is_code(lines: Sequence[str]) -> bool:
    """Whether most lines of a paragraph are a program's."""
    if len(lines) == 1:
        return bool(_SURE.search(lines[0])) or len(_CODE.findall(lines[0])) > 1
    if any(map(_DIFF.match, lines)) or _is_changed(lines):
        return True
    if any(_KEY.match(one) and _UNDER_KEY.match(below) for one, below in pairwise(lines)):
        return True
    return 2 * sum(_CODE.search(line) is not None for line in lines) >= len(lines)


def _is_changed(lines: Sequence[str]) -> bool:
    """Whether its lines are those that a change takes out and puts in, and some around."""
    signs = [line[0] for line in lines if line[0] in "+-"]
    around = sum(line[0] == " " for line in lines)
    return set(signs) == {"+", "-"} and len(signs) + around == len(lines)


def _is_table(lines: Sequence[str]) -> bool:
    """Whether its lines have the same number of cells."""
    cells = [len(_CELLS.findall(line)) for line in lines]
    return len(lines) > 1 and min(cells) > 1 and len(set(cells)) == 1


def _records(paragraphs: Sequence[Sequence[str]]) -> frozenset[int]:
    """The paragraphs that are a mail, a letter or the lines of a chat."""
    found: set[int] = set()
    at = 0
    while at < len(paragraphs):
        end = _mail_end(paragraphs, at) or _marked_end(paragraphs, at)
        if not end and (_is_signed(paragraphs[at]) or _is_chat(paragraphs[at])):
            end = at + 1
        found.update(range(at, end))
        at = max(end, at + 1)
    return frozenset(found)


def _mail_end(paragraphs: Sequence[Sequence[str]], at: int) -> int:
    """Behind the last paragraph of a mail that begins there; 0 if none does."""
    lines = paragraphs[at]
    fields = next((n for n, line in enumerate(lines) if not _HEADER.match(line)), len(lines))
    named = sum(_MAIL.match(line) is not None for line in lines[:fields])
    if fields < _FEWEST_FIELDS or not (named > 1 or fields < len(lines)):
        return 0
    if fields < len(lines):
        return at + 1
    for n in range(at + 1, len(paragraphs)):
        if _ends_signed(paragraphs[n]):
            return n + 1
    return len(paragraphs)


_FEWEST_FIELDS, _FEWEST_SPOKEN = 2, 2


def _marked_end(paragraphs: Sequence[Sequence[str]], at: int) -> int:
    """Behind what a line of dashes, a headline in capitals or "On 3 March, Ines wrote:" begins."""
    first = paragraphs[at][0].strip()
    wrote = first.endswith((":", "：")) and any(map(str.isdigit, first))
    if wrote and len(first) <= _LONG_LINE and len(paragraphs[at]) > 1:
        return at + 1
    if not (_MARKED.match(first) or _is_headline(first)):
        return 0
    if len(paragraphs[at]) > 1:
        return at + 1
    # A comment on it comes last.
    return max(at + 2, len(paragraphs) - 1) if at + 1 < len(paragraphs) else 0


def _is_headline(line: str) -> bool:
    """Whether some words are all in capitals."""
    words = [word for word in line.split() if word.isupper()]
    return len(line) <= _LONG_LINE and line.isupper() and len(words) >= _FEWEST_CAPITALS


def _ends_signed(lines: Sequence[str]) -> bool:
    last = lines[-1].strip()
    return len(lines) > 1 and len(last) <= _SHORT_LINE and not last.endswith(_ENDS)


def _is_signed(lines: Sequence[str]) -> bool:
    """Whether a paragraph begins and ends as a letter: "Dear Ms Abara, ... Kind regards, ..."."""
    first, closing = lines[0].strip(), lines[-2].strip() if len(lines) > 2 else ""  # noqa: PLR2004
    return (
        len(first) <= _SHORT_LINE and first.endswith((",", "，"))
        and len(closing) <= _SHORT_LINE and closing.endswith((",", "，")) and closing is not first
    )  # fmt: skip


def _is_chat(lines: Sequence[str]) -> bool:
    """Whether people speak in turn in its lines: with times, or some of them more than once."""
    if len(lines) < _FEWEST_SPOKEN:
        return False
    timed = sum(_TIMED.match(line) is not None for line in lines)
    stamped = sum(_STAMPED.fullmatch(line) is not None for line in lines)
    speakers = Counter(found[1] for found in map(_SPOKEN.match, lines) if found)
    spoken = max(timed, speakers.total() if max(speakers.values(), default=0) > 1 else 0)
    if stamped >= _FEWEST_SPOKEN:
        return True
    return 2 * spoken >= len(lines) and spoken >= _FEWEST_SPOKEN


def _joined(parts: Sequence[MessagePart]) -> Iterator[MessagePart]:
    for own, some in groupby(parts, lambda part: part.own):
        yield MessagePart("\n\n".join(part.text for part in some), own)
