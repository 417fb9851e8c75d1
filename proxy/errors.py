"""Our own failures on proxied routes, in the shape OpenAI clients read.

`type` tells them from the upstream's: it is always ``recollect_error``. Messages never hold a
credential, an internal address or a query.

What nobody expected is a 500 with a number. The log has the number, the kind of the error and its
place; no text of the request is in either. `unexpected` is the one place that makes such numbers.
"""

from __future__ import annotations

import json
import logging
import secrets
import socket
import struct
import traceback
from collections.abc import Awaitable, Callable

from aiohttp import HttpVersion11, web

log = logging.getLogger(__name__)

ERROR_TYPE = "recollect_error"
INTERNAL = "internal_error"

MAX_FRAMES = 20
"""Of a place in the log, the innermost ones: an endless recursion has a thousand."""
_RESET = struct.pack("ii", 1, 0)
"""To linger for no time: closing then resets the connection."""
_BEGUN = web.RequestKey("begun", bool)
"""On requests: the head of an answer was made, so there can be no other."""


class ProxyError(Exception):
    """A refusal or failure of ours, with the status and stable code it is answered with."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param


class AnswerCutError(ConnectionError):
    """An answer that had begun cannot go on. Its connection ends without the end of the answer."""


def upstream_unreachable() -> ProxyError:
    """No connection, or it broke before an answer began."""
    return ProxyError(
        502, "upstream_unreachable", "Recollect could not reach the upstream model server."
    )


def upstream_timeout() -> ProxyError:
    """The upstream was silent for too long before its answer began."""
    return ProxyError(504, "upstream_timeout", "The upstream model server did not answer in time.")


def unexpected(error: BaseException | None, where: str) -> ProxyError:
    """A defect of ours: it is logged with a number, and the client is told that number.

    `where` is what the log calls the place; it must not hold anything that a client sent.
    """
    number = secrets.token_hex(4)
    kinds, place = without_text(error) if error is not None else ("unknown", "")
    log.error("error %s in %s: %s\n%s", number, where, kinds, place)
    return ProxyError(500, INTERNAL, f"internal error {number}: the server's log says more")


def without_text(error: BaseException) -> tuple[str, str]:
    """The kinds of an error and its cause, and where it was raised."""
    cause = error.__cause__ or error.__context__
    kinds = type(error).__name__ + (f" from {type(cause).__name__}" if cause else "")
    return kinds, "".join(traceback.format_tb(error.__traceback__, -MAX_FRAMES))


def error_response(error: ProxyError, *, anybody: bool = False) -> web.Response:
    """The error as an OpenAI client expects it.

    `anybody`: nobody knows which of our APIs was meant, so that `detail`, which the memory API's
    clients read, is there as well.
    """
    body: dict[str, object] = {
        "error": {
            "message": error.message,
            "type": ERROR_TYPE,
            "param": error.param,
            "code": error.code,
        }
    }
    if anybody:
        body["detail"] = error.message
    return web.Response(
        status=error.status, body=json.dumps(body).encode(), content_type="application/json"
    )


@web.middleware
async def answer_errors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Around every handler: our refusals, and whatever else it raises, are answers.

    aiohttp's own errors go on: the connection gives them their shape, as it does for those that no
    handler raises.
    """
    try:
        return await handler(request)
    except ProxyError as error:
        if request.get(_BEGUN):
            raise _cut(request) from error
        return error_response(error)
    except (web.HTTPException, web.RequestPayloadError):
        raise
    except Exception as error:
        if isinstance(error, ConnectionError) and _is_gone(request):
            raise AnswerCutError("the client left") from error
        refusal = unexpected(error, _route(request))
        if request.get(_BEGUN):
            raise _cut(request) from error
        response = error_response(refusal)
        # How much of the request was read is not known.
        response.force_close()
        return response


async def note_begun(request: web.BaseRequest, _response: web.StreamResponse) -> None:
    """Signal handler: from now on this request has its answer."""
    request[_BEGUN] = True


def _cut(request: web.Request) -> AnswerCutError:
    if request.version < HttpVersion11 and request.transport is not None:
        # Without chunks the end of the connection is the end of the answer: it is reset instead.
        end = request.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        request.transport.abort()
    return AnswerCutError("an answer had begun")


def _is_gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _route(request: web.Request) -> str:
    """The route as it was declared: a path may be anything."""
    resource = request.match_info.route.resource
    return "a handler" if resource is None else f"the route {resource.canonical}"
