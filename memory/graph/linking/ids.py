"""The ids of what is linked: derived, so that linking again makes the same."""

from __future__ import annotations

import hashlib

from ...model.graph import graph_owner
from ...model.scope import Scope

WHOLE = "~"
"""Begins the mark of an owner, all of whose memories are to be linked again."""
_CHARS = 32


def entity_id(owner: Scope, memory_id: str, key: str, number: int = 0) -> str:
    """The id of the entity that a memory named first, by the key of its name there.

    `number` tells apart those of one memory that are called the same.
    """
    return _digest("entity", *_named(owner), memory_id, key, str(number))


def merge_id(memory_id: str, kept: str, gone: str) -> str:
    """The id of a merge that the words of a memory say."""
    return _digest("merge", memory_id, kept, gone)


def whole_mark(owner: Scope) -> str:
    """The id under which it is marked that all of an owner is to be linked again."""
    return WHOLE + _digest("whole", *_named(owner))


def is_whole(mark: str, scope: Scope) -> bool:
    """Whether the mark of this id and scope is that of an owner, not of a memory."""
    return mark.startswith(WHOLE) and mark == whole_mark(graph_owner(scope))


def tenant_mark(tenant: str) -> tuple[str, Scope]:
    """The id and a scope under which it is marked that a whole tenant is to be looked at."""
    return WHOLE + _digest("tenant", tenant), Scope(tenant=tenant, run_id=WHOLE)


def is_tenant(mark: str, scope: Scope) -> bool:
    """Whether the mark of this id and scope is that of a tenant."""
    return (mark, scope) == tenant_mark(scope.tenant)


def _named(owner: Scope) -> tuple[str, ...]:
    return (owner.tenant, *(f"{name}={value}" for name, value in sorted(owner.ids().items())))


def _digest(*parts: str) -> str:
    told = "\0".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:_CHARS]
