"""What of a message of JSON-RPC matters before the library reads it. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recollect.memory.util.untrusted_json import REQUEST, JsonTooLargeError, read_json

CANCELLED = "notifications/cancelled"
INITIALIZE = "initialize"
PARSE_ERROR = -32700
INVALID_REQUEST = -32600


class UnreadableError(ValueError):
    """It is no JSON, or too much of it; `code` is that of JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a message begins or ends."""

    begins: bool = False
    """Whether it is the first of a client that shakes hands."""
    cancels: str | int | None = None
    """The id of the request that it cancels."""


def envelope_of(body: bytes) -> Envelope:
    """Read a message. One of a wrong form is the library's to refuse. Raises UnreadableError."""
    try:
        message = read_json(body, REQUEST)
    except JsonTooLargeError as error:
        raise UnreadableError(INVALID_REQUEST, str(error)) from None
    except ValueError:
        raise UnreadableError(PARSE_ERROR, "the body is not JSON") from None
    if not isinstance(message, dict):
        return Envelope()
    return Envelope(begins=message.get("method") == INITIALIZE, cancels=_cancelled(message))


def rpc_error(code: int, message: str) -> dict[str, Any]:
    """An error about no request in particular."""
    return {"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}}


def _cancelled(message: dict[str, Any]) -> str | int | None:
    params = message.get("params")
    if message.get("method") != CANCELLED or not isinstance(params, dict):
        return None
    named = params.get("requestId")
    return named if isinstance(named, str | int) and not isinstance(named, bool) else None
