"""A port that is kept for the workers."""

from __future__ import annotations

import socket

import pytest

from recollect.proxy.workers.port import reserved


def _bound(port: int, *, share: bool) -> socket.socket:
    found = socket.socket()
    try:
        if share:
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        found.bind(("127.0.0.1", port))
    except OSError:
        found.close()
        raise
    return found


async def test_a_kept_port_is_for_the_workers_only() -> None:
    """Several may listen on it, nobody else; nobody is connected before one does."""
    async with reserved("127.0.0.1", 0) as port:
        with pytest.raises(ConnectionRefusedError), socket.socket() as client:
            client.connect(("127.0.0.1", port))
        with _bound(port, share=True) as one, _bound(port, share=True) as two:
            one.listen()
            two.listen()
            with pytest.raises(OSError, match="in use"):
                _bound(port, share=False)
    with _bound(port, share=False):
        pass
