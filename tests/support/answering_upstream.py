"""An upstream that answers from what the request says, as a model would, and tells its usage."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.proxy.wire import Script, response

Says = Callable[[str], str]


def answering_from(says: Says, *, status: str = "200 OK", tokens: int = 10) -> Script:
    """`says` gets the text of a request's messages, and returns the answer."""

    async def script(_reader: Any, writer: Any, received: Any) -> None:
        body = json.loads(received.body or b"{}")
        text = "\n".join(str(message["content"]) for message in body.get("messages", ()))
        writer.write(response(_completion(says(text), tokens), _JSON, status=status))

    return script


_JSON = "Content-Type: application/json"


def _completion(text: str, tokens: int) -> bytes:
    message = {"role": "assistant", "content": text}
    told = {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens},
    }
    return json.dumps(told).encode()
