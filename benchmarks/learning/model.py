"""A model server for the load measurements: answers chats at once, and finds facts like a model.

`python benchmarks/learning/model.py [MS]` prints ``READY port`` and serves until its input ends.
What is asked in a chat gets an answer of some 1,500 characters; a question of the learner gets, so
many milliseconds later (20), the facts that really stand in the turns it shows, or ADD for each
fact it doubts.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]  # not this folder: it has a secrets.py

from learning.turns import Talk, facts_in  # noqa: E402
from mock_upstream import MockUpstream  # noqa: E402

DELAY_SECONDS = int(sys.argv[1]) / 1e3 if len(sys.argv) > 1 else 0.02
"""From a question of the learner to its answer: far less than any real model takes."""
_TURN = re.compile(r"^\[(\d+)\] ", re.MULTILINE)
_DOUBT = re.compile(r"^New fact (\d+): ", re.MULTILINE)


def answer(content: str) -> bytes:
    """A whole HTTP response."""
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1795219200,
            "model": "mock",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": content},
                }
            ],
            "usage": {"prompt_tokens": 200, "completion_tokens": 140, "total_tokens": 340},
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def learned(question: str) -> str | None:
    """What a model that learns answers; None if the question is none of the learner's."""
    if "\nStatements:\n1. " in question:
        return json.dumps({"not_stated": []})
    if "<conversation>" in question:
        return json.dumps({"facts": _facts(question)})
    if doubts := _DOUBT.findall(question):
        rows = [{"fact": int(number), "event": "ADD", "known": None} for number in doubts]
        return json.dumps({"decisions": rows})
    return None


def _facts(question: str) -> list[dict[str, object]]:
    _, *parts = _TURN.split(question)
    return [
        {"type": "semantic", "turn": int(number), "quote": quote, "text": text, "importance": 0.5}
        for number, said in zip(parts[::2], parts[1::2], strict=True)
        for text, quote in facts_in(said)
    ]


CHATS = itertools.cycle([answer(Talk(number).turn().answer) for number in range(100)])


class Model(MockUpstream):
    """The mock upstream with answers of its own."""

    def _answer(self, body: bytes) -> None:
        # Requests with a schema are the learner's; everything else is not even parsed.
        if b"json_schema" not in body:
            self._transport.write(next(CHATS))
            return
        said = learned(json.loads(body)["messages"][-1]["content"])
        reply = answer(said if said is not None else "{}")
        asyncio.get_running_loop().call_later(DELAY_SECONDS, self._transport.write, reply)


async def main() -> None:
    """Serve on a free loopback port."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Model, "127.0.0.1", 0, backlog=4096)
    print("READY", server.sockets[0].getsockname()[1], flush=True)
    await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
