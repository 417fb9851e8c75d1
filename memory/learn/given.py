"""Turns messages into decisions that store them as they are, without a model. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from ..inputs import check_text
from ..messages import INSTRUCTIONS
from ..trust.quarantine import judge_text
from ..trust.redact import is_only_marks
from ..types import Decision, EventKind, MemoryType, Message, Source, text_hash
from .records import memory_id
from .trust import Redact

_SOURCES = {"assistant": Source.ASSISTANT, "tool": Source.TOOL, "function": Source.TOOL}
_INVISIBLE = frozenset({"Cc", "Cf", "Zl", "Zp", "Zs"})


class SkipReason(StrEnum):
    """Why a message is not stored."""

    DUPLICATE = "duplicate"
    """The scope has a memory with this text, or an earlier message of the call has it."""
    EMPTY = "empty"
    """It has no visible text."""
    INSTRUCTIONS = "instructions"
    """It instructs the assistant (role `system` or `developer`)."""
    SECRET = "secret"  # noqa: S105 - a word for a reason
    """Nothing was left of it after the secrets were removed."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A message that is not stored."""

    index: int
    """Of the message in the call, from 0."""
    reason: SkipReason
    id: str | None = None
    """Of a duplicate: the memory that has the text."""


@dataclass(frozen=True, slots=True)
class Given:
    """The memories to store, by the index of their message, and the messages that are skipped."""

    decisions: dict[int, Decision]
    skipped: tuple[Skipped, ...]


def as_given(conversation: Sequence[Message], batch: str, redact: Redact) -> Given:
    """One memory for each message with text; suspicious texts are quarantined.

    Raises:
        InvalidInputError: a text is too long or cannot be stored; names the message.
    """
    decisions: dict[int, Decision] = {}
    skipped = []
    for number, message in enumerate(conversation):
        text, reason = _read(number, message, redact)
        if reason is None:
            decisions[number] = _decision(message, f"{batch}|{number}", text)
        else:
            skipped.append(Skipped(number, reason))
    return Given(decisions, tuple(skipped))


def key_of(text: str) -> str:
    """Equal for texts that differ only in white space or in Unicode's ways to write a character."""
    return text_hash(" ".join(unicodedata.normalize("NFC", text).split()))


def _read(number: int, message: Message, redact: Redact) -> tuple[str, SkipReason | None]:
    """The text to store, or why there is none."""
    if message.role in INSTRUCTIONS:
        return "", SkipReason.INSTRUCTIONS
    if all(unicodedata.category(character) in _INVISIBLE for character in message.content):
        return "", SkipReason.EMPTY
    check_text(f"messages[{number}].content", message.content)
    text = redact(message.content)
    hidden = text != message.content and is_only_marks(text)
    return text, SkipReason.SECRET if hidden else None


def _decision(message: Message, name: str, text: str) -> Decision:
    suspicion = judge_text(text)
    kinds = sorted(kind.value for kind in suspicion.kinds) if suspicion else []
    return Decision(
        event=EventKind.QUARANTINE if kinds else EventKind.ADD,
        memory_id=memory_id(name, text),
        text=text,
        type=MemoryType.SEMANTIC,
        stage="given",
        reason=", ".join(kinds),
        flags=tuple(kinds),
        source=_SOURCES.get(message.role, Source.USER),
    )
