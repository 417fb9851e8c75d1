"""The port of metrics."""

import re
import socket

import aiohttp

from recollect.proxy.telemetry.port import metrics_port

HOST = "127.0.0.1"


async def text():
    return "# TYPE recollect_x gauge\nrecollect_x 1\n"


def free():
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return probe.getsockname()[1]


async def test_a_taken_port(caplog):
    """A free one is taken, and the line names both, and the key."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with metrics_port(HOST, port, text), aiohttp.ClientSession() as client:
            [found] = re.findall(r"http://\S+/metrics", caplog.text)
            async with client.get(found) as answer:
                assert (await answer.text()) == await text()
    assert f"port {port} is taken" in caplog.text
    assert "telemetry.metrics" in caplog.text


async def test_an_address_of_another_machine_is_a_warning(caplog):
    """Chats do not depend on being watched; the line names the key."""
    async with metrics_port("192.0.2.1", free(), text):
        pass
    assert "no metrics: cannot listen on 192.0.2.1" in caplog.text
    assert "telemetry.metrics" in caplog.text
