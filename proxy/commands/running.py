"""The health of what listens at an address: is it a Recollect, and how are its parts?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from recollect.config import Settings

from .api_client import authority

SECONDS = 20.0
LOCAL_SECONDS = 2.0
"""Enough for a port of this machine that a start found in use."""


@dataclass(frozen=True, slots=True)
class Running:
    """What answers at `listen.host` and `listen.port`."""

    address: str
    ours: bool
    """Whether it is a Recollect, as its `/readyz` shows."""
    parts: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)


async def ask_running(settings: Settings) -> Running | None:
    """The program that listens at the configured address; None if none does."""
    address = authority(settings.listen.host, settings.listen.port)
    try:
        health = await _health(address, SECONDS)
    except aiohttp.ClientConnectorError:
        return None
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return Running(address, ours=False)
    return _read(address, health)


async def is_recollect(host: str, port: int) -> bool:
    """Whether a Recollect answers there; False if nobody answers in time."""
    try:
        health = await _health(authority(host, port), LOCAL_SECONDS)
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return False
    return isinstance(health, dict) and {"status", "parts"} <= health.keys()


async def _health(address: str, seconds: float) -> Any:
    """What `/readyz` answers there, as JSON."""
    timeout = aiohttp.ClientTimeout(total=seconds)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"http://{address}/readyz", allow_redirects=False) as answer,
    ):
        return await answer.json(content_type=None)


def _read(address: str, health: Any) -> Running:
    parts = health.get("parts") if isinstance(health, dict) else None
    if not isinstance(parts, dict) or health.get("status") not in {"ok", "degraded"}:
        return Running(address, ours=False)
    advice = health.get("advice")
    texts = _texts(advice) if isinstance(advice, dict) else {}
    return Running(address, "database" in parts, _texts(parts), texts)


def _texts(values: Mapping[Any, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in values.items()}
