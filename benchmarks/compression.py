"""What compressing long conversations saves, and what of them a later question still sees.

    python benchmarks/compression.py [--data FILE] [--curve] [--talks N]

LoCoMo's dialogues (development half) are sent through `recollect serve`, one person as the user and
the other as the assistant, and the other way round: a hundred turns each, every request with the
whole conversation, as clients do. An upstream of ours answers with the other person's words and
keeps what it was sent. Then every question whose evidence lies in these turns is asked, each alone
as the next turn. What is measured:

- *tokens*: of the requests with a question, as a share of what the client sent (tiktoken, ChatML).
- *facts kept*: messages of the evidence whose whole text is in the request. `partly`: not, but a
  whole sentence of it is. Evidence in the turns that always stay counts too. Beside it the same
  without compression and the figures for what the user and what the assistant said.
- *cached*: tokens of a prompt that an exact-prefix cache would have from the request before and its
  answer, over all requests of the growing conversation from the first compressed one on.
- *added*: median time of a request with compression less that of a second server without it, same
  requests, alternating, in the same run; and as a share.

`--curve` shows tokens and facts for other settings, of the filter alone: without the server, and
without the memories (about 220 tokens a question) that recall adds. Writes
benchmarks/results/compression.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web
from load import Served, write_json
from prompt_cache import Chat, PrefixCache, Tally, chat_ml
from recall.locomo import ADVERSARIAL, files, samples

from recollect.filters import Compress, CompressOptions, Exchange, Fence
from recollect.filters.capture import conversation_id_of, turn_id_of
from recollect.memory.language import sentences
from recollect.memory.model.types import Scope
from recollect.memory.util.tokens import TiktokenCounter
from recollect.proxy.dialects.chat import parse_chat_body
from tests.support.ports import free_port

DATA = Path("../shared/data/locomo-dev.json")
TURNS = 100
SYSTEM = "You are a helpful assistant who knows this user well."
QUIET = {
    "index__backend": "exact",
    "learn__every_turns": 1000,
    "learn__idle_seconds": 86_400,
    "learn__drift": "false",
    "telemetry__metrics__port": 0,
}
"""Nothing is extracted: the upstream is no model."""
CURVE: tuple[dict[str, int], ...] = (
    {"budget": 128, "lines": 0},
    {"budget": 600, "lines": 0},
    {"budget": 1200, "lines": 0},
    {"budget": 128, "lines": 500},
    {},
    {"lines": 800},
    {"budget": 300, "lines": 1200},
    {"lines": 1600},
    {"lines": 2400},
    {"budget": 1200, "lines": 4000},
)


@dataclass(frozen=True)
class Asked:
    """A question and the messages that answer it: whose (the user's?), and the text."""

    text: str
    evidence: tuple[tuple[bool, str], ...]


@dataclass(frozen=True)
class Talk:
    """A dialogue as a client's conversation."""

    name: str
    turns: tuple[tuple[str, str], ...]
    """What the user and what the assistant says."""
    asked: tuple[Asked, ...]


@dataclass
class Kept:
    """Facts in the requests with a question."""

    facts: int = 0
    whole: int = 0
    partly: int = 0
    whole_without: int = 0
    of_user: list[bool] = field(default_factory=list)
    of_assistant: list[bool] = field(default_factory=list)
    tokens: int = 0
    tokens_sent: int = 0
    compressed: int = 0

    def note(
        self, asked: Asked, whole: Chat, sent: Chat, without: Chat, counter: TiktokenCounter
    ) -> None:
        """Count what a question's request still says: as it came, as it went, and uncompressed."""
        self.tokens += _tokens(sent, counter)
        self.tokens_sent += _tokens(whole, counter)
        seen, all_seen = _text(sent), _text(without)
        for of_user, text in asked.evidence:
            there = _plain(text) in seen
            self.facts += 1
            self.whole += there
            self.whole_without += _plain(text) in all_seen
            self.partly += not there and any(_plain(part) in seen for part in sentences(text))
            (self.of_user if of_user else self.of_assistant).append(there)


@dataclass
class Figures:
    """Of one setting."""

    kept: Kept = field(default_factory=Kept)
    cache: Tally = field(default_factory=Tally)
    added: list[int] = field(default_factory=list)
    """Tokens of memories and lines in the last message of each request of the growing talk."""
    seconds: list[float] = field(default_factory=list)
    seconds_without: list[float] = field(default_factory=list)

    def row(self) -> dict[str, float]:
        """What is printed and written."""
        kept = self.kept
        on, off = statistics.median(self.seconds), statistics.median(self.seconds_without)
        return {
            "facts": kept.facts,
            "tokens": kept.tokens / kept.tokens_sent,
            "kept": kept.whole / kept.facts,
            "partly": kept.partly / kept.facts,
            "kept_without": kept.whole_without / kept.facts,
            "kept_of_user": statistics.mean(kept.of_user),
            "kept_of_assistant": statistics.mean(kept.of_assistant),
            "turns_taken_out": kept.compressed,
            "cached": self.cache.share,
            "lines_tokens": statistics.mean(self.added),
            "p50_ms": 1000 * on,
            "added_p50_ms": 1000 * (on - off),
            "ratio": on / off,
        }


def talks(data: Path) -> Iterator[Talk]:
    """Each dialogue twice: either person is the user once."""
    for name, sample in samples(files(data)):
        talk = sample["conversation"]
        for user in ("speaker_a", "speaker_b"):
            yield _talk(f"{name}-{user}", sample, talk, talk[user])


def _talk(name: str, sample: dict[str, Any], talk: dict[str, Any], user: str) -> Talk:
    said: list[tuple[list[str], list[str]]] = []
    where: dict[str, tuple[int, bool, str]] = {}
    number = 1
    while f"session_{number}" in talk:
        for row in talk[f"session_{number}"] or ():
            of_user, text = row["speaker"] == user, row.get("text") or ""
            if of_user and (not said or said[-1][1]):
                said.append(([], []))
            if said:
                said[-1][0 if of_user else 1].append(text)
                where[row["dia_id"]] = len(said) - 1, of_user, text
        number += 1
    turns = [(" ".join(asked), " ".join(answered)) for asked, answered in said[:TURNS]]
    return Talk(name, tuple(turns), tuple(_asked(sample["qa"], where)))


def _asked(rows: Sequence[dict[str, Any]], where: dict[str, tuple[int, bool, str]]) -> Any:
    for row in rows:
        named = [where.get(one) for one in row.get("evidence") or ()]
        found = [one for one in named if one is not None and one[0] < TURNS]
        if row["category"] != ADVERSARIAL and named and len(found) == len(named):
            yield Asked(row["question"], tuple((of_user, text) for _, of_user, text in found))


class Upstream:
    """Answers each request with what is planned, and keeps the request."""

    def __init__(self) -> None:
        self.planned = ""
        self.sent: Chat = []

    async def handle(self, request: web.Request) -> web.Response:
        """A chat completion."""
        self.sent = (await request.json())["messages"]
        message = {"role": "assistant", "content": self.planned}
        choice = {"index": 0, "finish_reason": "stop", "message": message}
        return web.json_response({"object": "chat.completion", "choices": [choice]})

    async def open(self) -> str:
        """Its address."""
        app = web.Application(client_max_size=0)
        app.router.add_post("/v1/chat/completions", self.handle)
        runner = web.AppRunner(app)
        await runner.setup()
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        return f"http://127.0.0.1:{port}/v1"


class Client:
    """Sends conversations to two servers by turns: one compresses."""

    def __init__(self, upstream: Upstream, urls: tuple[str, str], counter: TiktokenCounter) -> None:
        self._upstream, self._urls, self._counter = upstream, urls, counter

    async def run(self, talk: Talk, figures: Figures) -> None:
        """A whole talk, and its questions."""
        chat: Chat = [{"role": "system", "content": SYSTEM}]
        cache = PrefixCache(self._counter)
        async with aiohttp.ClientSession() as session:
            for said, answered in talk.turns:
                chat.append({"role": "user", "content": said})
                answer = {"role": "assistant", "content": answered}
                sent, turns = await self._both(session, talk, chat, answered, figures)
                tally = figures.cache if turns else Tally()
                if turns:
                    figures.added.append(self._tokens(sent[-1:]) - self._tokens(chat[-1:]))
                cache.send(sent, answer, tally)
                chat.append(answer)
            for asked in talk.asked:
                await self._ask(session, talk, chat, asked, figures.kept)

    async def _both(
        self, session: aiohttp.ClientSession, talk: Talk, chat: Chat, answer: str, figures: Figures
    ) -> tuple[Chat, int]:
        self._upstream.planned = answer
        _, took, _ = await self._send(session, self._urls[1], talk, chat, "on")
        sent, takes, turns = await self._send(session, self._urls[0], talk, chat, "on")
        if turns:
            figures.seconds.append(takes)
            figures.seconds_without.append(took)
        return sent, turns

    async def _ask(
        self, session: aiohttp.ClientSession, talk: Talk, chat: Chat, asked: Asked, kept: Kept
    ) -> None:
        whole = [*chat, {"role": "user", "content": asked.text}]
        without, _, _ = await self._send(session, self._urls[1], talk, whole, "read")
        sent, _, turns = await self._send(session, self._urls[0], talk, whole, "read")
        kept.compressed = max(kept.compressed, turns)
        kept.note(asked, whole, sent, without, self._counter)

    async def _send(
        self, session: aiohttp.ClientSession, url: str, talk: Talk, chat: Chat, memory: str
    ) -> tuple[Chat, float, int]:
        headers = {
            "x-recollect-user": talk.name,
            "x-recollect-session": "talk",
            "x-recollect-memory": memory,
        }
        started = time.perf_counter()
        async with session.post(
            f"{url}/v1/chat/completions", json={"model": "m", "messages": chat}, headers=headers
        ) as answer:
            await answer.read()
            answer.raise_for_status()
        took = time.perf_counter() - started
        return self._upstream.sent, took, int(answer.headers.get("x-recollect-compressed", 0))

    def _tokens(self, chat: Chat) -> int:
        return _tokens(chat, self._counter)


def _tokens(chat: Chat, counter: TiktokenCounter) -> int:
    return sum(counter.count(chat_ml(message)) for message in chat)


def _text(chat: Chat) -> str:
    return _plain(" ".join(message["content"] for message in chat))


def _plain(text: str) -> str:
    return " ".join(text.split())


async def measure(chosen: Sequence[Talk]) -> Figures:
    """All talks through two servers, one of which compresses."""
    counter, figures, upstream = await TiktokenCounter.open(), Figures(), Upstream()
    with ExitStack() as stack:
        address = await upstream.open()
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        urls = []
        for name, added in (
            ("with", {"recall__compress__enabled": "true"}),
            ("without", {}),
        ):
            served = Served(
                folder / name, free_port(), upstream__base_url=address, **QUIET, **added
            )
            stack.callback(served.stop)
            urls.append(served.url)
        client = Client(upstream, (urls[0], urls[1]), counter)
        for talk in chosen:
            await client.run(talk, figures)
    return figures


class AlwaysRecorded:
    """Every turn is recorded, a day for each ten."""

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        """As `ConversationReads.dates`."""
        del conversation_id
        begin = datetime(2026, 1, 1, tzinfo=UTC)
        return {name: begin + timedelta(days=at // 10) for at, name in enumerate(turn_ids)}


async def alone(chosen: Sequence[Talk], options: dict[str, int], counter: TiktokenCounter) -> Kept:
    """The questions of all talks, by the filter alone."""
    given = CompressOptions(enabled=True, **options)
    compress = Compress(given, AlwaysRecorded(), Fence(b"bench"), counter.count, seconds=60.0)
    kept = Kept()
    for talk in chosen:
        scope = Scope(tenant="bench", user_id=talk.name)
        chat: Chat = [{"role": "system", "content": SYSTEM}]
        for said, answered in talk.turns:
            chat.append({"role": "user", "content": said})
            chat.append({"role": "assistant", "content": answered})
        for asked in talk.asked:
            whole = [*chat, {"role": "user", "content": asked.text}]
            body = parse_chat_body(json.dumps({"model": "m", "messages": whole}).encode())
            name = conversation_id_of(scope, None, body.messages)
            exchange = Exchange(
                scope=scope,
                messages=body.messages,
                model="m",
                conversation_id=name,
                turn_id=turn_id_of(name, body.messages),
                understood=body.understood,
            )
            await compress.request(exchange)
            compress.settle(exchange)
            without = exchange.compressed.without if exchange.compressed else ()
            sent = json.loads(body.inject(exchange.injections, without))["messages"]
            kept.note(asked, whole, sent, whole, counter)
    return kept


def show(name: str, row: dict[str, float]) -> None:
    """One setting."""
    print(
        f"{name}\n"
        f"  tokens {row['tokens']:.1%}, facts kept {row['kept']:.1%}, partly {row['partly']:.1%} "
        f"(of the user {row['kept_of_user']:.1%}, of the assistant {row['kept_of_assistant']:.1%}, "
        f"without compression {row['kept_without']:.1%}; {row['facts']})\n"
        f"  cached {row['cached']:.1%}; lines and memories {row['lines_tokens']:.0f} tokens a "
        f"request; {row['turns_taken_out']} turns out\n"
        f"  p50 {row['p50_ms']:.1f} ms, {row['added_p50_ms']:.1f} more than without "
        f"(x{row['ratio']:.2f})",
        flush=True,
    )


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    """The default setting, and the curve if it is wanted."""
    chosen = list(talks(arguments.data))[: arguments.talks]
    result: dict[str, Any] = {"turns": TURNS, "talks": len(chosen)}
    if not arguments.only_curve:
        result["default"] = (await measure(chosen)).row()
        show("default", result["default"])
    if arguments.curve or arguments.only_curve:
        counter = await TiktokenCounter.open()
        result["curve"] = []
        print(f"\n{'setting':28} {'tokens':>7} {'facts kept':>11} {'partly':>7}")
        for options in CURVE:
            kept = await alone(chosen, options, counter)
            row = [
                kept.tokens / kept.tokens_sent,
                kept.whole / kept.facts,
                kept.partly / kept.facts,
            ]
            result["curve"].append([options, *row])
            name = " ".join(f"{key}={value}" for key, value in options.items()) or "default"
            print(f"{name:28} {row[0]:7.1%} {row[1]:11.1%} {row[2]:7.1%}", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, default=DATA, help="LoCoMo's file or its folder")
    parser.add_argument("--curve", action="store_true", help="other settings too")
    parser.add_argument("--only-curve", action="store_true", help="without the server")
    parser.add_argument("--talks", type=int, default=None, help="only the first ones")
    result = asyncio.run(run(parser.parse_args()))
    print(f"\nwritten to {write_json('compression', result)}")


if __name__ == "__main__":
    main()
