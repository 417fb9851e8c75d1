"""Finds tokens by their look alone: letters and digits that no person would make up."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from itertools import pairwise

import regex

from ..findings import Finding
from .gates import matches
from .placeholders import is_placeholder
from .shapes import Shape, shape
from .view import View

_TOKEN = regex.compile(
    r"(?<![A-Za-z0-9_/@.:$=&\\-])(?<!base64,)(?=[A-Za-z_.-]{0,24}\d)[A-Za-z0-9][A-Za-z0-9_-]*+(?:\.[A-Za-z0-9_-]+)*+"
    r"(?![A-Za-z0-9_/@\\:]|\.[A-Za-z0-9_])"
)
_PUBLIC = regex.compile(
    # keys and pictures in base64, addresses of coins, identifiers of payment and chat services
    r"MII|iVBOR|bc1|ltc1|0x|(?:evt|pi|cus|ch|in|sub|prod|price|req|acct|txn|tr|ord|inv|msg|run|thread"
    r"|file|asst|call|resp|chatcmpl|ami|vpc|subnet|sg|vol|snap|eni|sha|rev|img|ver)[_-]"
)
_TELLING = regex.compile(r"(?:^|[-_.])(?:sk|pk|rk|key|token|secret|live|prod|test)[-_.]")
"""Before digits and letters of one case, which may as well be an identifier of a machine."""
_PREFIXED = regex.compile(r"[A-Za-z]{2,5}[-_][a-z0-9]{12,40}")
"""A prefix and one piece, unlike names of machines, which have more."""
_BOT = regex.compile(r"(?<![A-Za-z0-9_])\d{6,10}:[A-Za-z0-9_-]{18,46}(?![A-Za-z0-9_])")
"""The number of a bot, and its token."""
_HEX = regex.compile(r"[0-9a-fA-F-]+")
_SHORTEST = 14
_LONG = re.compile(r"(?<![\w/@.:$=&\\-])[A-Za-z0-9][\w.-]{13}")
"""The beginning of a token, for a first look."""
_PIECES = regex.compile(r"[-_.:]")
_PIECE = 8
_CHANGES = 4
"""Changes between capitals, small letters and digits in a piece; names of products have fewer."""
_CAMEL = 0.4
"""Changes a character in words that are joined by capitals: "GreenBayFan99"."""


def find_random(view: View) -> Iterator[Finding]:
    """Tokens without a known prefix: kind `token`."""
    for match in matches(_TOKEN, _LONG, view.text):
        text = match.group()
        if len(text) >= _SHORTEST and _is_random(text):
            yield Finding(*match.span(), "token")
    for match in _BOT.finditer(view.text):
        if any(_is_mixed(piece, told=False) for piece in _PIECES.split(match.group())):
            yield Finding(*match.span(), "token")


def is_public(text: str) -> bool:
    """Whether it is a hash, or an identifier that services show to everybody."""
    return bool(_PUBLIC.match(text) or _HEX.fullmatch(text))


def _is_random(text: str) -> bool:
    """Whether a piece of it changes too often, and it is no hash, address or placeholder."""
    if is_public(text) or _is_readable(text):
        return False
    told = (_TELLING.search(text) or _PREFIXED.fullmatch(text)) is not None
    if not any(_is_mixed(piece, told=told) for piece in _PIECES.split(text)):
        return False
    return shape(text) >= Shape.LIKELY and not is_placeholder(text)


def _is_mixed(piece: str, *, told: bool) -> bool:
    if len(piece) < _PIECE:
        return False
    kinds = [0 if char.isdigit() else 1 if char.isupper() else 2 for char in piece]
    changes = sum(one != next_ for one, next_ in pairwise(kinds))
    cases = {1, 2}.issubset(kinds)
    if cases and changes <= len(piece) * _CAMEL:
        return False
    return 0 in kinds and (cases or told) and changes >= _CHANGES


def _is_readable(text: str) -> bool:
    """Whether it is base64 of a plain text."""
    clean = text.rstrip("=")
    try:
        read = base64.b64decode(clean + "=" * (-len(clean) % 4), altchars=b"-_", validate=True)
        return read.decode("ascii").isprintable()
    except (binascii.Error, UnicodeDecodeError):
        return False
