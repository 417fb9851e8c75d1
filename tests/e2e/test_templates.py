"""Real llama.cpp servers that are given strict chat templates: nobody's chat fails because of memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.e2e.asking import say
from tests.proxy.chat.placing.rendering import TEMPLATES
from tests.proxy.chat.placing.test_templates import FIRST_ONLY, NO_SYSTEM
from tests.support.budget import FACTOR, WHOLE
from tests.support.gateway import Gateway
from tests.support.here import ProductHere
from tests.support.llama import LlamaServer
from tests.support.recorder import Recorder

FACT = "My locker at the pool has the number 4711."
ASKED = "Which number does my locker at the pool have?"
BEFORE = {
    "ours, system first only": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."},
    ],
    "ours, no system at all": [
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hi."},
    ],
}
"""What each server takes before the question, without us."""
REAL = ("Qwen3.5-4B", "mistralai-Mistral-Nemo-Instruct-2407")


@asynccontextmanager
async def strict(template: Path) -> AsyncIterator[tuple[Recorder, LlamaServer]]:
    """A llama.cpp server with this template, behind a relay that keeps what it is sent."""
    server = await asyncio.to_thread(LlamaServer(4, template).__enter__)
    try:
        async with Recorder(server.base_url) as recorder:
            yield recorder, server
    finally:
        await asyncio.to_thread(server.__exit__)


async def prompt_of(server: LlamaServer, body: dict[str, Any]) -> str:
    """What the server makes of a request: the text that its model reads."""
    url = server.base_url.removesuffix("/v1") + "/apply-template"
    async with (
        aiohttp.ClientSession() as session,
        session.post(url, json={"messages": body["messages"]}) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return str((await answer.json())["prompt"])


def cases(folder: Path) -> list[tuple[str, Path, list[dict[str, str]]]]:
    made = []
    for name, source in zip(BEFORE, (FIRST_ONLY, NO_SYSTEM), strict=True):
        path = folder / f"{len(made)}.jinja"
        path.write_text(source, "utf-8")
        made.append((name, path, BEFORE[name]))
    there = [TEMPLATES / f"{name}.jinja" for name in REAL]
    made += [(p.stem, p, BEFORE["ours, system first only"]) for p in there if p.exists()]
    return made


async def test_a_memory_reaches_the_model_through_a_strict_template(
    tmp_path: Path, gateway: Gateway
) -> None:
    """By itself; streamed or not, and through the other ones, in `make soak`."""
    for name, template, before in cases(tmp_path)[: 2 if FACTOR >= WHOLE else 1]:
        async with strict(template) as (upstream, server):
            tenant = gateway.tenant().served_by(upstream)
            await say(tenant, FACT, user="alice")
            for stream in (False, True) if FACTOR >= WHOLE else (True,):
                _, headers = await say(tenant, ASKED, user="alice", before=before, stream=stream)
                assert headers["x-recollect-memory"] == "injected", name
                assert "4711" in await prompt_of(server, upstream.bodies[-1]), name


@pytest.mark.skipif(FACTOR < WHOLE, reason="two more servers of models: `make soak`")
async def test_a_refused_place_is_left_from_the_second_request_on(
    tmp_path: Path, models_dir: Path
) -> None:
    """Where one is configured that the template of a real model refuses."""
    for name, template, before in cases(tmp_path)[2:]:
        async with strict(template) as (upstream, server):
            settings = {
                "upstream__base_url": upstream.base_url,
                "embedder__model_dir": models_dir,
                "recall__deadline_ms": 60_000,
                "recall__position": "tail",
            }
            async with ProductHere(tmp_path / name, **settings) as product:
                await say(product, FACT, user="alice")
                _, headers = await say(product, ASKED, user="alice", before=before)
                assert headers["x-recollect-reason"] == "refused_by_upstream", name
                _, headers = await say(product, ASKED, user="alice", before=before)
                assert headers["x-recollect-memory"] == "injected", name
                assert "4711" in await prompt_of(server, upstream.bodies[-1]), name


@pytest.mark.skipif(not TEMPLATES.exists(), reason="the chat templates of the evaluation data")
def test_the_real_templates_are_there() -> None:
    """The names above are those of files, so that none is left out in silence."""
    assert all((TEMPLATES / f"{name}.jinja").exists() for name in REAL)
