"""Decides how many calls may run at a time so that they end in time. Pure: times are given.

By Little's law, a part that finishes so many calls per second, with so many at a time, takes their
quotient for one. Each ended call shows both numbers, also on a machine whose share of a core is
unknown, so the bound is the number of calls that the part finishes within the wanted time. Calls
beyond it would make all of them late together.
"""

from __future__ import annotations

from dataclasses import dataclass

QUICK = 0.7
"""Share of the deadline within which the bounded calls should end: their times differ."""
SHOWN = 0.05
"""Weight of a call that shows that more could run."""
TRY = 0.01
"""Share by which every other call raises the bound, if the bound was in use: a remote part may take
long however few calls it has. Against `CUT`, about a tenth of the calls is late under overload."""
CUT = 0.2
"""Weight of a call that was cancelled at its deadline."""
LATE = 1.5
"""Such a call counts as this many times as long: nobody saw how long it would have taken."""
TOGETHER = 0.5
"""Share of a lone call's time that each of several calls takes: texts are embedded together, and a
lone call does not use two cores."""


@dataclass(frozen=True, slots=True)
class CallStart:
    """A running call: when it began, and the sum of all calls' times until then (seconds)."""

    began: float
    spent: float


@dataclass(frozen=True, slots=True)
class CallTiming:
    """An ended call: its seconds, and how many calls ran at a time meanwhile, itself included."""

    seconds: float
    together: float


class Admission:
    """The bound of calls that run at a time, between 1 and `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bound = float(most)
        self._running = 0
        self._spent = 0.0
        self._at = 0.0

    @property
    def bound(self) -> int:
        """How many calls may run at a time."""
        return max(1, round(self._bound))

    def enter(self, now: float) -> CallStart | None:
        """Begin a call; None if too many run."""
        if self._running >= self.bound:
            return None
        self._pass(now)
        self._running += 1
        return CallStart(now, self._spent)

    def leave(self, now: float) -> None:
        """End a call, however it ended."""
        self._pass(now)
        self._running -= 1

    def took(self, stay: CallStart, now: float) -> CallTiming:
        """How long a running call took until now, and beside how many others."""
        self._pass(now)
        seconds = now - stay.began
        return CallTiming(seconds, (self._spent - stay.spent) / seconds if seconds > 0 else 1.0)

    def learn(self, took: CallTiming, deadline: float, *, late: bool = False) -> None:
        """Move the bound by a call that ran to its end, or until its deadline if `late`.

        A late call lowers the bound, the less the fewer ran beside it: what few calls take says
        little about many. No other call does: perhaps no more calls arrived.
        """
        if took.seconds <= 0:
            return
        bearable = took.together * QUICK * deadline / took.seconds
        if late:
            weight = CUT * min(1.0, took.together / self._bound)
            self._set(self._bound + weight * min(0.0, bearable / LATE - self._bound))
        elif bearable > self._bound:
            self._set(self._bound + SHOWN * (min(bearable, self._most) - self._bound))
        elif took.together > self._bound - 1:
            self._set(self._bound * (1 + TRY))

    def start(self, alone: float, deadline: float) -> None:
        """Set the bound by the time of a lone call, before there are any."""
        if alone > 0:
            self._set(QUICK * deadline / (TOGETHER * alone))

    def _set(self, bound: float) -> None:
        self._bound = max(1.0, min(float(self._most), bound))

    def _pass(self, now: float) -> None:
        self._spent += self._running * (now - self._at)
        self._at = now
