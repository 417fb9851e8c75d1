"""Finds the memory API's tokens in a request that is about to go upstream. Pure.

The token is this server's secret: the upstream must never see it. It is searched in every header
and in the query, wherever clients put credentials, not only where the memory API reads it.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
from collections.abc import Iterator
from urllib.parse import unquote_plus

from ..transport.headers import RawHeaders
from .tokens import holds_admin_token

_ITEMS = re.compile(rb"[,;]")
_BEFORE = frozenset(b" \t=:.\"'")
"""What separates a secret from what is before it: a scheme, the name of a cookie, a prefix."""


def carries(secret: str, headers: RawHeaders, query: str) -> bool:
    """Whether a header or a field of the query has this secret; compared in constant time."""
    expected = secret.encode()
    found = False
    for text in _places(headers, query):
        found |= _ends_with(text, expected)
    return found


def carries_admin_token(headers: RawHeaders, query: str) -> bool:
    """Whether a header or the query has an admin token, whoever made it."""
    for _, value in headers:
        if holds_admin_token(value):
            return True
        if value[:6].lower() == b"basic " and any(map(holds_admin_token, _basic(value[6:]))):
            return True
    return bool(query) and holds_admin_token(unquote_plus(query).encode("utf-8", "surrogateescape"))


def _places(headers: RawHeaders, query: str) -> Iterator[bytes]:
    for _, value in headers:
        yield value
        if b"," in value or b";" in value:
            yield from _ITEMS.split(value)
        scheme, _, rest = value.partition(b" ")
        if scheme.lower() == b"basic":
            yield from _basic(rest)
    if query:
        for field in query.split("&"):
            yield unquote_plus(field).encode("utf-8", "surrogateescape")


def _basic(credentials: bytes) -> Iterator[bytes]:
    """User name and password, as clients send them for `http://user:password@host`."""
    try:
        user, _, password = base64.b64decode(credentials.strip()).partition(b":")
    except binascii.Error:
        return
    yield user
    yield password


def _ends_with(text: bytes, secret: bytes) -> bool:
    text = text.strip(b" \t\"'")
    place = len(text) - len(secret)
    if place < 0 or (place > 0 and text[place - 1] not in _BEFORE):
        return False
    return hmac.compare_digest(text[place:], secret)
