"""Our own failures on proxied routes, in the shape OpenAI clients read.

`type` tells them from the upstream's: it is always ``recollect_error``. Messages never hold a
credential, an internal address or a query.
"""

from __future__ import annotations

import json

from aiohttp import web

ERROR_TYPE = "recollect_error"


class ProxyError(Exception):
    """A refusal or failure of ours, with the status and stable code it is answered with."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param


def upstream_unreachable() -> ProxyError:
    """No connection, or it broke before an answer began."""
    return ProxyError(
        502, "upstream_unreachable", "Recollect could not reach the upstream model server."
    )


def upstream_timeout() -> ProxyError:
    """The upstream was silent for too long before its answer began."""
    return ProxyError(504, "upstream_timeout", "The upstream model server did not answer in time.")


def error_response(error: ProxyError) -> web.Response:
    """The error as an OpenAI client expects it."""
    body = {
        "error": {
            "message": error.message,
            "type": ERROR_TYPE,
            "param": error.param,
            "code": error.code,
        }
    }
    return web.Response(
        status=error.status, body=json.dumps(body).encode(), content_type="application/json"
    )
