"""Checks every request before it may go upstream."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from recollect.config.server import ApiOptions

from ..errors import error_response
from .access import Access
from .api_token_guard import ApiTokenGuard, OwnTokenError
from .reserved_paths import not_here, own_prefix

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class UpstreamGuard:
    """Keeps our paths and the memory API's tokens from the upstream."""

    def __init__(self, access: Access, options: ApiOptions, tokens: ApiTokenGuard) -> None:
        self._access = access
        self._api = options.enabled
        self._tokens = tokens

    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request that must stay here; leave any other to a handler that forwards it.

        Raises:
            ProxyError: 400; the target has no path, or too many segments.
        """
        prefix = own_prefix(request.raw_path)
        if prefix is not None:
            return self._not_here(request, prefix)
        refusal = self._tokens.in_head(request.raw_path, request.raw_headers)
        if refusal is None:
            try:
                return await handler(request)
            except OwnTokenError as error:  # its body has one
                refusal = error
        log.warning("refused a request: it has %s, which is never sent upstream", refusal.what)
        return error_response(refusal, anybody=True)

    def _not_here(self, request: web.Request, prefix: str) -> web.Response:
        message = not_here(request.method, prefix, api=self._api)
        response = web.Response(
            status=404,
            body=json.dumps({"detail": message}).encode(),
            content_type="application/json",
        )
        response.headers.update(self._access.cors(request.headers))
        return response
