"""Free ports."""

import contextlib
import socket


def free_port() -> int:
    """A loopback port nobody uses at the moment."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Ports nobody uses at the moment, all different."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [int(probe.getsockname()[1]) for probe in probes]
