"""Keeps a job's decisions with it, so that a later try asks no model again."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from ..learn import Learned
from ..model.jobs import Job
from ..upkeep import UpkeepPlan

log = logging.getLogger(__name__)

D = TypeVar("D", Learned, UpkeepPlan)


def dumped(decided: Learned | UpkeepPlan) -> str:
    """It as JSON."""
    told = _adapters()[type(decided)].dump_python(decided, mode="json")
    return json.dumps(told, ensure_ascii=False)


def checkpointed(job: Job, kind: type[D]) -> D | None:
    """What an earlier try decided; None if there is none that can be read."""
    if job.checkpoint is None:
        return None
    try:
        decided: D = _adapters()[kind].validate_python(json.loads(job.checkpoint))
    except ValueError as error:
        # Damaged or of another version. Nothing of it was written: it is decided again.
        log.warning("the checkpoint of job %s cannot be read: %s", job.id, type(error).__name__)
        return None
    return decided


@cache
def _adapters() -> Mapping[type, TypeAdapter[Any]]:
    return {kind: TypeAdapter(kind) for kind in (Learned, UpkeepPlan)}
