"""What the judge says: why a candidate is not to be believed yet."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class SuspicionKind(StrEnum):
    """What a suspicion rests on; a label of metrics, so the set is closed."""

    INSTRUCTION = "instruction"
    """It tells the assistant to set its rules aside or to become somebody else."""
    ROLE_MARKUP = "role_markup"
    """It holds tokens that part system, user and assistant from each other."""
    EXFILTRATION = "exfiltration"
    """It has the user's data sent or read out."""
    SECRECY = "secrecy"
    """It keeps something from the user."""
    HIDDEN_UNICODE = "hidden_unicode"
    """It holds characters nobody sees, or letters that pass for others."""
    ENCODED = "encoded"
    """What an encoding hides in it is itself suspicious."""
    TOOL_BORNE = "tool_borne"
    """It comes from a tool's result or a pasted text and not from the user's own words."""
    FALSE_AUTHORITY = "false_authority"
    """Somebody who claims a role gives a permission."""
    UNSAFE_ACTION = "unsafe_action"
    """It has something done without the user's consent, or a protection switched off."""
    DOUBTFUL = "doubtful"
    """No rule is broken, but many small signs stand together."""
    STEERING = "steering"
    """It leads the user to somebody's product, page or account."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One ground of a suspicion."""

    kind: SuspicionKind
    where: str
    """``candidate`` or the role of the message that shows it."""
    detail: str
    """The rule in a few words; never a part of the text, as it goes to logs and metrics."""


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A candidate is to be quarantined, for these reasons (at least one)."""

    reasons: tuple[Reason, ...]

    @property
    def kinds(self) -> frozenset[SuspicionKind]:
        """The kinds of all reasons."""
        return frozenset(reason.kind for reason in self.reasons)
