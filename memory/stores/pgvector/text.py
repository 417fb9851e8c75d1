"""Texts as PostgreSQL can hold them: every character but NUL. Pure."""

from __future__ import annotations

from typing import Any

from ...database.scripts import escaped
from ...database.scripts import plain as unescaped

__all__ = ["escaped", "escaped_json", "unescaped"]


def escaped_json(value: Any) -> Any:
    """A JSON value with all its texts escaped, keys too."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, dict):
        return {escaped(str(name)): escaped_json(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [escaped_json(one) for one in value]
    return value
