"""The configuration in force, for people: each key with where its value comes from.

Secrets are hidden, and so is what an address may hold of one. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import PurePath
from typing import Any

from pydantic import BaseModel, SecretStr
from pydantic.fields import FieldInfo
from typing_extensions import TypedDict

from .settings import Settings

HIDDEN = "********"
"""What stands for a secret that is set."""
DEFAULT = "default"


class SettingDict(TypedDict):
    """One key."""

    key: str
    value: Any
    """As JSON; of a secret that is set only stars."""
    default: Any
    source: str
    """`default`, `file`, `flag`, or `variable` and its name."""
    secret: bool
    """Whether the value is, or holds, a secret, and is hidden."""
    help: str


def effective(settings: Settings) -> list[SettingDict]:
    """Every key in the order of the configuration reference, as it counts now."""
    return list(_rows(settings, "", settings))


def _rows(options: BaseModel, above: str, settings: Settings) -> Iterator[SettingDict]:
    for name, field in type(options).model_fields.items():
        value, key = getattr(options, name), f"{above}{name}"
        if isinstance(value, BaseModel):
            yield from _rows(value, f"{key}.", settings)
        else:
            yield _row(key, value, field, settings.source_of(key) or DEFAULT)


def _row(key: str, value: Any, field: FieldInfo, source: str) -> SettingDict:
    return SettingDict(
        key=key,
        value=_shown(value),
        default=_shown(field.get_default(call_default_factory=True)),
        source=source,
        secret="SecretStr" in str(field.annotation),
        help=field.description or "",
    )


def _shown(value: Any) -> Any:
    """A value as JSON, without what is secret in it."""
    match value:
        case SecretStr():
            return HIDDEN
        case Enum():
            return value.value
        case str():
            return _public(value)
        case PurePath():
            return str(value)
        case BaseModel():
            return {name: _shown(each) for name, each in value}
        case Mapping():
            return {str(name): _shown(each) for name, each in value.items()}
        case Sequence() | frozenset() | set():
            return [_shown(each) for each in value]
        case bool() | int() | float() | None:
            return value
        case _:
            return str(value)


def _public(text: str) -> str:
    """An address without its user, its password and its parameters; other texts as they are."""
    scheme, found, rest = text.partition("://")
    if not found or any(char.isspace() for char in text):
        return text
    _, at, where = rest.rpartition("@")
    place, asked, _ = where.partition("?")
    return f"{scheme}://{HIDDEN + at if at else ''}{place}{asked and '?' + HIDDEN}"
