"""`GET /v1/memories/export`: the lines of all memories, as they are read."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing

from aiohttp import web

from recollect.memory.errors import RecollectError

from ..streams import LINES, begin

log = logging.getLogger(__name__)


class Exporting:
    """An export that has begun; `answer` sends it."""

    def __init__(self, lines: AsyncIterator[bytes]) -> None:
        self._lines = lines

    async def answer(self, request: web.Request, headers: Mapping[str, str]) -> web.StreamResponse:
        """The lines. If a part fails, the answer breaks off without its last line.

        Raises RecollectError before anything was sent.
        """
        async with aclosing(self._lines) as lines:  # type: ignore[type-var]  # a generator
            first = [await anext(lines)]
            async for data in lines:
                # With the first page: a store that fails is answered as of any other operation.
                first.append(data)
                break
            response = await begin(request, headers, LINES)
            try:
                await response.write(b"".join(first))
                async for data in lines:
                    await response.write(data)
                await response.write_eof()
            except ConnectionError:
                pass  # the client left
            except RecollectError as error:
                log.warning("an export broke off: %s: %s", error.code, error)
                if request.transport is not None:
                    request.transport.abort()
            return response
