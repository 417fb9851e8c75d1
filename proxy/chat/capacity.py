"""Whether this machine keeps up with its recalls, from counts of the last minutes.

Pure but its clock.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from recollect.memory.model.errors import RecollectError

SPAN_SECONDS = 10.0
"""Recalls are counted in spans of this length."""
SPANS = 30
"""Spans that are looked at: five minutes."""
BAD_SPANS = 6
"""So many bad spans among them are more than a burst: a minute."""
LOST_SHARE = 0.1
"""Share of lost recalls in a bad span, and their least number."""
LOST = 3
AGAIN_SECONDS = 300.0
"""Shortest time between two warnings."""


class MachineTooSmallError(RecollectError):
    """Many recalls are refused or late, and have been for a while."""

    code = "machine_too_small"
    advice = (
        "many chats went without memories for minutes, because recalls were late or too many: give "
        "the process more CPU (a container's limit counts, not its node), add replicas, or use a "
        "remote embedder; a larger recall.deadline_ms holds chats longer and keeps more memories"
    )


@dataclass(slots=True)
class _Span:
    number: int
    kept: int = 0
    lost: int = 0

    @property
    def is_bad(self) -> bool:
        return self.lost >= LOST and self.lost >= LOST_SHARE * (self.kept + self.lost)


class Capacity:
    """Counts recalls that were kept, refused because of others (`busy`) and `late`."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._spans: deque[_Span] = deque(maxlen=SPANS)
        self._counted = {"kept": 0, "busy": 0, "late": 0}
        self._warned = -AGAIN_SECONDS

    @property
    def counted(self) -> Mapping[str, int]:
        """Recalls since the start."""
        return self._counted

    def kept(self) -> None:
        """A recall ended in time."""
        self._counted["kept"] += 1
        self._span().kept += 1

    def busy(self) -> None:
        """A recall was refused, because others ran."""
        self._counted["busy"] += 1
        self._span().lost += 1

    def late(self) -> None:
        """A recall was cancelled at its deadline."""
        self._counted["late"] += 1
        self._span().lost += 1

    @property
    def is_short(self) -> bool:
        """Whether a share of recalls was lost in many of the last spans."""
        since = self._number() - SPANS
        return sum(s.is_bad for s in self._spans if s.number > since) >= BAD_SPANS

    def warning(self) -> tuple[int, int] | None:
        """Lost and all recalls of the last minutes if a warning is due; it counts as given."""
        if self._clock() - self._warned < AGAIN_SECONDS or not self.is_short:
            return None
        self._warned = self._clock()
        lost = sum(span.lost for span in self._spans)
        return lost, lost + sum(span.kept for span in self._spans)

    def _number(self) -> int:
        return int(self._clock() // SPAN_SECONDS)

    def _span(self) -> _Span:
        number = self._number()
        if not self._spans or self._spans[-1].number != number:
            self._spans.append(_Span(number))
        return self._spans[-1]
