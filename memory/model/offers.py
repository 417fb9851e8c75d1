"""The port of what was proposed to a user and waits for their answer."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Offers(Protocol):
    """Texts that wait for an answer, by tenant and name. The texts are the caller's."""

    async def put(
        self, tenant: str, name: str, text: str, *, now: datetime, until: datetime
    ) -> None:
        """Keep a text durably until then, in place of an earlier one of this name.

        `now` is the caller's time: what waited longer than it should is dropped meanwhile.
        """

    async def take(self, tenant: str, name: str, *, now: datetime) -> str | None:
        """Remove a text and return it: of several callers one gets it. None if it is too late."""
