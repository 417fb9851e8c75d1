"""Sends exports: the lines of all memories as they are read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import aclosing

from aiohttp import web

from recollect.memory.model.errors import RecollectError

from ..answers import LINES
from ..sending import Load, Outlet

log = logging.getLogger(__name__)


class Exporting:
    """An export that has begun; `answer` sends it."""

    load = Load.READ.value

    def __init__(self, lines: AsyncIterator[bytes]) -> None:
        self._lines = lines

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """The lines. If a part fails, the answer breaks off without its last line.

        Raises RecollectError before anything was sent.
        """
        async with aclosing(self._lines) as lines:  # type: ignore[type-var]  # a generator
            # With the first page: a store that fails is answered as of any other operation.
            first = await anext(lines) + await anext(lines, b"")
            response = await outlet.begin(LINES)
            await outlet.write(first)
            try:
                async for data in lines:
                    await outlet.write(data)
            except RecollectError as error:
                log.warning("an export broke off: %s: %s", error.code, error)
                outlet.cut()
                return response
            return await outlet.end()
