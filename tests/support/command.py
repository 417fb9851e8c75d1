"""A command of the product as a process that is started, told to stop, or killed."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Self

from tests.support.constants import apart
from tests.support.waiting import HANG_SECONDS
from tests.support.zygote import ZYGOTE, Forked, Start


def clean_environ() -> dict[str, str]:
    """This process's environment without anything that configures the product."""
    return {k: v for k, v in os.environ.items() if not k.startswith(("RECOLLECT_", "OPENAI_"))}


class Command(ABC):
    """Environment variables configure it, by the names of settings (and constants); its log is beside its data."""

    name: str

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        settings, self._constants = apart(settings)
        self._log = data_dir.parent / f"{data_dir.name}.log"
        self._environ = clean_environ() | {
            "RECOLLECT_DATA_DIR": str(data_dir),
            **{f"RECOLLECT_{key.upper()}": str(value) for key, value in settings.items()},
        }
        self.process: Forked | None = None

    @abstractmethod
    def is_ready(self) -> bool:
        """Whether it does what it was started for."""

    def begin(self) -> Forked:
        """Start it and wait for nothing."""
        self._log.touch()
        self.process = ZYGOTE.start(
            Start(
                "tests.support.constants:command",
                [[self.name], self._constants],
                self._environ,
                str(self._log),
            )
        )
        return self.process

    def start(self) -> Self:
        """Returns once it is ready."""
        self.process = self.begin()
        deadline = time.monotonic() + HANG_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            if self.is_ready():
                return self
            time.sleep(0.05)
        self.kill()
        raise RuntimeError(f"{self.name} did not start:\n{self.log()}")

    def log(self) -> str:
        return self._log.read_text("utf-8", "replace")

    def kill(self) -> None:
        """Kill -9: no handler runs, nothing is flushed or given back."""
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
            return self.process.wait(HANG_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    async def __aenter__(self) -> Self:
        """Start it while servers on this loop go on answering."""
        return await asyncio.to_thread(self.start)

    async def __aexit__(self, *_: object) -> None:
        """Stop it; what it learns in its last moments may need a server on this loop."""
        await asyncio.to_thread(self.stop)
