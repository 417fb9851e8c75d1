"""Whose memories a request to `/mcp` is about. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

from recollect.config.server import IdentityOptions
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.owner import Owner
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.model.types import Scope

from ..access.identity import (
    AGENT_HEADER,
    MEMORY_HEADER,
    TENANT_HEADER,
    Use,
    default_user,
    unknown_header,
    use_of,
)
from ..access.naming import SESSION_HEADER, USER_HEADER, user_in_headers

_HEADERS = {"user_id": USER_HEADER, "agent_id": AGENT_HEADER, "run_id": SESSION_HEADER}


def scope_of(
    headers: Mapping[str, str],
    query: str,
    identity: IdentityOptions,
    owner: Owner,
    *,
    on_loopback: bool,
) -> Scope:
    """The scope that the headers or the query (raw) name, within what is the owner's.

    A request without a user has the user of a chat without one.

    Raises:
        InvalidInputError: a name is malformed, given twice, or is none of ours.
        ForbiddenError: it names another user than that of its credential.
        ScopeError: it names nobody, and nobody is configured.
    """
    if (unknown := unknown_header(headers, identity, also=TENANT_HEADER)) is not None:
        raise InvalidInputError(unknown, "is no header of Recollect")
    named = {
        "user_id": user_in_headers(headers, identity),
        "agent_id": headers.get(AGENT_HEADER),
        "run_id": headers.get(SESSION_HEADER),
    }
    for name, value in _queried(query).items():
        if named[name] not in (None, value):
            raise InvalidInputError(name, f"is given twice, also in {_HEADERS[name]}")
        named[name] = value
    if named["user_id"] is None and owner.user_id is None:
        named["user_id"] = default_user(identity, on_loopback=on_loopback)
    return owner.scope(**named)


def only_reads(headers: Mapping[str, str]) -> bool:
    """Whether the request asks for reading only. Raises InvalidInputError."""
    use = use_of(headers.get(MEMORY_HEADER))
    if use is None or not use.reads:
        raise InvalidInputError(MEMORY_HEADER, "expected on or read")
    return use is Use.READ


def _queried(query: str) -> dict[str, str]:
    """The ids in the query of a URL."""
    found: dict[str, str] = {}
    for name, value in parse_qsl(query, keep_blank_values=True):
        if name not in SCOPE_IDS:
            raise InvalidInputError(
                name or "query", f"is no field here; expected some of {', '.join(SCOPE_IDS)}"
            )
        if name in found:
            raise InvalidInputError(name, "is given twice")
        found[name] = value
    return found
