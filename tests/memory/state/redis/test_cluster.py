"""Three real nodes as one: everything works in a Redis Cluster too."""

from __future__ import annotations

import pytest

from recollect.memory.state.redis import open_redis
from tests.support.redis_server import RedisServer
from tests.support.waiting import HANG_SECONDS, wait_until

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


async def test_everything_works(cluster):
    """Each method runs, it is found out by itself that this is a cluster, and all nodes take part."""
    bus, admission = await open_redis(cluster[0].url, "test:")
    assert (await bus._wire.facts()).cluster
    for number in range(50):
        taken = await admission.take(f"t{number}", "u", burst=9, per_second=0.001)
        assert taken.allowed
    counts = [int(node.command("DBSIZE")[1:].strip()) for node in cluster]
    assert min(counts) > 10
    await bus.close()


async def test_processes_at_different_nodes_hear_each_other(cluster):
    """Whatever node a process tells, those at the others hear it."""
    buses = [(await open_redis(each.url, "test:"))[0] for each in cluster]
    listeners = [await bus.listen("news") for bus in buses]
    for number, bus in enumerate(buses):
        await bus.publish("news", str(number))
    for listener in listeners:
        heard = {await listener.receive(HANG_SECONDS) for _ in buses}
        assert heard == {"0", "1", "2"}
        await listener.close()
    for bus in buses:
        await bus.close()
