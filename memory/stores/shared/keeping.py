"""`Collections` over what each store can tell of its own."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pydantic import ValidationError

from ...model.errors import InvalidInputError, StoreError
from ...model.kept import CollectionPart, KeptCollection
from ..located import LocatedOptions


@dataclass(frozen=True, slots=True)
class Labelled:
    """A collection of ours by its label alone: nothing of its memories was read."""

    embedder_id: str
    dim: int
    part: CollectionPart


class Shelf(Protocol):
    """The collections of a server or folder. Raises StoreError only."""

    async def labels(self) -> Mapping[str, Labelled]:
        """Those that Recollect made, by name. Changes nothing."""

    async def count(self, name: str) -> int:
        """The memories in one of them."""

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        """Make one. Raises StoreMismatchError if there is one that is not ours."""

    async def remove(self, name: str, part: CollectionPart) -> None:
        """Remove one with what it holds."""

    async def close(self) -> None:
        """Release the connection."""


class ShelfCollections:
    """`Collections` of a shelf."""

    def __init__(self, shelf: Shelf, options: LocatedOptions) -> None:
        self._shelf = shelf
        self._options = options

    async def list(self) -> builtins.list[KeptCollection]:
        labels = await self._shelf.labels()
        return [await self._counted(name, labels[name]) for name in sorted(labels)]

    async def info(self, name: str) -> KeptCollection:
        return await self._counted(name, await self._label(name))

    async def create(self, name: str, embedder_id: str, dim: int) -> None:
        _check_new(self._options, name, dim)
        if name in await self._shelf.labels():
            raise StoreError(f"there is a collection {name} already")
        await self._shelf.make(name, embedder_id, dim)

    async def delete(self, name: str) -> None:
        await self._shelf.remove(name, (await self._label(name)).part)

    async def close(self) -> None:
        await self._shelf.close()

    async def _label(self, name: str) -> Labelled:
        labels = await self._shelf.labels()
        if name not in labels:
            known = ", ".join(sorted(labels)) or "none"
            raise StoreError(
                f"Recollect made no collection {name!r} at {self._options.shown}; it made: {known}"
            )
        return labels[name]

    async def _counted(self, name: str, label: Labelled) -> KeptCollection:
        memories = await self._shelf.count(name)
        return KeptCollection(name, label.embedder_id, label.dim, memories, label.part)


def part_of(name: str, used: str, suffixes: Mapping[str, CollectionPart]) -> CollectionPart:
    """What a collection is for, where a reindex names its own by these suffixes. Pure."""
    if name == used:
        return CollectionPart.USED
    found = (part for suffix, part in suffixes.items() if name.endswith(suffix))
    return next(found, CollectionPart.OTHER)


def _check_new(options: LocatedOptions, name: str, dim: int) -> None:
    if dim < 1:
        raise InvalidInputError("dim", "must be at least 1")
    try:
        type(options).model_validate({**options.model_dump(), "collection": name})
    except ValidationError as error:
        told = error.errors(include_input=False, include_url=False)[0]["msg"]
        raise InvalidInputError("collection", told) from None
