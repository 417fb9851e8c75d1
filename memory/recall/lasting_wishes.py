"""Decides whether a text is a lasting wish about answers. Pure.

A wish about answers is an order or a wish to the assistant. Its words show that: it says how long
it lasts, or speaks of the form of answers, of a name or of a language. What is only like a wish by
its meaning does not stand, and neither do values, habits, other people's wishes, and what is wanted
once. Words and meaning are weighed together.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields

from ..language import scan
from ..language.requests import Cue, cues_of
from ..language.words import sentences
from .prototypes import Likeness
from .traits import WISH, instructs, instructs_form, lasts, orders, traits_of

LEAST, LEAST_LEARNED = 1.0, -0.3
"""Log odds from which a text stands, and those from which one does that a model learned as how to
do something: it has judged too."""
_LONG = 600
_PER = 200.0
"""Characters that count, and the unit of `WishSigns.length`."""


@dataclass(frozen=True, slots=True)
class WishSigns:
    """The signs that a text is a lasting wish about answers."""

    wished: float
    """`Likeness.wished`."""
    ordinary: float
    """`Likeness.ordinary`."""
    lasts: bool
    """A sentence of it says how answers are to be from now on."""
    form: bool
    """One is an order about the tone, the length or the language of answers."""
    instructs: bool
    """One is an order for good."""
    manner: bool
    """It has words about the form of answers."""
    tongue: bool
    """It names a language."""
    others: bool
    """It speaks of the user's people, or of people of their work."""
    noted: bool
    """It begins with the user, as a note about them does."""
    first: bool
    """The user begins it: "I want ..."."""
    you: bool
    """It speaks to somebody."""
    once: bool
    """It begins as an order for one answer."""
    length: float
    """Characters, in units of 200."""

    @classmethod
    def of(cls, text: str, meant: Likeness) -> WishSigns:
        """The signs of a text with this meaning."""
        told = [one for one in sentences(text) if one.strip()]
        found, cues, traits = scan(text), cues_of(text), traits_of(text)
        begins = cues.first_besides(cues.covered(Cue.GREET, Cue.FRAME, Cue.ELLIPSIS))
        return cls(
            wished=meant.wished,
            ordinary=meant.ordinary,
            lasts=any(lasts(one) and not _is_habit(one) for one in told),
            form=any(map(instructs_form, told)),
            instructs=any(map(instructs, told)),
            manner="manner" in traits,
            tongue=bool(cues.has(Cue.TONGUE)),
            others=found.has("people.kin", "people.roles") or bool(cues.has(Cue.KIN)),
            noted=any(hit.start <= _FIRST_WORDS for hit in found.found("people.user")),
            first=begins in cues.covered(Cue.SELF),
            you=found.has("planting.you"),
            once=orders(text),
            length=min(len(text), _LONG) / _PER,
        )


_FIRST_WORDS = 2


def _is_habit(sentence: str) -> bool:
    """Whether "always" and the like tell in a note what the user does: "User never gives up"."""
    return scan(sentence).has("people.user") and not (
        instructs(sentence) or WISH in traits_of(sentence)
    )


WEIGHTS: Mapping[str, float] = {
    "wished": 16.3, "ordinary": -12.5, "lasts": 1.4, "form": 0.8, "instructs": 3.4, "manner": 2.1,
    "tongue": 0.3, "others": -1.4, "noted": 2.1, "first": 1.5, "you": 0.5,
    "once": -2.9, "length": -2.6,
}  # fmt: skip
BIAS = -3.4
"""Fitted by logistic regression to 145 written notes and wishes (docs/decisions.md)."""


def log_odds(signs: WishSigns) -> float:
    """Of a text to be a lasting wish about answers."""
    return BIAS + math.fsum(
        WEIGHTS[field.name] * getattr(signs, field.name) for field in fields(signs)
    )


def may_last(text: str) -> bool:
    """Whether its words allow that it is a wish about answers; most texts have none of them."""
    if scan(text).has("planting.standing") or cues_of(text).has(Cue.TONGUE):
        return True
    if not traits_of(text).isdisjoint(_OF_ANSWERS):
        return True
    return any(map(lasts, sentences(text)))


_OF_ANSWERS = frozenset({WISH, "manner", "name"})


def is_lasting_wish(text: str, meant: Likeness | None, *, learned: bool) -> bool:
    """Whether a text is a lasting wish about answers.

    `meant` is its meaning; where it is None, words must tell alone. `learned`: a model called it
    how to do something, or a person let it stand.
    """
    if not learned and not may_last(text):
        return False
    if meant is None:
        return WISH in traits_of(text)
    return log_odds(WishSigns.of(text, meant)) >= (LEAST_LEARNED if learned else LEAST)
