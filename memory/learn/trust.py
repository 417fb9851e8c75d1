"""Checks candidates before they are compared with memories. Pure.

Secrets are redacted first, then the text is judged, then its source. A suspicious candidate is
stored for review and is not recalled until it is validated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ..trust.quarantine import judge
from ..types import Candidate, MemoryType, Message, Source, Turn
from .options import Unconfirmed

Redact = Callable[[str], str]

UNCONFIRMED = frozenset({Source.ASSISTANT, Source.TOOL, Source.REFLECTION})


@dataclass(slots=True)
class Trusted:
    """Sorted candidates, and the numbers of rejected ones by reason."""

    believed: list[Candidate] = field(default_factory=list)
    suspicious: list[tuple[Candidate, tuple[str, ...]]] = field(default_factory=list)
    """With the kinds of suspicion."""
    rejected: Counter[str] = field(default_factory=Counter)


def sort_by_trust(
    candidates: Sequence[Candidate],
    turns: Sequence[Turn],
    *,
    redact: Redact,
    unconfirmed: Unconfirmed,
) -> Trusted:
    """Sort candidates; each is judged together with its turns."""
    sorted_ = Trusted()
    by_id = {turn.id: turn for turn in turns}
    for candidate in candidates:
        clean = redacted(candidate, redact)
        if not any(character.isalnum() for character in clean.text):
            sorted_.rejected["redacted"] += 1
            continue
        read_from = [by_id[turn] for turn in clean.turn_ids if turn in by_id] or turns
        flags = suspicions(clean, read_from)
        if not flags and is_unconfirmed(clean):
            if unconfirmed is Unconfirmed.DROP:
                sorted_.rejected["unconfirmed"] += 1
                continue
            flags = ("unconfirmed",) if unconfirmed is Unconfirmed.QUARANTINE else ()
        if flags:
            sorted_.suspicious.append((clean, flags))
        else:
            sorted_.believed.append(clean)
    return sorted_


def redacted(candidate: Candidate, redact: Redact) -> Candidate:
    """The candidate without secrets, which a model may assemble from several turns."""
    return replace(
        candidate,
        text=redact(candidate.text),
        quote=None if candidate.quote is None else redact(candidate.quote),
        object=None if candidate.object is None else redact(candidate.object),
    )


def suspicions(candidate: Candidate, turns: Sequence[Turn]) -> tuple[str, ...]:
    """The kinds of suspicion about a candidate, sorted; usually none."""
    source = "user" if candidate.source is Source.EXTRACTION else candidate.source.value
    found = judge(candidate.text, messages_of(turns), source=source)
    return tuple(sorted(kind.value for kind in found.kinds)) if found else ()


def is_unconfirmed(candidate: Candidate) -> bool:
    """Whether the user did not say it; procedures from tool runs count as unconfirmed."""
    return candidate.source in UNCONFIRMED or (
        candidate.type is MemoryType.PROCEDURAL and candidate.source is not Source.EXTRACTION
    )


def messages_of(turns: Sequence[Turn]) -> list[Message]:
    """Turns as the messages they came from, in order."""
    messages = []
    for turn in turns:
        messages.append(Message(role="user", content=turn.user_text))
        messages += [Message(role="tool", content=step.result) for step in turn.steps]
        messages.append(Message(role="assistant", content=turn.assistant_text))
    return [message for message in messages if message.content]


def redacted_turn(turn: Turn, redact: Redact) -> Turn:
    """The turn without secrets."""
    return replace(
        turn,
        user_text=redact(turn.user_text),
        assistant_text=redact(turn.assistant_text),
        steps=tuple(
            replace(step, arguments=redact(step.arguments), result=redact(step.result))
            for step in turn.steps
        ),
    )
