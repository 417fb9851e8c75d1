"""What a tool answers, without what a policy keeps from the model that reads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..engine.engine import Engine
from ..model.errors import NotFoundError
from ..model.types import OwnerRef
from ..util.destinations import READERS

_IDS = ("id", "memory_id", "ids")
_GONE = object()


async def sifted(engine: Engine, owner_ref: OwnerRef, told: Any) -> Any:
    """The answer for whoever reads now: a memory is known by its id, wherever it stands.

    Raises StoreError, StateError, EmbeddingError, and NotFoundError if nothing is left of it.
    """
    if not (engine.withholding.active and READERS.get()):
        return told
    found = await engine.lookup.several(owner_ref, sorted(_ids_in(told)))
    gone = await engine.withholding.unread([*found.values()])
    left = _without(told, set(gone)) if gone else told
    if left is _GONE:
        raise NotFoundError("there is no such memory")
    return left


def _ids_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        own = set(_own_ids(value))
        return own.union(*map(_ids_in, value.values()))
    return set().union(*map(_ids_in, value)) if isinstance(value, (list, tuple)) else set()


def _own_ids(value: dict[str, Any]) -> Iterator[str]:
    for name in _IDS:
        named = value.get(name)
        yield from (each for each in (named if isinstance(named, list) else [named]) if each)


def _without(value: Any, gone: set[str]) -> Any:
    """The value without what names one of these; what has such a part, and is no list, is gone."""
    if isinstance(value, dict):
        if not gone.isdisjoint(_own_ids(value)):
            return _GONE
        left = {name: _without(each, gone) for name, each in value.items()}
        return _GONE if any(each is _GONE for each in left.values()) else left
    if isinstance(value, (list, tuple)):
        kept = (_without(each, gone) for each in value)
        return [each for each in kept if each is not _GONE]
    return value
