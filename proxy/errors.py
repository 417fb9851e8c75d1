"""Our own failures on proxied routes, in the format of OpenAI errors.

`type` is always ``recollect_error``, which distinguishes them from the upstream's errors. Messages
never contain a credential, an internal address or a query.

An unexpected error is a 500 with a number. The log has the same number, the error's type and its
traceback; neither contains text of the request. Only `unexpected` makes such numbers.
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
"""Innermost traceback frames that are logged: an endless recursion has a thousand."""
_RESET = struct.pack("ii", 1, 0)
"""`SO_LINGER` with zero seconds: closing then resets the connection."""
_BEGUN = web.RequestKey("begun", bool)
"""Set on a request whose answer has begun: no other answer can be sent."""


class ProxyError(Exception):
    """A refusal or failure of ours, with the status and the stable code of its answer."""

    def __init__(self, status: int, code: str, message: str, param: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.param = param


class AnswerCutError(ConnectionError):
    """An answer failed after it had begun. Its connection closes before the answer is complete."""


def upstream_unreachable() -> ProxyError:
    """The connection failed, or broke before an answer began."""
    return ProxyError(
        502,
        "upstream_unreachable",
        "Recollect could not reach the model server (upstream.base_url); Recollect's log says why.",
    )


def upstream_timeout() -> ProxyError:
    """The upstream sent nothing for too long before its answer began."""
    return ProxyError(504, "upstream_timeout", "The upstream model server did not answer in time.")


def unexpected(error: BaseException | None, where: str) -> ProxyError:
    """The answer to a defect of ours, which is logged under a number that the client gets too.

    `where` names the place in the log; it must not contain anything that a client sent.
    """
    number = secrets.token_hex(4)
    kinds, place = without_text(error) if error is not None else ("unknown", "")
    log.error("error %s in %s: %s\n%s", number, where, kinds, place)
    return ProxyError(500, INTERNAL, f"internal error {number}: see the server's log")


def without_text(error: BaseException) -> tuple[str, str]:
    """The types of an error and of its cause, and the traceback without their messages."""
    cause = error.__cause__ or error.__context__
    kinds = type(error).__name__ + (f" from {type(cause).__name__}" if cause else "")
    return kinds, "".join(traceback.format_tb(error.__traceback__, -MAX_FRAMES))


def error_response(error: ProxyError, *, anybody: bool = False, path: str = "") -> web.Response:
    """The error as an OpenAI client expects it, or as one of the API at this path does.

    `anybody`: the client may be of either API, so the body also has `detail`, which clients of the
    memory API read.
    """
    body: dict[str, object] = {
        "error": {
            "message": error.message,
            "type": ERROR_TYPE,
            "param": error.param,
            "code": error.code,
        },
    }
    if path.endswith("/messages"):
        body = {"type": "error", **body}
    elif path.endswith("/api/chat"):
        body = {"error": error.message, "code": error.code}
    if anybody:
        body["detail"] = error.message
    return web.Response(
        status=error.status, body=json.dumps(body).encode(), content_type="application/json"
    )


@web.middleware
async def answer_errors(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Middleware of every handler: turns our refusals and unexpected errors into answers.

    aiohttp's own errors pass through: the connection formats them, as it formats the errors that no
    handler raises.
    """
    try:
        return await handler(request)
    except ProxyError as error:
        if request.get(_BEGUN):
            raise _cut(request) from error
        return error_response(error, path=request.path.rstrip("/"))
    except (web.HTTPException, web.RequestPayloadError):
        raise
    except Exception as error:
        if isinstance(error, ConnectionError) and _is_gone(request):
            raise AnswerCutError("the client left") from error
        refusal = unexpected(error, _route(request))
        if request.get(_BEGUN):
            raise _cut(request) from error
        response = error_response(refusal, path=request.path.rstrip("/"))
        # It is unknown how much of the request was read.
        response.force_close()
        return response


async def note_begun(request: web.BaseRequest, _response: web.StreamResponse) -> None:
    """Signal handler: the answer to this request has begun."""
    request[_BEGUN] = True


def _cut(request: web.Request) -> AnswerCutError:
    if request.version < HttpVersion11 and request.transport is not None:
        # Without chunked encoding a normal close would look like the end of the answer.
        end = request.transport.get_extra_info("socket")
        end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        request.transport.abort()
    return AnswerCutError("an answer had begun")


def _is_gone(request: web.Request) -> bool:
    return request.transport is None or request.transport.is_closing()


def _route(request: web.Request) -> str:
    """The route as declared: the path itself is the client's text and must not be logged."""
    resource = request.match_info.route.resource
    return "a handler" if resource is None else f"the route {resource.canonical}"
