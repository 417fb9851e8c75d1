"""Values that JSON can hold and few programs think of, and places to put them in requests."""

from __future__ import annotations

import base64
import json
from random import Random
from typing import Any

NUMBERS: tuple[Any, ...] = (
    10**309, -(10**309), 10**4000, 2**63, -(2**63) - 1, 2**31, 1e308, 5e-324, -0.0, -1, True,
)  # fmt: skip
TIMES: tuple[Any, ...] = (
    "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "9999-12-31T23:59:59Z",
    "2026-03-02T12:00:00", "2026-02-30", "1" * 5000, 10**309, -1e300, 1e17, True,
)  # fmt: skip
TIMED = frozenset(
    {
        "as_of", "known_at", "created_from", "created_to", "valid_from", "valid_to", "timestamp",
        "start_date", "end_date", "expiration_date", "reference_date",
    }
)  # fmt: skip
_FIELDS = ("importance", "version", "created_at", "updated_at", "valid_to", "tag", "metadata.a.b")
_OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte", "in", "nin", "contains", "icontains", "exists")
_DEEP = 60


def filters(random: Random) -> Any:
    """A filter with an extreme value, with no condition, or too many."""
    value = random.choice((*NUMBERS, *TIMES))
    field, operator = random.choice(_FIELDS), random.choice(_OPERATORS)
    given = [value] if operator in {"in", "nin"} else value
    one = random.choice(
        (
            {field: given},
            {field: {operator: given}},
            {"field": field, "operator": operator, "value": given},
        )
    )
    deep: Any = one
    for _ in range(_DEEP):
        deep = {random.choice(("AND", "OR", "NOT")): [deep]}
    return random.choice(
        (
            one, {"OR": [one, {}]}, {"AND": [one, one]}, {"NOT": one}, {}, {"AND": [{}]}, {"NOT": []},
            {"OR": [{}]}, deep, {"OR": [one] * 300}, {"a": [[]] * 60_000}, {"AND": [{}] * 20_000},
        )
    )  # fmt: skip


def of_field(random: Random, name: str) -> Any:
    """Something for a field of this name."""
    if name in {"filters", "metadata"}:
        return filters(random)
    return random.choice(TIMES if name in TIMED else (*NUMBERS, *TIMES))


def as_query(value: Any) -> str:
    """The value in an address."""
    return value if isinstance(value, str) else json.dumps(value)


def cursors(known: str) -> list[str]:
    """Cursors of the same query whose time is none."""
    digest, _, memory_id = json.loads(base64.urlsafe_b64decode(known + "=" * (-len(known) % 4)))
    return [
        base64.urlsafe_b64encode(json.dumps([digest, time, memory_id]).encode())
        .decode()
        .rstrip("=")
        for time in (*NUMBERS, None, "1", [], {})
        if time != 10**4000
    ]
