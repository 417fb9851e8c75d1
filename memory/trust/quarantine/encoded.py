"""Decodes hidden texts: base64, hex, percent, entities, leet, rot13, spaced and reversed."""

from __future__ import annotations

import base64
import binascii
import codecs
import html
from collections.abc import Iterator
from urllib.parse import unquote

import regex

from recollect.memory.language import from_packs, packs

MAX_DECODED = 4_000
"""Characters of a decoded text that are judged."""
MAX_PAYLOADS = 16
"""Decoded runs of one text that are judged."""
_BASE64 = regex.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_HEX = regex.compile(r"(?:[0-9a-fA-F]{2}[ :]?){10,}")
_ESCAPES = regex.compile(r"(?:\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4})")
_PERCENT = regex.compile(r"(?:%[0-9a-fA-F]{2}[^\s%]{0,12}){3,}")
_ENTITIES = regex.compile(r"(?:&#x?[0-9a-fA-F]+;){3,}")
_LEET_WORD = regex.compile(r"\b(?=\w*[a-z@$])(?=\w*[0134579@$])[a-z0134579@$]{3,}\b")
_LEET = str.maketrans("0134579@$", "oieastgas")
_SPACED = regex.compile(r"(?:\b\w[ .\-_*]){4,}\w\b")
_GAPS = regex.compile(r"(?<=\w)[ .\-_*](?=\w(?:[ .\-_*]|\b))")
_LETTERS = 3
"""Of the shortest stop word: rotated words of two letters are often others."""
_MANY = 2
_PRINTABLE = 0.9
_MIN_SPACES = 1


def payloads(text: str) -> Iterator[str]:
    """The readable texts decoded from runs of `text`, bounded in number and length."""
    count = 0
    for pattern, decode in (
        (_BASE64, _base64), (_HEX, _hex), (_PERCENT, unquote), (_ENTITIES, html.unescape),
    ):  # fmt: skip
        for found in pattern.finditer(text):
            decoded = decode(found.group()[: MAX_DECODED * 2])
            if decoded and _is_readable(decoded):
                count += 1
                yield decoded[:MAX_DECODED]
            if count >= MAX_PAYLOADS:
                return
    if len(_ESCAPES.findall(text[:MAX_DECODED])) > MAX_PAYLOADS // 4:
        yield _ESCAPES.sub(_character, text[:MAX_DECODED])


def disguises(text: str) -> Iterator[str]:
    """`text` decoded from leet, spaced letters, rot13 and reversal, if it looks like these."""
    if len(text) > MAX_DECODED:
        return
    lower = text.lower()
    if len(_LEET_WORD.findall(lower)) >= _MANY:
        yield _LEET_WORD.sub(lambda found: found.group().translate(_LEET), lower)
    if _SPACED.search(text):
        yield _SPACED.sub(lambda found: _GAPS.sub("", found.group()), text)
    if text.isascii():
        readable = _stop_words(text)
        others = (codecs.decode(text, "rot13"), text[::-1])
        yield from (other for other in others if _stop_words(other) > readable)


def _stop_words(text: str) -> int:
    """How many words of `text` are everybody's: a rotated or reversed text has few."""
    known = _known()
    return sum(word in known for word in text.lower().split())


@from_packs
def _known() -> frozenset[str]:
    words = (word for pack in packs().values() for word in pack.words.stop)
    return frozenset(word for word in words if len(word) >= _LETTERS)


def _character(escape: regex.Match[str]) -> str:
    return chr(int("0" + escape.group()[1:].replace("u", "x"), base=0))


def _base64(run: str) -> str:
    clean = run.rstrip("=").replace("-", "+").replace("_", "/")
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return base64.b64decode(clean + "=" * (-len(clean) % 4)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _hex(run: str) -> str:
    digits = run.replace(" ", "").replace(":", "")
    try:
        return bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-8")
    except (ValueError, UnicodeDecodeError):
        return ""


def _is_readable(text: str) -> bool:
    shown = sum(char.isprintable() or char in "\n\t" for char in text)
    return shown >= _PRINTABLE * len(text) and (
        not text.isascii() or text.count(" ") >= _MIN_SPACES
    )
