"""Turns messages that are stored as they are into texts, one or several of each. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import regex

from ..language.words import sentences
from ..model.inputs import MAX_TEXT_CHARS, check_unicode
from ..model.messages import INSTRUCTIONS
from ..model.types import Decision, EventKind, MemoryType, Message, Source, text_hash
from ..trust.quarantine.values import Span
from ..trust.suspicious_sentences import SplitText, Withheld
from .cleaning import Redact, believed_pieces, without_secrets
from .records import memory_id


def spans_of(text: str, most: int) -> list[Span]:
    """Spans of at most `most` characters that cover the text, in order.

    A text is cut after a paragraph, else after a sentence, in the second half of what fits; else
    after the last blank; else anywhere.
    """
    spans, start = [], 0
    while len(text) - start > most:
        end = start + _cut(text[start : start + most])
        spans.append((start, end))
        start = end
    return [*spans, (start, len(text))]


def _cut(fits: str) -> int:
    for end in _ENDS:
        if (at := end(fits)) > len(fits) // 2:
            return at
    return _blank(fits) or len(fits)


def _paragraph_end(fits: str) -> int:
    return fits.rfind("\n\n") + 2


def _sentence_end(fits: str) -> int:
    found = sentences(fits)
    return len(fits) - len(found[-1])


def _blank(fits: str) -> int:
    return max(fits.rfind(" "), fits.rfind("\n"), fits.rfind("\t")) + 1


_ENDS: tuple[Callable[[str], int], ...] = (_paragraph_end, _sentence_end)


_SOURCES = {"assistant": Source.ASSISTANT, "tool": Source.TOOL, "function": Source.TOOL}
_LAST = " .!;\u3002\uff01\u0964"
_CAPITALS_COUNT = regex.compile(r"\p{Lu}{2}|\p{Ll}\p{Lu}|[/\\_@]|\p{L}\d|\d\p{L}")
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


class SkipReason(StrEnum):
    """Why a message is not stored."""

    DUPLICATE = "duplicate"
    """The scope has a memory with this text, or an earlier message of the call has it."""
    EMPTY = "empty"
    """It has no visible text."""
    INSTRUCTIONS = "instructions"
    """It instructs the assistant (role `system` or `developer`)."""
    NOT_EMBEDDED = "not_embedded"
    """The embedder does not take its text, or failed for it alone."""
    SECRET = "secret"  # noqa: S105 - a word for a reason
    """Nothing was left of it after the secrets were removed but, at most, what they are called."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A message that is not stored."""

    index: int
    """Of the message in the call, from 0."""
    reason: SkipReason
    id: str | None = None
    """Of a duplicate: the memory that has the text."""


