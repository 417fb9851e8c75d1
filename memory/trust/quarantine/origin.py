"""Where a candidate's words come from: the user's sentences, or those of somebody else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .cues import cues
from .orders import is_hostile, is_order
from .segments import Passage, Voices
from .voice import Voice, topical

_LITTLE = 0.15
"""Share of a candidate's stems below which nothing can be said of where they come from: it was
translated or paraphrased."""
_MIN_CARRIED = 0.15
_TO_THE_ASSISTANT = frozenset({"intro", "remember", "you", "holder", "assistant"})
"""Without any of those, somebody who says "I" merely tells of their life."""
_MOSTLY_OTHERS = 0.34
"""Share found in the user's own words below which a candidate is somebody else's."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Shares of a candidate's stems by whose words they are, and the user's words behind it."""

    own: float
    foreign: float
    hostile: float
    """Share in sentences that speak to the assistant or to its memory, and beside those."""
    later: float
    """Share in what the user said after a tool's result: so much they took up themselves."""
    role: str
    """The role of the message with the hostile sentences, empty without any."""
    ordered: bool
    """Whether one of those gives an order to the assistant, and does not only name it."""
    own_text: str
    own_cues: frozenset[str]
    foreign_cues: frozenset[str]
    """Of the others' sentences that share a word with the candidate."""

    @property
    def is_foreign(self) -> bool:
        """Whether the words come from others rather than from the user."""
        return self.foreign > self.own and self.own < _MOSTLY_OTHERS

    def speaks_of_another(self, *, described: bool) -> bool:
        """Whether the user speaks of "this user" or "anyone", or as an authority, and orders."""
        if self.own_cues.isdisjoint({"user", "anyone", "authority"}):
            return False
        own = described and "self_" in self.own_cues
        if own and ("topic" in self.own_cues or self.own_cues.isdisjoint(_TO_THE_ASSISTANT)):
            return False
        return not self.own_cues.isdisjoint({"remember", "standing", "grant", "unconfirmed"})

    def carries_hostile(self, *, harmful: bool) -> bool:
        """Whether an injected sentence lives on in the candidate.

        `harmful`: it orders or does harm itself; a plain fact is carried from orders only.
        """
        if not self.role or not (harmful or self.ordered):
            return False
        if max(self.own, self.foreign) < _LITTLE:
            return harmful
        return self.hostile >= _MIN_CARRIED and self.hostile > self.own


def trace(voice: Voice, said: Voices) -> Origin:
    """Where the words of `voice` come from."""
    hostile = _hostile(said.foreign)
    own = _near(voice, said.own)
    text = "\n".join(own)
    return Origin(
        own=_share(voice, said.own),
        foreign=_share(voice, [passage.text for passage in said.foreign]),
        hostile=_share(voice, [passage.text for passage in hostile]),
        later=_share(voice, said.later),
        role=hostile[0].role if hostile else "",
        ordered=any(passage.marked or is_order(passage.text) for passage in hostile),
        own_text=text,
        own_cues=frozenset().union(*map(cues, own)),
        foreign_cues=frozenset().union(*map(cues, _sharing(voice, said.foreign))),
    )


def _hostile(passages: Sequence[Passage]) -> list[Passage]:
    marked = {i for i, p in enumerate(passages) if p.marked or is_hostile(p.text)}
    near = {i + step for i in marked for step in (-1, 0, 1)}
    return [passage for i, passage in enumerate(passages) if i in near]


def _near(voice: Voice, own: Sequence[str]) -> list[str]:
    """The user's sentences that share a word with the candidate, and their neighbours; or all."""
    marked = {i for i, text in enumerate(own) if topical(text) & voice.stems}
    near = {i + step for i in marked for step in (-1, 0, 1)}
    return [text for i, text in enumerate(own) if i in near] or list(own)


def _sharing(voice: Voice, passages: Sequence[Passage]) -> list[str]:
    return [each.text for each in passages if topical(each.text) & voice.stems]


def _share(voice: Voice, texts: Sequence[str]) -> float:
    if not voice.stems or not texts:
        return 0.0
    found = frozenset().union(*map(topical, texts))
    return len(voice.stems & found) / len(voice.stems)
