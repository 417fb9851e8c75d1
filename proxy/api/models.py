"""The models of the bodies and queries of our routes.

A field that is in several of them is in a base class of theirs.
"""

from __future__ import annotations

from typing import Any

from recollect.memory.api.economics import DEFAULT_DAYS, MOST_DAYS
from recollect.memory.model.inputs import (
    DEFAULT_PROPOSAL,
)
from recollect.memory.operations.common import CONDITIONS, MAX_IDS, Conditions
from recollect.memory.operations.fields import (
    RequestModel,
    Text,
    about,
    whole,
)
from recollect.memory.operations.scope import ScopeFields

MAX_JOBS = 1000
DEFAULT_JOBS = 50
FLUSH_SECONDS = 60
MAX_FLUSH_SECONDS = 3600
MAX_PROPOSAL = 200


def memory_ids(description: str) -> Any:
    """Ids of memories."""
    return about(description, (), max_length=MAX_IDS)


class FlushQuery(RequestModel):
    """How a flush waits."""

    seconds: int = whole(
        "Longest time that the request waits; jobs go on afterwards.",
        high=MAX_FLUSH_SECONDS,
        default=FLUSH_SECONDS,
    )
    stream: bool = about(
        "Report progress, one JSON object per line. With `Accept: text/event-stream` the reports "
        "are server-sent events.",
        default=False,
    )


class FlushBody(FlushQuery, ScopeFields):
    """Of the turns of a scope."""


class EraseFields(RequestModel):
    """What is erased at once."""

    ids: list[str] = memory_ids("Ids of memories to erase. An unknown id is counted as missing.")
    all: bool = about("Erase everything of the scope.", default=False)


class ForgetBody(EraseFields, ScopeFields):
    """One of `ids`, `query`, `confirm` (with a proposal's token), or `all`."""

    query: Text | None = about("The subject of the memories to propose.")
    limit: int = whole("Most proposals.", high=MAX_PROPOSAL, default=DEFAULT_PROPOSAL)
    confirm: Text | None = about("The token of a proposal; its memories are erased now.")
    keep: list[str] = memory_ids("Ids of the proposal to keep.")
    near: bool = about("Propose what is only like the query, too.", default=False)
    filters: Conditions = about(CONDITIONS)


class StatsQuery(RequestModel):
    """Of the sums of days."""

    days: int = whole("How many days (UTC), today included.", high=MOST_DAYS, default=DEFAULT_DAYS)
    tenant: Text | None = about("Another tenant; for an admin token for every tenant.")


class ResetFields(RequestModel):
    """Of a tenant."""

    confirm: Text | None = about("The name of the tenant whose memories are all removed.")
