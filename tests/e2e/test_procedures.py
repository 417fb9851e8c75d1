"""How a task was done is told to the agent that has to do it again."""

from __future__ import annotations

import json
from typing import Any

import aiohttp

from tests.e2e.asking import api, flush, remember
from tests.support.fence import parted
from tests.support.gateway import Tenant
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


async def _chat(
    tenant: Tenant, model: ScriptedModel, messages: list[dict[str, Any]]
) -> tuple[dict[str, str], str]:
    """The outcome, and the block that the upstream received."""
    body = {"model": "m", "user": "ada", "messages": messages, "tools": TOOLS}
    async with (
        aiohttp.ClientSession(headers=tenant.headers) as session,
        session.post(f"{tenant.base_url}/chat/completions", json=body) as answer,
    ):
        assert answer.status == 200
        await answer.read()
    sent = model.requests[-1]["messages"]
    outcome = {k: v for k, v in answer.headers.items() if k.startswith("x-recollect-")}
    return outcome, parted(sent[-1]["content"])[0]


async def test_a_validated_procedure_reaches_the_task_in_other_words(
    tenant: Tenant, model: ScriptedModel, extractor: ScriptedModel
) -> None:
    """Learned from a run, quarantined, validated, then told for the same task and for no other."""
    model.replies, extractor.replies = ["All tests pass."], [_extracted]
    await _chat(tenant, model, _run("run the e2e tests for suite checkout"))
    await flush(tenant, user_id="ada")
    await remember(tenant, "I run the e2e tests of suite smoke on Mondays", "ada")

    task = "Execute the playwright suite smoke and collect the logs"
    again = [{"role": "user", "content": task}]
    _, block = await _chat(tenant, model, again)
    assert PROCEDURE not in block, "it is quarantined"

    listed = await api(tenant, "GET", "/", user_id="ada", status="quarantined")
    [found] = listed["results"]
    assert (found["memory"], found["type"]) == (PROCEDURE, "procedural")
    await api(tenant, "POST", f"/{found['id']}/validate")

    outcome, block = await _chat(tenant, model, again)
    assert outcome["x-recollect-memory"] == "injected"
    assert PROCEDURE in block

    other = [{"role": "user", "content": "list the files in src/ with their sizes"}]
    outcome, block = await _chat(tenant, model, other)
    assert (outcome["x-recollect-memory"], block) == ("skipped", "")
    assert json.dumps(PROCEDURE)[1:-1] not in json.dumps(model.requests[-1])
