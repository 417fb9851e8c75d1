"""Checks of addresses and host names. Pure: no name is resolved."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence

from yarl import URL

from recollect.memory.util.hosts import is_address, is_host_name, is_loopback, is_private_name

__all__ = [
    "is_address",
    "is_among",
    "is_host_name",
    "is_loopback",
    "is_private_name",
    "leads_back",
]


def is_among(name: str, patterns: Sequence[str]) -> bool:
    """Whether a name is listed or is below a listed domain (`*.example.org`)."""
    return bool(patterns) and any(
        name.endswith(pattern[1:]) and len(name) >= len(pattern)
        if pattern.startswith("*.")
        else name == pattern
        for pattern in patterns
    )


def leads_back(base_url: str, host: str, port: int) -> bool:
    """Whether a request to `base_url` would reach a server bound to `host`:`port`."""
    url = URL(base_url)
    if url.port != port or url.host is None:
        return False
    target = url.host.lower()
    if _is_unspecified(host) or _is_unspecified(target):
        own = {"localhost", socket.gethostname().lower(), host.lower()}
        return is_loopback(target) or _is_unspecified(target) or target in own
    return target == host.lower() or (is_loopback(target) and is_loopback(host))


def _is_unspecified(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_unspecified
    except ValueError:
        return False
