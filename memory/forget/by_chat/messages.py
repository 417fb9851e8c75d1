"""Messages in which users ask to forget something, or answer whether to, and what came of them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from enum import StrEnum

from ...language.message import is_chore
from ...language.message.forgetting import Forget, forget_in
from ...language.scanner import scan
from ...language.structure import own_words
from ...language.words import sentences
from ...model.types import MemoryItem, Scope
from ..receipt import Receipt

MOST_CHARS = 500
"""A longer message is not read: many long texts hold such words, and no request to forget."""


class Step(StrEnum):
    """The outcome of a message. The values are reason words of answers."""

    PROPOSED = "forget_proposed"
    UNMATCHED = "forget_unmatched"
    """Nothing is stored that it is about."""
    UNCLEAR = "forget_unclear"
    """What is to go, or to stay, is not plain: nothing is proposed."""
    UNSURE = "forget_unconfirmed"
    """The answer was not clear: the proposal waits for another one."""
    ERASED = "forgotten"
    BEGUN = "forget_begun"
    """It is being erased."""
    FAILED = "forget_failed"
    """It could not be erased, and waits for another answer."""
    LATE = "forget_expired"
    """Nothing waits for this answer any more, or what was proposed has changed."""


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """A message of a user with what it may answer."""

    scope: Scope
    text: str
    conversation_id: str
    turn_id: str
    before: str = ""
    """The turn before, of this conversation; "" if it is not known."""
    request: str = ""
    """The user's message of that turn; "" if it is not known."""
    answer: str = ""
    """The assistant's answer to it."""
    personal: bool = True
    """Whether it may concern the user: what does not is read by its words alone."""
    granted: asyncio.Future[bool] | None = None
    """Whether the message is from who it says, once that is known; None if it is known already."""

    def name(self, turn_id: str) -> str:
        """The name under which a proposal of a turn of this conversation is kept."""
        return f"{self.conversation_id} {turn_id}"


@dataclass(frozen=True, slots=True)
class ForgetAnswer:
    """The outcome of a message that asks to forget, or answers whether to."""

    step: Step
    everything: bool = False
    again: bool = False
    """Everything was agreed to once, and is asked a second time."""
    items: tuple[MemoryItem, ...] = ()
    """What is proposed, best first; of everything a few examples."""
    count: int = 0
    """How many memories everything is."""
    receipt: Receipt | None = None
    rest: str = ""
    """The message without the request: what of it may be kept."""


def asked_in(text: str) -> list[Forget]:
    """The sentences of a user's own words that may ask to forget something. Pure."""
    if len(text) > MOST_CHARS or not scan(text).has("forget.asks") or is_chore(text):
        return []  # nearly all have no such word
    return [found for each in own_sentences(text) if (found := forget_in(each)) is not None]


def own_sentences(text: str) -> list[str]:
    """The sentences of a user's own words. Pure."""
    return [each.strip() for each in sentences(own_words(text)) if each.strip()]


def without(text: str, asked: list[Forget]) -> str:
    """The message without these sentences. Pure."""
    for each in asked:
        text = text.replace(each.sentence, " ")
    return text.strip() if any(map(str.isalnum, text)) else ""
