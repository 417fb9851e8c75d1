"""Long conversations, and what compression makes of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from recollect.filters import Compress, Exchange, Place
from recollect.filters.capture import conversation_id_of, turn_id_of, turn_ids_of
from recollect.filters.compress.filter import CompressSizes
from recollect.memory.model.types import MemoryItem, MemoryType, Provenance, Scope, Source
from recollect.memory.util.tokens import ApproximateCounter
from recollect.proxy.dialects.chat import ChatBody, parse_chat_body
from tests.support.fence import FENCE

ALICE = Scope(tenant="local", user_id="alice")
SMALL: dict[str, Any] = {"keep_turns": 2, "step_turns": 3}
Chat = list[dict[str, Any]]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
IDLE = " ".join(["It was a long and quiet day in the old house by the river."] * 4)


def says(role: str, content: Any, **fields: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **fields}


def turn(number: int, said: str = "", answered: str = "") -> Chat:
    """A turn that says something of its own."""
    return [
        says("user", said or f"My parcel number{number} went to town{number}. {IDLE}"),
        says("assistant", answered or f"Noted: harbour{number} ships at noon{number}. {IDLE}"),
    ]


def talk(turns: int, *, system: bool = True) -> Chat:
    """A conversation of so many finished turns and a question."""
    begin = [says("system", "Be kind.")] if system else []
    return [
        *begin,
        *(message for number in range(turns) for message in turn(number)),
        says("user", "Where did parcel number1 go?"),
    ]


@dataclass
class Recorded:
    """What is recorded: every turn by default, one a minute."""

    unknown: set[str] = field(default_factory=set)
    erased: set[str] = field(default_factory=set)
    asked: int = 0

    async def dates(self, conversation_id: str, turn_ids: Any) -> dict[str, datetime | None]:
        """As `ConversationReads.dates`."""
        del conversation_id
        self.asked += 1
        return {
            name: None if name in self.erased else NOON + timedelta(minutes=at)
            for at, name in enumerate(turn_ids)
            if name not in self.unknown
        }


class Told:
    """Knows these episodes of every conversation; a minute between two turns is a pause."""

    gap = timedelta(minutes=1)

    def __init__(self, *items: MemoryItem) -> None:
        self._items = items

    async def of(self, scope: Scope, conversation_id: str) -> Sequence[MemoryItem]:
        """As `EpisodeSource.of`."""
        del scope, conversation_id
        return self._items


def episode(text: str, turn_ids: Sequence[str], *, minute: float, **fields: Any) -> MemoryItem:
    """An episode that was written half a minute after this one."""
    written = NOON + timedelta(minutes=minute + 0.5)
    given = {"type": MemoryType.EPISODIC, "scope": ALICE, **fields}
    return MemoryItem(
        id=f"e{minute}",
        text=text,
        created_at=NOON,
        updated_at=NOON,
        embedder_id="",
        provenance=Provenance(
            source=Source.EXTRACTION,
            conversation_id="c",
            turn_ids=tuple(turn_ids),
            recorded_at=written,
        ),
        **given,
    )


def exchange_of(body: ChatBody, **fields: Any) -> Exchange:
    """A request of alice."""
    conversation_id = conversation_id_of(ALICE, None, body.messages)
    given = {"understood": body.understood, "place": Place.USER, **fields}
    given = {"turn_id": turn_id_of(conversation_id, body.messages), **given}
    return Exchange(
        scope=ALICE, messages=body.messages, model="m", conversation_id=conversation_id, **given
    )


def ids_of(chat: Chat) -> list[str]:
    """The ids of its turns."""
    messages = parse_chat_body(raw_of(chat)).messages
    return turn_ids_of(conversation_id_of(ALICE, None, messages), messages)


def raw_of(chat: Chat) -> bytes:
    """A request."""
    return json.dumps({"model": "m", "messages": chat}).encode()


def compress_of(
    recorded: Any = None, *, seconds: float = 60.0, episodes: Told | None = None, **options: Any
) -> Compress:
    """A filter that begins early, counts tokens roughly, and has time on any machine."""
    after, sizes = options.pop("after_tokens", 0), {**SMALL, **options}
    return Compress(
        after,
        recorded or Recorded(),
        FENCE,
        ApproximateCounter().count,
        episodes=episodes or Told(),
        sizes=CompressSizes(**sizes, seconds=seconds),
    )


async def sent(compress: Compress, chat: Chat, **fields: Any) -> tuple[bytes, Exchange]:
    """What goes upstream, and the exchange."""
    body = parse_chat_body(raw_of(chat))
    exchange = exchange_of(body, **fields)
    if compress.calls_out(exchange):
        await compress.request(exchange)
    compress.settle(exchange)
    if not exchange.injections and exchange.compressed is None:
        return body.raw, exchange
    without = exchange.compressed.without if exchange.compressed else ()
    return body.inject(exchange.injections, without), exchange


async def messages_sent(compress: Compress, chat: Chat, **fields: Any) -> Chat:
    """The messages that go upstream."""
    data, _ = await sent(compress, chat, **fields)
    messages: Chat = json.loads(data)["messages"]
    return messages
