"""Redacts and bounds texts before they are written. Pure except for its log.

Of a very long text only the beginning and the end are redacted, each with a margin, so that no part
of a secret is kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from recollect.memory.learn import strip_injected
from recollect.memory.model.messages import shorten

log = logging.getLogger(__name__)

Redact = Callable[[str], str]

NOT_KEPT = "[not kept: it could not be redacted]"
CUT = "\n[...]\n"
"""The mark of a cut, as in `recollect.memory.model.messages.shorten`."""
MARGIN = 4096
"""Characters redacted beyond those kept; the longest secret, a 4,096-bit RSA key in PEM, has
3,272."""


class Redacting:
    """Redacts texts and counts failures. Thread-safe."""

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact
        self.failures = 0

    def __call__(self, text: str, limit: int) -> str:
        """At most about `limit` characters of the redacted text. Never raises."""
        if len(text) <= limit + 2 * MARGIN:
            return shorten(self._clean(text), limit)
        half = limit // 2
        head = self._clean(text[: half + MARGIN])
        tail = self._clean(text[-(half + MARGIN) :])
        if NOT_KEPT in (head, tail):
            return NOT_KEPT
        # A secret cut at the edge of the window is within its last `MARGIN` characters.
        head = head[: max(0, min(half, len(head) - MARGIN))]
        tail = tail[max(MARGIN, len(tail) - half) :]
        return f"{head}{CUT}{tail}"

    def _clean(self, text: str) -> str:
        # Lone surrogates are valid JSON and invalid UTF-8: no store takes them.
        plain = strip_injected(text).encode("utf-8", "replace").decode()
        return plain if self._redact is None or not plain else self._redacted(self._redact, plain)

    def _redacted(self, redact: Redact, text: str) -> str:
        try:
            return _checked(redact(text))
        except Exception as error:  # noqa: BLE001 - whatever it is, the raw text must not get through
            self.failures += 1
            # The error's message may contain the text.
            log.error("a text is not kept, redacting it failed: %s", type(error).__name__)  # noqa: TRY400
            return NOT_KEPT


def _checked(redacted: object) -> str:
    if not isinstance(redacted, str):
        raise TypeError("a redactor gives text")
    return redacted


class Once:
    """Redacts each text of a turn once. `before` is `kept` of the turn's last request."""

    def __init__(self, redacting: Redacting, before: Mapping[int, str]) -> None:
        self._redacting = redacting
        self._before = before
        self.kept: dict[int, str] = {}
        """Redacted texts by the hash of the original."""

    def __call__(self, text: str, limit: int) -> str:
        """As `Redacting`; a known text may be cut further."""
        known = self._before.get(hash(text))
        if known is None:
            known = self._redacting(text, limit)
        elif len(known) > limit + len(CUT):
            known = shorten(known, limit)
        self.kept[hash(text)] = known
        return known

    def work(self, text: str, limit: int) -> int:
        """The number of characters to redact."""
        return 0 if hash(text) in self._before else min(len(text), limit + 2 * MARGIN)
