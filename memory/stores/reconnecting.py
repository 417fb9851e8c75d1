"""A store on a server that was not there when we started.

Chats go on without memory meanwhile; the housekeeping that runs anyway opens the store as soon as
the server answers. No request waits for that.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ..errors import StoreDamagedError, StoreError, StoreMismatchError, StoreUnwritableError
from ..ports import KeywordSearch, VectorStore
from .forwarding import ForwardingStore

log = logging.getLogger(__name__)


async def open_or_reconnect(
    opener: Callable[[], Awaitable[VectorStore]], *, remote: bool
) -> VectorStore:
    """Open a store; one on a server that does not answer is opened when it does.

    Raises:
        StoreError: an embedded store cannot be opened: waiting would not mend it. A full disk is
            waited for, and without damaged files everything else goes on: see `DamagedStore`.
        StoreMismatchError: likewise, wherever it is.
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
        log.warning("there is no memory until its store answers: %s", error)
        return ReconnectingStore(opener)


class ReconnectingStore(ForwardingStore):
    """A `VectorStore` that `maintain` opens; until then every other call is a StoreError."""

    def __init__(self, opener: Callable[[], Awaitable[VectorStore]]) -> None:
        self._opener = opener
        self._opened: VectorStore | None = None

    async def maintain(self) -> None:
        if self._opened is None:
            self._opened = await self._opener()
            log.info("the memory store answers now: memory is back")
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
    """A `VectorStore` whose files are damaged: every call says so, and nothing touches them."""

    def __init__(self, damage: StoreDamagedError) -> None:
        self._damage = damage

    async def maintain(self) -> None:
        """There is nothing to tidy up."""

    @property
    def keywords(self) -> bool:
        return False

    async def close(self) -> None:
        """Nothing is open."""

    @property
    def _store(self) -> VectorStore:
        raise StoreDamagedError(str(self._damage))
