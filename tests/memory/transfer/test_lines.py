"""Lines: what is written is read again as it was, and nothing else is accepted."""

import json
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.claims import (
    NO_CLAIMS,
    EntityClaim,
    EntityKind,
    GraphClaims,
    RelationClaim,
)
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import (
    Doubt,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
    Source,
    StoredMemory,
)
from recollect.memory.transfer.line_reader import Carried, read_line
from recollect.memory.transfer.lines import Header, header_line, memory_line
from recollect.memory.transfer.seals import Seals
from tests.memory.transfer.moving import item, record
from tests.support.budget import examples
from tests.support.folding import rows

HEADER = Header(embedder="e", dim=3, vectors=True)
SEALS = Seals("local", b"key")
VECTOR = np.array([0.6, 0.8, 0.0], np.float32)

texts = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20)
some = texts.filter(str.strip)
ids = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)
maybe = st.none() | texts
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds the zone
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
doubts = st.builds(Doubt, texts, texts, texts, texts)
scope_ids = ids.filter(str.strip)
scopes = st.builds(
    Scope, tenant=st.just("local"), user_id=scope_ids, agent_id=st.none() | scope_ids,
    run_id=st.none() | scope_ids,
)  # fmt: skip
names = st.text(st.characters(categories=["L"]), min_size=1, max_size=9)
claims = st.builds(
    GraphClaims,
    entities=st.lists(
        st.builds(EntityClaim, name=names, kind=st.sampled_from(EntityKind)), max_size=2
    ).map(tuple),
    relations=st.lists(
        st.builds(RelationClaim, source=names, relation=st.just("knows"), target=names), max_size=2
    ).map(tuple),
).map(lambda one: one or NO_CLAIMS)
provenances = st.builds(
    Provenance,
    source=st.sampled_from(Source),
    conversation_id=maybe,
    turn_ids=st.lists(texts, max_size=2).map(tuple),
    quote=maybe,
    model=maybe,
    sequence=st.integers(0, 2**60),
    batch=maybe,
    recorded_at=st.none() | moments,
    superseded_by=st.none() | ids,
    flags=st.lists(texts, max_size=2).map(tuple),
    reasons=st.lists(doubts, max_size=2).map(tuple),
    taken_from=st.none() | ids,
    withheld=st.lists(ids, max_size=2).map(tuple),
    given=maybe,
    stretch=maybe,
    archived_from=st.none() | st.sampled_from(MemoryStatus),
    archived_at=st.none() | moments,
    ended=maybe,
    ended_at=st.none() | moments,
    ended_from=st.none() | st.sampled_from(MemoryStatus),
    restored_at=st.none() | moments,
    subject=maybe,
    predicate=maybe,
    object=maybe,
    claims=claims,
    context=maybe,
)
items = st.builds(
    MemoryItem,
    id=ids,
    text=some,
    type=st.sampled_from(MemoryType),
    scope=scopes,
    created_at=moments,
    updated_at=moments,
    embedder_id=st.sampled_from(["e", "f"]),
    status=st.sampled_from(MemoryStatus),
    importance=st.floats(0, 1),
    provenance=provenances,
    valid_from=st.none() | moments,
    valid_to=st.none() | moments,
    last_accessed_at=st.none() | moments,
    access_count=st.integers(0, 2**40),
    metadata=st.dictionaries(texts, values, max_size=3),
    version=st.integers(1, 2**40),
)


@st.composite
def records(draw, of):
    return draw(
        st.builds(
            HistoryRecord,
            id=ids,
            memory_id=st.just(of.id),
            event=st.sampled_from(EventKind),
            old_value=maybe,
            new_value=maybe,
            timestamp=moments,
            is_deleted=st.booleans(),
            scope=st.just(of.scope),
            valid_at=st.none() | moments,
            stage=st.just("") | texts,
            reason=st.just("") | texts,
            scores=st.dictionaries(texts, st.floats(-9, 9), max_size=2),
            reasons=st.lists(doubts, max_size=2).map(tuple),
            taken_from=st.none() | ids,
            withheld=st.lists(ids, max_size=2).map(tuple),
        )
    )


@settings(max_examples=examples(40))
@given(st.data())
def test_a_row_comes_back(data):
    """Every field of it and of its history, the vector to the bit, and its seal."""
    row = data.draw(items)
    history = [data.draw(records(row)) for _ in range(data.draw(st.integers(0, 2)))]
    line = memory_line(StoredMemory(row, VECTOR), history, header=HEADER, seals=SEALS)
    assert line.count(b"\n") == 1
    said = read_line(line.rstrip(b"\n"), HEADER, SEALS)
    assert isinstance(said, Carried)
    assert (said.item, list(said.history)) == (row, history)
    assert said.vector is not None
    assert said.vector.tobytes() == VECTOR.tobytes()
    assert (said.sealed, said.unchanged) == (True, True)


