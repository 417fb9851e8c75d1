"""Running the calls of one round; test_loop.py has the usual ones."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any, cast

import pytest

from recollect.filters import Exchange
from recollect.memory.model.types import ToolCall
from recollect.memory.tools import ToolAnswer, ToolGuard, ToolSet
from recollect.memory.util.tasks import Tasks
from recollect.proxy.chat.tooling import running
from recollect.proxy.chat.tooling.running import ToolRunner
from recollect.proxy.telemetry.tracing import Telemetry
from tests.support.folding import rows

EXCHANGE = cast("Exchange", SimpleNamespace(conversation_id="c", telling=nullcontext))


class FakeTools:
    """One tool, which waits until it may go on."""

    names = ("fact_remember",)

    def __init__(self, guard: ToolGuard = ToolGuard.WRITE) -> None:
        self.begun, self.go_on, self.written = asyncio.Event(), asyncio.Event(), False
        self.fails = False
        self._tool = SimpleNamespace(name="fact_remember", guard=guard)

    def get(self, name: str) -> Any:
        return self._tool if name == "fact_remember" else None

    async def call(self, _name: str, _arguments: str) -> ToolAnswer:
        self.begun.set()
        await self.go_on.wait()
        if self.fails:
            raise RuntimeError("a defect")
        self.written = True
        return ToolAnswer({"event": "ADD"})


def told(telemetry: Telemetry) -> dict[tuple[str, ...], Any]:
    """The counted calls."""
    families = {each.metric.name: each.values for each in telemetry.totals.families()}
    return dict(families["recollect_tool_calls_total"])


async def results(runner: ToolRunner, tools: FakeTools, name: str = "fact_remember") -> list[str]:
    """What one call answers."""
    calls = [ToolCall(name, "{}", "1")]
    found = await runner.results(EXCHANGE, cast("ToolSet", tools), calls)
    return [said for _, said in found]


@rows("guard", list(ToolGuard))
async def test_a_write_is_finished_when_the_client_leaves(guard: ToolGuard) -> None:
    """Never half of it; a read is given up."""
    tasks, tools = Tasks(), FakeTools(guard)
    asking = asyncio.ensure_future(results(ToolRunner(tasks, Telemetry()), tools))
    await tools.begun.wait()
    asking.cancel()
    await asyncio.wait([asking])
    tools.go_on.set()
    await tasks.join()
    assert asking.cancelled()
    assert tools.written == (guard is not ToolGuard.READ)


async def test_a_write_that_takes_too_long_is_finished(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is told that nobody knows."""
    monkeypatch.setattr(running, "CALL_SECONDS", 0.01)
    tasks, tools, telemetry = Tasks(), FakeTools(), Telemetry()
    [said] = await results(ToolRunner(tasks, telemetry), tools)
    assert "it may have been done" in said
    tools.go_on.set()
    await tasks.join()
    assert tools.written
    assert told(telemetry) == {("fact_remember", "error"): 1}


async def test_a_defect_of_a_tool_costs_its_answer_only(caplog: pytest.LogCaptureFixture) -> None:
    """The chat goes on, and the log has a number."""
    tools, telemetry = FakeTools(), Telemetry()
    tools.fails = True
    tools.go_on.set()
    assert await results(ToolRunner(Tasks(), telemetry), tools) == ['{"error":"internal error"}']
    assert "RuntimeError" in caplog.text


async def test_calls_are_counted_by_names_of_ours() -> None:
    """A client's tool is not run, and a name that a model made up is no label."""
    tools, telemetry = FakeTools(), Telemetry()
    tools.go_on.set()
    runner = ToolRunner(Tasks(), telemetry)
    assert await results(runner, tools) == ['{"event":"ADD"}']
    await results(runner, tools, "Fact_Remember")
    assert "not run" in (await results(runner, tools, "weather"))[0]
    assert told(telemetry) == {("fact_remember", "ok"): 1, ("unknown", "ok"): 1}
