"""Request targets: what may be joined to the upstream's base URL. Pure."""

from __future__ import annotations

import re

from yarl import URL

from ..errors import ProxyError

API_PREFIX = "/v1"
"""What clients have as the path of their base URL."""

_DOT = re.compile("%2e", re.IGNORECASE)
_SEPARATOR = re.compile(r"%2f|%5c|\\", re.IGNORECASE)
"""What some servers take for a slash as well."""


def bad_path() -> ProxyError:
    """The refusal of a path that means another place than it says."""
    return ProxyError(400, "bad_path", "The request's path leads out of the API.")


def origin_form(target: str) -> str:
    """The path and query of a target that names a host (RFC 9112 §3.2.2): that host is not ours.

    Raises:
        ProxyError: 400; there is no path in it.
    """
    try:
        path = URL(target, encoded=True).raw_path_qs
    except ValueError:
        raise bad_path() from None
    if not path.startswith("/"):
        raise bad_path()
    return path


def leaves_base(raw_path: str) -> bool:
    """Whether dot segments lead out of the base URL's path, for any server that resolves them.

    Servers differ in what they decode before they resolve and in whether they merge slashes, so a
    path counts as leaving if one of them could think so.
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
    """How far a segment leads down, at least; parameters after `;` are no part of its name."""
    names = [name.partition(";")[0] for name in _SEPARATOR.split(segment)]
    if (up := names.count("..")) > 0:
        return -up
    return int(any(name not in {"", "."} for name in names))
