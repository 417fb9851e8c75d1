"""The fence around injected memories, which the author of a memory cannot guess. Pure."""

from __future__ import annotations

import hashlib
import hmac

from recollect.memory.learn import PREAMBLE, tags

MARK_DIGITS = 12
"""48 bits of the keyed hash. Each guess needs its own recalled memory."""
_WIDEST = "0a" * (MARK_DIGITS // 2)
"""Digits and letters never share a token, so no mark has more tokens than this."""


class Fence:
    """Tags that carry a hash of what they enclose, keyed by a secret of the installation.

    The same lines have the same tags, so prompt caches stay valid. A memory that quotes the tags of
    an earlier block changes the tags of its own block.
    """

    def __init__(self, secret: bytes) -> None:
        self._key = hashlib.sha256(b"recollect fence " + secret).digest()

    def around(self, lines: str, preamble: str = PREAMBLE) -> str:
        """The whole message around these lines, each of which ends with a line break."""
        digest = hmac.new(self._key, lines.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return _frame(digest.hexdigest()[:MARK_DIGITS], lines, preamble)


def frame() -> str:
    """The message without memories; no fence has more tokens."""
    return _frame(_WIDEST, "")


def _frame(mark: str, lines: str, preamble: str = PREAMBLE) -> str:
    opening, closing = tags(mark)
    return f"{opening}\n{preamble}\n{lines}{closing}"
