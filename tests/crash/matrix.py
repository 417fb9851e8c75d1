"""Runs of the crash matrix: what fails where, and what must be true in the end."""

from __future__ import annotations

import contextlib
import itertools
import json
import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.crash.failpoints import Point, every_point
from tests.crash.pair import run_pair
from tests.crash.stage import FACTS, Spec
from tests.support.waiting import HANG_SECONDS
from tests.support.zygote import ZYGOTE, Start

USERS = ("ann", "bob")
TURNS_EACH = 3
MAX_STARTS = 8
"""Processes a run may need: one that dies at each of its points would need them all."""
WRITE_FAULTS = ("enospc", "eio", "refused")
"""The disk is full or broken, or PostgreSQL takes nothing, for a while from a point on."""
OTHER_FAULTS = (
    "outage",
    "clock_forward",
    "clock_back",
    "llm_500",
    "llm_timeout",
    "llm_garbage",
)
FAULTS = ("kill", *WRITE_FAULTS, *OTHER_FAULTS)


Kind = tuple[str, Point | None, str]
"""A fault, where it strikes, and the backend."""


@dataclass(frozen=True)
class Case:
    """One run."""

    number: int
    fault: str
    point: Point | None
    backend: str

    @property
    def name(self) -> str:
        where = self.point.name if self.point else "everywhere"
        return f"{self.number:03} {self.backend}: {self.fault} {where}"


@dataclass
class Verdict:
    """What a run left."""

    case: Case
    lost: int = 0
    duplicates: int = 0
    stuck: int = 0
    dead: int = 0
    killed: int = 0
    refused: int = 0
    """Writes that a disk or a server took not."""
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def judging(self, *folders: Path) -> Iterator[Callable[[Callable[..., None]], None]]:
        """Yields what judges by the outcomes in these folders; notes how long all took."""
        started = time.monotonic()

        def judged(judge: Callable[..., None]) -> None:
            outcomes = [folder / "outcome.json" for folder in folders]
            if all(path.exists() for path in outcomes):
                judge(*(json.loads(path.read_text()) for path in outcomes))
            elif not self.problems:
                self.problems.append("no outcome")

        yield judged
        self.seconds = time.monotonic() - started

    @property
    def fine(self) -> bool:
        return not (self.lost or self.duplicates or self.stuck or self.dead or self.problems)


@dataclass(frozen=True)
class Backend:
    """Where a run keeps things; `interrupt` stops the servers, kills them, and starts them again."""

    name: str
    database: Callable[[Path], str]
    store: Callable[[Path], str]
    interrupt: Callable[[], object] | None = None
    pair: bool = False
    """Whether two workers share it, whose parent owns it."""
    files: bool = True
    """Whether anything is in files, whose disk can be full or broken."""


def embedded() -> Backend:
    return Backend("embedded", lambda f: str(f / "recollect.db"), lambda f: str(f / "memories.db"))


def paired() -> Backend:
    """The same, with two workers."""
    return replace(embedded(), name="two workers", pair=True)


def cases(
    backends: Sequence[Backend], *, runs: int, seed: int = 5, first: int = 0
) -> Iterator[Case]:
    """`runs` of them: kills, refused writes and other faults at points that come by chance.

    Half of them are kills; no point has the same fault twice before every other one had it.
    """
    names = [backend.name for backend in backends]
    interruptible = [backend.name for backend in backends if backend.interrupt is not None]
    chance = random.Random(seed)

    def struck(fault: str, where: Sequence[str]) -> Iterator[Kind]:
        while where:
            places = [(fault, point, name) for name in where for point in every_point()]
            chance.shuffle(places)
            yield from places

    def others() -> Iterator[Kind]:
        for fault in itertools.cycle(OTHER_FAULTS):
            where = interruptible if fault == "outage" else names
            if where:
                point = None if fault.startswith("llm") else chance.choice(every_point())
                yield fault, point, chance.choice(where)

    kills, rest = struck("kill", names), others()
    # Where there is no server, nobody refuses; where there are no files, no disk does.
    with_files = [backend.name for backend in backends if backend.files]
    places = {fault: interruptible if fault == "refused" else with_files for fault in WRITE_FAULTS}
    turns = itertools.cycle([struck(fault, where) for fault, where in places.items() if where])
    mixed: list[Kind] = []
    while len(mixed) < runs:
        mixed += [next(kills), next(next(turns)), next(kills), next(rest)]
    for number, (fault, point, name) in enumerate(mixed[:runs], first):
        yield Case(number, fault, point, name)


