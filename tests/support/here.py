"""The product in the test's own process and loop: for what is not about starting, stopping or killing."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from aiohttp import web

from recollect.config import load_settings
from recollect.proxy.serve import build_runner
from tests.support.product import UNHURRIED


class ProductHere:
    """Composed as `recollect serve` does; to helpers it is a product. Use as a context manager."""

    key = "sk-test"
    headers: ClassVar[dict[str, str]] = {}

    def __init__(self, data_dir: Path, **settings: Any) -> None:
        given = {"data_dir": data_dir, "telemetry__metrics": "localhost:0", **UNHURRIED, **settings}
        self._environ = {f"RECOLLECT_{key.upper()}": str(value) for key, value in given.items()}

    async def __aenter__(self) -> Self:
        self._runner = build_runner(load_settings(environ=self._environ))
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port: int = self._runner.addresses[0][1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.base_url = f"{self.url}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        """What it learns in its last moments may need a server on this loop."""
        await self._runner.cleanup()
