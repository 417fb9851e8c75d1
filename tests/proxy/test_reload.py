"""A changed configuration counts while the product runs; a wrong one changes nothing."""

from __future__ import annotations

import asyncio
import json
import logging
import signal
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from recollect.config import ConfigError, load_settings
from recollect.proxy.reload import Reloading
from tests.support.product import Product
from tests.support.waiting import until


def configured(tmp_path: Path, **environ: str) -> Any:
    given = {"DATA_DIR": str(tmp_path), **environ}
    return load_settings(environ={f"RECOLLECT_{name}": value for name, value in given.items()})


async def reloaded(reloading: Reloading) -> None:
    """One reload, from signal to end."""
    reloading.begin()
    await reloading.end()


async def test_a_second_reload_tells_again_what_waits(tmp_path, caplog):
    """What counts was taken over once; what needs a restart still does."""
    caplog.set_level(logging.INFO)
    settings = configured(tmp_path)
    other = configured(tmp_path, RECALL__LIMIT="7", LISTEN__PORT="9999")
    told: list[dict[str, Any]] = []
    reloading = Reloading(settings, lambda: other, lambda values: told.append(dict(values)))
    await reloaded(reloading)
    await reloaded(reloading)
    assert settings.recall.limit == 7
    assert told == [{"recall.limit": 7}, {}]
    assert caplog.text.count("changed: recall.limit") == 1
    assert caplog.text.count("after a restart: listen.port") == 2


async def test_a_wrong_configuration_leaves_the_old_one(tmp_path, caplog):
    """Each line of the error is logged, and names its key; brackets without end are one line."""
    settings = configured(tmp_path)

    def read() -> Any:
        raise ConfigError("recall.limit: expected a whole number\nlisten.prt: unknown key")

    await reloaded(Reloading(settings, read))
    assert settings.recall.limit == configured(tmp_path).recall.limit
    lines = [record.getMessage() for record in caplog.records if record.levelname == "ERROR"]
    assert [line.split(": ")[1] for line in lines] == ["recall.limit", "listen.prt"]
    caplog.clear()
    path = tmp_path / "c.yaml"
    path.write_text("{a: " * 20_000)
    await reloaded(Reloading(settings, lambda: load_settings(path=path, environ={})))
    [record] = [record for record in caplog.records if record.levelname == "ERROR"]
    assert f"the old one stays: {path}: " in record.getMessage()
    assert record.exc_info is None


def bounds(product: Product) -> dict[str, Any]:
    """The limits in force, of whichever worker answers."""
    url = f"{product.url}/v1/memories/explain?user_id=ada&q=tea"
    with urllib.request.urlopen(url) as answer:
        return dict(json.load(answer)["bounds"])


@pytest.mark.process
async def test_a_signal_changes_every_process(tmp_path):
    """File, SIGHUP, and the next recall has the new limits; then a wrong file, and it keeps them."""
    file = tmp_path / "config.yaml"
    file.write_text("recall: {limit: 11}\n")
    settings = {"config": file, "embedder__backend": "fake", "listen__workers": 2}
    async with Product(tmp_path / "data", **settings) as product:
        assert bounds(product)["limit"] == 11
        file.write_text("recall: {limit: 5, token_budget: 300}\nindex: {collection: another}\n")
        product.process.send_signal(signal.SIGHUP)
        await until(lambda: "after a restart: index.collection" in product.log())

        async def all_changed():
            """Workers hear it through a pipe."""
            found = [await asyncio.to_thread(bounds, product) for _ in range(8)]
            return all((each["limit"], each["token_budget"]) == (5, 300) for each in found)

        await until(all_changed, "every worker's limits")
        file.write_text("recall: {limit: many}\n")
        product.process.send_signal(signal.SIGHUP)
        await until(lambda: "the old one stays: recall.limit" in product.log())
        assert (await asyncio.to_thread(bounds, product))["limit"] == 5
