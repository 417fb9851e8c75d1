"""What host names and addresses say of where a server is. Pure: no name is resolved."""

from __future__ import annotations

import functools
import ipaddress
import re
from urllib.parse import urlsplit

_HOST_CHARS = 255
"""No name is longer."""


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server bound to `host`."""
    if host == "localhost":
        return True
    # Every request has a host, and most have the same one.
    return _is_loopback(host) if len(host) <= _HOST_CHARS else _is_loopback.__wrapped__(host)


@functools.lru_cache(maxsize=256)
def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Whether `host` is an IP address; IPv6 may be in brackets."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?")
_NOT_PUBLIC = (".local", ".internal", ".home.arpa", ".localhost", ".svc")
"""Suffixes of names that nobody can register: RFC 6762, ICANN's `internal`, RFC 8375, RFC 6761, and
Kubernetes Services in the short form that pods use (`.cluster.local` matches the first)."""


def is_host_name(name: str) -> bool:
    """Whether `name` is a host name as in a `Host` header: ASCII, lower case."""
    return _NAME.fullmatch(name) is not None and ".." not in name


def is_private_name(name: str) -> bool:
    """Whether nobody can own this name in the public DNS: one label, or a reserved suffix."""
    return is_host_name(name) and ("." not in name or name.endswith(_NOT_PUBLIC))


def is_near(base_url: str) -> bool:
    """Whether a server is on this machine or in a network of one's own, as its address says."""
    host = (urlsplit(base_url).hostname or "").rstrip(".")
    if is_address(host):
        found = ipaddress.ip_address(host)
        return not found.is_global and not found.is_multicast
    return is_private_name(host)
