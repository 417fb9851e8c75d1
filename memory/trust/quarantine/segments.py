# ruff: noqa: RUF001 - punctuation and letters of other scripts are meant
"""Separates the user's own sentences from those of tools and pasted texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from ...messages import TOOL_ROLES
from ...types import Message
from .cues import cues
from .encoded import payloads
from .hidden import smuggled
from .markup import markup_spans, undisguised, without_markup
from .orders import is_hostile
from .text import sentences

_QUOTES = regex.compile(
    r"```.*?(?:```|\Z)|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|“[^“”]{15,}”|«[^«»]{15,}»|„[^„“”]{15,}[“”]|「[^「」]{6,}」|『[^『』]{6,}』"
    r"|\"[^\"]{15,}\"|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})|\n){15,}'(?!\p{L})"
    r"|(?<![\p{L}\p{N}])‘[^‘’]{15,}’|(?m:^[ \t]{0,4}>[^\n]*$)|<(?:meta|div|span|img|p|a)\b[^<>]*>",
    flags=regex.DOTALL,
)
_HEADER = regex.compile(
    r"(?m)^[ \t]{0,4}(?:from|subject|to|von|betreff|de|asunto|objet|assunto)[ \t]?:\s", regex.I
)
_LEAD = regex.compile(r"[:：]\s|\n")
_MIN_PASTED = 15


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the conversation that is not the user's own."""

    text: str
    role: str
    marked: bool = False
    """Whether it follows role markup, or was hidden or encoded."""


@dataclass(frozen=True, slots=True)
class Voices:
    """The sentences of a conversation by speaker."""

    own: tuple[str, ...]
    """Sentences of the user."""
    foreign: tuple[Passage, ...]
    """Sentences of tool results, and of what the user pasted."""
    later: tuple[str, ...] = ()
    """The user's sentences after a tool's result."""


def voices(messages: Sequence[Message]) -> Voices:
    """Sort the sentences of `messages`; those of the assistant and the system are left out."""
    own: list[str] = []
    foreign: list[Passage] = []
    before = -1
    for message in messages:
        text = undisguised(message.content)
        if text is not message.content and message.role in TOOL_ROLES | {"user"}:
            foreign.extend(_hidden(message.content, message.role))
        if message.role == "user":
            mine, pasted = _split(text)
            own.extend(sentences(mine))
            foreign.extend(_passages(pasted, message.role))
            foreign.extend(_hidden(mine, message.role))
        elif message.role in TOOL_ROLES:
            foreign.extend(_passages(text, message.role))
            before = len(own) if before < 0 else before
    return Voices(tuple(own), tuple(foreign), tuple(own[before:] if before >= 0 else ()))


def _hidden(text: str, role: str) -> list[Passage]:
    """Passages hidden in a text; a user does not type these."""
    parts = (smuggled(text), *payloads(text))
    return [Passage(one, role, marked=True) for part in parts for one in sentences(part)]


def _passages(text: str, role: str) -> list[Passage]:
    spans = markup_spans(text)
    start = spans[0][0] if spans else len(text)
    plain = [Passage(sentence, role) for sentence in sentences(text[:start])]
    marked = [Passage(part, role, marked=True) for part in sentences(without_markup(text[start:]))]
    return [*plain, *marked, *_hidden(text, role)]


def _split(content: str) -> tuple[str, str]:
    """The user's own text, and the text that is pasted, quoted or follows role markup."""
    spans = markup_spans(content)
    if spans and any(map(is_hostile, sentences(without_markup(content[spans[0][0] :])))):
        mine, pasted = _split(content[: spans[0][0]])
        return mine, f"{pasted}\n{content[spans[0][0] :]}"
    quoted = _QUOTES.findall(content)
    rest = _QUOTES.sub(" ", content)
    mine, lead = _cut(rest)
    return mine, "\n".join([*quoted, lead])


def _cut(text: str) -> tuple[str, str]:
    """Split at the colon or line end after a request to work on a text, or at a mail header."""
    header = _HEADER.search(text)
    if header:
        return text[: header.start()], text[header.start() :]
    lead = _LEAD.search(text)
    if lead and len(text) - lead.end() >= _MIN_PASTED and "process" in cues(text[: lead.start()]):
        return text[: lead.start()], text[lead.end() :]
    return text, ""
