"""Free ports, of those that the kernel gives to nobody by itself.

A server that is started on one binds it a moment later, or again after a kill. A port that the
kernel chooses may meanwhile be chosen for a connection, or for another test's server.
"""

import contextlib
import random
import socket

LOWEST, HIGHEST = 10_000, 32_000
"""Below what Linux (from 32,768) and others (from 49,152) choose from."""
_ANY = random.SystemRandom()


def free_port() -> int:
    """A loopback port nobody uses at the moment."""
    return free_ports(1)[0]


def free_ports(count: int) -> list[int]:
    """Ports nobody uses at the moment, all different."""
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        return [_bound(probe) for probe in probes]


def _bound(probe: socket.socket) -> int:
    while True:
        port = _ANY.randint(LOWEST, HIGHEST)
        with contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
