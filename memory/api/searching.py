"""The lines of a question: what a tool shows that searches facts."""

from __future__ import annotations

from typing import Unpack

from ..model import inputs
from ..model.types import Scope
from ..query.arguments import QueryArguments, read_arguments
from ..recall import Query
from ..recall.lines import LineBounds
from .results import MemoryResults, memory_dict
from .view import TenantView


async def lines_of(
    view: TenantView, scope: Scope, question: str, *, limit: int, **which: Unpack[QueryArguments]
) -> MemoryResults:
    """The lines of a question (`recall.lines`) in a scope, at most `limit`."""
    inputs.check_query(question)
    asked, bounds = read_arguments(which), LineBounds(inputs.checked_limit(limit))
    hits = (await view.engine.queries.lines(scope, Query(question), asked, bounds)).given
    return MemoryResults(results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in hits])
