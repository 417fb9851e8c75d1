"""What is sent: chat requests of about 1 KB or 64 KB, with and without need of memory."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

from cost import THINGS, TRAITS, memory_text
from load import fire

MEMORIES_PER_USER = 100
_POLITE = "thank you for explaining that to me. "
_WELCOME = "You are welcome, ask me anything else. "
SIZES = {"1 KB": (1, 9), "64 KB": (30, 28)}
"""Pairs of earlier messages, and how often their text is repeated."""


class Bodies:
    """Requests of one kind, none like another: every text is a conversation of its own."""

    def __init__(self, *, personal: bool, users: int = 1) -> None:
        self._personal = personal
        self._users = users
        self._chooser = random.Random(11)
        self._made = 0

    def make(self, *, size: str = "1 KB", wish: str = "", stream: bool = False) -> bytes:
        """One request; `wish` is what the mock upstream is asked for."""
        self._made += 1
        extra: dict[str, Any] = {"stream": True} if stream else {}
        text = f"What is the boiling point of sample {self._made} of water?"
        if self._personal:
            thing = f"{self._chooser.choice(TRAITS)} {self._chooser.choice(THINGS)}"
            text = f"How much did I pay for my {thing}, and where, question {self._made}?"
            extra["user"] = user(self._chooser.randrange(self._users))
        messages = [*_history(text, *SIZES[size]), {"role": "user", "content": text}]
        if wish:
            messages.insert(0, {"role": "system", "content": wish})
        body = {"model": "mock", **extra, "messages": messages}
        return json.dumps(body, separators=(",", ":")).encode()

    def many(self, count: int, **wanted: Any) -> list[bytes]:
        """As `make`."""
        return [self.make(**wanted) for _ in range(count)]


def user(number: int) -> str:
    """A user's name."""
    return f"user{number}"


def _history(text: str, pairs: int, times: int) -> list[dict[str, str]]:
    asked = {"role": "user", "content": f"About {text} {_POLITE * times}"}
    return [asked, {"role": "assistant", "content": _WELCOME * times}] * pairs


async def fill(url: str, users: int) -> None:
    """Give every user a hundred memories, through the memory API."""
    chooser = random.Random(7)
    print(f"filling: {users} users with {MEMORIES_PER_USER} memories each", flush=True)
    bodies = []
    for number in range(users):
        texts = [memory_text(chooser, n) for n in range(MEMORIES_PER_USER)]
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"user_id": user(number), "messages": messages, "infer": False}
        bodies.append(json.dumps(body).encode())
    await fire(url, "/v1/memories/", bodies, connections=1)
    await asyncio.sleep(1)
