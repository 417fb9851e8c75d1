"""What a user's programs ask: chats with the real `openai` client, and the memory API."""

from __future__ import annotations

from typing import Any

import aiohttp
import openai

from tests.support.gateway import Tenant
from tests.support.here import ProductHere
from tests.support.product import Product
from tests.support.waiting import until

FACT = "User's allotment number is 4711, by the canal"
TOLD = "Please note: my allotment has the number 4711, it is the one by the canal."
ASKED = "Which number does my allotment have?"
Asked = Product | ProductHere | Tenant


def client_of(product: Asked) -> openai.AsyncOpenAI:
    return openai.AsyncOpenAI(
        base_url=product.base_url,
        api_key=product.key,
        max_retries=0,
        default_headers=product.headers,
    )


async def say(
    product: Asked, *texts: str, user: str, stream: bool = False, before: Any = (), **more: Any
) -> tuple[str, dict[str, str]]:
    """A conversation with the real client, of the user and the assistant in turns: text and headers."""
    roles = ("user", "assistant")
    said: Any = [{"role": roles[i % 2], "content": text} for i, text in enumerate(texts)]
    asked = {"model": "smollm2", "messages": [*before, *said], "user": user, "max_tokens": 12}
    async with client_of(product) as client:
        raw = await client.chat.completions.with_raw_response.create(
            **asked, stream=stream, extra_headers=more
        )
        if not stream:
            return raw.parse().choices[0].message.content or "", dict(raw.headers)
        pieces = [c.choices[0].delta.content or "" async for c in raw.parse() if c.choices]
        return "".join(pieces), dict(raw.headers)


async def api(product: Asked, method: str, path: str, body: Any = None, **params: Any) -> Any:
    """What the memory API answers."""
    async with (
        aiohttp.ClientSession(headers=product.headers) as session,
        session.request(
            method, f"{product.url}/v1/memories{path}", json=body, params=params
        ) as answer,
    ):
        assert answer.status in {200, 202}, await answer.text()
        return await answer.json()


async def flush(product: Asked, **scope: str) -> Any:
    return await api(product, "POST", "/flush", scope)


async def remember(product: Asked, text: str, user: str, role: str = "user") -> None:
    """Store a text as it is."""
    said = [{"role": role, "content": text}]
    await api(product, "POST", "/", {"messages": said, "user_id": user, "infer": False})


async def memories(product: Asked, user: str) -> list[str]:
    found = await api(product, "GET", "/", user_id=user, kinds="memory")
    return [one["memory"] for one in found["results"]]


async def eventually(product: Asked, user: str) -> list[str]:
    """The user's memories as soon as there are any."""
    return await until(lambda: memories(product, user), f"a memory of {user}")


async def heard(product: Asked, user: str) -> list[dict[str, Any]]:
    """What a user said, as soon as it is listed."""

    async def listed() -> Any:
        return (await api(product, "GET", "/said", user_id=user))["results"]

    return await until(listed, f"what {user} said")


def messages_of(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(m["role"], m["content"]) for m in body["messages"]]
