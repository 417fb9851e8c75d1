"""What a run cost: wall, CPU with all its processes, memory, and the dearest tests.

Each test's figure is the CPU time of its worker while it ran, with the processes that ended in
that time and the products that the zygote forked for it. `TEST_EXPENSE=FILE` keeps all of them,
each with the megabytes by which it raised its worker's peak; `python -m tests.support.expense FILE`
writes from it what `make quick` leaves out.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .host import HOST, Host
from .zygote import ZYGOTE

DEAREST = 10
_CPU, _GROWTH, _PEAK = "cpu_seconds", "growth_mb", "peak_mb"


def spent() -> float:
    """CPU seconds of this process, of those it has waited for, and of those the zygote has."""
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in own) + ZYGOTE.cpu_seconds


def peak_mb() -> int:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


class Expense:
    """On the controller: adds up what the workers report."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.tests: defaultdict[str, float] = defaultdict(float)
        self.growth: defaultdict[str, int] = defaultdict(int)
        self.peaks: list[int] = []
        self.failed: dict[str, None] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        item.user_properties += [(_CPU, -spent()), (_GROWTH, -peak_mb())]
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: Any) -> Iterator[Any]:
        if call.when == "teardown":
            now = {_CPU: spent(), _GROWTH: peak_mb()}
            item.user_properties[:] = [
                (name, value + now.get(name, 0)) for name, value in item.user_properties
            ]
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed[report.nodeid] = None
        if report.when == "teardown":
            for name, kept in ((_CPU, self.tests), (_GROWTH, self.growth)):
                kept[report.nodeid] += sum(v for n, v in report.user_properties if n == name)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        self.peaks.append(getattr(node, "workeroutput", {}).get(_PEAK, 0))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if _is_worker(session.config):
            session.config.workeroutput[_PEAK] = peak_mb()

    def pytest_unconfigure(self, config: pytest.Config) -> None:
        """Last of all: only now have the workers and their servers ended."""
        if _is_worker(config) or not self.tests or config.option.collectonly:
            return
        host = config.stash.get(HOST, None)
        servers = host.cpu_seconds if isinstance(host, Host) else {}
        wall = time.monotonic() - self.began
        peak = max([*self.peaks, peak_mb()])
        print(f"\n{wall:.0f} s, {spent():.0f} s of CPU; a worker holds up to {peak} MB. Dearest:")
        for name, seconds in servers.items():
            print(f"  {seconds:6.1f} s  the {name} server of the run")
        for nodeid, seconds in sorted(self.tests.items(), key=lambda kv: -kv[1])[:DEAREST]:
            print(f"  {seconds:6.1f} s  {nodeid}")
        # Once more, at the very end: a log is often cut to its last lines.
        if self.failed:
            print("Failed:", *self.failed, sep="\n  ")
        if record := os.environ.get("TEST_EXPENSE"):
            kept = {name: [self.tests[name], self.growth[name]] for name in self.tests}
            Path(record).write_text(json.dumps(kept, indent=1))


def _is_worker(config: pytest.Config) -> bool:
    return hasattr(config, "workerinput")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Expense(), "expense-figures")


LONG_SECONDS = 0.04
KEPT_SECONDS = 0.5


def long_ones(kept: dict[str, tuple[float, int]]) -> list[str]:
    """The functions whose tests took more than `LONG_SECONDS` together.

    A folder keeps its cheapest one, unless that takes `KEPT_SECONDS`: every room has a test that
    is quick.
    """
    together: defaultdict[str, float] = defaultdict(float)
    for nodeid, (seconds, _) in kept.items():
        together[nodeid.partition("[")[0]] += seconds
    cheapest: dict[str, tuple[float, str]] = {}
    for name, seconds in together.items():
        one = (seconds, name)
        folder = name.partition("::")[0].rpartition("/")[0]
        cheapest[folder] = min(one, cheapest.get(folder, one))
    kept_ones = {name for seconds, name in cheapest.values() if seconds < KEPT_SECONDS}
    long = (name for name, seconds in together.items() if seconds > LONG_SECONDS)
    return sorted(set(long) - kept_ones)


def main() -> None:
    """Replace the list by that of the figures in the file of this name."""
    from .plan import LONG

    LONG.write_text("\n".join(long_ones(json.loads(Path(sys.argv[1]).read_text()))) + "\n")


if __name__ == "__main__":
    main()
