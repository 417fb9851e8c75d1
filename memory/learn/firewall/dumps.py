"""Cuts out files that clients paste before the user's words without tags. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from ...language.sentences import is_question
from .segments import first_person
from .spans import Cut, Piece, cut, line_end

_DUMP = re.compile(
    r"^[ \t>]*+(?:#{1,6}[ \t]++|=++[ \t]*+|\*\*|(?:contents of|file:)[ \t]++)[^\n]{0,80}?"
    r"(?:\b(?:AGENTS|CLAUDE|GEMINI|SOUL|IDENTITY|BOOT|BOOTSTRAP|HEARTBEAT|MEMORY|USER|TOOLS|SKILL"
    r"|CONVENTIONS|copilot-instructions)\.mdc?\b|\.(?:cursor|cline|windsurf)rules\b)[^\n]*+$"
    r"|^#{1,3}[ \t]++Context from my IDE setup:?[ \t]*+$"
    r"|^Contents of \S[^\n]{0,200}?\.md\b[^\n]*+$",
    re.MULTILINE,
)
_REQUEST = re.compile(
    r"^#{1,4}[ \t]++(?:My|The|User)(?:[ \t]+user)?['\u2019]?s?[ \t]+"
    r"(?:request|question|message|query|task)[^\n]{0,80}?$",
    re.MULTILINE | re.IGNORECASE,
)
_RULE = re.compile(r"^(?:-{3,}|={3,})[ \t]*+$", re.MULTILINE)
_PARAGRAPH = re.compile(r"\n[ \t]*+\n\s*+")
_MARKDOWN = re.compile(r"[ \t]*+(?:[#>|`*+-]|\d{1,3}[.)]\s|\w[\w ./-]{0,40}:\s|```|\S+/\S*$)")


def cut_dumps(text: str) -> Cut:
    """Cut out instruction files (``# AGENTS.md``) up to where the user speaks again."""
    return cut(text, _dumps(text))


def _dumps(text: str) -> Iterator[Piece]:
    headings = list(_DUMP.finditer(text))
    if not headings:
        return
    requests = [Piece(*match.span()) for match in _REQUEST.finditer(text)]
    rules = [Piece(*match.span()) for match in _RULE.finditer(text)]
    at = 0
    for heading in headings:
        if heading.start() >= at:
            # The heading of a request, or else the last rule, because files contain rules too.
            following = _from(requests, heading.end())
            announced = following or [rule for rule in rules[-1:] if rule.start >= heading.end()]
            at = _end(text, heading.end(), announced[0] if announced else None)
            yield Piece(heading.start(), at)


def _from(spans: Sequence[Piece], at: int) -> list[Piece]:
    """The first piece that begins at or after `at`, in a list."""
    first = bisect_left(spans, at, key=lambda span: span.start)
    return list(spans[first : first + 1])


def _end(text: str, at: int, announced: Piece | None) -> int:
    """The start of the first spoken paragraph, or the end of the announcing line."""
    stop = announced.start if announced else len(text)
    for gap in _PARAGRAPH.finditer(text, at, stop):
        if _speaks(text, gap.end()):
            return gap.end()
    return line_end(text, announced.start) if announced else len(text)


def _speaks(text: str, begins: int) -> bool:
    """Whether a paragraph is speech and not part of a document."""
    line = text[begins : min(line_end(text, begins), begins + 2000)]
    if not line.strip() or _MARKDOWN.match(line):
        return False
    return is_question(line) or first_person(line)
