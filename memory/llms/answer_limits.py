"""Limits the size and the time of answers, at the client's transport."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from ..model.errors import ModelTimeoutError, ModelUnreadableError
from ..util.untrusted_json import MODEL, JsonTooLargeError, check_json

if TYPE_CHECKING:
    import httpx2
    from openai import AsyncOpenAI

MAX_ANSWER_BYTES = 8 * 1024 * 1024
"""An answer of 2,000 tokens has about 20 kB. Errors count too."""
PLAIN = {"Accept-Encoding": "identity"}
"""Sent with each call: the size of a compressed answer is unknown until it is unpacked."""


def limit_answers(client: AsyncOpenAI, max_bytes: int = MAX_ANSWER_BYTES) -> None:
    """Make calls raise ModelUnreadableError for too much of an answer, or a compressed one."""
    import httpx2

    class Limited(httpx2.AsyncByteStream):
        def __init__(self, stream: httpx2.AsyncByteStream) -> None:
            self._stream = stream

        async def __aiter__(self) -> AsyncIterator[bytes]:
            seen, size = list[bytes](), 0
            async for chunk in self._stream:
                seen.append(chunk)
                size += len(chunk)
                if size > max_bytes:
                    raise ModelUnreadableError(f"the answer was larger than {max_bytes} bytes")
                yield chunk
            try:
                # The library parses it next, on the event loop.
                check_json(b"".join(seen), MODEL)
            except JsonTooLargeError as error:
                raise ModelUnreadableError(f"the answer was too much JSON: {error}") from None

        async def aclose(self) -> None:
            await self._stream.aclose()

    async def limit(response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            raise ModelUnreadableError("the answer was compressed, though this was not accepted")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = Limited(response.stream)

    # The library offers no hook, and a custom HTTP client would lose its defaults.
    hooks = client._client.event_hooks  # noqa: SLF001
    client._client.event_hooks = {**hooks, "response": [*hooks["response"], limit]}  # noqa: SLF001


def give_up_late_answers(client: AsyncOpenAI) -> None:
    """Make a call whose answer is late raise ModelTimeoutError, without the client's retries.

    A slow model would get the same question again while it still works on the first one.
    """
    import httpx2

    send = client._send_request  # noqa: SLF001 - the library retries timeouts without asking

    async def once(request: httpx2.Request, **how: Any) -> Any:
        try:
            return await send(request, **how)
        except (httpx2.ReadTimeout, httpx2.WriteTimeout):
            raise ModelTimeoutError("no answer in time") from None

    client._send_request = once  # type: ignore[method-assign]  # noqa: SLF001 - as above
