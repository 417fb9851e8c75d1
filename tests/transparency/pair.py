"""The real `openai` client twice, straight to an upstream and through the product: the same comes out."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import openai

from tests.proxy.wire import Received, response

from .whole import JSON, SSE, Whole, first_tries, stream

Call = Callable[[openai.AsyncOpenAI], Awaitable[Any]]


def alice() -> dict[str, str]:
    """The header that names her."""
    return {"x-recollect-user": Whole.named("alice")}


class Pair:
    """An upstream that answers from a list, and clients of it; the last answer repeats."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole
        self.direct = whole.upstream.base_url
        self.proxied = f"http://127.0.0.1:{whole.port}/v1"

    def client(self, base_url: str, **options: Any) -> openai.AsyncOpenAI:
        """One for alice, which does not retry unless told to."""
        return openai.AsyncOpenAI(
            **{
                "base_url": base_url,
                "api_key": "sk-test",
                "max_retries": 0,
                "default_headers": alice(),
            }
            | options
        )

    async def through(
        self, base_url: str, call: Call, *answers: bytes, **options: Any
    ) -> tuple[Any, list[Received]]:
        """What a call gives, or raises, and what the upstream saw of it."""
        before = len(self.whole.upstream.requests)
        self.whole.answers = list(answers)
        async with self.client(base_url, **options) as client:
            try:
                result = plain(await call(client))
            except openai.APIError as error:
                result = told(error)
        return result, self.whole.upstream.requests[before:]

    async def same(self, call: Call, *answers: bytes, **options: Any) -> tuple[Any, list[Received]]:
        """Make a call both ways; it gives the same, in as many requests.

        What may be a refusal of memories is asked once more, without them.
        """
        direct, asked = await self.through(self.direct, call, *answers, **options)
        proxied, received = await self.through(self.proxied, call, *answers, **options)
        assert proxied == direct
        assert [r.line for r in first_tries(received)] == [r.line for r in asked]
        return proxied, received


@asynccontextmanager
async def paired() -> AsyncIterator[Pair]:
    """A pair before a product of its own."""

    async def script(_reader: Any, writer: Any, _received: Any) -> None:
        answers = whole.answers
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        writer.write(answer)
        if CUT in answer:
            await writer.drain()
            raise ConnectionResetError

    async with Whole(script) as whole:
        yield Pair(whole)


CUT = b"\r\n: cut\r\n"
"""What the last chunk of a stream that is to break off ends with."""


def plain(result: Any) -> Any:
    """Something that can be compared and whose differences can be read."""
    if isinstance(result, (list, tuple)):
        return [plain(item) for item in result]
    # Their own accumulated types do not match their declared ones.
    return result.model_dump(warnings=False) if hasattr(result, "model_dump") else result


def told(error: openai.APIError) -> dict[str, Any]:
    """What a program can learn from an error."""
    names = ("status_code", "request_id", "code", "param", "type", "message", "body")
    return {"class": type(error), **{name: getattr(error, name, None) for name in names}}


def answer(value: Any, *headers: str, status: str = "200 OK") -> bytes:
    """A JSON answer."""
    return response(json.dumps(value).encode(), JSON, *headers, status=status)


def events(*values: Any, done: bool = True) -> bytes:
    """A stream of events; those with a type carry it as their name, as the Responses API does."""
    lines = []
    for value in values:
        name = f"event: {value['type']}\n" if "type" in value else ""
        lines.append(f"{name}data: {json.dumps(value)}\n\n".encode())
    return stream(*lines, *([b"data: [DONE]\n\n"] if done else []))


def completion(*messages: Any, **fields: Any) -> dict[str, Any]:
    """A chat completion with a choice for each message."""
    choices = [
        {
            "index": i,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {"role": "assistant", **m},
        }
        for i, m in enumerate(messages)
    ]
    usage = {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12}
    common = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "m"}
    return {**common, "choices": choices, "usage": usage, "x_vendor": [1.0], **fields}


def chunks(*deltas: Any, finish: str = "stop") -> list[dict[str, Any]]:
    """Chunks of a streamed completion; a delta may name its choice by `index` and its `logprobs`."""
    made = []
    for delta in [*deltas, {}]:
        rest = {key: value for key, value in delta.items() if key not in {"at", "logprobs"}}
        choice = {
            "index": delta.get("at", 0),
            "delta": rest,
            "logprobs": delta.get("logprobs"),
            "finish_reason": None if delta else finish,
        }
        common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
        made.append({**common, "choices": [choice], "obfuscation": "x"})
    return made


__all__ = ["CUT", "SSE", "Pair", "alice", "answer", "chunks", "completion", "events", "paired"]
