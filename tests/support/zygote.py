"""Processes of the product without their start: one process imports everything and forks the rest.

`recollect serve` takes some seconds of computing before it does anything, most of it imports. A
fork of a process that has imported already runs the same code in a process of its own, which can be
stopped and killed like any other. `tests/proxy/test_serve.py` starts the real command.

Run as `python -m tests.support.zygote`: a line of JSON (`Start`) begins a process and is answered
by its id; the end of a process is a line with its id and status (negative: the signal).
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from tests.support.waiting import HANG_SECONDS

ROOT = Path(__file__).resolve().parents[2]
HEAVY = (
    "recollect.proxy.serve",
    "recollect.proxy.worker_process",
    "pymilvus",
    "openai",
    "redis.asyncio",
    "tokenizers",
)
"""What every process of the product imports sooner or later. None of it starts a thread."""


@dataclass(frozen=True)
class Start:
    """What a process is to do: call ``module:function`` with these arguments."""

    target: str
    arguments: list[Any] = field(default_factory=list)
    environ: dict[str, str] | None = None
    log: str | None = None
    """Where its output goes, appended; nowhere if not said."""


class Forked:
    """A process that was forked; the part of `subprocess.Popen` that tests use."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._ended = threading.Event()

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """The exit status. Raises subprocess.TimeoutExpired."""
        if not self._ended.wait(HANG_SECONDS if timeout is None else timeout):
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or HANG_SECONDS)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def ended(self, status: int) -> None:
        self.returncode = status
        self._ended.set()


class Zygote:
    """The process that forks; started at first use, ended with this one."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._running: dict[int, Forked] = {}
        self._begun: list[Forked] = []
        self._lock = threading.Lock()
        self._answer = threading.Event()
        self.cpu_seconds = 0.0
        """CPU time of the processes that have ended."""

    def start(self, start: Start) -> Forked:
        """Begin a process."""
        sys.audit("recollect.fork", start.target)  # `tests/support/plan.py` listens
        with self._lock:
            if self._process is None:
                self._open()
            assert self._process is not None
            assert self._process.stdin is not None
            self._answer.clear()
            self._process.stdin.write(json.dumps(asdict(start)) + "\n")
            self._process.stdin.flush()
            assert self._answer.wait(HANG_SECONDS), "the zygote does not answer"
            return self._begun.pop()

    @property
    def pid(self) -> int | None:
        """Of the process that forks, if it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def running(self) -> list[int]:
        """The processes that it has begun and that have not ended."""
        return list(self._running)

    def close(self) -> None:
        """End it, and whatever it has begun."""
        if self._process is not None:
            process, self._process = self._process, None
            for child in list(self._running.values()):
                child.kill()
            assert process.stdin is not None
            process.stdin.close()
            process.wait(HANG_SECONDS)

    def _open(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.zygote"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        atexit.register(self.close)

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                told = json.loads(line)
                pid = told["pid"]
                if "status" in told:
                    self.cpu_seconds += told["cpu_ms"] / 1000
                    self._running.pop(pid).ended(told["status"])
                else:
                    forked = self._running[pid] = Forked(pid)
                    self._begun.append(forked)
                    self._answer.set()


ZYGOTE = Zygote()


def main() -> None:
    """Fork on demand, reap, tell; one thread, so that forking is safe."""
    for name in HEAVY:
        importlib.import_module(name)
    # Finding it writes a file for a moment, which a child that is killed then would leave behind.
    tempfile.gettempdir()
    gc.collect()
    gc.freeze()  # a child's collector would otherwise copy every page that it looks at
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake_write)
    wanted = b""
    while True:
        ready, _, _ = select.select([0, wake_read], [], [])
        if wake_read in ready:
            os.read(wake_read, 4096)
        if 0 in ready:
            data = os.read(0, 1 << 20)
            if not data:
                return
            *lines, wanted = (wanted + data).split(b"\n")
            for line in lines:
                _begin(Start(**json.loads(line)), (wake_read, wake_write))
        _reap()


def _begin(start: Start, private: tuple[int, ...]) -> None:
    pid = os.fork()
    if pid == 0:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for descriptor in private:
            os.close(descriptor)
        _run(start)
    _tell({"pid": pid})


def _run(start: Start) -> None:
    """In the child: never returns."""
    code = 1
    try:
        with open(os.devnull) as nothing, open(start.log or os.devnull, "ab") as log:  # noqa: PTH123
            os.dup2(nothing.fileno(), 0)
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
        if start.environ is not None:
            os.environ.clear()
            os.environ.update(start.environ)
        module, _, function = start.target.partition(":")
        code = getattr(importlib.import_module(module), function)(*start.arguments) or 0
    except SystemExit as error:
        code = error.code if isinstance(error.code, int) else 1
    except BaseException:  # noqa: BLE001 - the parent is told by the exit status
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def _reap() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            cpu_ms = round(1000 * (usage.ru_utime + usage.ru_stime))
            _tell({"pid": pid, "status": os.waitstatus_to_exitcode(status), "cpu_ms": cpu_ms})


def _tell(what: dict[str, int]) -> None:
    os.write(1, json.dumps(what).encode() + b"\n")


if __name__ == "__main__":
    main()
