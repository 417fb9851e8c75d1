"""Texts of users, and the requests that bring them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from recollect.memory.model.types import MemoryItem, MemoryType, Scope, StoredMemory, utc_now
from tests.proxy.wire import Seen

from .product import Composed

CHAT, RESPONSES, MEMORIES = "/v1/chat/completions", "/v1/responses", "/v1/memories/"
MEMORIES_OF_A_USER = 30
THINGS = ("car", "bike", "house", "garden", "boat", "guitar", "piano", "camera", "laptop", "watch")
TRAITS = ("red", "blue", "old", "broken", "expensive", "borrowed", "spare", "rusty", "tiny", "huge")
PLACES = ("Lisbon", "Oslo", "Kyoto", "Lima", "Cairo", "Perth", "Quito", "Hanoi", "Dakar", "Turin")
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}]
FLAT_TOOLS = [{"type": "function", "name": "look", "parameters": {"type": "object"}}]
CALL_OF_CHAT = {
    "id": "call_1",
    "type": "function",
    "function": {"name": "look", "arguments": "{}"},
}


def remembered() -> list[str]:
    """What every user remembers; one of them answers `question`. No number in it is a sample's."""
    return [
        f"User's {TRAITS[n % 10]} {THINGS[n // 3]} number {n:02} was bought in "
        f"{PLACES[n * 7 % 10]} for {10_000 + 13 * n} EUR"
        for n in range(MEMORIES_OF_A_USER)
    ]


def question(number: int) -> str:
    """About the user's own things."""
    return f"How much did I pay for my red car, and where was that, question {number:03}?"


def statement(number: int) -> str:
    """Something worth learning."""
    return f"I keep my red car in hall {number:03}."


def conversation(begun: str, text: str) -> list[dict[str, Any]]:
    """A chat of 1 KB whose last message is the text; one that began otherwise is another one."""
    return [
        {"role": "user", "content": f"About {begun} " + "thank you for explaining. " * 9},
        {"role": "assistant", "content": "You are welcome, ask me anything else. " * 8},
        {"role": "user", "content": text},
    ]


def remember(product: Composed, user: str) -> None:
    """Give a user memories."""

    async def put() -> None:
        now, embedder, texts = utc_now(), product.engine.parts.embedder, remembered()
        items = [
            MemoryItem(
                id=f"{user}-{number:02}",
                text=text,
                type=MemoryType.SEMANTIC,
                scope=Scope(tenant="local", user_id=user),
                # One after the other, as they are told.
                created_at=now - timedelta(seconds=MEMORIES_OF_A_USER - number),
                updated_at=now,
                embedder_id=embedder.id,
            )
            for number, text in enumerate(texts)
        ]
        pairs = zip(items, await embedder.embed(texts), strict=True)
        await product.engine.parts.store.put([StoredMemory(*pair) for pair in pairs])

    product.run(put())


def chat(
    product: Composed, user: str, messages: list[dict[str, Any]], *headers: str, **fields: Any
) -> Seen:
    body = {"model": "m", "messages": messages, **fields}
    return product.outside.ask("POST", CHAT, body, f"x-recollect-user: {user}", *headers)


def respond(product: Composed, user: str, given: Any, **fields: Any) -> Seen:
    body = {"model": "m", "input": given, **fields}
    return product.outside.ask("POST", RESPONSES, body, f"x-recollect-user: {user}")


def told(seen: Seen) -> str:
    """What became of a request: its status, and what our headers say."""
    names = ("x-recollect-memory", "x-recollect-reason")
    values = [value for name in names for value in seen.head.values(name)]
    return " ".join([str(seen.status), *values])
