"""The processes of one crash run: whoever is killed is started again."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.crash.stage import Spec
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.support.zygote import ZYGOTE, Forked, Start

MAX_STARTS = 8
STAGE = "tests.crash.stage:run"


class Processes:
    """Workers on one database. Those on one file have a parent that owns it."""

    def __init__(
        self, spec: Spec, verdict: Any, *, restart: Callable[[], object] | None = None
    ) -> None:
        """`restart` brings the database back when the first worker has reached its point."""
        self._spec = spec
        self._verdict = verdict
        self._restart = restart
        self._owned = spec.in_file and spec.workers > 1
        self._generation = 0
        self._parent: Forked | None = None
        self._running: dict[int, Forked] = {}

    def ended(self, *, kill_parent: bool) -> bool:
        """Whether all of them end by themselves. With `kill_parent` all die with one."""
        if self._owned:
            self._start_parent()
        for number in range(self._spec.workers):
            self._start_worker(number)
        try:
            return self._all_ended(kill_parent=kill_parent and self._owned)
        finally:
            self._kill_workers()
            if self._parent is not None:
                self._parent.terminate()
                self._parent.wait()

    def once(self, target: str, spec: Spec) -> bool:
        """Whether a process ends well."""
        return self._noted("look", self._start(target, spec, "look").wait())

    def _all_ended(self, *, kill_parent: bool) -> bool:
        end = time.monotonic() + HANG_SECONDS
        while self._running and time.monotonic() < end and self._verdict.killed < MAX_STARTS:
            self._bring_back()
            for number, process in list(self._running.items()):
                if (status := process.poll()) is None:
                    continue
                del self._running[number]
                if not self._noted(f"worker-{number}", status):
                    return False
                if status:
                    self._follow(number, with_parent=kill_parent)
                    break
            time.sleep(0.005)
        if self._running:
            self._verdict.problems.append("it never ended")
        return not self._running

    def _follow(self, number: int, *, with_parent: bool) -> None:
        """Start whoever died again. The fault does not strike again."""
        self._spec = replace(self._spec, point=None, fault="none")
        again = {number}
        if with_parent:
            again |= self._running.keys()
            self._kill_workers()
            assert self._parent is not None
            self._parent.kill()
            self._parent.wait()
            self._start_parent()
        for each in sorted(again):
            self._start_worker(each)

    def _bring_back(self) -> None:
        reached = self._spec.place / "reached"
        if self._restart is not None and reached.exists():
            self._restart()
            reached.unlink()

    def _start_parent(self) -> None:
        """In a folder of its own, as each parent makes one."""
        self._generation += 1
        shared = self._spec.place / f"shared-{self._generation}"
        self._spec = replace(self._spec, shared=str(shared))
        self._parent = self._start("tests.crash.owner:run", self._spec, "parent")
        wait_until((shared / "owned").exists, "the parent")

    def _start_worker(self, number: int) -> None:
        spec = replace(self._spec, worker=number)
        if number:
            spec = replace(spec, point=None, fault="none")
        self._running[number] = self._start(STAGE, spec, f"worker-{number}")

    def _kill_workers(self) -> None:
        for process in self._running.values():
            process.kill()
            process.wait()
        self._running.clear()

    def _start(self, target: str, spec: Spec, name: str) -> Forked:
        return ZYGOTE.start(Start(target, [asdict(spec)], log=str(self._log(name))))

    def _noted(self, name: str, status: int) -> bool:
        """Count a death; False if it is a failure of the run itself."""
        if status == -signal.SIGKILL:
            self._verdict.killed += 1
        elif status:
            said = self._log(name).read_text()[-2000:]
            self._verdict.problems.append(f"{name} ended with {status}: {said}")
            return False
        return True

    def _log(self, name: str) -> Path:
        return self._spec.place / f"log-{name}"
