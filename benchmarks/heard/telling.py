"""Tells conversations to the real product in this process, and asks in new ones.

A turn goes the way of a request's end: the capture of the proxy keeps it, with what it follows in
its conversation, and the indexer hears it. A question goes the way of a request's beginning, the
gate included. No model learns.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager

from recollect.filters import Answer, Capture, Exchange
from recollect.filters.capture import turn_ids_of
from recollect.memory.model.types import Message, Scope, utc_now

from ..relevance.doors import LATELY, TENANT, TOLD, Doors
from .counting import entries

ANSWER = "I see."
"""To a message that the row has no answer to."""
Said = Mapping[str, str]


def turns(said: Sequence[Said]) -> Iterator[tuple[list[Message], str]]:
    """Each turn of a conversation: the messages up to the user's, and the answer to it.

    Raises ValueError unless the user's messages and the assistant's alternate, the user's first.
    """
    if [one["role"] for one in said] != [("user", "assistant")[n % 2] for n in range(len(said))]:
        raise ValueError(f"no turns: {[one['role'] for one in said]}")
    messages = [Message(role=one["role"], content=one["content"]) for one in said]
    for at in range(0, len(messages), 2):
        answer = messages[at + 1].content if at + 1 < len(messages) else ANSWER
        yield messages[: at + 1], answer


class Hearing:
    """One engine with some users in it, each of whom says something in one conversation."""

    def __init__(self, doors: Doors) -> None:
        self._doors = doors
        self.engine = engine = doors.engine
        state = engine.parts.state
        self._capture = Capture(
            state.conversations, state.jobs, engine.options.learn,
            redact=engine.redact, clock=lambda: utc_now() - LATELY,
        )  # fmt: skip
        self._capture.plays = engine.stage.plays

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Hearing]:
        """With the default options and weights."""
        async with Doors.open() as doors:
            yield cls(doors)

    async def tell(self, user: str, said: Sequence[Said]) -> None:
        """The user says all of this in one conversation, some hours ago."""
        conversation = f"{user}/told"
        for messages, answer in turns(said):
            exchange = Exchange(
                scope=Scope(tenant=TENANT, user_id=user),
                messages=messages,
                model=TOLD,
                conversation_id=conversation,
                turn_id=turn_ids_of(conversation, messages)[-1],
            )
            await self._capture.response(exchange, Answer(answer))

    async def settled(self) -> None:
        """Wait until everything told is embedded."""
        await self._doors.settled()

    async def ask(self, user: str, question: str) -> list[str]:
        """The entries that a new conversation of the user is given."""
        return entries((await self._doors.chat(user, question)).text)

    async def passages(self, user: str) -> list[str]:
        """The texts that are kept of what the user said, and may be found."""
        found = await self.engine.said.get(Scope(tenant=TENANT, user_id=user))
        return [one.item.text for one in found.passages]
