"""The memories of a scope as points: near each other if they are alike, each with its time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from typing_extensions import TypedDict

from ..engine.engine import Engine
from ..model.times import iso
from ..model.types import MemoryStatus, Scope, StoredMemory
from .projection import Projection, projected

MAX_POINTS = 2000
_TEXT_CHARS = 300
_DIGITS = 4


class PointDict(TypedDict):
    """One memory."""

    id: str
    x: float
    """From -1 to 1."""
    y: float
    at: str
    """When it was made."""
    type: str
    status: str
    memory: str
    """Its text, of a long one the beginning."""


class AxisDict(TypedDict):
    """One direction of the plane."""

    axis: str
    share: float
    """How much of the differences in meaning it shows, from 0 to 1."""


class MapDict(TypedDict):
    """The memories of a scope, of every status, by their ids."""

    points: list[PointDict]
    axes: list[AxisDict]
    more: bool
    """Whether there are more memories than points."""


async def map_of(engine: Engine, scope: Scope, limit: int) -> MapDict:
    """At most `limit` memories as points; the same ones each time. Raises StoreError."""
    every = frozenset(MemoryStatus)
    rows = await engine.parts.store.load(scope, limit=limit + 1, statuses=every)
    return await engine.bulk.run(scope, lambda: _map_dict(rows[:limit], more=len(rows) > limit))


def _map_dict(rows: Sequence[StoredMemory], *, more: bool) -> MapDict:
    if not rows:
        return MapDict(points=[], axes=[], more=False)
    found = projected(np.stack([row.vector for row in rows]))
    axes = [
        AxisDict(axis=name, share=round(share, _DIGITS))
        for name, share in zip("xy", found.shares, strict=True)
    ]
    return MapDict(points=_points(rows, found), axes=axes, more=more)


def _points(rows: Sequence[StoredMemory], found: Projection) -> list[PointDict]:
    return [
        PointDict(
            id=item.id,
            x=round(float(x), _DIGITS),
            y=round(float(y), _DIGITS),
            at=iso(item.created_at),
            type=item.type.value,
            status=item.status.value,
            memory=item.text[:_TEXT_CHARS],
        )
        for item, (x, y) in zip((row.item for row in rows), found.points, strict=True)
    ]
