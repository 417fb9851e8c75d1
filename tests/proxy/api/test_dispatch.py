"""From a request to its operation: who may, what is refused, and how."""

import pytest

from recollect.memory.owner import Owner
from recollect.proxy.access.rights import Grant, Right
from recollect.proxy.api.openapi import ALL as OPERATIONS
from tests.proxy.api.serving import add, detail


@pytest.mark.parametrize("right", [Right.NONE, Right.READ, Right.WRITE])
async def test_an_operation_needs_its_right(client, monkeypatch, right):
    """With a lesser one it is refused before anything is read of the request: 403."""
    known = await add(client, "green tea")
    grant = Grant(Owner("local"), right)
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)
    refused = [operation for operation in OPERATIONS if operation.right > right]
    assert refused
    for operation in refused:
        path = operation.path.format(memory_id=known, job_id="x", task_id="x")
        answer = await client.request(operation.method, path, data=b"no JSON")
        status, told = await detail(answer)
        assert (status, f"`{operation.right.word}`" in told) == (403, True), operation
    monkeypatch.undo()
    assert (await client.get(f"/v1/memories/{known}")).status == 200
