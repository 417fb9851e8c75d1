"""What a client hears of a request that its connection refuses. Pure."""

from __future__ import annotations

from http import HTTPStatus

from aiohttp import web
from aiohttp.http_exceptions import LineTooLong

from ..errors import INTERNAL, ProxyError, error_response

NOT_HTTP = "The request is not valid HTTP."
HEAD_TOO_LARGE = "The request's line or headers are too large."
_MESSAGES = {
    400: ("bad_request", NOT_HTTP),
    404: ("not_found", "There is nothing at this address."),
    413: ("request_too_large", "The request's body is too large."),
    417: ("expectation_failed", "There is no such expectation."),
    431: ("request_head_too_large", HEAD_TOO_LARGE),
    502: ("bad_upstream_answer", "The upstream model server's answer cannot be passed on."),
    504: ("timeout", "It took too long."),
}


def refusal_of(status: int, error: BaseException | None) -> ProxyError:
    """The error for a failure that aiohttp noticed; it never quotes the request."""
    if isinstance(error, LineTooLong) or "Too many headers" in getattr(error, "message", ""):
        status = 431
    elif isinstance(error, web.RequestPayloadError):
        status = 400
    code, message = _MESSAGES.get(status, (INTERNAL, "Recollect failed."))
    return ProxyError(status, code, message)


def as_openai(answer: web.HTTPException) -> web.Response:
    """An error of aiohttp in the format of ours."""
    code, message = _MESSAGES.get(answer.status, ("refused", answer.reason))
    response = error_response(ProxyError(answer.status, code, message), anybody=True)
    # A client that asked for a tunnel must not go on as if it had one.
    response.force_close()
    return response


def raw_answer(refusal: ProxyError) -> bytes:
    """An error response as bytes, for use without a request."""
    body = error_response(refusal, anybody=True).body
    if not isinstance(body, bytes):
        raise TypeError("an error's body is bytes")
    lines = (
        f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Connection: close",
    )
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
