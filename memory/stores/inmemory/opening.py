"""The in-memory store as a `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NoReturn

from ...model.errors import InvalidInputError
from ...model.ports import Analyzer
from ...util.siblings import Sibling
from .store import InMemoryStore


class InMemoryBackend:
    """A store that is empty whenever it is opened."""

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> InMemoryStore:
        del sibling
        _, dim = await identity()
        return InMemoryStore(dim=dim, terms=terms)

    async def recorded(self) -> None:
        return None

    async def noted(self) -> None:
        return None

    def noted_format(self) -> None:
        return None

    async def open_swap(self, *, embedder_id: str, dim: int, terms: Analyzer | None) -> NoReturn:
        del embedder_id, dim, terms
        raise InvalidInputError("store.backend", "expected one that keeps what it holds")

    async def collections(self, *, terms: Analyzer | None) -> NoReturn:
        del terms
        raise InvalidInputError("store.backend", "expected one that keeps what it holds")
