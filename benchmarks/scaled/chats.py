"""Chats that need a recall, from so many clients at once, and what their answers say."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cost import chat, memory_text
from load import post

USERS = 20
MEMORIES_PER_USER = 50
PATH = "/v1/chat/completions"
KEPT = ("injected", "empty")
LONGEST_CALL = 60.0


@dataclass(slots=True)
class Seen:
    """The answers of one round."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        return sum(self.outcomes[word] for word in KEPT)


class Load:
    """Sends chats to one server and notes what their answers say."""

    def __init__(self, url: str, texts: Iterator[bytes]) -> None:
        self._url = url
        self._address = url.removeprefix("http://").split(":")
        self._texts = texts

    async def clients(self, count: int, seconds: float) -> Seen:
        """So many clients, each with one chat after the other."""
        seen, began = Seen(), time.perf_counter()

        async def client() -> None:
            reader, writer = await asyncio.open_connection(*self._address)
            while time.perf_counter() < began + seconds:
                await self._call(reader, writer, seen)
            writer.close()

        await asyncio.gather(*(client() for _ in range(count)))
        seen.seconds = time.perf_counter() - began
        return seen

    async def _call(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, seen: Seen
    ) -> None:
        began = time.perf_counter()
        writer.write(post(self._url, PATH, next(self._texts), ""))
        async with asyncio.timeout(LONGEST_CALL):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            await reader.readexactly(int(fields["content-length"]))
        seen.latencies.append(time.perf_counter() - began)
        outcome = fields["x-recollect-memory"]
        seen.outcomes[outcome if outcome in KEPT else fields["x-recollect-reason"]] += 1


def questions(seed: int) -> Iterator[bytes]:
    """Chats that need a recall, each with a text of its own."""
    chooser = random.Random(seed)
    for number in itertools.count():
        thing = memory_text(chooser, number).split("'s ")[1].split(" number")[0]
        text = f"How much did I pay for my {thing}, and where was that, question {seed} {number}?"
        yield chat(text, user=f"user{chooser.randrange(USERS)}")


def fill(url: str) -> None:
    """The memories of all users, through the memory API."""
    chooser = random.Random(7)
    for user in range(USERS):
        texts = [memory_text(chooser, n) for n in range(MEMORIES_PER_USER)]
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"user_id": f"user{user}", "messages": messages, "infer": False}
        request = urllib.request.Request(
            f"{url}/v1/memories/", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request, timeout=300).close()
