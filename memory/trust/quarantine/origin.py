"""Traces the words of a claim to the sentences of a conversation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .claim import Claim
from .conversation import Conversation, Passage, Speaker
from .reading import Utterance


@dataclass(frozen=True, slots=True)
class Origin:
    """Where the words of a claim stand; shares are of its stems, 0 to 1."""

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
