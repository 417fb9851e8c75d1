"""What waits for an answer, in a dictionary."""

from __future__ import annotations

from datetime import datetime


class InMemoryOffers:
    """`Offers` that live as long as the process."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[str, str], tuple[str, datetime]] = {}

    async def put(
        self, tenant: str, name: str, text: str, *, now: datetime, until: datetime
    ) -> None:
        self._waiting = {key: each for key, each in self._waiting.items() if each[1] > now}
        self._waiting[tenant, name] = (text, until)

    async def take(self, tenant: str, name: str, *, now: datetime) -> str | None:
        text, until = self._waiting.pop((tenant, name), ("", now))
        return text if until > now else None
