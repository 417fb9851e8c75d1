"""Weakens a filter to what an index can test: it admits at least as much. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..index.digests import digest, mark_of
from ..index.port import IndexFilter
from ..model.filters import AllOf, Condition, Filter, Operator
from ..model.types import MemoryStatus, Scope

_TIME = "created_at"


def thin_filter(scope: Scope, statuses: Collection[MemoryStatus], where: Filter) -> IndexFilter:
    """The filter of an index for memories that the scope admits and that pass."""
    ids = {name: values[0] for name, values in scope.values().items() if len(values) == 1}
    conditions = list(_conditions(where))
    return IndexFilter(
        tenant=digest(scope.tenant),
        user=_digest_of(ids, "user_id", scope.tenant),
        agent=_digest_of(ids, "agent_id"),
        run=_digest_of(ids, "run_id"),
        kinds=_kinds(conditions),
        statuses=frozenset(digest(status.value) for status in statuses),
        since=_bound(conditions, (Operator.GT, Operator.GTE)),
        until=_bound(conditions, (Operator.LT, Operator.LTE)),
        marks=frozenset(
            mark
            for one in conditions
            if one.field.path and one.operator is Operator.EQ
            if (mark := mark_of(one.field.path, one.value)) is not None
        ),
    )


def _conditions(where: Filter) -> Iterator[Condition]:
    """Those that all hold."""
    match where:
        case Condition():
            yield where
        case AllOf(parts):
            for part in parts:
                yield from _conditions(part)


def _digest_of(ids: dict[str, str | None], name: str, *before: str) -> int | None:
    value = ids.get(name)
    return None if value is None else digest(*before, value)


def _kinds(conditions: list[Condition]) -> frozenset[int]:
    for one in conditions:
        if one.field.name == "type" and one.operator in {Operator.EQ, Operator.IN}:
            values = one.value if isinstance(one.value, tuple) else (one.value,)
            return frozenset(digest(value) for value in values if isinstance(value, str))
    return frozenset()


def _bound(conditions: list[Condition], operators: Collection[Operator]) -> int | None:
    for one in conditions:
        value: Any = one.value
        if one.field.name == _TIME and one.operator in operators and isinstance(value, int):
            return value
    return None
