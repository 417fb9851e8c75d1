"""A discrete-event simulation of replicas and what they share. Pure, and seeded.

A process computes one piece of work at a time, first come first served. Processes of one machine
share its cores: while more of them have work than there are cores, all slow down alike. A chat is
pieces of work one after the other; learning follows it and keeps no client waiting.
"""

from __future__ import annotations

import heapq
import itertools
import random
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field


@dataclass(eq=False)
class Machine:
    """Cores that the processes on it share."""

    cores: float
    busy: set[Process] = field(default_factory=set)

    @property
    def speed(self) -> float:
        """Seconds of work that each busy process does in a second."""
        return min(1.0, self.cores / len(self.busy)) if self.busy else 1.0


@dataclass(eq=False)
class Process:
    """Works on one piece at a time."""

    machine: Machine
    name: str
    queue: deque[tuple[float, Callable[[], None]]] = field(default_factory=deque)
    left: float = 0.0
    worked: float = 0.0


class Clock:
    """Runs processes and timers in the order of time."""

    def __init__(self) -> None:
        self.now = 0.0
        self._timers: list[tuple[float, int, Callable[[], None]]] = []
        self._numbers = itertools.count()
        self._busy: set[Process] = set()

    def later(self, seconds: float, then: Callable[[], None]) -> None:
        """Call after so many seconds."""
        heapq.heappush(self._timers, (self.now + seconds, next(self._numbers), then))

    def work(self, process: Process, seconds: float, then: Callable[[], None]) -> None:
        """Queue a piece of work."""
        process.queue.append((seconds, then))
        if process not in self._busy:
            self._begin(process)

    def run(self, until: float) -> None:
        """Go on until a time."""
        while True:
            wait = self._timers[0][0] - self.now if self._timers else float("inf")
            ending = min(self._busy, key=lambda one: one.left / one.machine.speed, default=None)
            ends = float("inf") if ending is None else ending.left / ending.machine.speed
            step = min(wait, ends, until - self.now)
            for one in self._busy:
                done = step * one.machine.speed
                one.left -= done
                one.worked += done
            self.now += step
            if self.now >= until:
                return
            if ends <= wait and ending is not None:
                self._end(ending)
            else:
                heapq.heappop(self._timers)[2]()

    def _begin(self, process: Process) -> None:
        process.left = process.queue[0][0]
        process.machine.busy.add(process)
        self._busy.add(process)

    def _end(self, process: Process) -> None:
        _, then = process.queue.popleft()
        if process.queue:
            process.left = process.queue[0][0]
        else:
            self._busy.discard(process)
            process.machine.busy.discard(process)
        then()


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """Seconds of CPU of one chat, by who spends them; measured by `measure`."""

    client: float
    replica: float
    cold: float
    """More of the replica, if the user's index is not in memory."""
    postgres: float
    cold_read: float
    """More of the store, to read a user."""
    worker: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What is simulated."""

    replicas: int
    workers: int
    users: int = 1
    warm_users: int = 281
    """Users whose index a replica holds."""
    sticky: bool = False
    """Whether the balancer sends a user to one replica always."""
    store_cores: float = 4.0
    shared_cores: float | None = None
    """One machine for everything, with so many cores; None: one for each process."""
    skew: float = 1.0
    """Of Zipf's law: how much more often some users come than others."""


@dataclass
class Seen:
    """What came of it."""

    waits: list[float] = field(default_factory=list)
    cold: int = 0
    learned: int = 0
    shares: dict[str, float] = field(default_factory=dict)
    """Share of its time that each kind of process worked."""

    def percentile(self, share: float) -> float:
        ordered = sorted(self.waits)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0.0


