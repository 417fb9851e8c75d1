"""Checks the request targets that are joined to the upstream's base URL. Pure."""

from __future__ import annotations

import re

from yarl import URL

from ..errors import ProxyError

API_PREFIX = "/v1"
"""The path of the clients' base URL."""

_DOT = re.compile("%2e", re.IGNORECASE)
_SEPARATOR = re.compile(r"%2f|%5c|\\", re.IGNORECASE)
"""Characters that some servers treat as a slash."""


def spellings(path: str) -> tuple[str, ...]:
    """The paths at which clients ask for a route, the route's own first.

    A base URL without `/v1` makes the second one, a client or a server in front that adds a slash
    the others.
    """
    short = path.removeprefix(API_PREFIX)
    return tuple(dict.fromkeys((path, short, f"{path}/", f"{short}/")))


def bad_path() -> ProxyError:
    """The error for a path that leads out of the API."""
    return ProxyError(400, "bad_path", "The request's path leads out of the API.")


def origin_form(target: str) -> str:
    """The path and query of a target in absolute form (RFC 9112 §3.2.2); its host is ignored.

    Raises:
        ProxyError: 400; the target has no path.
    """
    try:
        path = URL(target, encoded=True).raw_path_qs
    except ValueError:
        raise bad_path() from None
    if not path.startswith("/"):
        raise bad_path()
    return path


def leaves_base(raw_path: str) -> bool:
    """Whether dot segments may lead out of the base URL's path.

    Servers differ in what they decode first and in whether they merge slashes, so a path counts as
    leaving if any reading of it leaves.
    """
    path = _DOT.sub(".", raw_path.partition("?")[0].partition("#")[0])
    if ".." not in path:
        return False
    depth = 0
    for segment in path.removeprefix(f"{API_PREFIX}/").split("/"):
        depth += _steps(segment)
        if depth < 0:
            return True
    return False


def _steps(segment: str) -> int:
    """The least depth a segment adds; parameters after `;` are ignored."""
    names = [name.partition(";")[0] for name in _SEPARATOR.split(segment)]
    if (up := names.count("..")) > 0:
        return -up
    return int(any(name not in {"", "."} for name in names))
