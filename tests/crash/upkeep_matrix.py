"""Crash runs of upkeep: what fails where, and that an undisturbed run left the same."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.crash.failpoints import Point, points_of
from tests.crash.matrix import OTHER_FAULTS, WRITE_FAULTS, Backend, Case, Verdict, until_over
from tests.crash.stage import Spec

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
    return points_of(STEPS, DEEPEST)


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
    verdict = Verdict(case)
    runs = {"calm": replace(case, fault="none", point=None), "struck": case}
    with verdict.judging(*(folder / name for name in runs)) as judged:
        for name, each in runs.items():
            place = folder / name
            place.mkdir()
            spec = Spec(
                folder=str(place),
                database=backend.database(place),
                store=backend.store(place),
                collection=f"upkeep_{each.number}_{name}",
                turns=[("ann", ""), ("bob", "")],
                point=None if each.point is None else asdict(each.point),
                fault=each.fault,
                signal_file=str(place / "reached"),
            )
            until_over("tests.crash.upkeep_stage:run", spec, backend, verdict)
        judged(lambda calm, struck: _judge(verdict, calm, struck))
    return verdict


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
