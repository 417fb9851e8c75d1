"""What a changed configuration may change while the product runs. Pure, but for `adopt`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from .settings import Settings

RELOADED = (
    "api.limits",
    "api.tenant_limits",
    "learn.calls_per_hour",
    "learn.daily_tokens",
    "learn.every_turns",
    "recall.deadline_ms",
    "recall.limit",
    "recall.profile",
    "recall.threshold",
    "recall.token_budget",
    "retention",
    "telemetry.log_level",
    "upkeep.daily_tokens",
)
"""The keys, and sections, that every part reads at each use. Anything else is built into a part
when it is opened."""
Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Changed:
    """The keys whose values differ."""

    now: tuple[str, ...]
    """Those that count at once."""
    later: tuple[str, ...]
    """Those that count after a restart."""


def values_of(options: BaseModel) -> dict[str, Any]:
    """The value of each key; a map is one value, and so is a section that is not there."""
    return dict(_leaves(options, ""))


def _leaves(options: BaseModel, above: str) -> Iterator[tuple[str, Any]]:
    for name in type(options).model_fields:
        value = getattr(options, name)
        if isinstance(value, BaseModel):
            yield from _leaves(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def changed(old: Values, new: Values) -> Changed:
    """What differs between two `values_of`."""
    keys = sorted(key for key in {*old, *new} if old.get(key) != new.get(key))
    now = tuple(key for key in keys if is_reloaded(key) and key in old and key in new)
    return Changed(now, tuple(key for key in keys if key not in now))


def is_reloaded(key: str) -> bool:
    """Whether the key counts at once."""
    return any(key == each or key.startswith(f"{each}.") for each in RELOADED)


def adopt(running: Settings, values: Values) -> None:
    """Put these values, by key, into the options that the parts of a running product hold.

    Options are frozen for everyone else: parts may keep a value that is not in `RELOADED`.
    """
    for key, value in values.items():
        *sections, name = key.split(".")
        options: BaseModel = running
        for section in sections:
            options = getattr(options, section)
        vars(options)[name] = value
