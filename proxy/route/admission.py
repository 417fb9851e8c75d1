"""Decides how many calls may run at a time so that they end in time. Pure: times are given.

By Little's law, a part that finishes so many calls per second, with so many at a time, takes their
quotient for one. Each ended call shows both numbers, also on a machine whose share of a core is
unknown, so the bound is the number of calls that the part finishes within the wanted time. Calls
beyond it would make all of them late together.
"""

from __future__ import annotations

from dataclasses import dataclass

IN_TIME = 0.7
"""Share of the deadline in which calls should end: their times differ."""
QUEUED = 1.3
"""A call that takes at most so many times as long as one alone does not wait for others, however
long it takes: a remote part bears many slow calls."""
FEW = 1.5
"""A call with at most so many at a time, on average, counts as alone."""
MORE = 0.5
"""After a call that was quick enough, so many more than it shows are tried: a remote part may bear
them."""
SHARE = 0.2
"""Weight of one call's evidence."""
LATE = 1.5
"""A call that was cancelled at its deadline would have taken at least this many times as long: the
factor is a guess, since the rest was never seen."""
TOGETHER = 0.5
"""Share of a lone call's time that each of several calls takes: texts are embedded together, and a
lone call does not use two cores."""


@dataclass(frozen=True, slots=True)
class Stay:
    """A running call: when it began, and the sum of all calls' times until then (seconds)."""

    began: float
    spent: float


@dataclass(frozen=True, slots=True)
class Took:
    """An ended call: its seconds, and how many calls ran at a time meanwhile, itself included."""

    seconds: float
    together: float


class Admission:
    """The bound of calls that run at a time, between 1 and `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._bound = float(most)
        self._alone = 0.0
        self._running = 0
        self._spent = 0.0
        self._at = 0.0

    @property
    def bound(self) -> int:
        """How many calls may run at a time."""
        return max(1, round(self._bound))

    def enter(self, now: float) -> Stay | None:
        """Begin a call; None if too many run."""
        if self._running >= self.bound:
            return None
        self._pass(now)
        self._running += 1
        return Stay(now, self._spent)

    def leave(self, now: float) -> None:
        """End a call, however it ended."""
        self._pass(now)
        self._running -= 1

    def took(self, stay: Stay, now: float) -> Took:
        """How long a running call took until now, and beside how many others."""
        self._pass(now)
        seconds = now - stay.began
        return Took(seconds, (self._spent - stay.spent) / seconds if seconds > 0 else 1.0)

    def learn(self, took: Took, deadline: float, *, late: bool = False) -> None:
        """Move the bound by a call that ran to its end, or until its deadline if `late`.

        A quick call raises the bound if it shows that more could run. It never lowers it: perhaps
        no more calls arrived. A slow call lowers it, the less the fewer ran beside it: what few
        calls take says little about many.
        """
        seconds = took.seconds * (LATE if late else 1.0)
        if seconds <= 0:
            return
        if took.together <= FEW:
            self._alone += SHARE * (seconds - self._alone) if self._alone else seconds
        within = self._within(deadline)
        bearable = took.together * within / seconds + MORE * (seconds <= within)
        bearable = min(float(self._most), bearable)
        if bearable > self._bound:
            self._bound += SHARE * (bearable - self._bound)
        elif seconds > within:
            weight = SHARE * min(1.0, took.together / self._bound)
            self._bound = max(1.0, self._bound + weight * (bearable - self._bound))

    def start(self, alone: float, deadline: float) -> None:
        """Set the bound by the time of a lone call, before there are any."""
        self._alone = alone
        bearable = self._within(deadline) / (TOGETHER * alone) if alone > 0 else self._most
        self._bound = max(1.0, min(float(self._most), bearable))

    def _within(self, deadline: float) -> float:
        """The seconds in which a call should end; the deadline if none was alone yet."""
        if not self._alone:
            return deadline
        return max(IN_TIME * deadline, min(deadline, QUEUED * self._alone))

    def _pass(self, now: float) -> None:
        self._spent += self._running * (now - self._at)
        self._at = now
