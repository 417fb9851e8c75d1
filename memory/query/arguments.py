"""Which memories somebody asks for: what every listing, search, count and deletion takes. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, TypeVar

from pydantic import SkipValidation
from typing_extensions import TypedDict

from ..model.errors import InvalidInputError
from ..model.filters import (
    EVERYTHING,
    AnyOf,
    Condition,
    Filter,
    Not,
    Operator,
    Scalar,
    both,
    field_of,
)
from ..model.row_kinds import EVERY_KIND, MemoryKind
from ..model.scope import SCOPE_IDS
from ..model.suggestions import nearest
from ..model.times import from_ms
from ..model.types import ACTIVE, MemoryStatus, MemoryType, Scope, utc_now
from ..operations.common import CONDITIONS, Conditions
from ..operations.declaring import As, field
from ..operations.fields import Text
from ..operations.scope import ScopeIds
from .filter_json import instant, parse
from .simplify import simplified

ONCE_TRUE = frozenset({MemoryStatus.ACTIVE, MemoryStatus.SUPERSEDED, MemoryStatus.ARCHIVED})
"""What is looked through for another time than now."""
K = TypeVar("K", bound=StrEnum)


_TimeText = SkipValidation[Text | None]
_Time = As(_TimeText)


class QueryArguments(TypedDict, total=False):
    """Which memories are meant; all that is given must hold. Times are ISO 8601 or `datetime`."""

    status: Annotated[
        MemoryStatus | str,
        As(SkipValidation[MemoryStatus]),
        field("Memories of this status. Default: active."),
    ]
    statuses: Annotated[
        Collection[MemoryStatus | str],
        As(SkipValidation[list[MemoryStatus]]),
        field("Memories of any of these statuses."),
    ]
    kinds: Annotated[
        Collection[MemoryKind | str],
        As(SkipValidation[list[MemoryKind]]),
        field("Memories, or what users said and is no memory yet. Default: both."),
    ]
    types: Annotated[
        Collection[MemoryType | str],
        As(SkipValidation[list[MemoryType]]),
        field("Memories of any of these types."),
    ]
    filters: Annotated[Mapping[str, Any] | None, As(Conditions), field(CONDITIONS)]
    session: Annotated[
        str | None, As(Text | None), field("The conversation that they were learned from.")
    ]
    created_from: Annotated[datetime | str | None, _Time, field("Created then or later: ISO 8601.")]
    created_to: Annotated[datetime | str | None, _Time, field("Created before then: ISO 8601.")]
    valid_from: Annotated[datetime | str | None, _Time, field("Still true then: ISO 8601.")]
    valid_to: Annotated[datetime | str | None, _Time, field("True already before then: ISO 8601.")]
    as_of: Annotated[datetime | str | None, _Time, field("What was true then: ISO 8601.")]
    """In the future: what is known now."""
    known_at: Annotated[datetime | str | None, _Time, field("What was known then: ISO 8601.")]
    """Also if it has been corrected since."""


class ScopedQuery(ScopeIds, QueryArguments, total=False):
    """Whose memories are meant, and which of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemorySelector:
    """The same, checked."""

    statuses: frozenset[MemoryStatus] = ACTIVE
    kinds: frozenset[MemoryKind] = EVERY_KIND
    where: Filter = EVERYTHING
    as_of: datetime | None = None
    known_at: datetime | None = None
    given: str = ""
    """A digest of what was given: a cursor belongs to one query."""

    @property
    def in_the_past(self) -> bool:
        """Whether another time than now is meant."""
        return self.as_of is not None or self.known_at is not None

    @property
    def until(self) -> datetime | None:
        """The time after which nothing counts that was said; None if all of it does."""
        moments = [each for each in (self.as_of, self.known_at) if each is not None]
        return min(moments, default=None)

    def narrows(self, scope: Scope) -> bool:
        """Whether anything but a status was asked for, of the memories of a scope."""
        by_filter = simplified(self.where, scope) != EVERYTHING
        return by_filter or self.kinds != EVERY_KIND or self.in_the_past


NAMES = tuple(QueryArguments.__annotations__)
_BESIDE = ("limit", "top_k", "threshold", "cursor")
"""What a call takes beside these."""


