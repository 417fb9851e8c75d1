"""OpenAI's variables of the environment: used by the library, never by the proxy."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from recollect.memory import AsyncMemory
from tests.e2e.test_remembers import ASKED, FACT, TOLD, flush, memories, say
from tests.support.command import Command
from tests.support.product import Product
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel, facts

KEY = "sk-of-the-environment"


class Check(Command):
    """`recollect check`, which ends by itself."""

    name = "check"

    def is_ready(self) -> bool:
        return True


async def test_the_proxy_never_uses_them(
    tmp_path: Path, settings: dict[str, Any], extractor: ScriptedModel, upstream: Recorder
) -> None:
    """Chats, learning and `recollect check` send that key nowhere and call no such address."""
    extractor.replies = [facts(FACT)]
    async with ScriptedModel() as trap:
        environ = {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": trap.base_url}
        product = Product(tmp_path / "data", **settings)
        product._environ |= environ
        async with product:
            await say(product, TOLD, user="alice")
            await flush(product, user_id="alice")
            _, headers = await say(product, ASKED, user="alice")
            assert headers["x-recollect-memory"] == "injected"
        check = Check(tmp_path / "other", **settings)
        check._environ |= environ
        assert await asyncio.to_thread(check.begin().wait) == 0
        assert trap.requests == []
    assert extractor.requests
    assert KEY not in str(extractor.headers)
    assert upstream.received
    assert KEY.encode() not in upstream.received


async def test_the_proxy_may_be_the_librarys_server(
    tmp_path: Path, models_dir: Path, monkeypatch: Any
) -> None:
    """Its prompts pass: they are neither extended nor learned, and the upstream sees no header of ours.

    The program's chats go through the proxy, and the same variables lead the library there.
    """
    async with ScriptedModel(facts("User likes tea")) as upstream:
        settings = {"upstream__base_url": upstream.base_url, "embedder__model_dir": models_dir}
        async with Product(tmp_path / "data", **settings) as product:
            monkeypatch.setenv("OPENAI_BASE_URL", product.base_url)
            monkeypatch.setenv("OPENAI_API_KEY", KEY)
            given = {"embedder": {"model_dir": models_dir}}
            async with await AsyncMemory.open(given) as memory:
                for _ in range(2):
                    added = await memory.add("I like tea", user_id="default")
                assert [event["event"] for event in added["results"]] == ["NONE"]
            asked = len(upstream.requests)
            flushed = await flush(product)
            assert flushed["jobs"] == {}
            assert len(upstream.requests) == asked
            assert await memories(product, "default") == []
    assert {each["authorization"] for each in upstream.headers} == {f"Bearer {KEY}"}
    assert "x-recollect" not in str(upstream.headers)
