"""What a tool answers, without what a policy keeps from the model that reads it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..engine.engine import Engine
from ..model.errors import NotFoundError
from ..model.types import MemoryItem, OwnerRef
from ..util.destinations import READERS

_IDS = ("id", "memory_id", "ids")
_TEXTS = ("old_value", "new_value")
"""What a row of a history has of a memory."""
_GONE = object()


async def sifted(engine: Engine, owner_ref: OwnerRef, told: Any) -> Any:
    """The answer for whoever reads now: a memory is known by its id, wherever it stands.

    What it said earlier is judged by itself.

    Raises StoreError, StateError, EmbeddingError, and NotFoundError if nothing is left of it.
    """
    if not (engine.withholding.active and READERS.get()):
        return told
    found = await engine.lookup.several(owner_ref, sorted(_ids_in(told)))
    earlier = [item for row in _dicts_in(told) for item in _earlier(row, found)]
    gone = await engine.withholding.unread([*found.values(), *earlier])
    left = _without(told, set(gone)) if gone else told
    if left is _GONE:
        raise NotFoundError("there is no such memory")
    return left


def _ids_in(value: Any) -> set[str]:
    return {name for each in _dicts_in(value) for name in _own_ids(each)}


def _dicts_in(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = [*value.values()]
    for each in value if isinstance(value, (list, tuple)) else ():
        yield from _dicts_in(each)


def _earlier(row: dict[str, Any], found: Mapping[str, MemoryItem]) -> Iterator[MemoryItem]:
    """What a row of a history says that its memory says no more; nobody validated that."""
    item = found.get(str(row.get("memory_id")))
    for text in map(row.get, _TEXTS):
        if item is not None and text and text != item.text:
            origin = replace(item.provenance, validated_at=None)
            yield replace(item, id=_version(row, text), text=text, provenance=origin)


def _version(row: dict[str, Any], text: str) -> str:
    return f"{row.get('memory_id')} {text}"


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
        hidden = [at for at in _TEXTS if left.get(at) and _version(left, left[at]) in gone]
        left |= dict.fromkeys(hidden)
        return _GONE if any(each is _GONE for each in left.values()) else left
    if isinstance(value, (list, tuple)):
        kept = (_without(each, gone) for each in value)
        return [each for each in kept if each is not _GONE]
    return value
