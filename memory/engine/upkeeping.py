"""The steps of upkeep, one for each kind, of the parts that are open."""

from __future__ import annotations

from collections.abc import Iterator

from ..records.parts import Parts
from ..upkeep import UpkeepStep
from .options import EngineOptions


def steps_of(parts: Parts, options: EngineOptions) -> Iterator[UpkeepStep]:
    """What each kind of job runs; a kind without a step rests."""
    del parts, options
    yield from ()
