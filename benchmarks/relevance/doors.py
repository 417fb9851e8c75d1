"""The doors of memory: what a chat, a search and `answer` are given of one user's store.

An engine in this process, the filters of a request in front of it, and a model that keeps what it
is shown for an answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta

from recollect.memory import AsyncMemory
from recollect.memory.api.answering import ANSWER_SCHEMA
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.model.types import (
    ChatReply,
    ChatRequest,
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
    Vectors,
    utc_now,
)
from recollect.memory.recall.profile import Role

from ..unseen.tells import Teller

TENANT = "bench"
TOLD = "none"
"""The model of a `Teller`'s conversations, of which nothing is learned."""
LATELY = timedelta(hours=20)
"""Between two things that are told."""
_ANSWER = json.dumps({"answer": "I see.", "grounds": []})
Named = tuple[str, str]
"""The name of a fact, and the fact."""


@dataclass(frozen=True)
class Lines:
    """What a door gave for a message."""

    names: tuple[str, ...] = ()
    """Of the facts that the lines come from, best first."""
    bearing: tuple[str, ...] = ()
    """The same without wishes about answers, which go with every chat."""
    text: str = ""
    """As the model sees it; empty if there is nothing."""
    tokens: int = 0
    reason: str = ""
    """Of the verdict of a chat."""


@dataclass
class Listener:
    """A model that keeps what it was asked."""

    shown: list[str] = field(default_factory=list)
    """What it was asked for an answer."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        asked = "\n".join(message.content for message in request.messages)
        if request.schema == ANSWER_SCHEMA:
            self.shown.append(asked)
            return _reply(_ANSWER)
        return _reply("I do not know.")

    async def close(self) -> None:
        """Nothing to release."""


def _reply(text: str) -> ChatReply:
    return ChatReply(text=text, model="listener")


class Doors:
    """One engine with some users in it, each of whom is known by what was put there."""

    def __init__(self, engine: Engine, listener: Listener) -> None:
        self.engine = engine
        self.memory = AsyncMemory(engine, tenant=TENANT)
        self._teller = Teller(engine)
        self._listener = listener
        self._names: dict[str, str] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncIterator[Doors]:
        """With the default options and weights."""
        listener = Listener()

        async def everybodys(_tenant: str, model: str) -> Listener | None:
            return None if model == TOLD else listener

        async with Engine.open(EngineOptions(), everybodys) as engine, engine.running():
            await engine.recaller.prepare()
            yield cls(engine, listener)

    async def note(self, user: str, facts: Sequence[Named], vectors: Vectors | None = None) -> None:
        """Store notes as a model wrote them, each some hours after the one before.

        `vectors` are those of the texts, if they are known.
        """
        scope, embedder = Scope(tenant=TENANT, user_id=user), self.engine.parts.embedder
        if vectors is None:
            vectors = await embedder.embed([text for _, text in facts])
        rows = []
        for number, ((name, text), vector) in enumerate(zip(facts, vectors, strict=True)):
            at = utc_now() - LATELY * (len(facts) - number)
            item = MemoryItem(
                id=f"{user}/{name}", text=text, type=MemoryType.SEMANTIC, scope=scope,
                created_at=at, updated_at=at, embedder_id=embedder.id,
                provenance=Provenance(source=Source.EXTRACTION),
            )  # fmt: skip
            self._names[item.id] = name
            rows.append(StoredMemory(item, vector))
        await self.engine.parts.store.put(rows)

    async def tell(self, user: str, facts: Sequence[Named]) -> None:
        """The user says each in a conversation of its own; nothing is extracted."""
        for number, (name, text) in enumerate(facts):
            at = utc_now() - LATELY * (len(facts) - number)
            turn = await self._teller.tell(user, text, at=at, conversation=f"{user}/{number}")
            self._names[turn.id] = name

    async def settled(self) -> None:
        """Wait until everything told is embedded."""
        await self._teller.settled()

    async def chat(self, user: str, message: str) -> Lines:
        """What a new conversation is given for a message, gate included."""
        text, exchange = await self._teller.ask(user, message)
        reason = "" if exchange.verdict is None else exchange.verdict.reason
        if not text or exchange.selection is None:
            return Lines(text=text, tokens=self._tokens(text), reason=reason)
        hits = exchange.selection.chosen
        return Lines(
            tuple(self._name(hit.item) for hit in hits),
            tuple(self._name(hit.item) for hit in hits if hit.role != Role.WISH),
            text,
            self._tokens(text),
            reason,
        )

    async def search(self, user: str, query: str, **options: int) -> Lines:
        """What the library finds with its defaults."""
        found = (await self.memory.search(query, user_id=user, **options))["results"]
        names = tuple(self._named(one["id"], one["provenance"]) for one in found)
        text = "\n".join(one["memory"] for one in found)
        return Lines(names, names, text, self._tokens(text))

    async def answer(self, user: str, question: str) -> str:
        """What a model is shown that answers from the memories; empty if it is not asked."""
        self._listener.shown.clear()
        await self.memory.answer(question, user_id=user)
        return "\n".join(self._listener.shown)

    def _tokens(self, text: str) -> int:
        return self.engine.parts.tokens.count(text) if text else 0

    def _name(self, item: MemoryItem) -> str:
        return self._named(item.id, {"turn_ids": item.provenance.turn_ids})

    def _named(self, memory: str, provenance: dict) -> str:
        sources = (memory, *provenance.get("turn_ids", ()))
        return next((self._names[one] for one in sources if one in self._names), memory)
