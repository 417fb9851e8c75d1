"""Who has the port that a server wants."""

from __future__ import annotations

import aiohttp

from .address import authority

LOCAL_SECONDS = 2.0


async def is_recollect(host: str, port: int) -> bool:
    """Whether a Recollect answers there; False if nobody answers in time."""
    timeout = aiohttp.ClientTimeout(total=LOCAL_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"http://{authority(host, port)}/readyz") as answer,
        ):
            said = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return False
    return isinstance(said, dict) and {"status", "parts"} <= said.keys()
