"""A crash run with two workers on the same files, whose parent may be killed with them."""

from __future__ import annotations

import signal
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.crash.stage import WORKERS, Spec
from tests.support.waiting import HANG_SECONDS, wait_until
from tests.support.zygote import ZYGOTE, Forked, Start

MAX_STARTS = 8


class Pair:
    """The parent and its workers; the fault strikes the first worker, once."""

    def __init__(self, spec: Spec, folder: Path) -> None:
        self._spec = spec
        self._folder = folder
        self._generation = 0
        self._parent: Forked | None = None
        self.running: dict[int, Forked] = {}
        self.done: set[int] = set()

    def start_parent(self) -> None:
        """In a folder of its own, as each parent makes one."""
        self._generation += 1
        shared = self._folder / f"shared-{self._generation}"
        self._spec = replace(self._spec, shared=str(shared))
        self._parent = self._start("tests.crash.owner:run", self._spec, "parent")
        wait_until((shared / "owned").exists, "the parent")

    def start_worker(self, number: int) -> None:
        spec = replace(self._spec, worker=number)
        if number:
            spec = replace(spec, point=None, fault="none")
        self.running[number] = self._start("tests.crash.stage:run", spec, f"worker-{number}")

    def struck(self) -> None:
        """The fault does not strike again."""
        self._spec = replace(self._spec, point=None, fault="none")

    def kill_all(self) -> None:
        """As the death of the parent does: the workers and the store end with it."""
        assert self._parent is not None
        for process in (self._parent, *self.running.values()):
            process.kill()
            process.wait()
        self.running.clear()

    def stop_parent(self) -> None:
        assert self._parent is not None
        self._parent.terminate()
        self._parent.wait()

    def log(self, name: str) -> str:
        return (self._folder / f"error-{name}").read_text()[-2000:]

    def _start(self, target: str, spec: Spec, name: str) -> Forked:
        log = str(self._folder / f"error-{name}")
        return ZYGOTE.start(Start(target, [asdict(spec)], log=log))


def run_pair(spec: Spec, folder: Path, verdict: Any, *, kill_parent: bool) -> None:
    """Run both until each ends by itself; a third process then looks at what there is."""
    pair = Pair(spec, folder)
    pair.start_parent()
    try:
        for number in range(WORKERS):
            pair.start_worker(number)
        if _until_ended(pair, verdict, kill_parent=kill_parent):
            (folder / "outcome.json").unlink(missing_ok=True)
            pair.struck()
            pair.start_worker(0)
            _note(pair, 0, pair.running.pop(0).wait(), verdict)
    finally:
        pair.stop_parent()


def _until_ended(pair: Pair, verdict: Any, *, kill_parent: bool) -> bool:
    """Whether both ended by themselves; whoever is killed is started again."""
    end = time.monotonic() + HANG_SECONDS
    while len(pair.done) < WORKERS and time.monotonic() < end and verdict.killed < MAX_STARTS:
        for number, process in list(pair.running.items()):
            if (status := process.poll()) is None:
                continue
            del pair.running[number]
            pair.struck()
            if status == -signal.SIGKILL and kill_parent:
                verdict.killed += 1
                pair.kill_all()
                pair.start_parent()
                for each in set(range(WORKERS)) - pair.done:
                    pair.start_worker(each)
                break
            if not _note(pair, number, status, verdict):
                return False
            if status:
                pair.start_worker(number)
            else:
                pair.done.add(number)
        time.sleep(0.01)
    if len(pair.done) < WORKERS:
        verdict.problems.append("it never ended")
        pair.kill_all()
    return len(pair.done) == WORKERS


def _note(pair: Pair, number: int, status: int, verdict: Any) -> bool:
    """Count a death; False if it is a failure of the run itself."""
    if status == -signal.SIGKILL:
        verdict.killed += 1
    elif status:
        verdict.problems.append(f"exit status {status}: {pair.log(f'worker-{number}')}")
        return False
    return True
