"""The ids of what is linked: derived, so that linking again makes the same."""

from __future__ import annotations

import hashlib

from ...model.scope import Scope

_CHARS = 32


def entity_id(owner: Scope, memory_id: str, key: str, number: int = 0) -> str:
    """The id of the entity that a memory named first, by the key of its name there.

    `number` tells apart those of one memory that are called the same.
    """
    return _digest("entity", *_named(owner), memory_id, key, str(number))


def merge_id(memory_id: str, kept: str, gone: str) -> str:
    """The id of a merge that the words of a memory say."""
    return _digest("merge", memory_id, kept, gone)


def _named(owner: Scope) -> tuple[str, ...]:
    return (owner.tenant, *(f"{name}={value}" for name, value in sorted(owner.ids().items())))


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_CHARS]
