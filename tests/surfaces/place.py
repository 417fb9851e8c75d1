"""One product for all scenarios of a worker: a tenant each, and a model that answers from a script."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from aiohttp import web

from recollect.memory import AsyncMemory
from recollect.memory.api.portal import Portal
from recollect.memory.tools import TOOLS
from recollect.proxy.app import HANDLERS
from recollect.proxy.serve import build_runner
from tests.support.composing import settings
from tests.support.scripted import Reply, ScriptedModel, facts

MOST = 1000
"""Tenants of one worker."""


class Place:
    """A proxy that runs in a thread; what is in it belongs to tenants that no other test has."""

    def __init__(self, folder: Path, **more: Any) -> None:
        """`more` are further settings."""
        self.folder = folder
        self._portal = portal = Portal()
        portal._thread.name = "surfaces"  # none of those that tests of the library count
        self.model = ScriptedModel()
        portal.call(self.model.__aenter__())
        tenants = {name: token_of(name) for name in map(tenant_name, range(MOST))}
        self._runner = build_runner(
            settings(
                folder,
                identity__mode="gateway",
                identity__hash_key="a key",
                identity__tenants=tenants,
                upstream__base_url=self.model.base_url,
                learn__llm__base_url=self.model.base_url,
                learn__vision__base_url=self.model.base_url,
                **_rewriting(more, self.model.base_url),
                recall__deadline_ms=60_000,
                tools__names=[tool.name for tool in TOOLS],
                **more,
            )
        )
        portal.call(self._runner.setup())
        portal.call(web.TCPSite(self._runner, "127.0.0.1", 0).start())
        self.port: int = self._runner.addresses[0][1]
        self.engine = self._runner.app[HANDLERS].api.engine
        self.call = portal.call
        self._tenants = map(tenant_name, itertools.count())

    def close(self) -> None:
        """End the product, and its thread."""
        self.call(self._runner.cleanup())
        self.call(self.model.__aexit__())
        self._portal.close()

    def tenant(self) -> str:
        """One that nobody has had."""
        return next(self._tenants)

    def memory(self, tenant: str) -> AsyncMemory:
        """What a tenant has, for `call`."""
        return AsyncMemory(self.engine, tenant=tenant)

    def says(self, *replies: Reply) -> None:
        """What the model answers from now on."""
        self.model.replies = list(replies) or [facts()]
        self.model.requests.clear()


def _rewriting(more: dict[str, Any], base_url: str) -> dict[str, Any]:
    asks = "recall__rewrite__llm__model" in more
    return {"recall__rewrite__llm__base_url": base_url} if asks else {}


def tenant_name(number: int) -> str:
    return f"tenant-{number}"


def token_of(tenant: str) -> str:
    """Its credential."""
    return f"token of {tenant}"


@contextmanager
def a_place(**more: Any) -> Iterator[Place]:
    """One that is closed at the end; for `more` see `Place`."""
    with tempfile.TemporaryDirectory() as folder:
        place = Place(Path(folder), **more)
        try:
            yield place
        finally:
            place.close()
