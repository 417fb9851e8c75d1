"""Decodes texts that are hidden in base64."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator
from itertools import islice

import regex

MAX_DECODED = 4_000
"""Characters of a decoded text that are judged."""
MAX_PAYLOADS = 16
"""Decoded runs of one text that are judged."""
_BASE64 = regex.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_PRINTABLE = 0.9


def payloads(text: str) -> Iterator[str]:
    """The readable texts decoded from runs of `text`, bounded in number and length."""
    for found in islice(_BASE64.finditer(text), MAX_PAYLOADS):
        decoded = _base64(found.group()[: MAX_DECODED * 2])
        if decoded and _is_readable(decoded):
            yield decoded[:MAX_DECODED]


def _base64(run: str) -> str:
    clean = run.rstrip("=").replace("-", "+").replace("_", "/")
    clean = clean[: len(clean) - (len(clean) % 4 == 1)]
    try:
        return base64.b64decode(clean + "=" * (-len(clean) % 4)).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError):
        return ""


def _is_readable(text: str) -> bool:
    shown = sum(char.isprintable() or char in "\n\t" for char in text)
    return shown >= _PRINTABLE * len(text) and (not text.isascii() or " " in text)
