"""How a task was done is told to the agent that has to do it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import aiohttp

from tests.support.fence import parted
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts

PROCEDURE = (
    "To run the end-to-end tests of a suite, call start_stack, then run_playwright with the suite, "
    "then collect_logs."
)
STEPS = {"start_stack": "{}", "run_playwright": '{"suite": "checkout"}', "collect_logs": "{}"}
TOOLS = [
    {"type": "function", "function": {"name": name, "parameters": {"type": "object"}}}
    for name in STEPS
]


def _run(task: str) -> list[dict[str, Any]]:
    """The messages of a client whose agent has run the tools of a task."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": task}]
    for name, arguments in STEPS.items():
        call = {"name": name, "arguments": arguments}
        calls = [{"id": f"call_{name}", "type": "function", "function": call}]
        messages.append({"role": "assistant", "content": None, "tool_calls": calls})
        messages.append({"role": "tool", "tool_call_id": f"call_{name}", "content": "done"})
    return messages


def _extracted(body: dict[str, Any]) -> str:
    """A model that finds no facts, and the procedure of a run."""
    asks_for_a_procedure = "how such a task is done" in body["messages"][0]["content"]
    return PROCEDURE if asks_for_a_procedure else facts()


async def _call(product: Product, method: str, path: str, **options: Any) -> Any:
    async with (
        aiohttp.ClientSession() as session,
        session.request(method, f"{product.url}{path}", **options) as answer,
    ):
        assert answer.status == 200, await answer.text()
        return await answer.json()


async def _chat(
    product: Product, model: ScriptedModel, messages: list[dict[str, Any]]
) -> tuple[dict[str, str], str]:
    """The outcome, and the block that the upstream received."""
    body = {"model": "m", "user": "ada", "messages": messages, "tools": TOOLS}
    async with (
        aiohttp.ClientSession() as session,
        session.post(f"{product.base_url}/chat/completions", json=body) as answer,
    ):
        assert answer.status == 200
        await answer.read()
    sent = model.requests[-1]["messages"]
    outcome = {k: v for k, v in answer.headers.items() if k.startswith("x-recollect-")}
    return outcome, parted(sent[-1]["content"])[0]


async def test_a_validated_procedure_reaches_the_task_in_other_words(
    tmp_path: Path, models_dir: Path
) -> None:
    """Learned from a run, quarantined, validated, then told for the same task and for no other."""
    async with ScriptedModel("All tests pass.") as upstream, ScriptedModel(_extracted) as extractor:
        settings = {
            "upstream__base_url": upstream.base_url,
            "learn__llm__base_url": extractor.base_url,
            "learn__llm__model": "scripted",
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,  # a busy test machine is not what is tested here
        }
        async with Product(tmp_path / "data", **settings) as product:
            await _chat(product, upstream, _run("run the e2e tests for suite checkout"))
            await _call(product, "POST", "/v1/memories/flush", json={"user_id": "ada"})
            told = {"messages": "I run the e2e tests of suite smoke on Mondays", "infer": False}
            await _call(product, "POST", "/v1/memories/", json={**told, "user_id": "ada"})

            again = [
                {
                    "role": "user",
                    "content": "Execute the playwright suite smoke and collect the logs",
                }
            ]
            _, block = await _chat(product, upstream, again)
            assert PROCEDURE not in block, "it is quarantined"

            query = {"user_id": "ada", "status": "quarantined"}
            listed = await _call(product, "GET", "/v1/memories/", params=query)
            [found] = listed["results"]
            assert (found["memory"], found["type"]) == (PROCEDURE, "procedural")
            await _call(product, "POST", f"/v1/memories/{found['id']}/validate")

            outcome, block = await _chat(product, upstream, again)
            assert outcome["x-recollect-memory"] == "injected"
            assert PROCEDURE in block

            other = [{"role": "user", "content": "list the files in src/ with their sizes"}]
            outcome, block = await _chat(product, upstream, other)
            assert (outcome["x-recollect-memory"], block) == ("empty", "")
            assert json.dumps(PROCEDURE)[1:-1] not in json.dumps(upstream.requests[-1])
