"""Who has the port that a server wants."""

from __future__ import annotations

import aiohttp

LOCAL_SECONDS = 2.0
_ANY = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 - told apart, not bound


async def is_recollect(host: str, port: int) -> bool:
    """Whether a Recollect answers there; False if nobody answers in time."""
    host = _ANY.get(host, host)
    where = f"[{host}]" if ":" in host else host
    timeout = aiohttp.ClientTimeout(total=LOCAL_SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"http://{where}:{port}/readyz") as answer,
        ):
            said = await answer.json()
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return False
    return isinstance(said, dict) and {"status", "parts"} <= said.keys()
