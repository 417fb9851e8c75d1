"""The assistant's question that a short message may answer, so that it can be understood. Pure.

"Kim", "no" and "2" tell nothing alone. Read from the request, because the messages before it may
never have been recorded: the first ones of a client's own, or those of another time or another
proxy.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.memory.forget import asked_in
from recollect.memory.model.messages import shorten
from recollect.memory.model.turn_ids import turn_ids_of
from recollect.memory.model.types import Message, PrecedingQuestion
from recollect.memory.statements.replies import MOST_TURNS, is_short_answer, last_question

from ..exchange import Exchange, last_user_index

MOST_CHARS = 400
"""Characters of the question."""


@dataclass(frozen=True, slots=True)
class RawPrecedingQuestion:
    """The same, not redacted yet."""

    turn_ids: Sequence[str] = ()
    asked: str = ""

    def kept(self, asked: str) -> PrecedingQuestion | None:
        """With this question, which is its own redacted; None without one."""
        return (
            PrecedingQuestion(tuple(self.turn_ids), shorten(asked, MOST_CHARS))
            if asked.strip()
            else None
        )


NOTHING = RawPrecedingQuestion()


def preceding_question(exchange: Exchange) -> RawPrecedingQuestion:
    """What the exchange's message answers; `NOTHING` for a longer message or a first one."""
    messages = exchange.heard
    last = last_user_index(messages)
    if not last or not is_short_answer(messages[last].content):
        return NOTHING
    users = [n for n, message in enumerate(messages[:last]) if message.role == "user"]
    answers = messages[users[-1] + 1 if users else 0 : last]
    answer = next((m.content for m in reversed(answers) if m.role == "assistant" and m.content), "")
    asked = last_question(answer)
    if not asked or (users and asked_in(messages[users[-1]].content)):
        return NOTHING  # as nearly always; or it says what was to be forgotten
    return RawPrecedingQuestion(_turns(exchange, len(users))[-MOST_TURNS:], asked)


def _turns(exchange: Exchange, before: int) -> list[str]:
    """The turns of the user's messages before the last one."""
    resent: Sequence[Message] = exchange.messages
    known = [*exchange.earlier_turns]
    if len(known) < before:
        known += turn_ids_of(exchange.conversation_id, resent)[:-1]
    return known
