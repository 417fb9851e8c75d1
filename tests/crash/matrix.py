"""Runs of the crash matrix: what fails where, and what must be true in the end."""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import shutil
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import asyncpg

from tests.crash.failpoints import Point, points_of
from tests.crash.faults import DISK, FAULTS, MODEL
from tests.crash.model import FACTS, SAYS
from tests.crash.processes import Processes
from tests.crash.stage import WORKERS, Spec
from tests.crash.works import WORKS, fact_of
from tests.support.postgres_server import PostgresServer

USERS = ("ann", "bob")
TURNS_EACH = 3
INDEXED = 8
"""So many runs of one process in a file have one with a vector index."""


@dataclass(frozen=True)
class Place:
    """Where a run keeps everything; `restart` kills its server and starts it again."""

    name: str
    database: Callable[[Path], str]
    workers: int = 1
    restart: Callable[[], object] | None = None


FILE = Place("SQLite", lambda folder: str(folder / "recollect.db"))
FILE_OF_TWO = replace(FILE, name="SQLite, two workers", workers=WORKERS)
AT_SERVER = Place("PostgreSQL", str, restart=lambda: None)
"""See `at_server`."""
AT_SERVER_BY_TWO = replace(AT_SERVER, name="PostgreSQL, two replicas", workers=WORKERS)


def at_server(server: PostgresServer) -> list[Place]:
    """One process on PostgreSQL, and two replicas; each run has a database of its own."""

    def database(_: Path) -> str:
        name = f"crash_{uuid.uuid4().hex}"
        asyncio.run(_create(server.url(), name))
        return server.url(name)

    def restart() -> None:
        server.kill()
        server.start()

    return [
        replace(AT_SERVER, database=database, restart=restart),
        replace(AT_SERVER_BY_TWO, database=database, restart=restart),
    ]


async def _create(url: str, name: str) -> None:
    admin = await asyncpg.connect(url)
    await admin.execute(f"CREATE DATABASE {name}")
    await admin.close()


@dataclass(frozen=True)
class Case:
    """One run."""

    number: int
    work: str
    fault: str
    at: float
    """Which of all points of this work, as a part of their number."""
    place: Place

    @property
    def name(self) -> str:
        return f"{self.number:03} {self.place.name}: {self.work}, {self.fault} at {self.at:.3f}"


@dataclass
class Verdict:
    """What a run left."""

    case: Case
    point: Point | None = None
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    killed: int = 0
    refused: int = 0
    """Writes that a disk took not."""
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def fine(self) -> bool:
        return not (self.lost or self.doubled or self.stuck or self.problems)


