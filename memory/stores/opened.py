"""What every backend can be asked for before it is open."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol, TypeAlias

from ..model.kept import Collections
from ..model.ports import Analyzer, VectorStore
from ..util.siblings import Sibling
from .swapping import StoreSwap

Identity: TypeAlias = tuple[str, int]
"""The id and the dimensions of an embedder."""


class Backend(Protocol):
    """One configured store. Each backend's `opening.py` has one."""

    async def open(
        self,
        identity: Callable[[], Awaitable[Identity]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> VectorStore:
        """Open it; `identity` is asked when the collection needs it.

        Raises:
            StoreMismatchError: it holds vectors of another embedder, or data of another format, or
                is not ours.
            StoreError: it cannot be reached or opened.
            InvalidInputError: a required option is missing.
        """

    async def recorded(self) -> Identity | None:
        """Whose vectors it holds; None if it is empty. Raises as `open`."""

    async def noted(self) -> Identity | None:
        """The same also while another process uses an embedded store.

        None also if an embedded store is damaged. Raises StoreError for a server.
        """

    def noted_format(self) -> int | None:
        """The format that an embedded store says of itself; None if it says nothing."""

    async def open_swap(self, *, embedder_id: str, dim: int, terms: Analyzer | None) -> StoreSwap:
        """Open it, and a target beside it; see `open_for_reindex`."""

    async def collections(self, *, terms: Analyzer | None) -> Collections:
        """Open it to look after its collections; see `open_collections`."""
