"""Traces the words of a statement to the sentences of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .conversation import Conversation, Passage, Speaker
from .statement import Statement

_MOSTLY_OTHERS = 0.34
"""A statement with less than this share in the user's own words may be foreign."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the words of a statement stand; shares are of its stems, 0 to 1."""

    own: float
    foreign: float
    assistant: float
    has_foreign: bool
    """Whether the conversation has words of others at all."""
    said: Sequence[Passage]
    """The user's own sentences about it."""
    borne: Sequence[Passage]
    """The same of others."""

    @property
    def is_foreign(self) -> bool:
        """Whether the words come mostly from others."""
        return self.foreign > self.own and self.own < _MOSTLY_OTHERS

    @property
    def speaker(self) -> Speaker:
        """Whose words they mostly are."""
        if self.foreign > self.own and self.borne:
            return self.borne[0].speaker
        return Speaker.ASSISTANT if self.assistant > self.own else Speaker.USER


def trace(statement: Statement, said: Conversation) -> Origin:
    """The origin of a statement."""
    stems = statement.spoken.stems
    return Origin(
        own=said.own.share(stems),
        foreign=said.foreign.share(stems),
        assistant=said.assistant.share(stems),
        has_foreign=bool(said.foreign.passages),
        said=said.own.near(stems),
        borne=said.foreign.near(stems),
    )
