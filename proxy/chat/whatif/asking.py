"""Asks the model server one whole question, with a credential that is kept nowhere."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import Any

import aiohttp
from multidict import CIMultiDict
from pydantic import SecretStr
from yarl import URL

from recollect.memory.llms import OpenAIChatOptions
from recollect.memory.util.openai_client import OPENAI_BASE_URL
from recollect.memory.util.untrusted_json import json_object

from ...dialects.chat import CHAT
from ...errors import ProxyError
from ...transport.upstream import Upstream
from ...transport.upstream_answer import UpstreamAnswer

MOST_BYTES = 2**20
"""Of an answer: its tokens are bounded, a server may not keep to that."""
MOST_CALLS = 4
"""At once in this process, whoever asks: chats come first."""
_SHOWN = 200
"""Characters of what a server says of its refusal."""
_SUCCESS = range(200, 300)


class NotAnsweredError(Exception):
    """The model server gave no answer; the message says why, without the credential."""


@dataclass(slots=True)
class CallTally:
    """What was sent so far, and what it took by the server's own account; 0 if it tells nothing."""

    calls: int = 0
    tokens: int = 0


class Asker:
    """Sends bodies of chats to the upstream. Nothing is recalled, learned or repeated."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._free = asyncio.Semaphore(MOST_CALLS)

    async def ask(
        self, body: bytes, key: SecretStr | None, tally: CallTally, *, until: float
    ) -> str:
        """The text of the answer, if it is there by `until` of the running loop's clock.

        Raises NotAnsweredError.
        """
        try:
            async with asyncio.timeout_at(until), self._free:
                return await self._asked(body, key, tally)
        except TimeoutError:
            raise NotAnsweredError("no answer within the seconds that were allowed") from None
        except ProxyError as error:
            raise NotAnsweredError(error.message) from None
        except (aiohttp.ClientError, OSError) as error:
            raise NotAnsweredError(f"the answer broke off ({type(error).__name__})") from None

    async def _asked(self, body: bytes, key: SecretStr | None, tally: CallTally) -> str:
        tally.calls += 1
        answer = await self._upstream.send("POST", CHAT.path, _headers(body, key), body)
        try:
            raw = await _read(answer)
        finally:
            answer.close()
        if answer.status not in _SUCCESS:
            raise NotAnsweredError(_refusal(answer.status, raw, key))
        found = CHAT.read([raw])
        if found is None:
            raise NotAnsweredError("the answer is no chat completion")
        tally.tokens += _tokens(raw)
        return found.text


async def _read(answer: UpstreamAnswer) -> bytes:
    """All of it. Raises NotAnsweredError if it is too long."""
    pieces, size = [], 0
    async for piece in answer.content.iter_any():
        size += len(piece)
        if size > MOST_BYTES:
            raise NotAnsweredError(f"the answer has more than {MOST_BYTES:,} bytes")
        pieces.append(piece)
    return b"".join(pieces)


def _headers(body: bytes, key: SecretStr | None) -> CIMultiDict[str]:
    headers = CIMultiDict(
        {
            "Accept": "application/json",
            "Accept-Encoding": "identity",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
        }
    )
    if key is not None:
        headers["Authorization"] = f"Bearer {key.get_secret_value()}"
    return headers


def _refusal(status: int, raw: bytes, key: SecretStr | None) -> str:
    said = _said(json_object(raw) or {})[:_SHOWN]
    if key is not None:
        # Some servers repeat the credential that they refuse.
        said = said.replace(key.get_secret_value(), "…")
    hint = "; its key goes into x-recollect-upstream-key" if status in {401, 403} else ""
    return f"the model server answers {status}{': ' + said if said else ''}{hint}"


def _said(answer: dict[str, Any]) -> str:
    error = answer.get("error")
    message = error.get("message") if isinstance(error, dict) else error
    return " ".join(message.split()) if isinstance(message, str) else ""


def _tokens(raw: bytes) -> int:
    usage = (json_object(raw) or {}).get("usage")
    counts = usage if isinstance(usage, dict) else {}
    found = [counts.get(name) for name in ("prompt_tokens", "completion_tokens")]
    return sum(each for each in found if isinstance(each, int) and each > 0)


def own_key(llm: OpenAIChatOptions | None, base_url: str) -> SecretStr | None:
    """The key of `learn.llm` if that is at the server of chats: no other server gets it."""
    if llm is None or URL(llm.base_url or OPENAI_BASE_URL).origin() != URL(base_url).origin():
        return None
    return llm.api_key


def chat_body(messages: list[Any], model: str, max_tokens: int) -> bytes:
    """The body of a chat that is answered as steadily as the server can, in one piece."""
    wanted = {"temperature": 0, "max_tokens": max_tokens, "stream": False}
    body = {"model": model, "messages": messages, **wanted}
    return json.dumps(body, ensure_ascii=False).encode()
