"""What the memory API answers: values, refusals, and how values are framed one after the other."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from aiohttp import web

from recollect.memory import ConfigError, ExtractionError, ModelError, RecollectError
from recollect.memory.model.errors import HourSpentError, ModelTimeoutError

from ..transport.whole_answer import WholeAnswer

if TYPE_CHECKING:
    from .sending import Outlet

JSON = "application/json"
EVENT_STREAM = "text/event-stream"
LINES = "application/x-ndjson"
MODEL_FAILURES = (ModelError, ExtractionError, ConfigError, HourSpentError)
"""Of an operation that needs the language model."""

Framed = Callable[[Mapping[str, Any], str], bytes]
"""A value, and the name of its event, as bytes."""
_AS_JSON = json.JSONEncoder(ensure_ascii=False)
_LEVELS = 2
"""Of an answer that are encoded part by part: its members, and the elements of these."""


@runtime_checkable
class Streamed(Protocol):
    """What a handler gives back for an answer that takes time: `answer` sends it, or waits."""

    load: str
    """What it costs while it lasts: a value of `sending.Load`."""

    async def answer(self, outlet: Outlet) -> Any:
        """The answer, sent by the outlet, or a value as JSON can hold it.

        Raises ConnectionError: the client has left.
        """


def json_answer(status: int, value: Any) -> web.Response:
    """A value as JSON."""
    return WholeAnswer(status=status, body=encoded(value), content_type=JSON)


def encoded(value: Any) -> bytes:
    """The bytes of a value as JSON."""
    return _dumped(value).encode("utf-8", "replace")


def encoded_in_parts(value: Any) -> bytes:
    """The same for a value with many parts, such as a list of results; for a thread.

    Between two parts other threads run. `json` encodes a value in one call, however large it is,
    and nothing else runs meanwhile.
    """
    return _joined(value, _LEVELS).encode("utf-8", "replace")


def _joined(value: Any, levels: int) -> str:
    if levels and isinstance(value, (list, tuple)):
        return f"[{', '.join([_joined(part, levels - 1) for part in value])}]"
    if levels and isinstance(value, dict) and all(isinstance(key, str) for key in value):
        parts = [f"{_dumped(key)}: {_joined(part, levels - 1)}" for key, part in value.items()]
        return f"{{{', '.join(parts)}}}"
    return _dumped(value)


def _dumped(value: Any) -> str:
    return _AS_JSON.encode(value)


def detail(status: int, message: str) -> web.Response:
    """A refusal or a failure, as clients of the memory API read it."""
    return json_answer(status, {"detail": message})


def failed(error: RecollectError, told: str) -> web.Response:
    """503 with the cause and the setting; 504 if it took too long. Never an empty success."""
    status = 504 if isinstance(error, ModelTimeoutError) else 503
    return detail(status, told_failure(error, told))


def told_failure(error: RecollectError, told: str) -> str:
    """What is said of a failure of the model, with the words of its operation."""
    return told.format(failure=f"{error.code}: {error}", advice=error.advice)


def line(value: Mapping[str, Any], _name: str = "") -> bytes:
    """The value as one line of JSON."""
    return json.dumps(value).encode() + b"\n"


def event(value: Mapping[str, Any], name: str) -> bytes:
    """The value as a server-sent event, with its `id` if it has one.

    See https://html.spec.whatwg.org/multipage/server-sent-events.html.
    """
    known = f"id: {value['id']}\n" if "id" in value else ""
    return f"{known}event: {name}\ndata: ".encode() + line(value) + b"\n"
