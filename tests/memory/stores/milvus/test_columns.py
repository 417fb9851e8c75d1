"""Answers of Milvus are read as the columns they come in."""

from __future__ import annotations

import pytest
from pymilvus.grpc_gen import milvus_pb2, schema_pb2

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores.milvus.columns import to_columns
from tests.memory.stores.contract import memory
from tests.support.folding import rows

ALICE = Scope(tenant="t", user_id="alice")


def texts(name, *values):
    field = schema_pb2.FieldData(field_name=name, type=21)
    field.scalars.string_data.data.extend(values)
    return field


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
