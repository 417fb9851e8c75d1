"""Names chosen memories in a job of consolidation, and reads them back. Pure.

They stand where jobs of other kinds name their conversation: a job has no other text of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from ...model.jobs import Job

TOPIC = "topic"
"""The reason of such a job. Its run says nothing of when a scope was consolidated."""


def naming(ids: Iterable[str]) -> str:
    """The name of what such a job is about."""
    return json.dumps(sorted(ids), separators=(",", ":"))


def chosen_in(job: Job) -> frozenset[str] | None:
    """The ids of the memories that a job is about; None if it is about a whole scope."""
    if job.reason != TOPIC:
        return None
    return frozenset(json.loads(job.conversation_id))
