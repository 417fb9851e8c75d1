"""Reads untrusted JSON. Pure."""

from __future__ import annotations

import json
from typing import Any


def json_object(raw: bytes) -> dict[str, Any] | None:
    """The object in these bytes; None if it is not an object or is nested too deeply.

    Invalid UTF-8 is read as U+FFFD.
    """
    try:
        value = json.loads(raw)
    except UnicodeDecodeError:
        return json_object(raw.decode("utf-8", "replace").encode())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
