"""Chats as the proxy has them, without a server: filters, capture, the engine with its embedder."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, Self

from recollect.filters import (
    Answer,
    Capture,
    Exchange,
    Fence,
    Outcome,
    RequestRecallOptions,
    request_filters,
)
from recollect.filters.capture import conversation_id_of, turn_ids_of
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions, LearnOptions
from recollect.memory.model.types import ChatReply, ChatRequest, Scope
from recollect.memory.recall.profile import Role
from recollect.proxy.dialects.chat import parse_chat_body

TENANT = "bench"
Content = str | Sequence[dict[str, Any]]
Said = dict[str, Any]
"""A message of a request."""


BESIDE = (Role.LATER, Role.EARLIER)
STANDING = (Role.WISH, Role.CONSTRAINT, Role.PROFILE)


class Given(NamedTuple):
    """Lines that a request was given, by why."""

    matched: list[str]
    """Found for the question."""
    beside: list[str]
    """What may be newer of the same matter, or was true before."""
    standing: list[str]
    """Whatever is asked: wishes, constraints, who the user is."""

    block: str
    """As they stand in the request: oldest first, and the later one holds."""

    @property
    def all(self) -> list[str]:
        return [*self.matched, *self.beside, *self.standing]


class Notes:
    """A model that keeps what it is asked, and answers nothing."""

    def __init__(self) -> None:
        self.read = ""

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.read = request.messages[-1].content
        return ChatReply(text='{"grounds": [], "answer": ""}', model="notes")


_NOTE = re.compile(r"^\d+\. \([-\d]+\) (.*)$", re.MULTILINE)


class Talks:
    """Conversations of users, each of whom knows nothing of the others."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._notes = Notes()
        self.memory = AsyncMemory(engine, tenant=TENANT, model=self._notes)
        state = engine.parts.state
        self._capture = Capture(
            state.conversations, state.jobs, LearnOptions(), redact=engine.redact
        )
        self._filters = request_filters(
            RequestRecallOptions(), engine.recaller, engine.parts.tokens, Fence(b"benchmark")
        )

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Self]:
        async with Engine.open(EngineOptions()) as engine, engine.running():
            await engine.recaller.prepare()
            yield cls(engine)

    async def settled(self) -> None:
        """Wait until everything told is embedded."""
        await asyncio.sleep(0)
        while self.engine.indexer.depth:
            await asyncio.sleep(0.005)
        await asyncio.sleep(0.02)

    async def say(self, user: str, session: str, said: Sequence[Said], answer: str) -> None:
        """One turn: the last message of `said` is answered and captured."""
        exchange = await self.turn(user, session, said)
        await self._capture.response(exchange, Answer(answer))

    async def given(self, user: str, session: str, text: str) -> Given:
        """What a new conversation is given for a message, best first."""
        exchange = await self.turn(user, session, [{"role": "user", "content": text}])
        hits = () if exchange.selection is None else exchange.selection.chosen
        if exchange.verdict is None or exchange.verdict.outcome is not Outcome.INJECTED:
            hits = ()
        return Given(
            [hit.item.text for hit in hits if hit.role not in (*BESIDE, *STANDING)],
            [hit.item.text for hit in hits if hit.role in BESIDE],
            [hit.item.text for hit in hits if hit.role in STANDING],
            "\n".join(injection.text for injection in exchange.injections) if hits else "",
        )

    async def noted(self, user: str, question: str) -> list[str]:
        """The notes that `answer` shows its model, as they stand."""
        self._notes.read = ""
        await self.memory.answer(question, user_id=user)
        return _NOTE.findall(self._notes.read)

    async def stored(self, user: str) -> list[dict[str, Any]]:
        """All memories and statements of a user."""
        found = await self.memory.get_all(user_id=user, limit=1000)
        return [dict(one) for one in found["results"]]

    async def turn(self, user: str, session: str, said: Sequence[Said]) -> Exchange:
        """The exchange of a request, with the ids that the proxy gives it."""
        body = {"model": "m", "messages": list(said)}
        messages = parse_chat_body(json.dumps(body).encode()).messages
        scope = Scope(tenant=TENANT, user_id=user)
        conversation = conversation_id_of(scope, session, messages)
        turns = turn_ids_of(conversation, messages)
        exchange = Exchange(
            scope=scope,
            messages=messages,
            model="m",
            conversation_id=conversation,
            turn_id=turns[-1],
            turns=tuple(turns),
            visible=frozenset(turns),
        )
        for each in self._filters:
            if exchange.verdict is None:
                await each.request(exchange)
        for each in self._filters:
            each.settle(exchange)
        return exchange
