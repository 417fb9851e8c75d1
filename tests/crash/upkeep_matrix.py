"""Crash runs of upkeep: what fails where, and that an undisturbed run left the same."""

from __future__ import annotations

import itertools
import json
import random
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.crash.failpoints import Point
from tests.crash.matrix import MAX_STARTS, OTHER_FAULTS, WRITE_FAULTS, Backend, Case, Verdict
from tests.crash.matrix import interrupt as interrupt_servers
from tests.crash.stage import Spec
from tests.support.zygote import ZYGOTE, Start

STEPS = (
    ("jobs", "put"),
    ("jobs", "claim"),
    ("tombstones", "epoch"),
    ("model", "complete"),
    ("jobs", "save_checkpoint"),
    ("runs", "keep"),
    ("history", "append"),
    ("store", "put"),
    ("jobs", "ack"),
)
"""job -> guard -> plan -> checkpoint -> run kept -> apply -> run complete -> ack."""
DEEPEST = 6
"""The calls at which a fault strikes: each job of a run is reached."""


def points() -> list[Point]:
    """Each step, before and after, at each of its first calls."""
    return [
        Point(part, method, after, nth)
        for nth in range(1, DEEPEST + 1)
        for part, method in STEPS
        for after in (False, True)
    ]


def cases(backends: Sequence[Backend], *, runs: int, seed: int = 5) -> Iterator[Case]:
    """`runs` of them: half are kills, the others what disks, servers, clocks and models do."""
    chance = random.Random(seed)
    interruptible = [backend.name for backend in backends if backend.interrupt is not None]
    names = [backend.name for backend in backends]
    faults = itertools.cycle([*WRITE_FAULTS, *OTHER_FAULTS])
    places = itertools.cycle(chance.sample(points(), len(points())))
    for number in range(runs):
        fault = "kill" if number % 2 == 0 else next(faults)
        where = interruptible if fault in {"outage", "refused"} else names
        if not where:
            fault, where = "kill", names
        point = None if fault.startswith("llm") else next(places)
        yield Case(number, fault, point, chance.choice(where))


def run_case(case: Case, backend: Backend, folder: Path) -> Verdict:
    """An undisturbed run, then a disturbed one, which must leave the same."""
    started = time.monotonic()
    verdict = Verdict(case)
    calm = folder / "calm"
    calm.mkdir()
    _until_over(replace(case, fault="none", point=None), backend, calm, verdict)
    struck = folder / "struck"
    struck.mkdir()
    _until_over(case, backend, struck, verdict)
    outcomes = [each / "outcome.json" for each in (calm, struck)]
    if all(path.exists() for path in outcomes):
        _judge(verdict, *(json.loads(path.read_text()) for path in outcomes))
    elif not verdict.problems:
        verdict.problems.append("no outcome")
    verdict.seconds = time.monotonic() - started
    return verdict


def _until_over(case: Case, backend: Backend, folder: Path, verdict: Verdict) -> None:
    spec = Spec(
        folder=str(folder),
        state=backend.state(folder),
        history=str(folder / "history.db"),
        store=backend.store(folder),
        collection=f"upkeep_{case.number}_{folder.name}",
        turns=[("ann", ""), ("bob", "")],
        point=None if case.point is None else asdict(case.point),
        fault=case.fault,
        signal_file=str(folder / "reached"),
    )
    for _ in range(MAX_STARTS):
        log = folder / "error"
        start = Start("tests.crash.upkeep_stage:run", [asdict(spec)], log=str(log))
        process = ZYGOTE.start(start)
        if case.fault == "outage" and spec.point is not None:
            interrupt_servers(Path(spec.signal_file), backend, folder)
        status = process.wait()
        # The fault strikes once.
        spec = replace(spec, point=None, fault="none")
        if status == 0:
            return
        if status != -signal.SIGKILL:
            verdict.problems.append(f"exit status {status}: {log.read_text()[-2000:]}")
            return
        verdict.killed += 1
    verdict.problems.append("it never ended")


def _judge(verdict: Verdict, calm: dict[str, Any], struck: dict[str, Any]) -> None:
    model_failed = verdict.case.fault.startswith("llm")
    wanted, found = _rows(calm), _rows(struck)
    # A model that failed is not asked again by the same job: what it would have made is missing.
    if not model_failed:
        verdict.lost = len(wanted.keys() - found.keys())
        verdict.problems += [
            f"{name}: {found[name]} instead of {row}"
            for name, row in wanted.items()
            if name in found and found[name] != row
        ]
    verdict.duplicates = len(found.keys() - wanted.keys())
    for name in found:
        events = [event for memory_id, event in struck["events"] if memory_id == name]
        if len(events) != len(set(events)):
            verdict.problems.append(f"{name}: {events}")
    verdict.problems += [f"run {one[0]} goes on" for one in struck["runs"] if not one[1]]
    jobs = struck["jobs"]
    verdict.refused = struck["refused"]
    verdict.stuck = jobs["ready"] + jobs["leased"]
    verdict.dead = jobs["dead"]
    verdict.problems += [f"dead: {error}" for error in struck["dead"]]


def _rows(outcome: dict[str, Any]) -> dict[str, tuple[str, str, int]]:
    return {name: (text, status, version) for name, text, status, version in outcome["rows"]}
