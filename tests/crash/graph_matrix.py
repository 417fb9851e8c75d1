"""Crash runs of the graph: what fails where, and that the graph is what a rebuild makes of it."""

from __future__ import annotations

import asyncio
import itertools
import random
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path

from tests.crash.failpoints import Point, points_of
from tests.crash.matrix import Backend, Case, Verdict, until_over
from tests.crash.shared import new_database
from tests.crash.stage import Spec
from tests.support.postgres_server import PostgresServer, programs

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


FILES = Backend("files", lambda f: str(f / "recollect.db"), lambda f: str(f / "memories.db"))


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
    return points_of(STEPS, DEEPEST)


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
    verdict = Verdict(case)
    with verdict.judging(folder) as judged:
        spec = Spec(
            folder=str(folder),
            database=backend.database(folder),
            store=backend.store(folder),
            collection=f"graph_{case.number}",
            turns=[],
            point=None if case.point is None else asdict(case.point),
            fault=case.fault,
            signal_file=str(folder / "reached"),
        )
        until_over("tests.crash.graph_stage:run", spec, backend, verdict)
        judged(lambda outcome: _judge(verdict, outcome))
    return verdict


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
