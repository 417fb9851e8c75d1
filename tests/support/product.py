"""The product as a user runs it: the `recollect serve` command as a process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any, Self

from tests.support.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60


def clean_environ() -> dict[str, str]:
    """This process's environment without anything that configures the product."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("RECOLLECT_", "OPENAI_"))}


class Product:
    """Runs `recollect serve`; environment variables configure it, `kill` is kill -9."""

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.base_url = f"{self.url}/v1"
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._environ = clean_environ() | {
            "RECOLLECT_DATA_DIR": str(data_dir),
            "RECOLLECT_LISTEN__PORT": str(self.port),
            **{f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()},
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> Product:
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "proxy", "serve"],
                cwd=ROOT,
                env=self._environ,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}/readyz", timeout=5):
                    return self
            except OSError:
                if self.process.poll() is not None:
                    break
                time.sleep(0.05)
        raise RuntimeError(f"the product did not start:\n{self.log()}")

    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def kill(self) -> None:
        """Kill -9: no handler runs, nothing is flushed."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """SIGTERM, as an orchestrator stops it; the exit status."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()
