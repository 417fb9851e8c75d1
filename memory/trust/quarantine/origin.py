"""Traces a candidate's words to the user's sentences or to those of others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from .orders import is_hostile, is_order
from .reading import Utterance
from .segments import Voices
from .voice import Voice

_MIN_CARRIED = 0.15
_MOSTLY_OTHERS = 0.34
"""A candidate with less than this share in the user's own words may be foreign."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Shares of a candidate's stems by speaker, and what the user said."""

    own: float
    foreign: float
    hostile: float
    """Share in foreign sentences that address the assistant or its memory."""
    role: str
    """The role of the message with the hostile sentences; empty without any."""
    ordered: bool
    """Whether a hostile sentence gives the assistant an order."""
    said: tuple[Utterance, ...]
    """The user's sentences."""
    own_cues: frozenset[str]

    @property
    def is_foreign(self) -> bool:
        """Whether the words come mostly from others."""
        return self.foreign > self.own and self.own < _MOSTLY_OTHERS

    def carries_hostile(self, *, harmful: bool) -> bool:
        """Whether the candidate repeats an injected sentence.

        `harmful`: the candidate is an order or harmful. A plain fact counts only if the hostile
        sentences contain an order.
        """
        if not self.role or not (harmful or self.ordered):
            return False
        return self.hostile >= _MIN_CARRIED and self.hostile > self.own


def trace(voice: Voice, said: Voices) -> Origin:
    """The origin of the words of `voice`."""
    hostile = [each for each in said.foreign if each.marked or is_hostile(each.spoken)]
    return Origin(
        own=_share(voice, said.own),
        foreign=_share(voice, [passage.spoken for passage in said.foreign]),
        hostile=_share(voice, [passage.spoken for passage in hostile]),
        role=hostile[0].role if hostile else "",
        ordered=any(passage.marked or is_order(passage.spoken) for passage in hostile),
        said=said.own,
        own_cues=frozenset().union(*(each.cues for each in said.own)),
    )


def _share(voice: Voice, parts: Iterable[Utterance]) -> float:
    stems = voice.spoken.stems
    if not stems:
        return 0.0
    found = frozenset().union(*(part.stems for part in parts))
    return len(stems & found) / len(stems)
