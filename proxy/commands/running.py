"""Asks a proxy that runs with the same settings how it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from recollect.config import Settings

from .address import authority

SECONDS = 20.0


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
    timeout = aiohttp.ClientTimeout(total=SECONDS)
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.get(f"http://{address}/readyz", allow_redirects=False) as answer,
        ):
            said = await answer.json(content_type=None)
    except aiohttp.ClientConnectorError:
        return None
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return Running(address, ours=False)
    return _read(address, said)


def _read(address: str, said: Any) -> Running:
    parts = said.get("parts") if isinstance(said, dict) else None
    if not isinstance(parts, dict) or said.get("status") not in {"ok", "degraded"}:
        return Running(address, ours=False)
    advice = said.get("advice")
    told = advice if isinstance(advice, dict) else {}
    return Running(address, "store" in parts, _texts(parts), _texts(told))


def _texts(values: Mapping[Any, Any]) -> dict[str, str]:
    return {str(name): str(value) for name, value in values.items()}
