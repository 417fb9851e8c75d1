# ruff: noqa: RUF001
"""The sentences of a conversation by whose words they are, and the origin of a claim in them.

Words of a tool's result, and what a user pasted, are not the user's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import regex

from ...model.messages import INSTRUCTIONS, TOOL_ROLES
from ...model.types import Message
from ..confusables import smuggled
from .payloads import payloads
from .utterances import Claim, CueReading, Utterance

_QUOTES = regex.compile(
    r"```.*?(?:```|\Z)|/\*.*?(?:\*/|\Z)|<!--.*?(?:-->|\Z)|“[^“”]{15,}”|«[^«»]{15,}»|„[^„“”]{15,}[“”]|「[^「」]{6,}」|『[^『』]{6,}』"
    r"|\"[^\"]{15,}\"|(?<![\p{L}\p{N}])'(?:[^'\n]|(?<=\p{L})'(?=\p{L})|\n){15,}'(?!\p{L})"
    r"|(?<![\p{L}\p{N}])‘[^‘’]{15,}’|(?m:^[ \t]{0,4}>[^\n]*$)|<(?:meta|div|span|img|p|a)\b[^<>]*>",
    flags=regex.DOTALL,
)
"""Code, comments, quotations and HTML: words of others in a user's message."""
_HANDED_OVER = regex.compile(r"[:：][ \t]*\n")
"""What follows a request such as "translate this:" on lines of its own."""
_MOST_PLACES = 64
"""Sentences that a stem leads to; more of them say nothing about where a candidate is from."""
_LENGTH = 0.02
"""What a stem of a sentence beyond the shared ones takes from its likeness to a candidate."""


class Speaker(StrEnum):
    """The speaker of some words."""

    USER = "user"
    PASTED = "pasted"
    """In a user's message, quoted or handed over."""
    TOOL = "tool"
    HIDDEN = "hidden"
    """Invisible or encoded, in anybody's message."""
    ASSISTANT = "assistant"


_FOREIGN = frozenset({Speaker.PASTED, Speaker.TOOL, Speaker.HIDDEN})


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence of a conversation."""

    spoken: Utterance
    speaker: Speaker


@dataclass(frozen=True, eq=False)
class SpeakerShares:
    """The sentences of some speakers, in order."""

    passages: Sequence[Passage]

    def share(self, stems: frozenset[str]) -> float:
        """The share of these stems that they say, 0 to 1."""
        return len(stems & self._by_stem.keys()) / len(stems) if stems else 0.0

    def near(self, stems: Iterable[str]) -> Sequence[Passage]:
        """The sentence most like one with these stems, and those before and after it.

        Empty if none shares a stem with it.
        """
        best = self._best(stems)
        return () if best is None else self.passages[max(0, best - 1) : best + 2]

    def nearest(self, stems: Iterable[str]) -> Utterance | None:
        """The first of these alone."""
        best = self._best(stems)
        return None if best is None else self.passages[best].spoken

    def _best(self, stems: Iterable[str]) -> int | None:
        shared = Counter(place for stem in stems for place in self._by_stem.get(stem, ()))
        if not shared:
            return None
        return max(shared, key=lambda i: (shared[i] / self._length(i), -i))

    def _length(self, place: int) -> float:
        return 1 + _LENGTH * len(self.passages[place].spoken.stems)

    @cached_property
    def _by_stem(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for i, passage in enumerate(self.passages):
            for stem in passage.spoken.stems:
                places = found.setdefault(stem, [])
                if len(places) < _MOST_PLACES:
                    places.append(i)
        return found


@dataclass(frozen=True, slots=True)
class Conversation:
    """The sentences of a conversation."""

    own: SpeakerShares
    """The user's."""
    foreign: SpeakerShares
    """Of others: of tools, pasted, hidden."""
    assistant: SpeakerShares


def conversation(messages: Sequence[Message]) -> Conversation:
    """The sentences of `messages`; instructions for the assistant are left out."""
    passages = [passage for message in messages for passage in _passages(message)]
    return Conversation(
        own=SpeakerShares([one for one in passages if one.speaker is Speaker.USER]),
        foreign=SpeakerShares([one for one in passages if one.speaker in _FOREIGN]),
        assistant=SpeakerShares([one for one in passages if one.speaker is Speaker.ASSISTANT]),
    )


def _passages(message: Message) -> Iterator[Passage]:
    if message.role in INSTRUCTIONS:
        return
    reading = CueReading(message.content)
    if message.role in TOOL_ROLES:
        yield from _said(Speaker.TOOL, reading.sentences())
    elif message.role == "assistant":
        yield from _said(Speaker.ASSISTANT, reading.sentences())
    else:
        yield from _of_user(reading)
    for text in (smuggled(message.content), *payloads(message.content)):
        yield from _said(Speaker.HIDDEN, CueReading(text).sentences())


def _said(speaker: Speaker, said: Iterable[Utterance]) -> Iterator[Passage]:
    return (Passage(one, speaker) for one in said)


def _of_user(reading: CueReading) -> Iterator[Passage]:
    """The user's own sentences, and those that are quoted or handed over."""
    handed = _handed_over(reading)
    start = 0
    for found in _QUOTES.finditer(reading.text, 0, handed):
        yield from _said(Speaker.USER, reading.sentences(start, found.start()))
        yield from _said(Speaker.PASTED, reading.sentences(*found.span()))
        start = found.end()
    yield from _said(Speaker.USER, reading.sentences(start, handed))
    yield from _said(Speaker.PASTED, reading.sentences(handed))


def _handed_over(reading: CueReading) -> int:
    """Where a text begins that the user wants translated or summarised; the end without one."""
    end = len(reading.text)
    found = _HANDED_OVER.search(reading.text)
    if found is None:
        return end
    asked = next(iter(reading.sentences(0, found.start())), None)
    return found.end() if asked is not None and "process" in asked.cues else end


@dataclass(frozen=True, slots=True)
class Origin:
    """The place of a claim's words in a conversation; shares are of its stems, 0 to 1."""

    own: float
    foreign: float
    assistant: float
    has_foreign: bool
    """Whether the conversation has words of others at all."""
    evidence: Utterance | None
    """The user's own sentence that is most like it."""
    said: Sequence[Passage]
    """The same with those before and after it."""
    borne: Sequence[Passage]
    """Those of others."""

    @property
    def speaker(self) -> Speaker:
        """Whose words they mostly are."""
        if self.foreign > self.own and self.borne:
            return self.borne[0].speaker
        return Speaker.ASSISTANT if self.assistant > self.own else Speaker.USER


def trace(claim: Claim, said: Conversation) -> Origin:
    """The origin of a claim."""
    stems = claim.spoken.stems
    return Origin(
        own=said.own.share(stems),
        foreign=said.foreign.share(stems),
        assistant=said.assistant.share(stems),
        has_foreign=bool(said.foreign.passages),
        evidence=said.own.nearest(stems),
        said=said.own.near(stems),
        borne=said.foreign.near(stems),
    )
