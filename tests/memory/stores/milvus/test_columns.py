"""Answers of Milvus are read as the columns they come in."""

from __future__ import annotations

import numpy as np
import pytest
from pymilvus.grpc_gen import milvus_pb2, schema_pb2

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores.milvus.columns import Columns, insert_request, to_columns
from tests.memory.stores.contract import memory
from tests.support.folding import rows

ALICE = Scope(tenant="t", user_id="alice")


def texts(name, *values):
    field = schema_pb2.FieldData(field_name=name, type=21)
    field.scalars.string_data.data.extend(values)
    return field


def test_message_becomes_columns():
    """Scalars by their name, vectors as one matrix."""
    vectors = schema_pb2.FieldData(field_name="vector", type=101)
    vectors.vectors.dim = 2
    vectors.vectors.float_vector.data.extend([1.0, 2.0, 3.0, 4.0])
    columns = to_columns(milvus_pb2.QueryResults(fields_data=[texts("id", "a", "b"), vectors]))
    assert len(columns) == 2
    assert list(columns.values["id"]) == ["a", "b"]
    assert columns.values["vector"].dtype == np.float32
    assert columns.values["vector"].tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_rows_become_a_message():
    """Each column once, with the kind that Milvus has for its values."""
    rows = [
        {"id": "a", "n": 1, "x": 0.5, "vector": np.array([1, 2], np.float32)},
        {"id": "b", "n": 2, "x": 1.5, "vector": np.array([3, 4], np.float32)},
    ]
    request = insert_request(rows, "memories", "users_1")
    assert (request.collection_name, request.partition_name) == ("memories", "users_1")
    assert request.num_rows == 2
    columns = to_columns(milvus_pb2.QueryResults(fields_data=request.fields_data))
    assert list(columns.values["id"]) == ["a", "b"]
    assert list(columns.values["n"]) == [1, 2]
    assert list(columns.values["x"]) == [0.5, 1.5]
    assert columns.values["vector"].tolist() == [[1, 2], [3, 4]]
    assert [field.type for field in request.fields_data] == [21, 5, 11, 101]


def test_rows_are_read_bit_by_bit():
    """Some of the rows, in order, each with every column; the last slice may be short."""
    columns = Columns({"id": ["a", "b", "c"], "n": [1, 2, 3]})
    assert list(columns.rows(1, 3)) == [{"id": "b", "n": 2}, {"id": "c", "n": 3}]
    assert list(columns.rows(2, 9)) == [{"id": "c", "n": 3}]
    assert len(list(columns.rows())) == 3


@rows(
    "message",
    [
        milvus_pb2.QueryResults(),
        milvus_pb2.QueryResults(fields_data=[texts("id")]),
        milvus_pb2.QueryResults(
            fields_data=[schema_pb2.FieldData(field_name="id", type=21, scalars={})]
        ),
    ],
)
def test_nothing_found_is_no_rows(message):
    """Servers tell nothing in several ways."""
    columns = to_columns(message)
    assert len(columns) == 0
    assert list(columns.rows()) == []


async def test_refusal_is_a_store_error(open_at, lite_address):
    """What Milvus says is wrong is passed on, as with any other call."""
    store = await open_at(lite_address)
    await store.put([memory(ALICE)])
    with pytest.raises(StoreError, match=r"query failed: .*nonsense"):
        await store._connection.columns(filter="nonsense == 1", output_fields=["id"])
