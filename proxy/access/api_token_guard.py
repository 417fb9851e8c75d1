"""Finds this server's tokens in a request that is about to go upstream. Pure.

The upstream must never see `api.token` or an admin token, wherever a client puts them: searched are
the whole head (target and headers, names and values, also decoded) and the bytes of the body.

Admin tokens are known by their form. `api.token` may be any text. One that is long enough not to be
a word of something else is found anywhere; a shorter one only as a whole piece, such as a segment
of the path or a name in the query, and not in bodies. How long a search takes depends on the length
of the token and on where it has letters and digits, never on which they are: only whole candidates
are compared with it, in constant time.
"""

from __future__ import annotations

import base64
import binascii
import contextlib
import hmac
import re
import string
from collections.abc import AsyncIterator, Iterable, Iterator
from urllib.parse import unquote_to_bytes

from ..errors import ProxyError
from ..transport.headers import RawHeaders
from .tokens import ADMIN_TOKEN_CHARS, PREFIX, holds_admin_token

LONG_CHARS = 16
"""A token of this length is found inside other text, too."""
BEGUN_CHARS = 8
"""Fewer characters are held back of no body: they are words of anything."""
_DECODINGS = 3
"""Proxies in a row may each decode a target; more of them are not expected."""
_LETTERS = (string.ascii_letters + string.digits).encode()
_SHAPE = bytes(ord("x") if byte in _LETTERS else ord(" ") for byte in range(256))
"""Letters and digits become `x`, everything else a space: so a token stands apart."""
_BEGUN = re.compile(rb"rct_(?:[0-9a-f]{0,12}|[0-9a-f]{12}_[A-Za-z0-9_-]{0,42})\Z")
"""The beginning of an admin token."""
_ADMIN = PREFIX.encode()
_IN_HEADER = (rb" \t\n=:.\"',;", rb"[ \t\"']*(?:[\n,;]|\Z)")
"""What is before and behind a short token: a scheme, the name of a cookie, a prefix; quotes."""
_IN_TARGET = (rb"/?&=;,:#@+ \"'.", rb"[/?&=;,:#@+ \"'\\]|\Z")


class OwnTokenError(ProxyError):
    """401: a request has a token of this server."""

    def __init__(self, what: str, code: str, message: str) -> None:
        super().__init__(401, code, message)
        self.what = what
        """Which one, for the log."""


class ApiTokenGuard:
    """What must not go upstream: admin tokens, and `api.token` if it is set."""

    def __init__(self, token: str | None = None) -> None:
        self._token = None if token is None else token.encode("utf-8", "surrogateescape")
        self._anywhere = self._token is not None and len(self._token) >= LONG_CHARS
        secret = self._token or b""
        self._outline = b" " + secret.translate(_SHAPE) + b" "
        self._header = _pieces(len(secret), *_IN_HEADER)
        self._target = _pieces(len(secret), *_IN_TARGET)
        self._longest = max(ADMIN_TOKEN_CHARS, len(secret))

    def in_head(self, target: str, headers: RawHeaders) -> OwnTokenError | None:
        """The refusal of a request with this target and these headers; None if it has none."""
        path = target.encode("utf-8", "surrogateescape")
        lines = b"\n".join([piece for header in headers for piece in header])
        if self._token is None and not _may_hide(b"%b\n%b" % (path, lines)):
            return None
        return self._found(_readings(path), self._target) or self._found(
            (*_readings(lines), *_basic(headers)), self._header
        )

    def in_body(self, data: bytes) -> OwnTokenError | None:
        """The same for a body, or a part of one."""
        if holds_admin_token(data):
            return _admin_token()
        return _api_token() if self._anywhere and self._is_in(data) else None

    async def passed(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks of a body as they come.

        What may be the beginning of a token is held back until more comes: when one is found, fewer
        than `BEGUN_CHARS` of its characters have gone.

        Raises:
            OwnTokenError: the body has a token.
        """
        gone = held = b""
        async for chunk in chunks:
            text = gone + held + chunk
            if (found := self.in_body(text)) is not None:
                raise found
            keep = min(self._begun(text), len(held) + len(chunk))
            cut = len(text) - keep
            passed, held = text[len(gone) : cut], text[cut:]
            gone = text[max(0, cut - self._longest) : cut]
            if passed:
                yield passed
        if held:
            yield held

    def _found(self, texts: Iterable[bytes], piece: re.Pattern[bytes]) -> OwnTokenError | None:
        for text in texts:
            if holds_admin_token(text):
                return _admin_token()
            if self._token is not None and (
                self._is_in(text) if self._anywhere else self._is_piece(text, piece)
            ):
                return _api_token()
        return None

    def _begun(self, text: bytes) -> int:
        """How many of the last characters may be the beginning of a token."""
        text = text[-self._longest :]
        found = _BEGUN.search(text)
        admin = 0 if found is None else len(text) - found.start()
        if not self._anywhere:
            return admin
        outlines, whole = b" " + text.translate(_SHAPE), self._outline[:-1]
        sizes = range(min(len(text), len(whole) - 2), max(admin, BEGUN_CHARS) - 1, -1)
        # Its letters are not compared: how a body goes on must not tell whether they are right.
        return next((size for size in sizes if outlines.endswith(whole[: size + 1])), admin)

    def _is_in(self, text: bytes) -> bool:
        """Whether the token is in a text, with no letter or digit before or behind it."""
        token = self._token or b""
        outlines = b" " + text.translate(_SHAPE) + b" "
        found, at = False, outlines.find(self._outline)
        while at >= 0:
            found |= hmac.compare_digest(text[at : at + len(token)], token)
            at = outlines.find(self._outline, at + 1)
        return found

    def _is_piece(self, text: bytes, piece: re.Pattern[bytes]) -> bool:
        token, found = self._token or b"", False
        for one in piece.finditer(text):
            found |= hmac.compare_digest(one[1], token)
        return found


def _may_hide(text: bytes) -> bool:
    """Whether an admin token may be in a text: as it is, encoded, or as the name of a user."""
    return _ADMIN in text or b"%" in text or b"basic " in text.lower()


def _pieces(size: int, before: bytes, behind: bytes) -> re.Pattern[bytes]:
    """Every text of this size that is a piece of its own; they may overlap."""
    return re.compile(rb"(?<![^%b])(?=(.{%d})(?:%b))" % (before, size, behind), re.DOTALL)


def _readings(text: bytes) -> Iterator[bytes]:
    """A text as it is, and as it is after each decoding; a plus may be a space."""
    for _ in range(_DECODINGS + 1):
        yield text
        if b"+" in text:
            yield text.replace(b"+", b" ")
        if b"%" not in text:
            return
        text = unquote_to_bytes(text)


def _basic(headers: RawHeaders) -> Iterator[bytes]:
    """User names and passwords, as clients send them for `http://user:password@host`."""
    for _, value in headers:
        if value[:6].lower() == b"basic ":
            with contextlib.suppress(binascii.Error):
                user, _, password = base64.b64decode(value[6:].strip()).partition(b":")
                yield user
                yield password


def _api_token() -> OwnTokenError:
    return OwnTokenError(
        "api.token",
        "api_token",
        "This credential is the token of Recollect's memory API (api.token), which is never sent "
        "to the model server. Use the model provider's key for this request; if both are the same, "
        "give api.token a value of its own.",
    )


def _admin_token() -> OwnTokenError:
    return OwnTokenError(
        "an admin token",
        "admin_token",
        "This credential is an admin token of Recollect's memory API, which is never sent to the "
        "model server. Use the model provider's key for this request.",
    )
