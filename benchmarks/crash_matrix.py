"""What is lost, doubled, stuck or half changed when anything dies at any commit.

    python benchmarks/crash_matrix.py [--runs 200] [--seed 5] [--no-server]

Every run does its work in processes of its own, on a real database: it captures turns and learns
them, forgets a memory and a whole user while others are learned, or looks after memories. Something
fails before, within or after a commit, or at a call of a model: the process is killed (-9), the
disk takes nothing (ENOSPC) or fails (EIO), PostgreSQL is killed and started again, the clock is
set, or the model answers nonsense. In half of the runs two processes share the database: two
workers and their parent a file, two replicas a server. Then it goes on, as the next process would,
and another one looks at what there is. `--runs` are made in SQLite, and as many in PostgreSQL.
Prints a line for each run that left something, a table, and writes a file of benchmarks/results.
Exits with 1 if anything was lost, doubled, stuck or left behind.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.crash.matrix import (  # noqa: E402 - the script runs without an installation
    FILE,
    FILE_OF_TWO,
    Matrix,
    Place,
    Verdict,
    at_server,
    cases,
)
from tests.support.postgres_server import PostgresServer, programs  # noqa: E402

RUNS = 200
RESULT = ROOT / "benchmarks" / "results" / "crash_matrix.json"
COUNTED = ("killed", "refused", "lost", "doubled", "stuck")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--no-server", action="store_true", help="leave PostgreSQL out")
    options = parser.parse_args()
    verdicts: list[Verdict] = []
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-crash-")))
        matrix = Matrix(root)
        for places in _places(stack, server=not options.no_server and programs() is not None):
            for case in cases(places, runs=options.runs, seed=options.seed, first=len(verdicts)):
                verdicts.append(matrix.run(case))
                _tell(verdicts[-1])
    return _report(verdicts)


def _places(stack: ExitStack, *, server: bool) -> list[Sequence[Place]]:
    places: list[Sequence[Place]] = [[FILE, FILE_OF_TWO]]
    if server:
        places.append(at_server(stack.enter_context(PostgresServer())))
    return places


def _tell(verdict: Verdict) -> None:
    case = verdict.case
    if not verdict.fine:
        print(f"\n{case.name}: {verdict}", flush=True)
    elif sys.stdout.isatty():
        print(f"\r{case.name:<80}", end="", flush=True)
    elif case.number % 20 == 19:
        print(f"{case.number + 1} runs", flush=True)


def _report(verdicts: list[Verdict]) -> int:
    rows: dict[tuple[str, str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        case = verdict.case
        rows[case.place.name, case.work, case.fault].append(verdict)
    heads = ("place", "work", "fault", "runs", *COUNTED, "other", "s/run")
    print("\n" + "".join(map(_cell, heads, range(len(heads)))))
    table = []
    for kind, group in sorted(rows.items()):
        counts = [sum(getattr(verdict, name) for verdict in group) for name in COUNTED]
        other = sum(len(verdict.problems) for verdict in group)
        seconds = round(sum(verdict.seconds for verdict in group) / len(group), 2)
        row = (*kind, len(group), *counts, other, seconds)
        table.append(dict(zip(heads, row, strict=True)))
        print("".join(map(_cell, row, range(len(row)))))
    bad = [f"{verdict.case.name}, {verdict.point}" for verdict in verdicts if not verdict.fine]
    print(f"{len(verdicts)} runs, {len(bad)} left something behind")
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps({"rows": table, "bad": bad}, indent=1))
    return 1 if bad else 0


def _cell(value: object, column: int) -> str:
    return f"{value:<26}" if column == 0 else f"{value:<15}" if column < 3 else f"{value:>9}"


if __name__ == "__main__":
    sys.exit(main())
