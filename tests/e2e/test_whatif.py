"""Which memory changed the answer of a real model: asked by the command, of the product, as shipped."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.test_first_chat import remember
from tests.e2e.test_remembers import ASKED, FACT
from tests.support.command import clean_environ
from tests.support.product import Product
from tests.support.recorder import Recorder

ASK = ["whatif", "--user", "ada", "--model", "smollm2", "--max-calls", "4", "--max-tokens", "24"]


async def command(product: Product, *arguments: str) -> tuple[int, str, str]:
    """The status, the output and the messages of a command beside the product."""
    running = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "recollect", *arguments),
        env=clean_environ() | {"RECOLLECT_LISTEN__PORT": str(product.port)},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await running.communicate()
    return running.returncode or 0, out.decode(), err.decode()


@pytest.mark.process
async def test_a_real_model_is_asked_with_and_without_the_memory(
    settings: dict[str, Any], upstream: Recorder, tmp_path: Path
) -> None:
    """Three real answers: two to the same bytes, one to the chat without its line."""
    with Product(tmp_path, **settings) as product:
        await remember(product, FACT, "ada")
        status, out, err = await command(product, *ASK, "--json", ASKED)
        assert status == 0, err
        told = json.loads(out)
        [without] = told["without"]
        assert (without["memory"], told["calls"], told["not_tried"]) == (FACT, 3, [])
        assert told["base"]
        assert told["tokens"] > 0
        first, *others = [json.dumps(body["messages"]) for body in upstream.bodies]
        assert others.count(first) == 1
        [bare] = [body for body in others if body != first]
        assert FACT in first
        assert "4711" not in bare
