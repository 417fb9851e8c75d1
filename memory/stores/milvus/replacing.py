"""Putting one collection in the place of another, in steps that any later start can go on with.

Milvus has no way to exchange two names at once, so the old one makes room first:

    memories, memories__reindex       the new one is filled; nobody else looks at it
    memories__replaced, memories__reindex
    memories__replaced, memories      from here on the new one is in use
    memories

What is there tells which step comes next.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from dataclasses import dataclass

from ...errors import StoreError
from .connection import Connection

log = logging.getLogger(__name__)

_STEP_SECONDS = 300.0


@dataclass(frozen=True, slots=True)
class Rename:
    """Give a collection another name."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Drop:
    """Remove a collection."""

    name: str


def beside(name: str) -> str:
    """The collection that is to take this one's place."""
    return f"{name}__reindex"


def replaced(name: str) -> str:
    """The collection whose place was taken."""
    return f"{name}__replaced"


def begin(name: str) -> Rename:
    """The step that commits to the replacement: only after it are there others to finish."""
    return Rename(name, replaced(name))


def unfinished(name: str, existing: Collection[str]) -> Rename | Drop | None:
    """The next step of a replacement that was begun; None if none was. Pure.

    Raises:
        StoreError: somebody made a new collection in the middle of one.
    """
    if replaced(name) not in existing:
        return None
    if name not in existing:
        # Without the new one there is nothing to put in the place of the old: undo.
        return Rename(beside(name) if beside(name) in existing else replaced(name), name)
    if beside(name) in existing:
        raise StoreError(
            f"while {beside(name)} was taking the place of {name}, another process made a new "
            f"{name}: the memories are in {replaced(name)} and {beside(name)}; rename or drop "
            f"{name}, and start again"
        )
    return Drop(replaced(name))


async def settle(connection: Connection) -> None:
    """Finish the replacement of the connection's collection, if one was begun.

    Raises:
        StoreError: a step failed, or what is there cannot be told apart.
    """
    name = connection.collection
    while step := unfinished(name, await connection.raw_call("list_collections")):
        log.warning("finishing a reindex that was interrupted: %s", step)
        await take(connection, step)


async def take(connection: Connection, step: Rename | Drop) -> None:
    """One step. Raises StoreError."""
    match step:
        case Rename(old, new):
            await connection.raw_call(
                "rename_collection", timeout_seconds=_STEP_SECONDS, old_name=old, new_name=new
            )
        case Drop(name):
            await connection.raw_call(
                "drop_collection", timeout_seconds=_STEP_SECONDS, collection_name=name
            )
