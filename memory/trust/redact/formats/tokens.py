# ruff: noqa: E501
"""Finds keys and tokens: by their vendor's prefix, by their fences, or because they look random.

Prefixes and shapes are those that vendors document for secret scanners; they stand in `vendors.toml`.
"""

from __future__ import annotations

import base64
import binascii
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise

from ....util import lazy_regex as regex
from .shapes import Shape, is_placeholder, shape
from .view import Finding, View, matches

_WIFI = regex.compile(r"WIFI:(?:[TSHtsh]:[^;\n]{0,64};){0,3}P:\K(?:\\.|[^;\\\n]){1,80}")
_SHORTEST = 16
"""Least length of a token."""
_DISCORD = regex.compile(r"(?<![\w.-])[MNO][\w-]{22,27}\.[\w-]{6}\.[\w-]{27,40}(?![\w.-])")
_DISCORD_END = regex.compile(r"\.[\w-]{6}\.[\w-]{27}", regex.ASCII)
_JWT = regex.compile(r"(?<![\w-])eyJ[\w-]{8,}+\.[\w-]{6,}+(?:\.[\w-]*+){0,3}+", regex.ASCII)
_ELLIPSIS = ("...", "…")
_FEW = 24
"""A token shorter than this before an ellipsis is abbreviated."""
_WRITTEN = 12


_HEAD = 2
"""Letters of a prefix by which it is looked up."""
_WORD_START = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9](?=[!-~]{2})")


