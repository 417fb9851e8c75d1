"""What is around the product, in a thread that is not counted: its clients and its upstream."""

from __future__ import annotations

import json
from typing import Any, Self

from recollect.memory.learn.fact_verification import VERIFY_PROMPT
from recollect.memory.upkeep.episodes.episode_text import PROMPT as EPISODE_PROMPT
from tests.proxy.wire import RawClient, RawUpstream, Received, Seen, chunked, request, response
from tests.support.scripted import facts

from .loops import Loop

JSON = "Content-Type: application/json"
SSE = "Content-Type: text/event-stream"
LEARNER = "learner"
"""The model that extracts facts; every other one chats."""
WORDS = 20
"""Events with text in a streamed answer."""
EPISODE = "User drives a red truck and plays the violin.\nImportance: 4"
ANSWER = "That is noted, ask me anything else."
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CALLED = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": "{}"}


class Outside:
    """A client with one connection, and a model server that answers by what it is asked."""

    def __init__(self) -> None:
        self._loop = Loop("outside")
        self._upstream = RawUpstream(self._answer)
        self._client: RawClient | None = None
        self.learned: tuple[str, ...] = ()
        """The facts that the extraction model finds."""
        self._responses = 0

    def __enter__(self) -> Self:
        self._loop.__enter__()
        self._loop.run(self._upstream.__aenter__())
        return self

    def __exit__(self, *_: object) -> None:
        if self._client is not None:
            self._loop.run(self._client.__aexit__())
        self._loop.run(self._upstream.__aexit__())
        self._loop.__exit__()

    def connect(self, port: int) -> None:
        """Connect the client to the product; the connection stays."""
        self._client = RawClient(port)
        self._loop.run(self._client.__aenter__())

    @property
    def base_url(self) -> str:
        return self._upstream.base_url

    @property
    def asked(self) -> int:
        """Requests that the upstream got."""
        return len(self._upstream.requests)

    def ask(self, method: str, path: str, body: Any = None, *headers: str) -> Seen:
        """One request; each is one write, so that it arrives in one piece."""
        raw = None if body is None else json.dumps(body).encode()
        return self._loop.run(self._ask(request(method, path, raw, JSON, *headers)))

    async def _ask(self, data: bytes) -> Seen:
        assert self._client is not None
        await self._client.send(data)
        return await self._client.answer()

    async def _answer(self, _reader: Any, writer: Any, received: Received) -> None:
        body = json.loads(received.body or b"{}")
        if "/responses" in received.line:
            self._responses += 1
            answer = _response(f"resp_{self._responses}", body)
        elif body.get("model") == LEARNER:
            answer = _completion({"content": self._extracted(body)})
        elif body.get("stream"):
            answer = _events(*_chunks(), b"data: [DONE]\n\n")
        elif _calls_a_tool(body):
            answer = _completion({"content": None, "tool_calls": [CALL]})
        else:
            answer = _completion({"content": ANSWER})
        writer.write(answer)

    def _extracted(self, body: dict[str, Any]) -> str:
        """The facts, that all were stated, that all stand beside what is known, or an episode."""
        if body["messages"][0]["content"] == EPISODE_PROMPT:
            return EPISODE
        if body["messages"][0]["content"] == VERIFY_PROMPT:
            return json.dumps({"not_stated": []})
        asked = body["messages"][-1]["content"].count("New fact ")
        if not asked:
            return facts(*self.learned)
        rows = [{"fact": n + 1, "event": "ADD", "known": None} for n in range(asked)]
        return json.dumps({"decisions": rows})


def answer_id(seen: Seen) -> str:
    """The name that the upstream gave to its answer."""
    return str(json.loads(seen.body)["id"])


def _calls_a_tool(body: dict[str, Any]) -> bool:
    return "tools" in body and body["messages"][-1]["role"] == "user"


def _completion(message: dict[str, Any]) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    known = {"id": "chatcmpl-1", "object": "chat.completion", "created": 0, "model": "m"}
    return response(json.dumps({**known, "choices": [choice], "usage": usage}).encode(), JSON)


def _chunks() -> list[bytes]:
    return [
        b'data: {"choices":[{"index":0,"delta":{"content":"word %d "}}]}\n\n' % number
        for number in range(WORDS)
    ]


def _events(*events: bytes) -> bytes:
    return chunked(*events, headers=(SSE,))


def _response(name: str, body: dict[str, Any]) -> bytes:
    text = {"type": "output_text", "text": ANSWER, "annotations": []}
    output: dict[str, Any] = {"id": "msg_1", "type": "message", "role": "assistant"}
    output |= {"status": "completed", "content": [text]}
    if "tools" in body and isinstance(body["input"], str):
        output = CALLED
    answer = {"id": name, "object": "response", "created_at": 1, "model": "m"}
    answer |= {"status": "completed", "output": [output]}
    if not body.get("stream"):
        return response(json.dumps(answer).encode(), JSON)
    deltas = (_event("output_text.delta", delta=f"word {n} ") for n in range(WORDS))
    return _events(*deltas, _event("completed", response=answer))


def _event(kind: str, **more: Any) -> bytes:
    place = {"item_id": "msg_1", "output_index": 0, "content_index": 0}
    data = json.dumps({"type": f"response.{kind}", "sequence_number": 0, **place, **more})
    return f"event: response.{kind}\ndata: {data}\n\n".encode()
