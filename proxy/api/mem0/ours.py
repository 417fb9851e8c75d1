"""What mem0's clients send to our own routes, and the answers that they read there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any, cast

from pydantic import create_model

from recollect.memory import InvalidInputError
from recollect.memory.api.graph_results import GraphEntityResults
from recollect.memory.api.results import AddResult, RemovedDict
from recollect.memory.operations.fields import RequestModel
from recollect.memory.query import check_filled

from ..operations import Operation
from ..request import ApiRequest
from . import fields, shapes
from .fields import NOT_STORED, PROJECT, VERSION, form
from .handlers import Mem0, cleared, delete_all, existing, history, meant_by

Inner = Callable[[ApiRequest], Awaitable[Any]]


@dataclass(frozen=True, kw_only=True)
class Widening:
    """What an operation of ours takes and answers besides."""

    query: type[RequestModel] | None = None
    body: type[RequestModel] | None = None
    answer: Any = None
    """What is answered, if that is something else."""
    by: Callable[[Mem0, Inner, ApiRequest], Awaitable[Any]] | None = None
    """Does it, with the operation as it is without this."""


async def _add(mem0: Mem0, inner: Inner, request: ApiRequest) -> Any:
    plain = request.values["output_format"] is None
    return await (inner(request) if plain else mem0.add(request, inner))


async def _update(_mem0: Mem0, inner: Inner, request: ApiRequest) -> Any:
    return await (existing(request) if cleared(request) else inner(request))


async def _delete_all(_mem0: Mem0, _inner: Inner, request: ApiRequest) -> Any:
    values = request.values
    for name, value in request.ids.items():
        if value == "*":
            raise InvalidInputError(
                name, "a deletion takes no wildcard; POST /v1/reset removes all"
            )
    if values["filters"] is None and values["metadata"] is None:
        return await delete_all(request, request.ids)
    for name in ("filters", "metadata"):
        check_filled(values[name], name)
    where = meant_by(request)
    which = {} if where.filters is None else {"filters": where.filters}
    return await delete_all(request, where.ids | which)


async def _history(_mem0: Mem0, inner: Inner, request: ApiRequest) -> Any:
    return history(request, await inner(request))


async def _entities(_mem0: Mem0, inner: Inner, request: ApiRequest) -> Any:
    """Users, agents and runs, where no scope is named and nothing else of ours is said."""
    values = request.values
    paged = [name for name, usual in _PAGED.items() if values[name] != usual]
    if request.http.query.keys() - _PAGED.keys() - {"org_id", "project_id"}:
        if paged:
            raise InvalidInputError(paged[0], "entities of a scope take limit and offset")
        return await inner(request)
    every = [shapes.entity_row(one) for one in await request.memory.users()]
    number, size = values["page"], values["page_size"] or max(1, len(every))
    rows = every[(number - 1) * size : number * size]
    return shapes.page(request.http.url, number, size, len(every), rows)


_PAGED = {"page": 1, "page_size": None}
"""What only the list of users takes, and what stands there if nothing is said."""
_PROJECT = form(PROJECT)
_OURS = {
    "add": Widening(
        body=form(f"{NOT_STORED} {VERSION} {PROJECT}", output_format=fields.SHAPED),
        answer=AddResult | shapes.Added, by=_add,
    ),
    "search_posted": Widening(body=form(f"{VERSION} {PROJECT} output_format")),
    "update": Widening(
        query=_PROJECT, by=_update,
        body=form(expiration_date=fields.CLEARED, timestamp=fields.unsupported(
            "an update is recorded at its time; add a memory instead")),
    ),
    "delete": Widening(query=form(f"{PROJECT} delete_linked")),
    "delete_all": Widening(
        query=form("app_id org_id", project_id=fields.SAME_PROJECT,
                   filters=fields.FILTERS_AS_TEXT, metadata=fields.CONDITIONS_AS_TEXT),
        answer=RemovedDict, by=_delete_all,
    ),
    "history": Widening(query=_PROJECT, answer=list[shapes.HistoryRow], by=_history),
    "list_entities": Widening(
        query=form(PROJECT, page=fields.PAGE, page_size=fields.EVERY_PAGE),
        answer=GraphEntityResults | shapes.EntityPage, by=_entities,
    ),
    **dict.fromkeys(
        ("get_all", "get", "get_single", "delete_single", "list_users"), Widening(query=_PROJECT)
    ),
}  # fmt: skip


@cache
def _both(
    own: type[RequestModel] | None, more: type[RequestModel] | None
) -> type[RequestModel] | None:
    if own is None or more is None:
        return own or more
    made = create_model(own.__name__, __base__=(more, own), __doc__=own.__doc__)
    return cast("type[RequestModel]", made)


def widened(operation: Operation, mem0: Mem0 | None = None) -> Operation:
    """The operation with the fields that mem0's clients send, and with the answers they read.

    With `mem0` it is carried out so, too.
    """
    more = _OURS.get(operation.id)
    if more is None:
        return operation
    handler = operation.handler
    if more.by is not None and mem0 is not None:
        handler = partial(more.by, mem0, handler)
    return replace(
        operation,
        name=operation.id,
        handler=handler,
        query=_both(operation.query, more.query),
        body=_both(operation.body, more.body),
        answer=more.answer or operation.answer,
    )
