"""Canonical form of a text."""

from __future__ import annotations

import unicodedata

import regex


def canonical(text: str) -> str:
    """The text without differences of case, width, spacing and punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(regex.findall(r"[\p{L}\p{M}\p{N}$€£¥%+#-]+", folded))
