"""Addresses: what is loopback, and what leads back to ourselves. Pure, no name is looked up."""

from __future__ import annotations

import ipaddress
import socket

from yarl import URL


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound to `host`."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


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
