"""Traces a candidate's words to the user's sentences or to those of others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .orders import is_hostile, is_order
from .reading import Utterance
from .segments import Passage, Voices
from .voice import Voice

_LITTLE = 0.15
"""If less than this share of the stems is found anywhere, the origin is unknown: the candidate was
translated or paraphrased."""
_MIN_CARRIED = 0.15
_TO_THE_ASSISTANT = frozenset({"intro", "remember", "you", "holder", "assistant"})
"""Without any of these cues, a first-person sentence only describes the user's life."""
_MOSTLY_OTHERS = 0.34
"""A candidate with less than this share in the user's own words may be foreign."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Shares of a candidate's stems by speaker, and the user's sentences behind it."""

    own: float
    foreign: float
    hostile: float
    """Share in foreign sentences that address the assistant or its memory, and their neighbours."""
    later: float
    """Share in the user's sentences after a tool's result."""
    role: str
    """The role of the message with the hostile sentences; empty without any."""
    ordered: bool
    """Whether a hostile sentence gives the assistant an order."""
    said: tuple[Utterance, ...]
    """The user's sentences behind the candidate."""
    own_cues: frozenset[str]
    foreign_cues: frozenset[str]
    """Cues of the foreign sentences that share a word with the candidate."""

    @property
    def own_text(self) -> str:
        """The user's sentences behind the candidate as one text."""
        return "\n".join(part.text for part in self.said)

    @property
    def is_foreign(self) -> bool:
        """Whether the words come mostly from others."""
        return self.foreign > self.own and self.own < _MOSTLY_OTHERS

    def speaks_of_another(self, *, described: bool) -> bool:
        """Whether the message orders something for "this user" or "anyone", or as an authority."""
        if self.own_cues.isdisjoint({"user", "anyone", "authority"}):
            return False
        own = described and "me" in self.own_cues
        if own and ("topic" in self.own_cues or self.own_cues.isdisjoint(_TO_THE_ASSISTANT)):
            return False
        return not self.own_cues.isdisjoint({"remember", "standing", "grant", "unconfirmed"})

    def carries_hostile(self, *, harmful: bool) -> bool:
        """Whether the candidate repeats an injected sentence.

        `harmful`: the candidate is an order or harmful. A plain fact counts only if the hostile
        sentences contain an order.
        """
        if not self.role or not (harmful or self.ordered):
            return False
        if max(self.own, self.foreign) < _LITTLE:
            return harmful
        return self.hostile >= _MIN_CARRIED and self.hostile > self.own


def trace(voice: Voice, said: Voices) -> Origin:
    """The origin of the words of `voice`."""
    hostile = _hostile(said.foreign)
    near = _near(voice, said.own)
    sharing = [each.spoken for each in said.foreign if each.spoken.stems & voice.spoken.stems]
    return Origin(
        own=_share(voice, said.own),
        foreign=_share(voice, [passage.spoken for passage in said.foreign]),
        hostile=_share(voice, [passage.spoken for passage in hostile]),
        later=_share(voice, said.later),
        role=hostile[0].role if hostile else "",
        ordered=any(passage.marked or is_order(passage.spoken) for passage in hostile),
        said=tuple(near),
        own_cues=_cues(near),
        foreign_cues=_cues(sharing),
    )


def _hostile(passages: Sequence[Passage]) -> list[Passage]:
    marked = {i for i, p in enumerate(passages) if p.marked or is_hostile(p.spoken)}
    near = {i + step for i in marked for step in (-1, 0, 1)}
    return [passage for i, passage in enumerate(passages) if i in near]


def _near(voice: Voice, own: Sequence[Utterance]) -> list[Utterance]:
    """The user's sentences that share a word with the candidate, and their neighbours; else all."""
    marked = {i for i, part in enumerate(own) if part.stems & voice.spoken.stems}
    near = {i + step for i in marked for step in (-1, 0, 1)}
    return [part for i, part in enumerate(own) if i in near] or list(own)


def _cues(parts: Iterable[Utterance]) -> frozenset[str]:
    return frozenset().union(*(part.cues for part in parts))


def _share(voice: Voice, parts: Iterable[Utterance]) -> float:
    stems = voice.spoken.stems
    if not stems:
        return 0.0
    found = frozenset().union(*(part.stems for part in parts))
    return len(stems & found) / len(stems)
