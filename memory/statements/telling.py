"""Which sentences of a message tell something that lasts, by what stands beside them. Pure.

In doubt a user's own statement is kept. A sentence that speaks of the user or their people, or
tells a trait of a person, is kept wherever it stands, and so are the others of its message: they go
on with it ("My wife can't have onions. Any kind. Tears her stomach up."). Without such a sentence,
one is kept that stands before what is asked, because behind it stands how to answer ("60 words, in
rhyme"), and nothing but in a message of the user's own words, without small talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .sentence import Sentence, Whole, weight

STORY_CHARS = 240
STORY_SHARE = 3
"""A message that tells so much, and so many times as much as it asks, is kept as a whole."""
FEWEST_WORDS, FEWEST_WEIGHT = 4, 30
"""Words, or weight without spaces, of the shortest sentence that is kept for its length alone."""


@dataclass(frozen=True, slots=True)
class Telling:
    """A message's sentences, and what is known of them together."""

    parts: Sequence[Sentence]
    asked: int
    """The first sentence that asks; their number if none does."""
    works: bool
    """The message has code, or a text that something is to be done with."""
    alone: bool
    """It is nothing but the user's own words."""
    drops_pronouns: bool
    story: bool
    personal: bool
    """A sentence speaks of the user."""
    social: bool
    """A sentence says nothing."""
    full: bool
    """A sentence before what is asked is long enough to tell something."""

    @classmethod
    def of(cls, parts: Sequence[Sentence], whole: Whole, *, alone: bool) -> Telling:
        """What the sentences of a message are together."""
        told = [part for part in parts if not part.asks]
        asked = next((n for n, part in enumerate(parts) if part.asks), len(parts))
        return cls(
            parts=parts,
            asked=asked,
            works=whole.works,
            alone=alone and not whole.works,
            drops_pronouns=whole.drops_pronouns,
            story=_is_story(parts, works=whole.works),
            personal=any(part.personal and not part.idle for part in told),
            social=any(part.idle for part in told),
            full=any(_is_long(part.text) for part in parts[:asked]),
        )

    def keeps(self, number: int) -> bool:
        """Whether this sentence, which does not ask, is kept."""
        part = self.parts[number]
        if part.idle:
            return False
        if part.personal or self.story:
            return True
        if self.works:
            return False
        plain = self.asked == len(self.parts)
        if self.personal or (self.drops_pronouns and (part.named or plain)):
            return True
        if part.named and (plain or (self.alone and number < self.asked)):
            return True
        return self.alone and not self.social and number < self.asked and self.full


def _is_story(parts: Sequence[Sentence], *, works: bool) -> bool:
    """Beside a text that is handed over, a story speaks of its teller more than once."""
    told = sum(len(part.text) for part in parts if not part.asks and not part.idle)
    asked = sum(len(part.text) for part in parts if part.asks)
    personal = sum(part.personal for part in parts if not part.asks)
    return personal > works and told >= max(STORY_CHARS, STORY_SHARE * asked)


def _is_long(text: str) -> bool:
    return len(text.split()) >= FEWEST_WORDS or weight(text) > FEWEST_WEIGHT
