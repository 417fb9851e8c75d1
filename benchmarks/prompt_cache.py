"""What each position of the memories does to a prompt cache.

    python benchmarks/prompt_cache.py [--no-model]

Whole conversations are sent through the product's own filters and splice, the memories in this
process, once for each position. What is measured:

- *by prefix*: tokens of a prompt that an exact-prefix cache would have, that is the longest common
  prefix with the request before of the same conversation and its answer, as a share of all tokens.
  An upper bound: providers round down to blocks (OpenAI to 128 tokens from 1,024 on, vLLM to 16).
- *cost*: tokens per request at full price that would cost as much, if a cached one costs half or a
  tenth. More of a longer prompt in the cache can still cost more.
- *for real*: `timings.cache_n` and `prompt_n` of a llama.cpp server with SmolLM2 and one slot.

`start` is also the naive way, new memories in the first system message for each turn: what the
other proxies do. Writes benchmarks/results/prompt_cache.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
import urllib.request
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect.filters import (  # noqa: E402 - runs uninstalled
    Exchange,
    Fence,
    Position,
    RequestRecallOptions,
    request_filters,
)
from recollect.filters.capture import conversation_id_of, turn_id_of  # noqa: E402
from recollect.memory.embedders import LocalEmbedder, LocalEmbedderOptions  # noqa: E402
from recollect.memory.model.ports import TokenCounter  # noqa: E402
from recollect.memory.model.types import MemoryItem, MemoryType, Scope, StoredMemory, utc_now  # noqa: E402
from recollect.memory.recall import HotIndexes, Recaller  # noqa: E402
from recollect.memory.recall.options import IndexOptions  # noqa: E402
from recollect.memory.util.tokens import TiktokenCounter  # noqa: E402
from recollect.proxy.chat.placing.families import order  # noqa: E402
from recollect.proxy.dialects.chat import parse_chat_body  # noqa: E402
from tests.support.memories import InMemoryMemories  # noqa: E402

from conversations import CONVERSATIONS, MEMORIES, SYSTEM, Turn  # noqa: E402 isort: skip
from load import write_json  # noqa: E402 isort: skip

Chat = list[dict[str, Any]]
Send = Callable[[Chat, Chat], dict[str, Any]]
"""Takes a request as the client made it and as it goes upstream, returns the answer message."""

LOCAL = "http://127.0.0.1:8080/v1"
"""A server that nothing is known of."""
USER = Scope(tenant="local", user_id="bench")
POSITIONS: dict[str, dict[str, Any] | None] = {
    "no memory": None,
    "user": {"position": "user"},
    "tail": {"position": "tail"},
    "replay": {"position": "replay"},
    "start": {"position": "start"},
}
REAL_TURNS = 6
"""Of each conversation in the run with the model, whose context is 4,096 tokens."""
REAL_TALKS = ("trip", "code")
REAL_ANSWER_TOKENS = 6


@dataclass(slots=True)
class Tally:
    """Over all requests of one position."""

    requests: int = 0
    tokens: int = 0
    cached: int = 0
    blocks: int = 0

    @property
    def share(self) -> float:
        """Of the prompt tokens that were in the cache."""
        return self.cached / self.tokens if self.tokens else 0.0

    def cost(self, cached_price: float) -> float:
        """Tokens of a request at full price that would cost as much."""
        return (self.tokens - self.cached * (1 - cached_price)) / self.requests


class Memory:
    """The product's request side for one position, as its pipeline runs it."""

    def __init__(
        self, recaller: Recaller, tokens: TokenCounter, options: dict[str, Any] | None
    ) -> None:
        self._place = order(Position((options or {}).get("position", "auto")), LOCAL, "m")[0]
        self._filters = (
            request_filters(RequestRecallOptions(**options), recaller, tokens, Fence(b"benchmark"))
            if options is not None
            else []
        )

    async def inject(self, chat: Chat) -> tuple[Chat, int]:
        """The messages as they go upstream, and how many blocks are among them."""
        body = parse_chat_body(json.dumps({"model": "m", "messages": chat}).encode())
        conversation_id = conversation_id_of(USER, None, body.messages)
        exchange = Exchange(
            scope=USER,
            messages=body.messages,
            model="m",
            conversation_id=conversation_id,
            turn_id=turn_id_of(conversation_id, body.messages),
            place=self._place,
        )
        for step in self._filters:
            if exchange.verdict is None:
                await step.request(exchange)
        for step in self._filters:
            if settle := getattr(step, "settle", None):
                settle(exchange)
        sent = json.loads(body.inject(exchange.injections))
        return sent["messages"], len(exchange.injections)


