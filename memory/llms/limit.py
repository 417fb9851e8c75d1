"""Limits the size of answers, at the client's transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from ..errors import ModelError

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""An answer of 2,000 tokens has about 20 kB. Errors count too."""
PLAIN = {"Accept-Encoding": "identity"}
"""Sent with each call: the size of a compressed answer is unknown until it is unpacked."""


def limit_answers(client: AsyncOpenAI, max_bytes: int = MAX_ANSWER_BYTES) -> None:
    """Make every call of a client raise ModelError if the answer is larger, or compressed."""
    import httpx2

    class Limited(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = max_bytes
            async for chunk in self._stream:
                left -= len(chunk)
                if left < 0:
                    raise ModelError(f"the answer was larger than {max_bytes} bytes")
                yield chunk

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def limit(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelError("the answer was compressed, though this was not accepted")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = Limited(response.stream)

    # The library offers no hook, and a custom HTTP client would lose its defaults.
    hooks = client._client.event_hooks  # noqa: SLF001
    client._client.event_hooks = {**hooks, "response": [*hooks["response"], limit]}  # noqa: SLF001
