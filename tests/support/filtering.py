"""Filters and memories at random, and what a filter means, written a second time.

The reference reads the JSON as a person would write it, value by value; it shares no code with the
product.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
)

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
WORDS = (
    "",
    "work",
    "Work",
    "wörk",
    'x" or "1" == "1',
    "a'b\\",
    "100%_",
    "日本",
    "2026-03-02",
    "1",
    "1.0",
)
KEYS = ("tag", "priority", "due", "car.colour", "metadata.tag", "metadata.car.colour", "nothing")
NUMBERS = (0, 1, -1, 2, 1.0, 1.5, 10**12, -0.25)
MOMENTS = (
    "2026-03-02",
    "2026-03-02T12:00:00+00:00",
    "2026-03-02T13:00:00+01:00",
    "2025-01-01T00:00:00",
)
TEXTS = ("User likes Python", "user LIKES tea", "Straße 5%_", 'says "hi" \\ there', "東京に住む")

scalars = st.one_of(
    st.none(), st.booleans(), st.sampled_from(NUMBERS), st.sampled_from(WORDS), st.sampled_from(MOMENTS),
    st.integers(-5, 5), st.text(max_size=3).filter(lambda s: s.isprintable()),
)  # fmt: skip
_texts = st.one_of(st.sampled_from(WORDS), st.sampled_from(TEXTS))


def _metadata():
    value = st.one_of(scalars, st.lists(scalars, max_size=3))
    return st.fixed_dictionaries(
        {},
        optional={
            "tag": value, "priority": value, "due": value,
            "car": st.one_of(scalars, st.fixed_dictionaries({}, optional={"colour": value})),
        },
    )  # fmt: skip


@st.composite
def items(draw, scope: Scope, number: int = 0) -> MemoryItem:
    """A memory of a scope."""
    moments = st.one_of(st.none(), st.integers(-3, 3).map(lambda n: NOON + timedelta(hours=n)))
    created = NOON + timedelta(hours=draw(st.integers(-3, 3)))
    return MemoryItem(
        id=f"m{number}", text=draw(st.sampled_from(TEXTS)), type=draw(st.sampled_from(MemoryType)),
        scope=scope, created_at=created, updated_at=created, embedder_id="test",
        status=draw(st.sampled_from(MemoryStatus)),
        importance=draw(st.sampled_from((0.0, 0.5, 0.25, 1.0))), valid_from=draw(moments),
        valid_to=draw(moments), metadata=draw(_metadata()), version=draw(st.integers(1, 3)),
        provenance=Provenance(
            source=draw(st.sampled_from((Source.USER, Source.EXTRACTION))),
            conversation_id=draw(st.sampled_from((None, "c1", "c2"))),
        ),
    )  # fmt: skip


_ORDERS = ("gt", "gte", "lt", "lte")
_TIMES = ("created_at", "updated_at", "valid_from", "valid_to")


@st.composite
def conditions(draw):
    """A condition in one of the two dialects."""
    kind = draw(st.sampled_from(("any", "any", "text", "word", "number", "time", "id")))
    if kind == "any":
        field = draw(st.sampled_from(KEYS))
        operator = draw(
            st.sampled_from(("eq", "ne", "in", "nin", "contains", "icontains", "exists", *_ORDERS))
        )
        value = scalars.filter(lambda v: v is not None) if operator in _ORDERS else scalars
        value = (
            st.booleans() if operator == "exists" else _texts if operator == "icontains" else value
        )
    elif kind == "text":
        field = "memory"
        operator = draw(
            st.sampled_from(("eq", "ne", "in", "nin", "contains", "icontains", *_ORDERS))
        )
        value = _texts
    elif kind == "word":
        field, values = draw(
            st.sampled_from((("type", MemoryType), ("status", MemoryStatus), ("source", Source)))
        )
        operator, value = (
            draw(st.sampled_from(("eq", "ne", "in", "nin"))),
            st.sampled_from(values).map(str),
        )
    elif kind == "number":
        field = draw(st.sampled_from(("importance", "version")))
        operator, value = (
            draw(st.sampled_from(("eq", "ne", "in", "nin", *_ORDERS))),
            st.sampled_from(NUMBERS),
        )
    elif kind == "time":
        field = draw(st.sampled_from(_TIMES))
        operator = draw(st.sampled_from(("eq", "ne", "in", "nin", "exists", *_ORDERS)))
        value = st.sampled_from((*MOMENTS, NOON.timestamp(), NOON.timestamp() + 3600.5))
        if operator in {"eq", "ne", "in", "nin"}:
            value = st.one_of(st.none(), value)
        value = st.booleans() if operator == "exists" else value
    else:
        field = draw(st.sampled_from(("user_id", "agent_id", "run_id", "session", "id")))
        operator = draw(st.sampled_from(("eq", "ne", "in", "nin")))
        value = st.sampled_from((None, "alice", "bob", "c1", "m1", *WORDS))
    given = draw(st.lists(value, max_size=3) if operator in {"in", "nin"} else value)
    if draw(st.booleans()):
        return {"field": field, "operator": operator, "value": given}
    if operator == "eq" and given != "*" and draw(st.booleans()):
        return {field: given}
    return {field: {operator: given}}


def filters():
    """A filter of a few levels."""
    return st.recursive(
        conditions(),
        lambda inner: st.one_of(
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"AND": parts}),
            st.lists(inner, min_size=1, max_size=3).map(lambda parts: {"OR": parts}),
            inner.map(lambda part: {"NOT": part}),
            st.lists(inner, min_size=1, max_size=2).map(lambda parts: {"NOT": parts}),
        ),
        max_leaves=6,
    )


def holds(said, item: MemoryItem) -> bool:
    """Whether a memory passes a filter as it was written."""
    if "operator" in said and "field" in said:
        return _compare(
            said["operator"], _stored(said["field"], item), said["value"], said["field"]
        )
    return all(_key(name, value, item) for name, value in said.items())


def _key(name, value, item) -> bool:
    match name:
        case "AND":
            return all(holds(part, item) for part in value)
        case "OR":
            return any(holds(part, item) for part in value)
        case "NOT":
            parts = value if isinstance(value, list) else [value]
            return not any(holds(part, item) for part in parts)
    stored = _stored(name, item)
    if isinstance(value, dict):
        return all(_compare(operator, stored, given, name) for operator, given in value.items())
    return _compare("in" if isinstance(value, list) else "eq", stored, value, name)


def _stored(name, item: MemoryItem):
    match name:
        case "memory":
            return item.text
        case "session":
            return item.provenance.conversation_id
        case "source":
            return item.provenance.source.value
        case "type" | "status":
            return getattr(item, name).value
        case "user_id" | "agent_id" | "run_id":
            return getattr(item.scope, name)
        case (
            "id"
            | "importance"
            | "version"
            | "created_at"
            | "updated_at"
            | "valid_from"
            | "valid_to"
        ):
            return getattr(item, name)
    value = item.metadata
    for part in name.removeprefix("metadata.").split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _moment(value):
    """A time from what people write; None if it is none."""
    if isinstance(value, datetime):
        return value
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value)
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None


def _equal(stored, given) -> bool:
    if isinstance(stored, bool) or isinstance(given, bool):
        return isinstance(stored, bool) and isinstance(given, bool) and stored == given
    if isinstance(stored, (int, float)) and isinstance(given, (int, float)):
        return stored == given
    return type(stored) is type(given) and stored == given


def _compare(operator, stored, given, name) -> bool:
    if name in _TIMES and operator != "exists":

        def read(value):
            if isinstance(value, (int, float)):
                whole = datetime.fromtimestamp(int(value * 1000) / 1000, UTC)
                return whole.replace(microsecond=whole.microsecond // 1000 * 1000)
            return _moment(value)

        given = [read(v) for v in given] if isinstance(given, list) else read(given)
    match operator:
        case "exists":
            return (stored is not None) is given
        case "eq":
            return (stored is not None) if given == "*" else _equal(stored, given)
        case "ne":
            return not _equal(stored, given)
        case "in":
            return any(_equal(stored, one) for one in given)
        case "nin":
            return not any(_equal(stored, one) for one in given)
        case "contains":
            if isinstance(stored, str):
                return isinstance(given, str) and given in stored
            return isinstance(stored, list) and any(_equal(one, given) for one in stored)
        case "icontains":
            if isinstance(stored, str):
                return given.casefold() in stored.casefold()
            return isinstance(stored, list) and any(
                isinstance(one, str) and one.casefold() == given.casefold() for one in stored
            )
    return _ordered(operator, stored, given)


def _ordered(operator, stored, given) -> bool:
    if stored is None or isinstance(stored, (bool, list, dict)) or isinstance(given, bool):
        return False
    if _moment(given) is not None:
        stored, given = _moment(stored), _moment(given)
        if stored is None:
            return False
    elif isinstance(stored, str) is not isinstance(given, str):
        return False
    return {
        "gt": stored > given, "gte": stored >= given, "lt": stored < given, "lte": stored <= given,
    }[operator]  # fmt: skip


def samples(strategy, count: int) -> list:
    """So many examples, the same ones in every run."""
    found: list = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(strategy)
    def collect(example):
        found.append(example)

    collect()
    return found
