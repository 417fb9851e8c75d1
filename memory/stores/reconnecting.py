"""A store on a server that was unreachable at the start.

Chats continue without memory. The periodic upkeep opens the store when the server answers; no
request waits for that.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ..memories.forwarding import ForwardingStore
from ..model.errors import StoreDamagedError, StoreError, StoreMismatchError, StoreUnwritableError
from ..model.ports import KeywordSearch, VectorStore

log = logging.getLogger(__name__)


async def open_or_reconnect(
    opener: Callable[[], Awaitable[VectorStore]], *, remote: bool
) -> VectorStore:
    """Open a store; if its server does not answer, return one that retries.

    Raises:
        StoreError: an embedded store cannot be opened: retrying would not help. A full disk is
            retried, and for damaged files a `DamagedStore` is returned.
        StoreMismatchError: it holds vectors of another embedder, embedded or not.
    """
    try:
        return await opener()
    except StoreMismatchError:
        raise
    except StoreDamagedError as error:
        log.error(  # noqa: TRY400 - the reason is in the line
            "%s. Chats go on without memory, and turns wait to be learned", error
        )
        return DamagedStore(error)
    except StoreError as error:
        if not remote and not isinstance(error, StoreUnwritableError):
            raise
        log.warning("the memory store does not answer; chats go on without memory: %s", error)
        return ReconnectingStore(opener)


class ReconnectingStore(ForwardingStore):
    """A `VectorStore` that `maintain` opens; until then every other call is a StoreError."""

    def __init__(self, opener: Callable[[], Awaitable[VectorStore]]) -> None:
        self._opener = opener
        self._opened: VectorStore | None = None

    async def maintain(self) -> None:
        if self._opened is None:
            self._opened = await self._opener()
            log.info("the memory store answers again")
        await self._opened.maintain()

    @property
    def keywords(self) -> bool:
        opened = self._opened
        return isinstance(opened, KeywordSearch) and opened.keywords

    async def close(self) -> None:
        if self._opened is not None:
            await self._opened.close()

    @property
    def _store(self) -> VectorStore:
        if self._opened is None:
            raise StoreError("the memory store was not reachable yet")
        return self._opened


class DamagedStore(ForwardingStore):
    """A `VectorStore` with damaged files: every call fails with the damage and touches nothing."""

    def __init__(self, damage: StoreDamagedError) -> None:
        self._damage = damage

    async def maintain(self) -> None:
        """Nothing to tidy up."""

    @property
    def keywords(self) -> bool:
        return False

    async def close(self) -> None:
        """Nothing is open."""

    @property
    def _store(self) -> VectorStore:
        raise StoreDamagedError(str(self._damage))
