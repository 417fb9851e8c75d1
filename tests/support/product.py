"""The product as a user runs it: the `recollect serve` command as a process."""

from __future__ import annotations

import urllib.request
from pathlib import Path
from typing import Any, ClassVar

from tests.support.command import Command
from tests.support.ports import free_port
from tests.support.waiting import HANG_SECONDS

UNHURRIED = {"recall__deadline_ms": 60_000}
"""A busy test machine is not what is tested, unless a test says so."""


class Product(Command):
    """Ready once it answers."""

    name = "serve"
    key = "sk-test"
    headers: ClassVar[dict[str, str]] = {}
    """What clients send: none has to, in personal mode."""

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.base_url = f"{self.url}/v1"
        ours = {"listen__port": self.port, "telemetry__metrics": "localhost:0", **UNHURRIED}
        super().__init__(data_dir, **(ours | settings))

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/readyz", timeout=HANG_SECONDS):
                return True
        except OSError:
            return False
