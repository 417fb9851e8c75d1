"""`recollect worker` as a user runs it: a process that learns beside the proxies."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

from tests.support.product import ROOT, START_SECONDS, clean_environ

READY = "is ready to learn"


class WorkerProcess:
    """Environment variables configure it as they do `Product`; `kill` is kill -9."""

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._environ = clean_environ() | {
            "RECOLLECT_DATA_DIR": str(data_dir),
            **{f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()},
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Self:
        """Returns once it takes jobs."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "proxy", "worker"],
                cwd=ROOT,
                env=self._environ,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if READY in self.log():
                return self
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"the worker did not start:\n{self.log()}")

    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def kill(self) -> None:
        """Kill -9: no handler runs, nothing is given back."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """SIGTERM, as an orchestrator stops it; the exit status. No error if it does not run."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
