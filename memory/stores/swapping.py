"""Two stores side by side while the memories get other vectors."""

from __future__ import annotations

from typing import Protocol

from ..model.ports import VectorStore


class StoreSwap(Protocol):
    """The old memories and a target for the new ones, side by side until `finish`.

    Until then the old memories are not changed, and no other code finds the new ones. The target
    outlives a `close` without `finish`: opened again for the same embedder it still holds what was
    put, so that an interrupted run can be resumed. No other process may write meanwhile.
    """

    @property
    def source(self) -> VectorStore:
        """The current store, whoever's vectors it holds. Read it with `scan`; do not write."""

    @property
    def target(self) -> VectorStore:
        """The store that replaces it. Put everything; ids that were put before are replaced."""

    async def finish(self) -> None:
        """Replace the old with the new and remove the old. No store is usable after it.

        The only complete copy is never removed, and every step can be repeated: after an
        interruption the next start, or the next `open_for_reindex`, finishes it.

        Raises:
            StoreError: the target holds fewer memories than the source, or a step failed.
        """

    async def close(self) -> None:
        """Release both stores."""
