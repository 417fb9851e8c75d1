"""What is known of models, in a dictionary."""

from __future__ import annotations


class InMemoryStandings:
    """`Standings` that live as long as the process."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], str] = {}

    async def of(self, tenant: str) -> dict[str, str]:
        return {model: text for (owner, model), text in self._known.items() if owner == tenant}

    async def change(self, tenant: str, model: str, before: str | None, after: str) -> bool:
        if self._known.get((tenant, model)) != before:
            return False
        self._known[tenant, model] = after
        return True
