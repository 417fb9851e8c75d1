"""Real parts for whole-product tests: llama.cpp with SmolLM2, Milvus Lite, SQLite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.llama import LlamaServer
from tests.support.recorder import Recorder
from tests.support.scripted import ScriptedModel


@pytest.fixture
async def upstream(llama: LlamaServer) -> AsyncIterator[Recorder]:
    """The model server behind a relay that keeps every byte it is sent."""
    async with Recorder(llama.base_url) as recorder:
        yield recorder


@pytest.fixture
async def extractor() -> AsyncIterator[ScriptedModel]:
    """The extraction model, scripted: the small real one cannot extract facts."""
    async with ScriptedModel() as model:
        yield model


@pytest.fixture
def settings(upstream: Recorder, extractor: ScriptedModel, models_dir: Path) -> dict[str, Any]:
    """For a product between the two, with the embedded store."""
    return {
        "upstream__base_url": upstream.base_url,
        "learn__llm__base_url": extractor.base_url,
        "learn__llm__model": "scripted",
        "embedder__model_dir": models_dir,
        "recall__deadline_ms": 5000,  # a busy test machine is not what is tested here
    }