def read_arguments(given: Mapping[str, Any], *, now: datetime | None = None) -> MemorySelector:
    """What the arguments of a call ask for.

    Raises:
        InvalidInputError: names the argument, and what was expected.
    """
    said = {name: value for name, value in given.items() if value is not None}
    if not said:
        return _ALL
    if unknown := sorted(said.keys() - set(NAMES)):
        meant = nearest(unknown[0], (*NAMES, *SCOPE_IDS, *_BESIDE))
        hint = f"did you mean {meant!r}?" if meant else f"expected one of {', '.join(NAMES)}"
        raise InvalidInputError(unknown[0], f"is no argument; {hint}")
    now = now or utc_now()
    known_at = _past(said, "known_at", now)
    as_of = _past(said, "as_of", now)
    if known_at is not None and as_of is None:
        as_of = known_at
    return MemorySelector(
        statuses=_statuses(said, ACTIVE if as_of is None else frozenset(MemoryStatus)),
        kinds=frozenset(_members("kinds", said["kinds"], MemoryKind))
        if "kinds" in said
        else EVERY_KIND,
        where=simplified(both(*(read(said) for name, read in _FILTERS.items() if name in said))),
        as_of=as_of,
        known_at=known_at,
        given=_digest(said),
    )


def _statuses(said: Mapping[str, Any], usual: frozenset[MemoryStatus]) -> frozenset[MemoryStatus]:
    if "status" in said and "statuses" in said:
        raise InvalidInputError("status", "is given beside statuses; leave out one of the two")
    if "status" in said:
        return frozenset(_members("status", [said["status"]], MemoryStatus))
    if "statuses" in said:
        return frozenset(_members("statuses", said["statuses"], MemoryStatus))
    return usual


def _of_types(said: Mapping[str, Any]) -> Filter:
    kinds = _members("types", said["types"], MemoryType)
    return Condition(field_of("type"), Operator.IN, tuple(kind.value for kind in kinds))


def _of_session(said: Mapping[str, Any]) -> Filter:
    if not isinstance(said["session"], str):
        raise InvalidInputError("session", "expected text")
    return Condition(field_of("session"), Operator.EQ, said["session"])


_FILTERS: Mapping[str, Callable[[Mapping[str, Any]], Filter]] = {
    "types": _of_types,
    "session": _of_session,
    "created_from": lambda said: _compared("created_at", Operator.GTE, _ms(said, "created_from")),
    "created_to": lambda said: _compared("created_at", Operator.LT, _ms(said, "created_to")),
    # What is still true has no end, and what was always true no beginning.
    "valid_from": lambda said: _none_or("valid_to", Operator.GT, _ms(said, "valid_from")),
    "valid_to": lambda said: _none_or("valid_from", Operator.LT, _ms(said, "valid_to")),
    "filters": lambda said: parse(said["filters"]),
}
"""By argument, what it asks of a memory; in the order in which errors are found."""


def _compared(field: str, operator: Operator, value: Scalar) -> Filter:
    return Condition(field_of(field), operator, value)


def _none_or(field: str, operator: Operator, value: Scalar) -> Filter:
    there = Condition(field_of(field), Operator.EXISTS, value=True)
    return AnyOf((Not(there), _compared(field, operator, value)))


def _members(name: str, given: object, kinds: type[K]) -> Sequence[K]:
    listed = isinstance(given, Collection) and not isinstance(given, (str, bytes, Mapping))
    try:
        found = [kinds(each) for each in given] if isinstance(given, Collection) and listed else []
    except ValueError:
        found = []
    if not found:
        one = "one of" if name == "status" else "some of"
        raise InvalidInputError(name, f"expected {one} {', '.join(kind.value for kind in kinds)}")
    return found


def _ms(said: Mapping[str, Any], name: str) -> int:
    value = said[name]
    found = instant(value) if isinstance(value, (str, datetime)) else None
    if found is None:
        raise InvalidInputError(name, "expected a time in ISO 8601")
    return found


def _past(said: Mapping[str, Any], name: str, now: datetime) -> datetime | None:
    return min(from_ms(_ms(said, name)), now) if name in said else None


def _digest(said: Mapping[str, Any]) -> str:
    told = json.dumps(said, sort_keys=True, default=_told, ensure_ascii=False)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _told(value: object) -> Any:
    if isinstance(value, datetime):
        return instant(value)
    return sorted(map(str, value)) if isinstance(value, Collection) else str(value)


_ALL = MemorySelector(given=_digest({}))
"""What is meant without arguments, as nearly all calls are."""
