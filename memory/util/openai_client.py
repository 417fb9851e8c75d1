"""The official OpenAI client, configured only by this product's options."""

from __future__ import annotations

import asyncio
import importlib
import random
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from .providers import Provider

if TYPE_CHECKING:
    from openai import AsyncOpenAI

OPENAI_BASE_URL = "https://api.openai.com/v1"
_ANY = Provider(name="any")
NO_KEY = "none"
"""Sent to servers that check no key: the client library requires one."""
RETRIES = 2
"""Of a call, after 408, 409, 429 and 5xx, or without a connection."""
FIRST_PAUSE_SECONDS = 1.0
"""Before the second try, if the server asks for no other pause; it doubles."""
MAX_PAUSE_SECONDS = 8.0
LONGEST_WAIT_SECONDS = 60.0
"""Longest pause that a server may ask for; a call that it puts off for longer has failed."""
CONNECT_SECONDS = 10.0
"""Longest time for connecting. A server that is down is told from one that answers slowly."""


async def load_openai() -> None:
    """Import the library in a thread: it takes half a second, which would stall every stream."""
    await asyncio.to_thread(importlib.import_module, "openai")


async def open_client(
    *,
    base_url: str | None,
    api_key: SecretStr | None,
    timeout_seconds: float,
    max_retries: int,
    known: Provider | None = None,
) -> AsyncOpenAI:
    """A client of one server; created in a thread, because it reads the system's certificates.

    `known` tells how the key is sent, if not as a bearer token.
    """
    return await asyncio.to_thread(
        _made, base_url, api_key, timeout_seconds, max_retries, known or _ANY
    )


def _made(
    base_url: str | None,
    api_key: SecretStr | None,
    timeout_seconds: float,
    max_retries: int,
    known: Provider,
) -> AsyncOpenAI:
    from openai import AsyncOpenAI, Timeout

    key = api_key.get_secret_value() if api_key else None
    client = AsyncOpenAI(
        base_url=base_url or OPENAI_BASE_URL,
        api_key=key or NO_KEY,
        timeout=Timeout(timeout_seconds, connect=connect_seconds(timeout_seconds)),
        max_retries=max_retries,
    )
    # The library reads these from the environment. They would bill another organisation, or replace
    # the key of the client whose turn is learned.
    client.organization = client.project = None
    client._custom_headers = known.headers(key)  # noqa: SLF001 - no public way refuses them
    # No cookies: they would let a server link our calls.
    client._client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=()))  # noqa: SLF001
    _pause_as_asked(client)
    # Imports their modules now.
    _ = client.chat.completions, client.embeddings
    return client


def _pause_as_asked(client: AsyncOpenAI) -> None:
    """Pause between two tries as the server asks, else from one second on.

    The library begins with less, which a server that is busy cannot use.
    """

    def asked(headers: Any) -> float | None:
        return client._parse_retry_after_header(headers)  # noqa: SLF001 - it offers no hook

    def pause(remaining_retries: int, options: Any, response_headers: Any = None) -> float:
        seconds = asked(response_headers)
        if seconds is not None and 0 < seconds <= LONGEST_WAIT_SECONDS:
            return seconds
        done: int = max(0, options.get_max_retries(client.max_retries) - remaining_retries)
        # A little more for each: many callers do not come back at once.
        return min(FIRST_PAUSE_SECONDS * 2.0**done, MAX_PAUSE_SECONDS) * (1 + random.random() / 4)  # noqa: S311

    worth = client._should_retry  # noqa: SLF001 - as above

    def again(response: Any) -> bool:
        seconds = asked(response.headers)
        return worth(response) and (seconds is None or seconds <= LONGEST_WAIT_SECONDS)

    client._calculate_retry_timeout = pause  # type: ignore[method-assign]  # noqa: SLF001
    client._should_retry = again  # type: ignore[method-assign]  # noqa: SLF001


def connect_seconds(timeout_seconds: float) -> float:
    """The time for connecting, given the time for a read."""
    return min(timeout_seconds, CONNECT_SECONDS)


def describe(error: Exception) -> str:
    """The error without the server's text, which on some servers repeats the key."""
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__}{f' (HTTP {status})' if status else ''}"
