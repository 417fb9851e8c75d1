"""What may be written down of a text: redacted, valid, bounded. Pure but for its log.

A text that is much too long is not redacted whole: of its beginning and its end somewhat more than
is kept is looked at, so that no secret is kept in half.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping

from recollect.memory.learn import strip_injected
from recollect.memory.messages import shorten

log = logging.getLogger(__name__)

Redact = Callable[[str], str]

NOT_KEPT = "[not kept: it could not be redacted]"
CUT = "\n[...]\n"
"""What stands where a text was cut, as in `recollect.memory.messages.shorten`."""
MARGIN = 4096
"""Characters looked at beyond those kept; the longest secret there is, an RSA key of 4,096 bits in
PEM, has 3,272."""


class Redacting:
    """Prepares texts and counts those that could not be. Safe to use from several threads."""

    def __init__(self, redact: Redact | None = None) -> None:
        self._redact = redact
        self.failures = 0

    def __call__(self, text: str, limit: int) -> str:
        """At most about `limit` characters of `text` as it may be kept; never raises."""
        if len(text) <= limit + 2 * MARGIN:
            return shorten(self._clean(text), limit)
        half = limit // 2
        head = self._clean(text[: half + MARGIN])
        tail = self._clean(text[-(half + MARGIN) :])
        if NOT_KEPT in (head, tail):
            return NOT_KEPT
        # What was cut through at the edge of the window stands in its last characters.
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
            # Its message may hold the text.
            log.error("a text is not kept, redacting it failed: %s", type(error).__name__)  # noqa: TRY400
            return NOT_KEPT


def _checked(redacted: object) -> str:
    if not isinstance(redacted, str):
        raise TypeError("a redactor gives text")
    return redacted


class Once:
    """Prepares each text of a turn once, however often a client resends it.

    `before` is what `kept` was after the turn's last request.
    """

    def __init__(self, redacting: Redacting, before: Mapping[int, str]) -> None:
        self._redacting = redacting
        self._before = before
        self.kept: dict[int, str] = {}
        """Texts as they may be kept, by the hash of what they were."""

    def __call__(self, text: str, limit: int) -> str:
        """As `Redacting` does; a text that is known may be cut further."""
        known = self._before.get(hash(text))
        if known is None:
            known = self._redacting(text, limit)
        elif len(known) > limit + len(CUT):
            known = shorten(known, limit)
        self.kept[hash(text)] = known
        return known

    def work(self, text: str, limit: int) -> int:
        """How many characters will be looked at."""
        return 0 if hash(text) in self._before else min(len(text), limit + 2 * MARGIN)
