"""The steps of upkeep, one for each kind, of the parts that are open."""

from __future__ import annotations

from collections.abc import Iterator

from ..learn.cleaning import Redact
from ..records.parts import Parts
from ..upkeep import UpkeepStep
from ..upkeep.consolidate.step import ConsolidateStep
from ..upkeep.episodes.step import EpisodeStep
from ..upkeep.reflect.step import ReflectStep
from ..util.quiet import Pause, at_once
from .options import EngineOptions


def steps_of(
    parts: Parts, options: EngineOptions, redact: Redact = str, pause: Pause = at_once
) -> Iterator[UpkeepStep]:
    """What each kind of job runs; a kind without a step rests.

    `redact` removes secrets from what a step writes; `pause` is awaited between steps of computing.
    """
    chosen = options.upkeep
    yield ConsolidateStep(parts, chosen.consolidate, redact=redact, pause=pause)
    idle = options.learn.idle_seconds
    yield EpisodeStep(parts, chosen.episodes, idle_seconds=idle, redact=redact)
    yield ReflectStep(parts, redact=redact)
