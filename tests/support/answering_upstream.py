"""An upstream that answers from what the request says, as a model would, and tells its usage."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.proxy.wire import Script, response

Says = Callable[[str], str]
MODEL = "a-model"


def answering_from(says: Says, *, status: str = "200 OK", tokens: int = 10) -> Script:
    """`says` gets the text of a request's messages, and returns the answer; streamed if asked."""

    async def script(_reader: Any, writer: Any, received: Any) -> None:
        if received.line.startswith("GET"):
            writer.write(response(_dumped({"object": "list", "data": [_MODEL]}), _JSON))
            return
        body = json.loads(received.body or b"{}")
        text = says("\n".join(str(message["content"]) for message in body.get("messages", ())))
        if body.get("stream"):
            writer.write(response(_streamed(text), "Content-Type: text/event-stream"))
        else:
            writer.write(response(_completion(text, tokens), _JSON, status=status))

    return script


_JSON = "Content-Type: application/json"
_MODEL = {"id": MODEL, "object": "model", "created": 0, "owned_by": "tests"}
_ABOUT = {"id": "c", "created": 0, "model": MODEL}


def _completion(text: str, tokens: int) -> bytes:
    message = {"role": "assistant", "content": text}
    choice = {"index": 0, "finish_reason": "stop", "message": message}
    usage = {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}
    told = {"object": "chat.completion", "choices": [choice], "usage": usage}
    return _dumped(_ABOUT | told)


def _streamed(text: str) -> bytes:
    """One event for each word."""
    words = [word + " " for word in text.split(" ")]
    words[-1] = words[-1].removesuffix(" ")
    deltas: list[tuple[dict[str, str], str | None]] = [({"content": word}, None) for word in words]
    events = [
        _ABOUT
        | {
            "object": "chat.completion.chunk",
            "choices": [{"index": 0, "delta": delta, "finish_reason": reason}],
        }
        for delta, reason in [*deltas, ({}, "stop")]
    ]
    return b"".join(b"data: %s\n\n" % _dumped(each) for each in events) + b"data: [DONE]\n\n"


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode()
