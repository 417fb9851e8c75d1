"""Crash runs of the graph: what fails where, and that the graph is what a rebuild makes of it."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import signal
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path

from tests.crash.failpoints import Point
from tests.crash.matrix import MAX_STARTS, Backend, Case, Verdict
from tests.crash.matrix import interrupt as interrupt_servers
from tests.crash.shared import new_database
from tests.crash.stage import Spec
from tests.support.postgres_server import PostgresServer, programs
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
WRITES = ("enospc", "eio")
FAULTS = ("kill", *WRITES, "outage")


FILES = Backend("files", lambda f: str(f / "history.db"), lambda f: str(f / "memories.db"))


def backends(stack: ExitStack) -> list[Backend]:
    """SQLite, and PostgreSQL if it is installed, each with Milvus Lite."""
    if programs() is None:
        return [FILES]
    server = PostgresServer()
    server.start()
    stack.callback(server.remove)

    def database(_: Path) -> str:
        return asyncio.run(new_database(server))

    def restart() -> None:
        server.kill()
        server.start()

    return [FILES, Backend("PostgreSQL", database, FILES.store, restart)]


def points() -> list[Point]:
    """Each step, before and after, at each of its first calls."""
    return [
        Point(part, method, after, nth)
        for nth in range(1, DEEPEST + 1)
        for part, method in STEPS
        for after in (False, True)
    ]


def cases(backends: Sequence[Backend], *, runs: int, seed: int = 5) -> Iterator[Case]:
    """`runs` of them: half are kills, the others disks that take nothing, and servers that die."""
    chance = random.Random(seed)
    others = itertools.cycle(FAULTS[1:])
    writes = itertools.cycle(WRITES)
    places = itertools.cycle(chance.sample(points(), len(points())))
    for number in range(runs):
        backend = chance.choice(backends)
        # Taken only when it is used: two of them in turn would always be the same one otherwise.
        other = writes if backend.interrupt is None else others
        fault = "kill" if number % 2 == 0 else next(other)
        yield Case(number, fault, next(places), backend.name)


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
        signal_file=str(folder / "reached"),
    )
    _until_over(spec, backend, verdict)
    outcome = folder / "outcome.json"
    if outcome.exists():
        _judge(verdict, json.loads(outcome.read_text()))
    elif not verdict.problems:
        verdict.problems.append("no outcome")
    verdict.seconds = time.monotonic() - started
    return verdict


def _until_over(spec: Spec, backend: Backend, verdict: Verdict) -> None:
    for _ in range(MAX_STARTS):
        log = Path(spec.folder) / "error"
        process = ZYGOTE.start(Start("tests.crash.graph_stage:run", [asdict(spec)], log=str(log)))
        if spec.fault == "outage" and spec.point is not None:
            interrupt_servers(Path(spec.signal_file), backend, Path(spec.folder))
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
    verdict.lost = max(0, MEMORIES - int(str(found["memories"])))
    if int(str(found["memories"])) > MEMORIES:
        verdict.problems.append("a deletion was acknowledged and not done")
    verdict.stuck = int(str(found["marks"])) + int(str(found["stale"]))
    for name in ("same", "kinds", "counts"):
        if not found[name]:
            verdict.problems.append(f"{name}: not what a rebuild makes")
    if found["orphans"]:
        verdict.problems.append(f"{found['orphans']} orphans")