async def talk(memory: Memory, turns: list[Turn], system: str, tally: Tally, send: Any) -> None:
    """One conversation, with all its tool round-trips."""
    chat: Chat = [{"role": "system", "content": system}]

    async def ask(planned: dict[str, Any]) -> None:
        sent, blocks = await memory.inject(chat)
        tally.requests += 1
        tally.blocks += blocks
        chat.append(await asyncio.to_thread(send, sent, planned, tally))

    for turn in turns:
        chat.append({"role": "user", "content": turn.asked})
        for number, (name, result) in enumerate(turn.tools):
            call = {"name": name, "arguments": json.dumps({"q": turn.asked[:20]})}
            tools = [{"id": f"call{number}", "type": "function", "function": call}]
            await ask({"role": "assistant", "content": "", "tool_calls": tools})
            chat.append({"role": "tool", "tool_call_id": f"call{number}", "content": result})
        await ask({"role": "assistant", "content": turn.answered})


@dataclass(slots=True)
class PrefixCache:
    """An exact-prefix cache that holds the request before and its answer."""

    counter: TokenCounter
    before: list[str] = field(default_factory=list)

    def send(self, sent: Chat, planned: dict[str, Any], tally: Tally) -> dict[str, Any]:
        """Count, and answer what the conversation has."""
        pieces = [chat_ml(message) for message in sent]
        tally.tokens += sum(map(self.counter.count, pieces))
        tally.cached += self._cached(pieces)
        self.before = [*pieces, chat_ml(planned)]
        return planned

    def _cached(self, pieces: list[str]) -> int:
        """Tokens of the longest common prefix."""
        tokens = 0
        for piece, before in zip(pieces, self.before, strict=False):
            pairs = enumerate(zip(piece, before, strict=False))
            same = next((n for n, (a, b) in pairs if a != b), min(len(piece), len(before)))
            tokens += self.counter.count(piece[:same]) if same else 0
            if same < len(piece):
                break
        return tokens


def chat_ml(message: dict[str, Any]) -> str:
    """A message as most open models read it."""
    calls = json.dumps(message["tool_calls"]) if message.get("tool_calls") else ""
    return f"<|im_start|>{message['role']}\n{message['content']}{calls}<|im_end|>\n"


@dataclass(slots=True)
class Llama:
    """A real server; its generated answers become the history."""

    base_url: str
    prefix: PrefixCache
    expected: Tally
    """What the prefix alone would say of the same requests."""

    def send(self, sent: Chat, planned: dict[str, Any], tally: Tally) -> dict[str, Any]:
        """Ask for a few tokens and note what was cached."""
        plain = [{"role": m["role"], "content": chat_text(m)} for m in sent]
        body = {
            "messages": plain, "max_tokens": REAL_ANSWER_TOKENS, "temperature": 0,
            "cache_prompt": True, "id_slot": 0,
        }  # fmt: skip
        request = urllib.request.Request(
            f"{self.base_url}/chat/completions",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=120) as response:
            answer = json.load(response)
        timings = answer["timings"]
        tally.cached += timings["cache_n"]
        tally.tokens += timings["cache_n"] + timings["prompt_n"]
        said = planned
        if not planned.get("tool_calls"):
            said = {"role": "assistant", "content": answer["choices"][0]["message"]["content"]}
        self.prefix.send(plain, {"role": "assistant", "content": chat_text(said)}, self.expected)
        return said


def chat_text(message: dict[str, Any]) -> str:
    """The model's template knows no tools: a call is text to it."""
    calls = message.get("tool_calls")
    return json.dumps(calls[0]["function"]) if calls else message["content"]