def cases(places: Sequence[Place], *, runs: int, seed: int = 5, first: int = 0) -> Iterator[Case]:
    """`runs` of them: half are kills, the others everything else that can befall their place."""
    chance = random.Random(seed)
    deaths = {place.name: itertools.cycle((work, "kill") for work in WORKS) for place in places}
    others = {}
    for place in places:
        pairs = [*itertools.product(WORKS, faults_of(place)[1:])]
        others[place.name] = itertools.cycle(chance.sample(pairs, len(pairs)))
    # The points are spread over all there are.
    spread = [(at + chance.random()) / runs for at in range(runs)]
    chance.shuffle(spread)
    for number, at, place in zip(range(runs), spread, itertools.cycle(places)):
        kills = (number // len(places)) % 2 == 0
        yield Case(first + number, *next((deaths if kills else others)[place.name]), at, place)


def faults_of(place: Place) -> list[str]:
    """A file has a disk, a server can be away."""
    strange = {*DISK} if place.restart is not None else {"outage"}
    return [fault for fault in FAULTS if fault not in strange]


class Matrix:
    """Makes runs; what an undisturbed run does is found out once for each kind."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._number = itertools.count()
        self._calm: dict[tuple[str, str], tuple[list[Point], dict[str, Any]]] = {}

    def run(self, case: Case) -> Verdict:
        """Start processes until they end by themselves, then look."""
        verdict = Verdict(case)
        started = time.monotonic()
        points, calm = self._undisturbed(case, verdict)
        if verdict.fine:
            self._disturbed(case, self._new_folder(), points, calm, verdict)
        verdict.seconds = time.monotonic() - started
        return verdict

    def _new_folder(self) -> Path:
        return self._folder / f"run-{next(self._number)}"

    def _disturbed(
        self, case: Case, folder: Path, points: list[Point], calm: Any, verdict: Verdict
    ) -> None:
        able = [each for each in points if each.when != "within" or case.fault != "outage"]
        if case.fault not in MODEL:
            verdict.point = able[int(case.at * len(able))]
        spec = spec_of(case, folder)
        if verdict.point is not None:
            spec = replace(spec, point=asdict(verdict.point))
        if (found := _left(case, spec, verdict)) is not None:
            judge(verdict, spec, found, calm)
        if verdict.fine:
            shutil.rmtree(folder)

    def _undisturbed(self, case: Case, verdict: Verdict) -> tuple[list[Point], dict[str, Any]]:
        kind = case.work, case.place.name
        if kind not in self._calm:
            folder = self._new_folder()
            spec = replace(spec_of(case, folder), fault="none", indexed=False)
            found = _left(replace(case, fault="none"), spec, verdict)
            if found is None:
                return [], {}
            judge(verdict, spec, found, found)
            journal = json.loads((folder / "journal-0.json").read_text())
            self._calm[kind] = points_of(journal["counts"], journal["changes"]), found
        return self._calm[kind]


def spec_of(case: Case, folder: Path) -> Spec:
    """What the processes of a case do, but for the point."""
    folder.mkdir(parents=True)
    chosen = random.Random(case.work).sample(FACTS, TURNS_EACH * len(USERS))
    turns = [
        [USERS[number % len(USERS)], f"Hello. {SAYS}{fact}. What now?"]
        for number, fact in enumerate(chosen)
    ]
    alone = case.place.workers == 1 and case.place.restart is None
    return Spec(
        work=case.work,
        folder=str(folder),
        database=case.place.database(folder),
        turns=turns,
        fault=case.fault,
        indexed=alone and case.number % INDEXED == 0,
        workers=case.place.workers,
    )


def _left(case: Case, spec: Spec, verdict: Verdict) -> dict[str, Any] | None:
    """What a run left; None if it did not end."""
    folder = spec.place
    processes = Processes(spec, verdict, restart=case.place.restart)
    if not processes.ended(kill_parent=case.number % 2 == 0):
        return None
    calm = replace(spec, point=None, fault="none", workers=1)
    if not processes.once("tests.crash.looking:run", calm):
        return None
    found = json.loads((folder / "found.json").read_text())
    verdict.refused = json.loads((folder / "journal-0.json").read_text())["refused"]
    if spec.indexed:
        shutil.rmtree(folder / "index")
        if processes.once("tests.crash.looking:refill", calm):
            found["problems"] += json.loads((folder / "refilled.json").read_text())["problems"]
    if spec.in_file:
        files = [*folder.glob(f"{Path(spec.database).name}*"), *folder.glob("index/**/*")]
        found["texts"] = [
            each.read_bytes().decode(errors="replace") for each in files if each.is_file()
        ]
    return found


def judge(verdict: Verdict, spec: Spec, found: dict[str, Any], calm: dict[str, Any]) -> None:
    """An undisturbed run left the same; each fact was learned once, and forgotten is forgotten."""
    has, wanted = _memories(found), _memories(calm)
    # Upkeep does not ask a model again that failed: what it would have made is missing.
    if spec.work != "upkeep" or verdict.case.fault not in MODEL:
        verdict.lost = (wanted - has).total()
    verdict.doubled = (has - wanted).total()
    verdict.stuck = found["jobs"]["ready"] + found["jobs"]["leased"]
    events = Counter((memory_id, event) for memory_id, event in found["events"])
    verdict.problems += found["problems"]
    verdict.problems += [f"{count} times {each}" for each, count in events.items() if count > 1]
    verdict.problems += _misjudged(spec, found) if spec.work != "upkeep" else []


def _misjudged(spec: Spec, found: dict[str, Any]) -> list[str]:
    """What is not there that was said, or is there in spite of being forgotten."""
    said = [(user, fact_of(text)) for user, text in spec.turns]
    gone = [each for each in said if each == said[0] or each[0] != said[0][0]]
    gone = gone if spec.work == "forget" else []
    there = sorted((user, text) for user, _, text, *_ in found["rows"])
    problems = [] if there == sorted({*said} - {*gone}) else [f"what is known is {there}"]
    words = [fact.removeprefix("User ") for _, fact in gone]
    left = [each for each in words if any(each in text for text in found["texts"])]
    return problems + ([f"forgotten, and in the database: {left}"] if left else [])


def _memories(found: dict[str, Any]) -> Counter[tuple[Any, ...]]:
    """Without the ids, which follow from who was learned together."""
    return Counter((user, *rest) for user, _, *rest in found["rows"])
