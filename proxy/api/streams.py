"""How values are framed in an answer that is sent value by value. Pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

EVENT_STREAM = "text/event-stream"
LINES = "application/x-ndjson"

Framed = Callable[[Mapping[str, Any], str], bytes]
"""A value, and the name of its event, as bytes."""


def line(value: Mapping[str, Any], _name: str = "") -> bytes:
    """The value as one line of JSON."""
    return json.dumps(value).encode() + b"\n"


def event(value: Mapping[str, Any], name: str) -> bytes:
    """The value as a server-sent event, with its `id` if it has one.

    See https://html.spec.whatwg.org/multipage/server-sent-events.html.
    """
    known = f"id: {value['id']}\n" if "id" in value else ""
    return f"{known}event: {name}\ndata: ".encode() + line(value) + b"\n"
