"""PostgreSQL with pgvector as a `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NoReturn

from ...model.errors import StoreError
from ...model.ports import Analyzer
from ...util.siblings import Sibling
from .options import PgvectorStoreOptions


class PgvectorBackend:
    """PostgreSQL with pgvector, as `options` say."""

    def __init__(self, options: PgvectorStoreOptions) -> None:
        self._options = options

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> NoReturn:
        del identity, terms, sibling
        raise StoreError("not here yet")

    async def recorded(self) -> tuple[str, int] | None:
        raise StoreError("not here yet")

    async def noted(self) -> tuple[str, int] | None:
        raise StoreError("not here yet")

    async def open_swap(self, *, embedder_id: str, dim: int, terms: Analyzer | None) -> NoReturn:
        del embedder_id, dim, terms
        raise StoreError("not here yet")
