"""Reading Milvus Lite in columns shows what Milvus Lite's own way shows."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from milvus_lite.adapter.grpc.servicer import MilvusServicer
from milvus_lite.db import MilvusLite
from pymilvus.client.prepare import Prepare

from recollect.memory.model.types import MemoryStatus, Scope
from recollect.memory.stores.milvus import expr
from recollect.memory.stores.milvus.columns import to_columns
from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.lite_query import answered, make_servicer
from recollect.memory.stores.milvus.reader import WITH_VECTOR
from recollect.memory.stores.milvus.schema import collection_schema, lite_partition, lite_partitions
from recollect.memory.stores.shared.rows import to_row
from tests.memory.stores.contract import DIM, memory, vector
from tests.support.budget import examples
from tests.support.folding import rows

NAME = "memories"
STATUSES = list(MemoryStatus)
USERS = [Scope(tenant="t", user_id=name) for name in ("ann", "bob", "cid")]
CONTEXT = SimpleNamespace(invocation_metadata=tuple)
CHANGES = st.lists(
    st.tuples(st.just("put"), st.integers(0, 6), st.sampled_from(USERS), st.sampled_from(STATUSES))
    | st.tuples(st.just("delete"), st.integers(0, 6))
    | st.tuples(st.just("flush")),
    max_size=25,
)


@contextlib.contextmanager
def a_database(folder):
    """Milvus Lite in this process, with an empty collection as the store makes it."""
    database = MilvusLite(str(folder))
    schema = collection_schema(dialect_of("milvus_lite-3.2.2"), DIM)
    MilvusServicer(database).CreateCollection(
        Prepare.create_collection_request(NAME, schema), CONTEXT
    )
    collection = database.get_collection(NAME)
    for name in lite_partitions():
        collection.create_partition(name)
    try:
        yield database, collection
    finally:
        database.close()


@pytest.fixture
def lite(tmp_path):
    with a_database(tmp_path / "lite.db") as opened:
        yield opened


def put(collection, number, scope, status=MemoryStatus.ACTIVE):
    row = to_row(memory(scope, id=f"id-{number}", at=vector(1.0, number), status=status), DIM)
    collection.insert(
        [row | {"vector": row["vector"].tolist()}], partition_name=lite_partition(row["partition"])
    )


def request(condition, fields, partitions=None, **arguments):
    return Prepare.query_request(NAME, condition, fields, partitions, **arguments)


def apply(collection, changes):
    for change in changes:
        match change:
            case ("put", number, scope, status):
                put(collection, number, scope, status)
            case ("delete", number):
                collection.delete([f"id-{number}"])
            case _:
                collection.flush()


def rows_of(message):
    assert message.status.code == 0, message.status.reason
    return [
        {name: value.tolist() if name == "vector" else value for name, value in row.items()}
        for row in to_columns(message).rows()
    ]


@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    changes=CHANGES,
    limit=st.none() | st.integers(1, 5),
    statuses=st.sets(st.sampled_from(STATUSES), min_size=1),
)
def test_shows_what_the_original_shows(tmp_path_factory, changes, limit, statuses):
    """Whatever was put, replaced, moved, deleted and flushed: the same rows in the same order."""
    with a_database(tmp_path_factory.mktemp("lite") / "lite.db") as (database, collection):
        apply(collection, changes)
        original = MilvusServicer(database)
        for scope in USERS:
            where = [lite_partition(scope.partition)]
            for partitions, condition in (
                (where, expr.in_scope(scope, statuses)),
                (None, expr.any_tenant("id-1")),
            ):
                asked = request(condition, WITH_VECTOR, partitions, iterator="True", limit=limit)
                ours = answered(collection, asked)
                assert rows_of(ours) == rows_of(original.Query(asked, CONTEXT))
                counted = request(condition, ["count(*)"], partitions)
                theirs = to_columns(original.Query(counted, CONTEXT)).values["count(*)"]
                assert to_columns(answered(collection, counted)).values["count(*)"] == theirs


@rows(
    "condition, fields, more",
    [
        ('id in ["id-1"]', ["id"], {}),
        ("", ["count(*)"], {}),
        ('tenant == "t"', ["*"], {}),
        ('tenant == "t"', ["id"], {"offset": 1, "limit": 2}),
        ('tenant == "t"', ["nonsense"], {}),
        ("tenant ==", ["id"], {}),
        ("nobody == 1", ["id"], {}),
    ],
)
def test_the_rest_is_left_to_the_original(lite, condition, fields, more):
    """What is asked for differently, or wrongly, is answered by Milvus Lite as it always was."""
    database, collection = lite
    apply(collection, [("put", n, USERS[0], MemoryStatus.ACTIVE) for n in range(3)])
    asked = request(condition, fields, **more)
    ours = make_servicer(MilvusServicer)(database).Query(asked, CONTEXT)
    assert ours == MilvusServicer(database).Query(asked, CONTEXT)
