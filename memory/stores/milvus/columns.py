"""Answers of Milvus as columns.

pymilvus turns an answer into one dictionary per row: 18 ms on the event loop for 1,000 rows with
vectors. Here columns stay columns until rows are needed, so that a large answer can be read piece
by piece. Only this module uses pymilvus' private connection and messages.
"""

# ruff: noqa: SLF001 - pymilvus has no public way to an answer's columns

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..shared.rows import Row

_NUMBERS: Mapping[type, int] = {str: 21, int: 5, float: 11, np.ndarray: 101}
"""Milvus' numbers of the columns' types."""
_SLOTS: Mapping[type, str] = {str: "string_data", int: "long_data", float: "double_data"}


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of an answer by name, of equal length; `vector` is ``float32[n, dim]``."""

    values: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(self.values["id"]) if self.values else 0

    def rows(self, start: int = 0, stop: int | None = None) -> Iterator[Row]:
        """The rows from `start` to `stop`, in order."""
        parts = (column[start:stop] for column in self.values.values())
        for values in zip(*parts, strict=True):
            yield dict(zip(self.values, values, strict=True))


async def query_columns(
    client: Any,
    *,
    collection_name: str,
    filter: str,  # noqa: A002 - pymilvus' name
    output_fields: list[str],
    timeout: float,  # noqa: ASYNC109 - the deadline of pymilvus' retries
    partition_names: list[str] | None = None,
    **arguments: Any,
) -> Columns:
    """`AsyncMilvusClient.query` with columns as the answer. Raises the same errors."""
    from pymilvus.client import ts_utils
    from pymilvus.client.prepare import Prepare

    handler = await client._get_connection()
    default = ts_utils.construct_guarantee_ts(collection_name, arguments, handler.server_address)
    request = Prepare.query_request(
        collection_name,
        filter,
        output_fields,
        partition_names,
        use_default_consistency=default,
        **arguments,
    )
    return to_columns(await _answer(handler, request, timeout))


async def insert_rows(
    client: Any,
    rows: Sequence[Row],
    collection_name: str,
    *,
    partition: str,
    timeout: float,  # noqa: ASYNC109 - as above
) -> None:
    """`AsyncMilvusClient.insert` in a fifth of the time on the event loop. Raises the same errors.

    For rows with all columns of the collection, as `rows.to_row` makes them.
    """
    from pymilvus.client.utils import check_status
    from pymilvus.decorators import retry_on_rpc_failure

    request = insert_request(rows, collection_name, partition)
    handler = await client._get_connection()

    async def insert(handler: Any, *, timeout: float) -> None:  # noqa: ASYNC109
        response = await handler._async_stub.Insert(request, timeout=timeout)
        check_status(response.status)

    await retry_on_rpc_failure()(insert)(handler, timeout=timeout)


async def delete_rows(
    client: Any,
    *,
    collection_name: str,
    filter: str,  # noqa: A002 - as above
    timeout: float,  # noqa: ASYNC109 - as above
) -> None:
    """`AsyncMilvusClient.delete`, which does not look whether it was refused (pymilvus 3.0.2).

    Raises what pymilvus raises for other refusals.
    """
    from pymilvus.client.prepare import Prepare
    from pymilvus.client.utils import check_status
    from pymilvus.decorators import retry_on_rpc_failure

    request = Prepare.delete_request(collection_name, filter, None, consistency_level=0)
    handler = await client._get_connection()

    async def delete(handler: Any, *, timeout: float) -> None:  # noqa: ASYNC109
        response = await handler._async_stub.Delete(request, timeout=timeout)
        check_status(response.status)

    await retry_on_rpc_failure()(delete)(handler, timeout=timeout)


def insert_request(rows: Sequence[Row], collection_name: str, partition: str) -> Any:
    """The message that inserts rows of equal columns."""
    from pymilvus.grpc_gen import milvus_pb2

    request = milvus_pb2.InsertRequest(
        collection_name=collection_name, partition_name=partition, num_rows=len(rows)
    )
    for name, first in rows[0].items():
        values = [row[name] for row in rows]
        field = request.fields_data.add(field_name=name, type=_NUMBERS[type(first)])
        if isinstance(first, np.ndarray):
            field.vectors.dim = len(first)
            field.vectors.float_vector.data.extend(np.concatenate(values).tolist())
        else:
            getattr(field.scalars, _SLOTS[type(first)]).data.extend(values)
    return request


def to_columns(response: Any) -> Columns:
    """The columns of a `QueryResults` message."""
    return Columns({field.field_name: _values(field) for field in response.fields_data})


async def _answer(handler: Any, request: Any, seconds: float) -> Any:
    from pymilvus.client.utils import check_status
    from pymilvus.decorators import retry_on_rpc_failure

    async def query(handler: Any, *, timeout: float) -> Any:  # noqa: ASYNC109
        response = await handler._async_stub.Query(request, timeout=timeout)
        check_status(response.status)
        return response

    return await retry_on_rpc_failure()(query)(handler, timeout=seconds)


def _values(field: Any) -> Any:
    if field.HasField("vectors"):
        numbers = np.array(field.vectors.float_vector.data, dtype=np.float32)
        return numbers.reshape(-1, field.vectors.dim)
    slot = field.scalars.WhichOneof("data")
    return getattr(field.scalars, slot).data if slot else ()
