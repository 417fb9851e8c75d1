"""What is lost, doubled or stuck when anything dies at any step of learning.

    python benchmarks/crash_matrix.py [--runs 200] [--no-server] [--shared] [--workers 2] [--upkeep]
        [--graph] [--seed N]

Every run captures turns and learns them in a process of its own, on real parts, and something
fails at a named step: the process is killed (-9), the disk takes nothing (ENOSPC) or fails (EIO)
for the next writes, PostgreSQL refuses writes for a second (its disk is full, or it only reads),
PostgreSQL is killed and started again, Milvus is frozen, the clock is set, or the model answers
nonsense. With `--workers 2` two processes share the files of one machine (`listen.workers`): the
fault strikes one of them, every second kill their parent too. With `--upkeep` jobs of every kind
of upkeep run instead of learning, and must leave what an undisturbed run leaves. With `--graph`
memories are written and linked, in SQLite and in PostgreSQL, and the graph must be the one that a
rebuild makes. With `--shared` nothing is in files: memories are in pgvector or Milvus, all else in
PostgreSQL. Then it goes on, as the next process would. Prints a line for each run that left
something, a table, and writes a file of benchmarks/results. Exits with 1 if anything was lost,
doubled or stuck.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from milvus_server import Server, available  # noqa: E402 - the script runs without an installation

from tests.crash.graph_matrix import backends as graph_backends  # noqa: E402
from tests.crash.graph_matrix import cases as graph_cases  # noqa: E402
from tests.crash.graph_matrix import run_case as run_graph_case  # noqa: E402
from tests.crash.matrix import (  # noqa: E402
    Backend,
    Case,
    Verdict,
    cases,
    embedded,
    paired,
    run_case,
)
from tests.crash.shared import shared, with_files  # noqa: E402
from tests.crash.upkeep_matrix import cases as upkeep_cases  # noqa: E402
from tests.crash.upkeep_matrix import run_case as run_upkeep_case  # noqa: E402
from tests.support.postgres_server import PostgresServer  # noqa: E402

RUNS = 200
RESULT = ROOT / "benchmarks" / "results" / "crash_matrix.json"
UPKEEP = ROOT / "benchmarks" / "results" / "crash_matrix_upkeep.json"
GRAPH = ROOT / "benchmarks" / "results" / "crash_matrix_graph.json"
SHARED = ROOT / "benchmarks" / "results" / "crash_matrix_shared.json"
PAIRED = ROOT / "benchmarks" / "results" / "crash_matrix_workers.json"
FROZEN_SECONDS = 5.0
"""How long Milvus answers nobody in every second outage."""


class Servers:
    """PostgreSQL and Milvus on ports that stay the same."""

    def __init__(self, folder: Path, stack: ExitStack, *, milvus: bool) -> None:
        self.postgres = stack.enter_context(PostgresServer())
        self._folder = folder / "milvus"
        self._interrupted = 0
        self.milvus: Server | None = None
        if milvus:
            self._folder.mkdir()
            self.milvus = Server(self._folder)
            stack.callback(self.milvus.stop)

    def restart(self) -> None:
        """Kill PostgreSQL and start it again."""
        self.postgres.kill()
        self.postgres.start()

    def disturb(self) -> None:
        """The same, or freeze Milvus, by turns."""
        self._interrupted += 1
        if self.milvus is not None and self._interrupted % 2:
            self.milvus.freeze(FROZEN_SECONDS)
        else:
            self.restart()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--no-server", action="store_true", help="leave the Milvus server out")
    parser.add_argument("--workers", type=int, choices=(1, 2), default=1)
    parser.add_argument("--shared", action="store_true", help="nothing in files, all on servers")
    parser.add_argument("--upkeep", action="store_true", help="run jobs of upkeep")
    parser.add_argument("--graph", action="store_true", help="link memories")
    options = parser.parse_args()
    make, run = (upkeep_cases, run_upkeep_case) if options.upkeep else (cases, run_case)
    if options.graph:
        make, run = graph_cases, run_graph_case
    with ExitStack() as stack:
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-crash-")))
        if options.graph:
            backends = {backend.name: backend for backend in graph_backends(stack)}
        elif options.shared:
            backends = _on_servers(root, stack, server=available() and not options.no_server)
        elif options.workers == 1:
            backends = _backends(root, stack)
        else:
            backends = {paired().name: paired()}
        verdicts = []
        for case in make(list(backends.values()), runs=options.runs, seed=options.seed):
            folder = root / f"run-{case.number}"
            folder.mkdir()
            verdicts.append(run(case, backends[case.backend], folder))
            _tell(verdicts[-1], options.runs)
    if options.graph:
        return _report(verdicts, GRAPH)
    if options.upkeep:
        return _report(verdicts, UPKEEP)
    if options.shared:
        return _report(verdicts, SHARED)
    return _report(verdicts, RESULT if options.workers == 1 else PAIRED)


def _on_servers(root: Path, stack: ExitStack, *, server: bool) -> dict[str, Backend]:
    servers = Servers(root, stack, milvus=server)
    url = None if servers.milvus is None else servers.milvus.url
    found = shared(servers.postgres, url, servers.disturb)
    return {backend.name: backend for backend in found}


def _backends(root: Path, stack: ExitStack) -> dict[str, Backend]:
    servers = Servers(root, stack, milvus=False)
    found = [embedded(), with_files(servers.postgres, servers.restart)]
    return {backend.name: backend for backend in found}


def _tell(verdict: Verdict, runs: int) -> None:
    case: Case = verdict.case
    if not verdict.fine:
        print(f"\n{case.name}: {verdict}", flush=True)
    elif sys.stdout.isatty():
        print(f"\r{case.number + 1} of {runs}  {case.name:<60}", end="", flush=True)
    elif case.number % 20 == 19:
        print(f"{case.number + 1} of {runs}", flush=True)


def _report(verdicts: list[Verdict], result: Path) -> int:
    rows: dict[tuple[str, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        rows[verdict.case.backend, verdict.case.fault].append(verdict)
    print(f"\n{'backend':<30}{'fault':<16}{'runs':>6}{'killed':>8}{'refused':>9}{'lost':>6}{'double':>8}"
          f"{'stuck':>7}{'dead':>6}{'other':>7}{'s/run':>7}")  # fmt: skip
    table = []
    for (backend, fault), group in sorted(rows.items()):
        row = {
            "backend": backend,
            "fault": fault,
            "runs": len(group),
            "killed": sum(v.killed for v in group),
            "refused": sum(v.refused for v in group),
            "lost": sum(v.lost for v in group),
            "duplicates": sum(v.duplicates for v in group),
            "stuck": sum(v.stuck for v in group),
            "dead": sum(v.dead for v in group),
            "other": sum(len(v.problems) for v in group),
            "seconds": round(sum(v.seconds for v in group) / len(group), 2),
        }
        table.append(row)
        print(f"{backend:<30}{fault:<16}{row['runs']:>6}{row['killed']:>8}{row['refused']:>9}"
              f"{row['lost']:>6}"
              f"{row['duplicates']:>8}{row['stuck']:>7}{row['dead']:>6}{row['other']:>7}"
              f"{row['seconds']:>7}")  # fmt: skip
    bad = [verdict.case.name for verdict in verdicts if not verdict.fine]
    print(f"{len(verdicts)} runs, {len(bad)} left something behind")
    result.parent.mkdir(exist_ok=True)
    result.write_text(json.dumps({"rows": table, "bad": bad}, indent=1))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
