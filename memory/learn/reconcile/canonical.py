"""Text without what does not change its meaning."""

from __future__ import annotations

import unicodedata

import regex


def canonical(text: str) -> str:
    """The text without what does not change its meaning: case, width, spacing, punctuation."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(regex.findall(r"[\p{L}\p{M}\p{N}$€£¥%+#-]+", folded))