class Fleet:
    """Replicas and the database they share."""

    def __init__(self, plan: Plan, costs: Costs, seed: int = 7) -> None:
        self.clock = Clock()
        self._plan, self._costs = plan, costs
        self._chooser = random.Random(seed)
        shared = None if plan.shared_cores is None else Machine(plan.shared_cores)

        def machine(cores: float = 1.0) -> Machine:
            return shared or Machine(cores)

        self._replicas = [Process(machine(), "replica") for _ in range(plan.replicas)]
        self._workers = [Process(machine(), "worker") for _ in range(plan.workers)]
        store = machine(plan.store_cores)
        backends = max(int(plan.store_cores), 1)
        self._store = [Process(store, "postgres") for _ in range(backends)]
        self._clients = Process(machine(), "client")
        self._own_client = shared is not None
        self._turn = itertools.count()
        self._learner = itertools.count()
        self._warm: list[dict[int, None]] = [{} for _ in self._replicas]
        self.seen = Seen()

    def chat(self, then: Callable[[], None] = lambda: None) -> None:
        """One chat of some user, at a replica that the balancer chooses."""
        user = self._user()
        at = (hash((user, 7)) if self._plan.sticky else next(self._turn)) % len(self._replicas)
        warm, began, costs = self._is_warm(at, user), self.clock.now, self._costs
        if not warm:
            self.seen.cold += 1
        pieces = [
            *([(self._clients, costs.client)] if self._own_client else []),
            (self._backend(), costs.postgres / 2 + (0.0 if warm else costs.cold_read)),
            (self._replicas[at], costs.replica + (0.0 if warm else costs.cold)),
        ]

        def ended() -> None:
            self.seen.waits.append(self.clock.now - began)
            self._learn()
            then()

        self._one_by_one(pieces, ended)

    def run(self, seconds: float) -> Seen:
        """Until then; with the shares of time that the processes worked."""
        self.clock.run(seconds)
        kinds = (self._replicas, self._workers, self._store)
        for processes in kinds:
            if processes:
                worked = sum(one.worked for one in processes)
                self.seen.shares[processes[0].name] = worked / seconds / len(processes)
        return self.seen

    def _learn(self) -> None:
        if not self._workers:
            return
        worker = self._workers[next(self._learner) % len(self._workers)]
        costs = self._costs
        pieces = [
            (worker, costs.worker),
            (self._backend(), costs.postgres / 2),
        ]
        self._one_by_one(pieces, self._learned)

    def _learned(self) -> None:
        self.seen.learned += 1

    def _one_by_one(
        self, pieces: Sequence[tuple[Process, float]], then: Callable[[], None]
    ) -> None:
        if not pieces:
            then()
            return
        (process, seconds), *rest = pieces
        # Exponential, as work that depends on what was asked is; the mean is the measured one.
        drawn = self._chooser.expovariate(1 / seconds) if seconds > 0 else 0.0
        self.clock.work(process, drawn, lambda: self._one_by_one(rest, then))

    def _backend(self) -> Process:
        return min(self._store, key=lambda one: len(one.queue))

    def _user(self) -> int:
        """A user by Zipf's law, without a table: the inverse of its integral."""
        users, skew, drawn = self._plan.users, self._plan.skew, self._chooser.random()
        if users == 1:
            return 0
        if abs(skew - 1.0) < 1e-9:
            return int(users**drawn) - 1
        power = 1.0 - skew
        return int(((users**power - 1.0) * drawn + 1.0) ** (1.0 / power)) - 1

    def _is_warm(self, at: int, user: int) -> bool:
        """Whether the index of a user is in memory there, which it is afterwards."""
        known = self._warm[at]
        warm = known.pop(user, 0) is None
        known[user] = None
        if len(known) > self._plan.warm_users:
            del known[next(iter(known))]
        return warm


def closed(plan: Plan, costs: Costs, *, clients: int, seconds: float) -> Seen:
    """So many clients, each with one chat after the other."""
    fleet = Fleet(plan, costs)

    def again() -> None:
        fleet.chat(again)

    for _ in range(clients):
        again()
    return fleet.run(seconds)


def opened(plan: Plan, costs: Costs, *, rate: float, seconds: float) -> Seen:
    """So many chats a second, whether or not the earlier ones have ended."""
    fleet = Fleet(plan, costs)
    chooser = random.Random(3)

    def arrive() -> None:
        fleet.chat()
        fleet.clock.later(chooser.expovariate(rate), arrive)

    fleet.clock.later(0.0, arrive)
    return fleet.run(seconds)