async def by_prefix(recaller: Recaller, tokens: TokenCounter) -> dict[str, Tally]:
    """Every conversation at every position, with the answers they have."""
    tallies = {}
    for name, options in POSITIONS.items():
        tally = tallies[name] = Tally()
        for turns in CONVERSATIONS.values():
            cache = PrefixCache(tokens)
            await talk(Memory(recaller, tokens, options), turns, SYSTEM, tally, cache.send)
    return tallies


async def for_real(
    recaller: Recaller, tokens: TokenCounter
) -> tuple[dict[str, Tally], dict[str, Tally]]:
    """Some shortened conversations, with the answers the model gives; beside it by prefix."""
    from tests.support.llama import LlamaServer

    tallies, expected = {}, {}
    with LlamaServer() as server:
        for name, options in POSITIONS.items():
            tally = tallies[name] = Tally()
            expected[name] = Tally()
            for title in REAL_TALKS:
                # A beginning of its own: nothing of the talk before may be found in the cache.
                system = f"{name}: {title}. {SYSTEM}"
                await talk(
                    Memory(recaller, tokens, options),
                    CONVERSATIONS[title][:REAL_TURNS],
                    system,
                    tally,
                    Llama(server.base_url, PrefixCache(tokens), expected[name]).send,
                )
            expected[name].requests = tally.requests
    return tallies, expected


async def memories(embedder: LocalEmbedder, tokens: TokenCounter) -> Recaller:
    """All memories in a store of this process."""
    store = InMemoryMemories(dim=embedder.dim)
    vectors = await embedder.embed(MEMORIES)
    now = utc_now()
    await store.put(
        [
            StoredMemory(
                MemoryItem(
                    id=f"m{number}",
                    text=text,
                    type=MemoryType.SEMANTIC,
                    scope=USER,
                    created_at=now,
                    updated_at=now,
                    embedder_id=embedder.id,
                ),
                vector,
            )
            for number, (text, vector) in enumerate(zip(MEMORIES, vectors, strict=True))
        ]
    )
    indexes = HotIndexes(store, IndexOptions(), dim=embedder.dim)
    return Recaller(indexes, embedder, tokens, RequestRecallOptions())


def show(title: str, tallies: dict[str, Tally], expected: dict[str, Tally] | None = None) -> None:
    print(f"\n{title}")
    print(
        f"  {'':16} {'requests':>8} {'blocks':>7} {'tokens/req':>11} {'new/req':>8} {'cached':>7} "
        f"{'cost at 0.5':>12} {'at 0.1':>7}" + (f" {'by prefix':>10}" if expected else "")
    )
    for name, tally in tallies.items():
        print(
            f"  {name:16} {tally.requests:8} {tally.blocks:7} "
            f"{tally.tokens / tally.requests:11.0f} {tally.cost(0):8.0f} {tally.share:7.1%} "
            f"{tally.cost(0.5):12.0f} {tally.cost(0.1):7.0f}"
            + (f" {expected[name].share:10.1%}" if expected else "")
        )


def kept(tallies: dict[str, Tally]) -> dict[str, dict[str, float]]:
    return {name: {**asdict(tally), "share": tally.share} for name, tally in tallies.items()}


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    embedder = await LocalEmbedder.open(
        LocalEmbedderOptions(model_dir=Path("~/.recollect/models").expanduser())
    )
    tokens = await TiktokenCounter.open()
    recaller = await memories(embedder, tokens)
    prefix = await by_prefix(recaller, tokens)
    turns = sum(map(len, CONVERSATIONS.values()))
    show(f"by prefix: {len(CONVERSATIONS)} conversations, {turns} turns", prefix)
    result: dict[str, Any] = {"by_prefix": kept(prefix)}
    if not arguments.no_model:
        started = time.monotonic()
        real, expected = await for_real(recaller, tokens)
        seconds = round(time.monotonic() - started)
        title = f"for real: {len(REAL_TALKS)} conversations of {REAL_TURNS} turns, {seconds} s"
        show(title, real, expected)
        result |= {"for_real": kept(real), "same_by_prefix": kept(expected)}
    await embedder.close()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--no-model", action="store_true", help="only by prefix")
    result = asyncio.run(run(parser.parse_args()))
    print(f"\nwritten to {write_json('prompt_cache', result)}")


if __name__ == "__main__":
    main()
