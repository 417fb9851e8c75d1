"""Stores messages as they are, without a model. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from ..inputs import check_text
from ..messages import INSTRUCTIONS
from ..trust.quarantine import judge_text
from ..types import Decision, EventKind, MemoryType, Message, Source
from .records import memory_id
from .trust import Redact

_SOURCES = {"assistant": Source.ASSISTANT, "tool": Source.TOOL, "function": Source.TOOL}


def as_given(conversation: Sequence[Message], batch: str, redact: Redact) -> list[Decision]:
    """One memory for each message with text; suspicious texts are quarantined.

    Raises:
        InvalidInputError: a text is too long or cannot be stored; names the message.
    """
    decisions = []
    for number, message in enumerate(conversation):
        if message.role in INSTRUCTIONS or not message.content.strip():
            continue
        check_text(f"messages[{number}].content", message.content)
        decisions.append(_decision(message, f"{batch}|{number}", redact(message.content)))
    return decisions


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
