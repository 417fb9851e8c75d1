"""The judge's results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

Span = tuple[int, int]
"""Offsets of the first character and of the one behind the last."""
MAX_SHOWN = 300
"""Characters of a sentence in a reason."""


class SuspicionKind(StrEnum):
    """The ground of a suspicion; a metric label, so the set is closed."""

    INSTRUCTION = "instruction"
    """It tells the assistant to ignore its rules or to play another role."""
    ROLE_MARKUP = "role_markup"
    """It contains tokens that separate system, user and assistant."""
    EXFILTRATION = "exfiltration"
    """It orders that the user's data is sent or read out."""
    SECRECY = "secrecy"
    """It hides something from the user."""
    HIDDEN_UNICODE = "hidden_unicode"
    """It contains invisible or look-alike characters."""
    ENCODED = "encoded"
    """It contains an encoded text that is suspicious."""
    TOOL_BORNE = "tool_borne"
    """It comes from a tool's result or a pasted text, not from the user's own words."""
    FALSE_AUTHORITY = "false_authority"
    """It gives a permission in the name of a claimed role."""
    UNSAFE_ACTION = "unsafe_action"
    """It orders an action without the user's consent, or disables a protection."""
    DOUBTFUL = "doubtful"
    """It breaks no rule, but shows many weak signs; imported memories may have it."""
    STEERING = "steering"
    """It leads the user to a product, page or account."""
    STRANGER = "stranger"
    """Somebody else than the user says it of the user; imported memories may have it."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground of a suspicion."""

    kind: SuspicionKind
    where: str
    """Whose words show it: ``user``, ``pasted``, ``tool``, ``assistant``, or ``candidate`` where
    that is not known."""
    detail: str
    """The sign in a few words; never a part of the text, because it goes to logs and metrics."""
    sentence: str = ""
    """The sentence that shows it, of at most `MAX_SHOWN` characters; not for logs."""

    def shortened(self) -> Reason:
        """The reason with as much of its sentence as is shown."""
        shown = self.sentence.strip()
        cut = shown if len(shown) <= MAX_SHOWN else f"{shown[: MAX_SHOWN - 1]}…"
        return replace(self, sentence=cut)


@dataclass(frozen=True, slots=True)
class Suspicion:
    """The sentences of a candidate to quarantine, each with its reasons."""

    parts: tuple[tuple[Span, tuple[Reason, ...]], ...]
    """At least one; offsets in characters, in order, without overlap."""

    @property
    def reasons(self) -> tuple[Reason, ...]:
        return tuple(dict.fromkeys(reason for _, found in self.parts for reason in found))

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(span for span, _ in self.parts)

    @property
    def kinds(self) -> frozenset[SuspicionKind]:
        return frozenset(reason.kind for reason in self.reasons)
