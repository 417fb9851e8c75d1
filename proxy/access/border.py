"""What every request passes before it may go upstream."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable

from aiohttp import web

from recollect.config.server import ApiOptions

from ..errors import ProxyError, error_response
from .access import Access
from .own_paths import not_here, own_prefix
from .own_token import carries, carries_admin_token

log = logging.getLogger(__name__)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Border:
    """Keeps our paths and the memory API's token from the upstream."""

    def __init__(self, access: Access, options: ApiOptions) -> None:
        self._access = access
        self._api = options.enabled
        self._token = None if options.token is None else options.token.get_secret_value()

    async def cross(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request that must stay here; leave any other to a handler that forwards it.

        Raises:
            ProxyError: 400; the target has no path, or too many segments.
        """
        prefix = own_prefix(request.raw_path)
        if prefix is not None:
            return self._not_here(request, prefix)
        query = request.rel_url.raw_query_string
        if self._token is not None and carries(self._token, request.raw_headers, query):
            log.warning("refused a request: it has api.token, which is never sent upstream")
            return error_response(ProxyError(401, "api_token", _NOT_A_KEY), anybody=True)
        if carries_admin_token(request.raw_headers, query):
            log.warning("refused a request: it has an admin token, which is never sent upstream")
            return error_response(ProxyError(401, "admin_token", _FOR_THE_API), anybody=True)
        return await handler(request)

    def _not_here(self, request: web.Request, prefix: str) -> web.Response:
        message = not_here(request.method, prefix, api=self._api)
        response = web.Response(
            status=404,
            body=json.dumps({"detail": message}).encode(),
            content_type="application/json",
        )
        response.headers.update(self._access.cors(request.headers))
        return response


_NOT_A_KEY = (
    "This credential is the token of Recollect's memory API (api.token), which is never sent to "
    "the model server. Use the model provider's key for this request; if both are the same, give "
    "api.token a value of its own."
)
_FOR_THE_API = (
    "This credential is an admin token of Recollect's memory API, which is never sent to the model "
    "server. Use the model provider's key for this request."
)