def line(**changes):
    """A line with other values in the row."""
    made = memory_line(
        StoredMemory(item("m"), VECTOR), [record(item("m"))], header=HEADER, seals=SEALS
    )
    value = json.loads(made)
    for path, new in changes.items():
        at = value
        *names, last = path.split("__")
        for name in names:
            at = at[int(name) if name.isdigit() else name]
        at[last] = new
    return json.dumps(value).encode()


@rows(
    "path, value, field",
    [
        ("memory", 1, "memory"),
        ("memory__id", "", "memory.id"),
        ("memory__text", " ", "memory.text"),
        ("memory__text", "\ud800", "memory.text"),
        ("memory__type", "x", "memory.type"),
        ("memory__user_id", "", "memory.user_id"),
        ("memory__created_at", "2026-01-01", "memory.created_at"),
        ("memory__importance", 2, "memory.importance"),
        ("memory__importance", float("nan"), "line"),
        ("memory__version", 0, "memory.version"),
        ("memory__metadata", [1], "memory.metadata"),
        ("memory__metadata", {"k": "x" * 40_000}, "memory.metadata"),
        ("memory__surplus", 1, "memory.surplus"),
        ("memory__provenance__source", "x", "memory.provenance.source"),
        ("memory__provenance__turn_ids", "x", "memory.provenance.turn_ids"),
        ("memory__provenance__turn_ids", ["x" * 9000] * 9, "memory.provenance"),
        ("memory__provenance__withheld", [""], "memory.provenance.withheld"),
        ("memory__provenance__reasons", [{"kind": 1}], "memory.provenance.reasons[0].kind"),
        ("memory__provenance__claims", "x", "memory.provenance.claims"),
        ("memory__provenance__claims", {"nodes": []}, "memory.provenance.claims.nodes"),
        ("memory__provenance__claims", {"entities": "x"}, "memory.provenance.claims.entities"),
        ("history", {}, "history"),
        ("history__0__event", "x", "history[0].event"),
        ("history__0__scores", {"a": "b"}, "history[0].scores"),
        ("history__0__is_deleted", 1, "history[0].is_deleted"),
        ("history__0__memory_id", "other", "history[0].memory_id"),
        ("vector", "AAAA", "vector"),
        ("vector", 7, "vector"),
        ("surplus", 7, "surplus"),
    ],
)
def test_refusals(path, value, field):
    """Each names the field, and those around it."""
    with pytest.raises(InvalidInputError) as refused:
        read_line(line(**{path: value}), HEADER, SEALS)
    assert refused.value.field == field


@rows(
    "header, field",
    [
        (b'{"recollect":"other"}', "recollect"),
        (b'{"recollect":"export","format":4,"embedder":"e","dim":3}', "format"),
        (b'{"recollect":"export","format":1,"dim":3}', "embedder"),
        (b'{"recollect":"export","format":1,"embedder":"e","dim":0}', "dim"),
        (header_line(HEADER)[:-2] + b',"x":1}', "x"),
        (b'{"end":true,"memories":0}', "recollect"),
    ],
)
def test_headers(header, field):
    """A file of something else, or of a later version, is refused by its first line."""
    with pytest.raises(InvalidInputError) as refused:
        read_line(header, None, SEALS)
    assert refused.value.field == field


def test_vectors_have_length_one():
    """Whatever a line says: a longer vector would be found for everything."""
    long = np.array([3e30, 4e30, 0], "<f4").tobytes()
    import base64

    said = read_line(line(vector=base64.b64encode(long).decode()), HEADER, SEALS)
    assert np.linalg.norm(said.vector) == pytest.approx(1)
    zeros = base64.b64encode(np.zeros(3, "<f4").tobytes()).decode()
    with pytest.raises(InvalidInputError, match="not all of them 0"):
        read_line(line(vector=zeros), HEADER, SEALS)


def test_seals():
    """Of one tenant and one key; an edited line keeps the seal of its id and loses its signature."""
    made = memory_line(StoredMemory(item("m"), VECTOR), [], header=HEADER, seals=SEALS).strip()
    edited = made.replace(b"green tea", b"black tea")
    other_id = made.replace(b'"id":"m"', b'"id":"n"')
    reordered = json.dumps(dict(reversed(json.loads(made).items()))).encode()
    for data, seals, expected in (
        (made, SEALS, (True, True)),
        (edited, SEALS, (True, False)),
        (reordered, SEALS, (True, False)),
        (other_id, SEALS, (False, False)),
        (made, Seals("other", b"key"), (False, False)),
        (made, Seals("local", b"yek"), (False, False)),
        (made, Seals("local"), (False, False)),
    ):
        said = read_line(data, HEADER, seals)
        assert (said.sealed, said.unchanged) == expected