@dataclass(frozen=True, slots=True)
class GivenText:
    """A text to store: a message, or a part of one that is too long for one memory."""

    index: int
    """Of its message in the call."""
    key: str
    """`key_of` the text as it was given, with what is withheld."""
    decision: Decision
    """About the text, or about what is left of it."""
    withheld: tuple[Decision, ...] = ()
    """About the sentences that are withheld; each is a memory of its own."""

    def said_in(self, turn_ids: tuple[str, ...]) -> GivenText:
        """The same of this turn."""
        decision, *withheld = (replace(one, turn_ids=turn_ids) for one in self.decisions)
        return replace(self, decision=decision, withheld=tuple(withheld))

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All of them."""
        return (self.decision, *self.withheld)


@dataclass(frozen=True, slots=True)
class Given:
    """The texts to store, in order, and the messages that are skipped."""

    pieces: tuple[GivenText, ...]
    skipped: tuple[Skipped, ...]

    def said_in(self, turn_of: Callable[[int], tuple[str, ...]]) -> Given:
        """The same, where each decision names the turn of its message, if there is one."""
        return replace(self, pieces=tuple(one.said_in(turn_of(one.index)) for one in self.pieces))

    @property
    def texts(self) -> dict[str, str]:
        """The texts of all memories to store, by the keys that they may be known by."""
        parts = [part for piece in self.pieces for part in piece.withheld]
        return {key_of(part.text): part.text for part in parts} | {
            piece.key: piece.decision.text for piece in self.pieces
        }


def as_given(conversation: Sequence[Message], batch: str, redact: Redact) -> Given:
    """One memory for each message with text; suspicious sentences are quarantined.

    A message that is too long for one memory is split into several, and none is lost.

    Raises:
        InvalidInputError: a text cannot be stored; names the message.
    """
    made: list[GivenText] = []
    skipped = []
    for number, message in enumerate(conversation):
        text, reason = _text_of(number, message, redact)
        if reason is None:
            made += _given_texts(number, message, batch, text)
        else:
            skipped.append(Skipped(number, reason))
    return Given(tuple(made), tuple(skipped))


def key_of(text: str) -> str:
    """Equal for texts that differ only in white space, capitals and what ends the last sentence.

    Unicode's ways to write a character make no difference either. Where a capital may tell things
    apart ("US", "/srv/A", "iPad"), all of them count.
    """
    plain = " ".join(unicodedata.normalize("NFC", text).split())
    said = plain.rstrip(_LAST) or plain
    return text_hash(said if _CAPITALS_COUNT.search(said) else said.casefold())


def _text_of(number: int, message: Message, redact: Redact) -> tuple[str, SkipReason | None]:
    """The text to store, or why there is none."""
    if message.role in INSTRUCTIONS:
        return "", SkipReason.INSTRUCTIONS
    if all(unicodedata.category(character) in _INVISIBLE for character in message.content):
        return "", SkipReason.EMPTY
    check_unicode(f"messages[{number}].content", message.content)
    text = without_secrets(message.content, redact)
    return ("", SkipReason.SECRET) if text is None else (text, None)


def _given_texts(number: int, message: Message, batch: str, text: str) -> list[GivenText]:
    source = _SOURCES.get(message.role, Source.USER)
    cuts = spans_of(text, MAX_TEXT_CHARS)
    parts = believed_pieces(text, cuts, source.value)
    if len(parts) == 1:
        return [_given_text(number, f"{batch}|{number}", text, parts[0], source)]
    return [
        _given_text(number, f"{batch}|{number}|{place}", text[slice(*cut)].strip(), part, source)
        for place, (cut, part) in enumerate(zip(cuts, map(_stripped, parts), strict=True))
        if text[slice(*cut)].strip()
    ]


def _stripped(part: SplitText) -> SplitText:
    """Where a text was cut, white space is no part of it."""
    withheld = tuple(replace(one, text=one.text.strip()) for one in part.withheld)
    return SplitText(part.rest.strip(), withheld)


def _given_text(number: int, name: str, whole: str, part: SplitText, source: Source) -> GivenText:
    key = key_of(whole)
    if not part.rest:
        [only] = part.withheld
        return GivenText(number, key, _withheld(name, only, source))
    rest = _decision(EventKind.ADD, name, part.rest, source)
    if not part.withheld:
        return GivenText(number, key, rest)
    decisions = [
        replace(_withheld(f"{name}|withheld|{place}", one, source), taken_from=rest.memory_id)
        for place, one in enumerate(part.withheld)
    ]
    ids = tuple(decision.memory_id for decision in decisions)
    return GivenText(number, key, replace(rest, withheld=ids, given=key), tuple(decisions))


def _withheld(name: str, one: Withheld, source: Source) -> Decision:
    decision = _decision(EventKind.QUARANTINE, name, one.text, source)
    return replace(decision, reason=", ".join(one.flags), flags=one.flags, reasons=one.doubts)


def _decision(event: EventKind, name: str, text: str, source: Source) -> Decision:
    return Decision(
        event=event,
        memory_id=memory_id(name, text),
        text=text,
        type=MemoryType.SEMANTIC,
        stage="given",
        source=source,
    )