@cache
def vendors() -> Mapping[str, Mapping[str, str]]:
    """The tables of `vendors.toml` by their names."""
    text = resources.files(__package__).joinpath("vendors.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _by_head() -> Mapping[str, Sequence[tuple[str, regex.Pattern[str]]]]:
    """Prefixes by their first letters, longer ones first, with what follows them."""
    table: dict[str, list[tuple[str, regex.Pattern[str]]]] = {}
    for names, body in vendors()["prefixes"].items():
        for name in sorted(names.split(), key=len, reverse=True):
            table.setdefault(name[:_HEAD], []).append((name, regex.compile(body, regex.ASCII)))
    return table


@cache
def _by_part() -> Sequence[tuple[str, regex.Pattern[str]]]:
    """What a token contains, and the shape around it."""
    return [(part, regex.compile(s, regex.ASCII)) for part, s in vendors()["tokens"].items()]


def find_tokens(view: View) -> Iterator[Finding]:
    """API keys, web tokens and webhook addresses; their kinds are `api_key` and `token`."""
    text = view.text
    if "WIFI:" in text:
        yield from (Finding(*m.span(), "password") for m in _WIFI.finditer(text))
    long = "\n".join([word for word in text.split() if len(word) >= _SHORTEST])
    if long:
        yield from _find_long(text, long)


def _find_long(text: str, long: str) -> Iterator[Finding]:
    """Tokens in `text`; searches only for those that may occur in `long`, its long words."""
    yield from _prefixed(text)
    for part, pattern in _by_part():
        if part in long:
            yield from (Finding(*m.span(), "api_key") for m in pattern.finditer(text))
    if "eyJ" in long:
        yield from (Finding(*m.span(), "token") for m in _JWT.finditer(text))
    if _DISCORD_END.search(long):
        found = _DISCORD.finditer(text)
        yield from (Finding(*m.span(), "api_key") for m in found if is_random(m.group()))


def _prefixed(text: str) -> Iterator[Finding]:
    done, known = 0, _by_head()
    for word in _WORD_START.finditer(text):
        start = word.start()
        if start < done or (head := text[start : start + _HEAD]) not in known:
            continue
        bodies = (
            body.match(text, start + len(prefix))
            for prefix, body in known[head]
            if text.startswith(prefix, start)
        )
        if (match := next(filter(None, bodies), None)) is None:
            continue
        done = match.end()
        shortened = done - start < _FEW and text.startswith(_ELLIPSIS, done)
        if is_random(match.group()) and not shortened and not is_placeholder(text[start:done]):
            yield Finding(start, done, "api_key")


def is_random(body: str) -> bool:
    """Whether a token looks random: it has a digit, or changes case within a long word."""
    if is_placeholder(body) or len(set(body)) < min(5, len(body)):
        return False
    digits = any(char.isdigit() for char in body)
    mixed = body.upper() != body and body.lower() != body
    words = body.replace("_", "-").split("-")
    return digits or (mixed and any(len(word) > _WRITTEN for word in words))


_BEGIN = regex.compile(r"-{2,5}\ ?BEGIN\ (?:[A-Z0-9]++\ ){0,3}PRIVATE\ KEY(?:\ BLOCK)?\ ?-{2,5}")
_END = regex.compile(r"-{2,5}\ ?END\ (?:[A-Z0-9]++\ ){0,3}PRIVATE\ KEY(?:\ BLOCK)?\ ?-{2,5}")
_SEPARATOR = r"(?:\\[nrt]|[\s\\>|\"',+*#-])"
_BODY = regex.compile(
    rf"(?:{_SEPARATOR}*+(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset):[^\n\\]{{0,100}}+"
    r"|[A-Za-z0-9+/=]{16,}+))*+"
    rf"(?:{_SEPARATOR}{{1,6}}+(?=[a-z]{{0,15}}+[A-Z0-9+/=])[A-Za-z0-9+/=]{{1,15}}+(?![\w]))?+"
)
_MATERIAL = regex.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST = 16_000
_JWK = regex.compile(r'"(?:d|p|q|dp|dq|qi|k)"\s*+:\s*+"\K[\w-]{20,}+')


def find_private_keys(view: View) -> Iterator[Finding]:
    """Blocks with their fences, kind `private_key`; a fence without a key does not count."""
    text = view.text
    if "PRIVATE KEY" in text:
        yield from _blocks(text)
    if '"kty"' in text:
        yield from (Finding(*m.span(), "private_key") for m in _JWK.finditer(text))


def _blocks(text: str) -> Iterator[Finding]:
    ends = [match.span() for match in _END.finditer(text)]
    starts = [start for start, _ in ends]
    done = 0
    for begin in _BEGIN.finditer(text):
        if begin.start() < done:
            continue
        done = _block_end(text, begin.end(), ends, starts)
        if _MATERIAL.search(text, begin.end(), done):
            yield Finding(begin.start(), done, "private_key")


def _block_end(text: str, start: int, ends: list[tuple[int, int]], starts: list[int]) -> int:
    """The end of a block: its closing fence if near, else the end of the key material."""
    index = bisect_left(starts, start)
    body = _BODY.match(text, start)
    reach = body.end() if body else start
    if index < len(ends) and ends[index][0] - start <= _LONGEST:
        between = _BEGIN.search(text, start, ends[index][0])
        return reach if between else ends[index][1]
    return reach


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
_HEXADECIMAL = regex.compile(r"[0-9a-fA-F-]+")
_SHORTEST_RANDOM = 14
_LONG = re.compile(r"(?<![\w/@.:$=&\\-])[A-Za-z0-9][\w.-]{13}")
"""The beginning of a token, for a first look."""
_PIECES = regex.compile(r"[-_.:]")
_PIECE = 8
_PARTS = regex.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")
_WRITTEN_PART = 3
"""Letters or digits of a part, on average, from which a piece is words: "XiaomiMi11Lite"."""
_CHANGES = 4
"""Changes between capitals, small letters and digits in a piece; names of products have fewer."""
_CAMEL = 0.4
"""Changes a character in words that are joined by capitals: "GreenBayFan99"."""


def find_random(view: View) -> Iterator[Finding]:
    """Tokens without a known prefix: kind `token`."""
    for match in matches(_TOKEN, _LONG, view.text):
        text = match.group()
        if len(text) >= _SHORTEST_RANDOM and _is_random(text):
            yield Finding(*match.span(), "token")
    for match in _BOT.finditer(view.text):
        if any(_is_mixed(piece, told=False) for piece in _PIECES.split(match.group())):
            yield Finding(*match.span(), "token")


def is_public(text: str) -> bool:
    """Whether it is a hash, or an identifier that services show to everybody."""
    return bool(_PUBLIC.match(text) or _HEXADECIMAL.fullmatch(text))


def has_random_piece(text: str) -> bool:
    """Whether a piece of it changes between digits and letters as no word with a number does."""
    return any(_is_mixed(piece, told=True) for piece in _PIECES.split(text))


def _is_random(text: str) -> bool:
    """Whether a piece of it changes too often, and it is no hash, address or placeholder."""
    if is_public(text) or _is_readable(text):
        return False
    told = (_TELLING.search(text) or _PREFIXED.fullmatch(text)) is not None
    if not any(_is_mixed(piece, told=told) for piece in _PIECES.split(text)):
        return False
    return shape(text) >= Shape.LIKELY and not is_placeholder(text)


def _is_mixed(piece: str, *, told: bool) -> bool:
    if len(piece) < _PIECE or len(piece) >= _WRITTEN_PART * len(_PARTS.findall(piece)):
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
