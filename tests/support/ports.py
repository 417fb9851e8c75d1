"""Free ports."""

import socket


def free_port() -> int:
    """A loopback port nobody uses at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
