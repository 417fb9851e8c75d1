"""Replaces one collection by another, in steps that any later start can continue.

Milvus cannot exchange two names at once, so the old collection is renamed first:

    memories, memories__reindex       the new one is filled; no other code uses it
    memories__replaced, memories__reindex
    memories__replaced, memories      from here on the new one is in use
    memories

The existing names determine the next step.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from ...model.errors import StoreError
from .connection import Connection

log = logging.getLogger(__name__)

_STEP_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class RenameCollection:
    """Give a collection another name."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class DropCollection:
    """Remove a collection."""

    name: str


def beside(name: str) -> str:
    """The name of the new collection while it is filled."""
    return f"{name}__reindex"


def replaced(name: str) -> str:
    """The name of the old collection while it is replaced."""
    return f"{name}__replaced"


def begin(name: str) -> RenameCollection:
    """The step that commits to the replacement: only after it `unfinished` returns others."""
    return RenameCollection(name, replaced(name))


def unfinished(name: str, existing: Collection[str]) -> RenameCollection | DropCollection | None:
    """The next step of a replacement that was begun; None if there is none. Pure.

    Raises:
        StoreError: another process created a new collection during the replacement.
    """
    if replaced(name) not in existing:
        return None
    if name not in existing:
        # Without the new collection the old one is restored.
        return RenameCollection(beside(name) if beside(name) in existing else replaced(name), name)
    if beside(name) in existing:
        raise StoreError(
            f"while {beside(name)} was taking the place of {name}, another process made a new "
            f"{name}: the memories are in {replaced(name)} and {beside(name)}; rename or drop "
            f"{name}, and start again"
        )
    return DropCollection(replaced(name))


async def settle(connection: Connection, *, interrupted: bool = True) -> None:
    """Finish the replacement of the connection's collection, if one was begun.

    It is logged if another run had begun it, which was `interrupted`.

    Raises:
        StoreError: a step failed, or the existing names are ambiguous.
    """
    name = connection.collection
    while step := unfinished(name, await connection.raw_call("list_collections")):
        if interrupted:
            log.warning("finishing a reindex that was interrupted: %s", step)
        await take(connection, step)


async def take(connection: Connection, step: RenameCollection | DropCollection) -> None:
    """Execute one step. Raises StoreError."""
    match step:
        case RenameCollection(old, new):
            await connection.raw_call(
                "rename_collection", timeout_seconds=_STEP_SECONDS, old_name=old, new_name=new
            )
        case DropCollection(name):
            await connection.raw_call(
                "drop_collection", timeout_seconds=_STEP_SECONDS, collection_name=name
            )