def run_case(case: Case, backend: Backend, folder: Path) -> Verdict:
    """Start processes until one ends by itself, then look."""
    verdict = Verdict(case)
    with verdict.judging(folder) as judged:
        spec = _spec(case, backend, folder)
        if backend.pair:
            whole = case.fault == "kill" and case.number % 2 == 0
            run_pair(spec, folder, verdict, kill_parent=whole)
        else:
            until_over("tests.crash.stage:run", spec, backend, verdict)
        judged(lambda outcome: _judge(verdict, spec, outcome))
    return verdict


def until_over(target: str, spec: Spec, backend: Backend, verdict: Verdict) -> None:
    """One process after the other, until one ends by itself; the fault strikes once."""
    folder = Path(spec.folder)
    log = folder / "error"
    for _ in range(MAX_STARTS):
        process = ZYGOTE.start(Start(target, [asdict(spec)], log=str(log)))
        if spec.fault == "outage" and spec.point is not None:
            interrupt(Path(spec.signal_file), backend, folder)
        status = process.wait()
        spec = replace(spec, point=None, fault="none")
        if status == 0:
            return
        if status != -signal.SIGKILL:
            verdict.problems.append(f"exit status {status}: {log.read_text()[-2000:]}")
            return
        verdict.killed += 1
    verdict.problems.append("it never ended")


def interrupt(signal_file: Path, backend: Backend, folder: Path) -> None:
    """Restart the servers when the run has reached its point, which it may never do."""
    assert backend.interrupt is not None
    end = time.monotonic() + HANG_SECONDS
    while time.monotonic() < end:
        if signal_file.exists():
            backend.interrupt()
            signal_file.unlink()
            return
        if (folder / "outcome.json").exists():
            return
        time.sleep(0.01)


def _spec(case: Case, backend: Backend, folder: Path) -> Spec:
    chance = random.Random(case.number)
    chosen = chance.sample(FACTS, TURNS_EACH * len(USERS))
    turns = [
        (USERS[number % len(USERS)], f"Hello. I want you to know: {fact}. What now?")
        for number, fact in enumerate(chosen)
    ]
    return Spec(
        folder=str(folder),
        database=backend.database(folder),
        store=backend.store(folder),
        collection=f"crash_{case.number}_{chance.getrandbits(32):x}",
        turns=turns,
        point=None if case.point is None else asdict(case.point),
        fault=case.fault,
        signal_file=str(folder / "reached"),
    )


def _judge(verdict: Verdict, spec: Spec, outcome: dict[str, Any]) -> None:
    expected = {
        (user, f"User {fact}")
        for user, text in spec.turns
        for fact in FACTS
        if f"I want you to know: {fact}." in text
    }
    found = Counter((user, text) for user, text, status in outcome["memories"])
    verdict.lost = len(expected - found.keys())
    verdict.duplicates = sum(count - 1 for count in found.values())
    verdict.problems += [f"unexpected: {extra}" for extra in sorted(found.keys() - expected)]
    events = Counter((user, text) for user, text, event in outcome["events"] if event == "ADD")
    verdict.problems += [
        f"{events[each]} records of {each}" for each in sorted(expected) if events[each] != 1
    ]
    jobs = outcome["jobs"]
    verdict.refused = outcome["refused"]
    verdict.stuck = jobs["ready"] + jobs["leased"]
    verdict.dead = jobs["dead"]
    verdict.problems += [f"dead: {error}" for error in outcome["dead"]]
