"""Reads the names that a request gives its user and its conversation. Pure.

A name that is there and cannot be one raises: whoever sent it meant somebody, so it is nobody, and
never the default user, whom everybody shares.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from recollect.config.server import IdentityOptions
from recollect.memory.model.errors import InvalidInputError

from ..dialects.body import RequestBody

USER_HEADER = "x-recollect-user"
SESSION_HEADER = "x-recollect-session"
_PLACEHOLDER = re.compile(r"\{\{.*\}\}|\$\{.*\}", re.DOTALL)


def named_user(
    headers: Mapping[str, str], body: RequestBody, options: IdentityOptions
) -> str | None:
    """The user that a request names: in a trusted header, else in the body; None for nobody.

    Raises:
        InvalidInputError: names the header or the field, which is there and is no name.
    """
    if (named := user_in_headers(headers, options)) is not None:
        return named
    return _user_in(body) if options.trust_body else None


def user_in_headers(headers: Mapping[str, str], options: IdentityOptions) -> str | None:
    """The user that a trusted header names; None for nobody. Raises as `named_user`."""
    for name in (USER_HEADER, *options.trusted_user_headers):
        if values := header_values(headers, name):
            if len(set(values)) > 1:
                # Of two, a server in front may have written the other one.
                raise InvalidInputError(name, "expected one value")
            return _name(name, values[0])
    return None


def named_session(
    headers: Mapping[str, str], body: RequestBody, options: IdentityOptions
) -> str | None:
    """The conversation that a request names; one that cannot be read is none.

    It only groups the turns of one user, so nobody else's are reached by a wrong one.
    """
    for name in (SESSION_HEADER, *options.trusted_session_headers):
        value = headers.get(name)
        if value and not _PLACEHOLDER.fullmatch(value):
            return value
    return body.session


def header_values(headers: Mapping[str, str], name: str) -> list[str]:
    """Every value of a header, in order; in a plain mapping there is at most one."""
    if name not in headers:
        return []
    return list(headers.getall(name)) if hasattr(headers, "getall") else [headers[name]]


def _user_in(body: RequestBody) -> str | None:
    """The first user that the body names, if all that it says of a user are names."""
    metadata = body.fields.get("metadata")
    within = metadata.get("user_id") if isinstance(metadata, dict) else None
    named = {
        "safety_identifier": body.fields.get("safety_identifier"),
        "user": body.fields.get("user"),
        "metadata.user_id": within,
    }
    names = [_name(field, value) for field, value in named.items() if value is not None]
    return names[0] if names else None


def _name(field: str, value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(field, "expected a non-empty string")
    if _PLACEHOLDER.fullmatch(value.strip()):
        # LibreChat sends `{{LIBRECHAT_USER_ID}}` as it is where it does not know the user.
        raise InvalidInputError(field, "is a placeholder that nobody filled in")
    return value
