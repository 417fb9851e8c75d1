"""What a short message follows in its conversation, so that it can be understood later. Pure.

"Kim", "no, the 12th" and "with oat milk" tell nothing alone. Read from the request, because the
messages before it may never have been recorded: the first ones of a client's own, or those of
another time or another proxy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.memory.forget import asked_in
from recollect.memory.language import is_question, may_ask, sentences
from recollect.memory.model.messages import shorten
from recollect.memory.model.types import Before, Message
from recollect.memory.statements.replies import may_reply

from ..exchange import Exchange, last_user_index
from .turns import turn_ids_of

LONGEST = 240
"""Characters of a message that is looked at."""
MOST_SAID = 3
"""Messages of the user that are kept with one: a correction may be corrected."""
MOST_BEFORE = 400
"""Characters of each text."""
_READ_CHARS = 2000
"""Of an answer the end is read. Messages of the user that are longer are left out."""
MOST_CHARS = (MOST_SAID + 1) * (_READ_CHARS + 1)
"""Characters of all texts together."""


@dataclass(frozen=True, slots=True)
class RawBefore:
    """The same, not redacted yet."""

    said: Sequence[str] = ()
    turn_ids: Sequence[str] = ()
    asked: str = ""

    @property
    def text(self) -> str:
        """All texts as one, a line each, the assistant's first: redacting one text costs less."""
        texts = [self.asked, *self.said] if self.asked or self.said else []
        return "\n".join(" ".join(text.split()) for text in texts)

    def kept(self, text: str) -> Before | None:
        """With this text, which is its own redacted; None if that is not as many lines any more."""
        asked, *said = (shorten(line, MOST_BEFORE) for line in text.split("\n"))
        if not text.strip() or len(said) != len(self.said):
            return None
        return Before(tuple(said), tuple(self.turn_ids), asked)


NOTHING = RawBefore()


def before_of(exchange: Exchange) -> RawBefore:
    """What the exchange's message follows; `NOTHING` for a longer message or a first one."""
    messages = exchange.heard
    last = last_user_index(messages)
    if not last or len(messages[last].content) > LONGEST:
        return NOTHING
    text = messages[last].content
    users = [n for n, message in enumerate(messages[:last]) if message.role == "user"]
    answers = messages[users[-1] + 1 if users else 0 : last]
    answer = next((m.content for m in reversed(answers) if m.role == "assistant" and m.content), "")
    if not may_ask(answer[-_READ_CHARS:]) and not may_reply(text, ""):
        return NOTHING  # as of nearly all: nothing is redacted
    if users and asked_in(messages[users[-1]].content):
        answer = ""  # it says what was to be forgotten
    asked = last_question(answer)
    if not may_reply(text, asked):
        return NOTHING
    kept = users[-MOST_SAID:]
    return RawBefore(
        said=[_bounded(messages[n].content) for n in kept],
        turn_ids=_turns(exchange, len(users))[-MOST_SAID:],
        asked=asked,
    )


def last_question(text: str) -> str:
    """The last question of a text, or its last sentence."""
    found = [one.strip() for one in sentences(text[-_READ_CHARS:]) if one.strip()]
    return next((one for one in reversed(found) if is_question(one)), found[-1] if found else "")


def _bounded(text: str) -> str:
    """The text; of a longer one nothing, because part of a secret is none that is recognised.

    Nor of one that asks to forget something.
    """
    return text if len(text) <= _READ_CHARS and not asked_in(text) else ""


def _turns(exchange: Exchange, before: int) -> list[str]:
    """The turns of the user's messages before the last one."""
    resent: Sequence[Message] = exchange.messages
    known = [*exchange.earlier_turns]
    if len(known) < before:
        known += turn_ids_of(exchange.conversation_id, resent)[:-1]
    return known
