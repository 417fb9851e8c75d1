"""Everything that goes wrong with Milvus is a StoreError, soon."""

from __future__ import annotations

import time

import grpc
import pytest
from pydantic import SecretStr

from recollect.memory.model.errors import StoreError
from recollect.memory.stores import MilvusStoreOptions, open_store
from recollect.memory.stores.milvus.connection import Connection, ServerEndpoint, translated
from tests.memory.stores.contract import DIM
from tests.support.budget import FACTOR, WHOLE
from tests.support.folding import rows
from tests.support.ports import free_port


async def test_server_that_is_not_there_is_a_store_error():
    """Opening fails within the timeout, and the credential is not in the message."""
    options = MilvusStoreOptions(
        uri=f"127.0.0.1:{free_port()}", timeout_seconds=0.5, token=SecretStr("root:geheim")
    )
    with pytest.raises(StoreError, match=r"milvus: .* failed") as failure:
        await open_store(options, embedder_id="test", dim=DIM)
    assert "geheim" not in str(failure.value)


async def test_a_refused_deletion_is_a_store_error(lite_address):
    """The reason is passed on; pymilvus takes every answer for a deletion that was done."""
    connection = Connection(ServerEndpoint(lite_address), collection="none", timeout_seconds=5)
    with pytest.raises(StoreError, match=r"delete failed: .*none"):
        await connection.delete('id in ["a"]')
    await connection.close()


@pytest.mark.server
async def test_a_deletion_that_a_server_refuses_is_a_store_error(open_at, server_address):
    """An expression that it cannot read deletes nothing, and says so."""
    store = await open_at(server_address, partitions=1)
    with pytest.raises(StoreError, match="delete failed"):
        await store._connection.delete("id of")


async def test_another_address_is_connected_to_anew(lite_address, tmp_path):
    """When the endpoint moves, the next call goes there."""
    where = ServerEndpoint(lite_address)
    connection = Connection(where, collection="none", timeout_seconds=5)
    assert "lite" in await connection.raw_call("get_server_version")
    where._url = f"unix:{tmp_path}/nobody"
    with pytest.raises(StoreError):
        await connection.raw_call("get_server_version", timeout_seconds=0.2)
    where._url = lite_address
    assert "lite" in await connection.raw_call("get_server_version")
    await connection.close()


@rows("error", [OSError("gone"), TimeoutError(), ConnectionResetError("reset")])
def test_foreign_errors_are_translated(error):
    """Whatever the operating system says too."""
    with pytest.raises(StoreError, match="milvus: search failed") as failure, translated("search"):
        raise error
    assert failure.value.__cause__ is error
    with pytest.raises(KeyError), translated("insert"):
        raise KeyError("a mistake of ours")


def test_long_reasons_are_cut():
    """Some messages of pymilvus hold whole rows, which are somebody's memories."""
    with pytest.raises(StoreError) as failure, translated("insert"):
        raise OSError("x" * 10_000)
    assert len(str(failure.value)) < 400


@pytest.mark.process
@pytest.mark.skipif(FACTOR < WHOLE, reason="seconds of silence: `make soak`")
def test_an_idle_client_that_pings_stays_connected(lite_address):
    """However often and long: the server does not end it with `too_many_pings`."""
    states: list[grpc.ChannelConnectivity] = []
    channel = grpc.insecure_channel(
        lite_address,
        options=[
            ("grpc.keepalive_time_ms", 1000),  # the least that gRPC allows
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.max_pings_without_data", 0),
        ],
    )
    channel.subscribe(states.append, try_to_connect=True)
    time.sleep(7)  # by default the fourth ping ends the connection
    channel.close()
    ready = grpc.ChannelConnectivity.READY
    assert ready in states
    assert states[states.index(ready) :] == [ready]
