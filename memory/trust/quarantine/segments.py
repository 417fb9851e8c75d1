# ruff: noqa: RUF001 - quotation marks of all scripts are meant
"""Parts the user's own sentences from those of tools and of pasted texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import regex

from ...messages import TOOL_ROLES
from ...types import Message
from .encoded import payloads
from .hidden import smuggled
from .markup import markup_spans, undisguised
from .orders import is_hostile
from .reading import CueReading, Utterance

_QUOTES = regex.compile(
    r"```.*?(?:```|\Z)|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|“[^“”]{15,}”|«[^«»]{15,}»|„[^„“”]{15,}[“”]|「[^「」]{6,}」|『[^『』]{6,}』"
    r"|\"[^\"]{15,}\"|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})|\n){15,}'(?!\p{L})"
    r"|(?<![\p{L}\p{N}])‘[^‘’]{15,}’|(?m:^[ \t]{0,4}>[^\n]*$)|<(?:meta|div|span|img|p|a)\b[^<>]*>",
    flags=regex.DOTALL,
)
"""Code, comments, quotations and HTML: words of others in a user's message."""
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of the conversation that is not the user's own."""

    spoken: Utterance
    role: str
    marked: bool = False
    """Whether it follows role markup, or was hidden or encoded."""


@dataclass(frozen=True, slots=True)
class Voices:
    """The sentences of a conversation by speaker."""

    own: tuple[Utterance, ...]
    """Sentences of the user."""
    foreign: tuple[Passage, ...]
    """Sentences of tool results, and of what the user pasted."""


def voices(messages: Sequence[Message]) -> Voices:
    """Sort the sentences of `messages`; those of the assistant and the system are left out."""
    own: list[Utterance] = []
    foreign: list[Passage] = []
    for message in messages:
        if message.role == "user":
            mine, pasted = _of_user(message.content)
            own.extend(mine)
            foreign.extend(pasted)
        elif message.role in TOOL_ROLES:
            foreign.extend(_of_tool(message.content, message.role))
    return Voices(tuple(own), tuple(foreign))


def _of_user(content: str) -> tuple[list[Utterance], list[Passage]]:
    """The user's own sentences, and those that are quoted, follow role markup or are hidden."""
    reading = CueReading(undisguised(content))
    marks = markup_spans(reading.text)
    end = len(reading.text)
    injected: list[Utterance] = []
    if marks:
        injected = list(_between(reading, marks, marks[0][0], end))
        if any(map(is_hostile, injected)):
            end = marks[0][0]
        else:
            injected = []
    quotes = [found.span() for found in _QUOTES.finditer(reading.text, 0, end)]
    own = list(_between(reading, quotes, 0, end))
    quoted = [Passage(part, "user") for span in quotes for part in reading.sentences(*span)]
    marked = [Passage(part, "user", marked=True) for part in injected]
    return own, [*quoted, *marked, *_hidden(content, "user")]


def _of_tool(content: str, role: str) -> list[Passage]:
    reading = CueReading(undisguised(content))
    marks = markup_spans(reading.text)
    start = marks[0][0] if marks else len(reading.text)
    plain = [Passage(part, role) for part in reading.sentences(0, start)]
    marked = [
        Passage(part, role, marked=True)
        for part in _between(reading, marks, start, len(reading.text))
    ]
    return [*plain, *marked, *_hidden(content, role)]


def _between(
    reading: CueReading, spans: Iterable[_Span], start: int, end: int
) -> Iterator[Utterance]:
    """The sentences outside `spans`, at which another sentence begins."""
    for first, last in spans:
        yield from reading.sentences(start, min(first, end))
        start = last
    yield from reading.sentences(start, end)


def _hidden(content: str, role: str) -> list[Passage]:
    """Sentences that are hidden or encoded in a text; a user does not type these."""
    texts = [text for text in (smuggled(content), *payloads(content)) if text]
    return [
        Passage(part, role, marked=True) for text in texts for part in CueReading(text).sentences()
    ]
