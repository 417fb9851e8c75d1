"""The doors of memory: what a chat, a search and `answer` are given of one user's store.

An engine in this process, the filters of a request in front of it, and a model that finds in a
message what was put in its mouth, judges no conflict, and keeps what it is shown for an answer.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from recollect.memory import AsyncMemory
from recollect.memory.api.answering import ANSWER_SCHEMA
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.learn.reconcile import ANSWER_SCHEMA as CONFLICT_SCHEMA
from recollect.memory.model.types import (
    ACTIVE,
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


@dataclass(frozen=True)
class Reached:
    """What became of a fact beside an older one."""

    learned: bool
    """It was stored."""
    asked: bool
    """The model was asked about the two."""
    linked: bool
    """They are of one matter, or the older one ended."""


@dataclass
class Listener:
    """A model of which it is known what it answers."""

    fact: str = ""
    """What it finds in a conversation."""
    shown: list[str] = field(default_factory=list)
    """What it was asked for an answer."""
    doubts: list[str] = field(default_factory=list)
    """What it was asked about facts beside others."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        asked = "\n".join(message.content for message in request.messages)
        if request.schema == ANSWER_SCHEMA:
            self.shown.append(asked)
            return _reply(_ANSWER)
        if "<conversation>" in asked:
            fact = {"type": "semantic", "turn": 1, "importance": 0.5}
            found = {"facts": [fact | {"quote": self.fact, "text": self.fact}]}
            return _reply(json.dumps(found))
        if "\nStatements:\n1. " in asked:
            return _reply(json.dumps({"not_stated": []}))
        if request.schema == CONFLICT_SCHEMA:
            self.doubts.append(request.messages[-1].content)
        return _reply("I do not know.")

    async def close(self) -> None:
        """Nothing to release."""


def _same_matter(older: MemoryItem, newer: MemoryItem) -> bool:
    """Whether two memories are linked as of one matter."""
    of = older.provenance.matter or older.id, newer.provenance.matter or newer.id
    return of[0] == of[1] or older.id in newer.provenance.pending


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

    async def learn(self, user: str, facts: Sequence[Named]) -> None:
        """A model learns each, one after the other, and judges nothing about those before."""
        for number, (name, text) in enumerate(facts):
            self._listener.fact = text
            at: datetime = utc_now() - LATELY * (len(facts) - number)
            said = [{"role": "user", "content": text}]
            added = await self.memory.add(said, user_id=user, timestamp=at)
            self._names.update({one["id"]: name for one in added["results"]})

    async def reached(self, user: str, old: str, new: str) -> Reached:
        """Teach two facts, one after the other; whether the older one met the newer."""
        await self.learn(user, [("old", old)])
        self._listener.doubts.clear()
        await self.learn(user, [("new", new)])
        asked = any(old in doubt for doubt in self._listener.doubts)
        scope = Scope(tenant=TENANT, user_id=user)
        rows = await self.engine.parts.store.load(scope, limit=10)
        known = {row.item.text: row.item for row in rows}
        # What a fact replaced is gone from the active ones: no model was needed.
        there = {row.item.text for row in rows if row.item.status in ACTIVE}
        older, newer = known.get(old), known.get(new)
        linked = newer is not None and (
            old not in there or (older is not None and _same_matter(older, newer))
        )
        return Reached(learned=newer is not None, asked=asked, linked=linked)

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
