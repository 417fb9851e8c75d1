"""Crash runs of the graph: what fails where, and that the graph is what a rebuild makes of it."""

from __future__ import annotations

import itertools
import json
import random
import signal
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from tests.crash.failpoints import Point
from tests.crash.matrix import MAX_STARTS, Backend, Case, Verdict
from tests.crash.stage import Spec
from tests.support.zygote import ZYGOTE, Start

STEPS = (
    ("graph", "mark"),
    ("store", "put"),
    ("store", "delete"),
    ("graph", "links_of"),
    ("graph", "latest"),
    ("graph", "resolve"),
    ("graph", "link"),
    ("graph", "unlink"),
    ("store", "walk"),
    ("graph", "founded"),
    ("graph", "linked"),
    ("graph", "marked"),
)
"""marked -> written -> read -> resolved -> linked, or unlinked -> all of the owner linked again."""
DEEPEST = 5
MEMORIES = 3
"""That hold in the end."""
FAULTS = ("kill", "enospc", "eio")


def points() -> list[Point]:
    """Each step, before and after, at each of its first calls."""
    return [
        Point(part, method, after, nth)
        for nth in range(1, DEEPEST + 1)
        for part, method in STEPS
        for after in (False, True)
    ]


def cases(backends: Sequence[Backend], *, runs: int, seed: int = 5) -> Iterator[Case]:
    """`runs` of them: half are kills, the others are disks that take nothing for a while."""
    chance = random.Random(seed)
    others = itertools.cycle(FAULTS[1:])
    places = itertools.cycle(chance.sample(points(), len(points())))
    for number in range(runs):
        fault = "kill" if number % 2 == 0 else next(others)
        yield Case(number, fault, next(places), chance.choice(backends).name)


def run_case(case: Case, backend: Backend, folder: Path) -> Verdict:
    """One run, with as many processes as it takes."""
    started = time.monotonic()
    verdict = Verdict(case)
    spec = Spec(
        folder=str(folder),
        state="",
        history=backend.state(folder),
        store=backend.store(folder),
        collection=f"graph_{case.number}",
        turns=[],
        point=None if case.point is None else asdict(case.point),
        fault=case.fault,
    )
    _until_over(spec, verdict)
    outcome = folder / "outcome.json"
    if outcome.exists():
        _judge(verdict, json.loads(outcome.read_text()))
    elif not verdict.problems:
        verdict.problems.append("no outcome")
    verdict.seconds = time.monotonic() - started
    return verdict


def _until_over(spec: Spec, verdict: Verdict) -> None:
    for _ in range(MAX_STARTS):
        log = Path(spec.folder) / "error"
        process = ZYGOTE.start(
            Start("tests.crash.graph_stage:run", [asdict(spec)], log=str(log))
        )
        status = process.wait()
        spec = replace(spec, point=None, fault="none")  # the fault strikes once
        if status == 0:
            return
        if status != -signal.SIGKILL:
            verdict.problems.append(f"exit status {status}: {log.read_text()[-2000:]}")
            return
        verdict.killed += 1
    verdict.problems.append("it never ended")


def _judge(verdict: Verdict, found: dict[str, object]) -> None:
    verdict.lost = MEMORIES - int(str(found["memories"]))
    verdict.stuck = int(str(found["marks"])) + int(str(found["stale"]))
    for name in ("same", "kinds", "counts"):
        if not found[name]:
            verdict.problems.append(f"{name}: not what a rebuild makes")
    if found["orphans"]:
        verdict.problems.append(f"{found['orphans']} orphans")
