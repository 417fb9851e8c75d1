"""Three real nodes as one: everything works in a Redis Cluster too; the rest is in the contract."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from recollect.memory.state.redis import open_redis_state
from tests.memory.state.contracts.job_model import JobModel, Step
from tests.memory.state.redis.test_keys import use_everything
from tests.memory.state.samples import turn
from tests.support.redis_server import RedisServer
from tests.support.waiting import until, wait_until

pytestmark = pytest.mark.process

SLOTS = 16384


def form_cluster(nodes: list[RedisServer]) -> None:
    """Give each node its share of the slots and let them meet."""
    share = SLOTS // len(nodes)
    for number, node in enumerate(nodes):
        end = SLOTS if node is nodes[-1] else (number + 1) * share
        node.command("CLUSTER", "ADDSLOTS", *map(str, range(number * share, end)))
        node.command("CLUSTER", "MEET", "127.0.0.1", str(nodes[0].port))

    def formed() -> bool:
        states = [node.command("CLUSTER", "INFO") for node in nodes]
        return all(b"cluster_state:ok" in s and b"known_nodes:3" in s for s in states)

    wait_until(formed, "the cluster")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    nodes = [RedisServer(tmp_path_factory.mktemp("node"), cluster_enabled="yes") for _ in range(3)]
    try:
        for node in nodes:
            node.start()
        form_cluster(nodes)
        yield nodes
    finally:
        for node in nodes:
            node.stop()


@pytest.fixture
async def state(cluster):
    for node in cluster:
        node.command("FLUSHALL")
    opened = await open_redis_state(cluster[0].url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()


async def test_everything_works(cluster, state):
    """Each method runs, it is found out by itself that this is a cluster, and capture spreads."""
    assert (await state.wire.facts()).cluster
    await use_everything(state)
    for number in range(50):
        await state.conversations.record(turn("a", f"conversation {number}"))
    await state.jobs.erase("local")
    model = JobModel(uuid.uuid4().hex)
    for number in range(60):
        await model.take(
            Step(("put", "claim", "ack", "retry", "clock")[number % 5], number % 6), state.jobs
        )
        await model.compare(state.jobs)
    counts = [int(node.command("DBSIZE")[1:].strip()) for node in cluster]
    assert min(counts) > 10


async def test_processes_at_different_nodes_hear_each_other(cluster):
    """Whatever node a process was told: it is there for all, and answers."""
    states = [await open_redis_state(each.url, prefix="test:", turn_ttl_days=1) for each in cluster]
    listening = [asyncio.ensure_future(state.replicas.listen()) for state in states]
    names = {state.replicas.name for state in states}

    async def all_answer() -> bool:
        heard = [
            {*(await each.replicas.ask_all("anything")), each.replicas.name} for each in states
        ]
        return all(each == names for each in heard)

    await until(all_answer)
    for each in listening:
        each.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    for state in states:
        await state.close()
