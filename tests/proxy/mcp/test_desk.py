"""What a client finds; what an operator does is on record, as over REST."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from recollect.memory.model.daily_sums import PAYER
from recollect.memory.model.errors import NotFoundError, StateError
from recollect.memory.model.owner import Owner
from recollect.memory.tools import ToolAnswer
from recollect.proxy.access.audit import Audit
from recollect.proxy.access.rights import Grant
from recollect.proxy.api.request import ApiRequest, Values
from recollect.proxy.mcp.desk import PROFILE_URI, OpenDesk, recorded_of
from recollect.proxy.telemetry.names import API_CALLS
from recollect.proxy.telemetry.totals import Totals

PLAN = "recollect://blocks/plan"
IDS = {"user_id": "ada", "agent_id": None, "run_id": None}


class Tools:
    """Answers, and says who pays."""

    answer = ToolAnswer({"id": "1"})
    payer = None

    async def call(self, _name, _arguments):
        self.payer = PAYER.get().tenant
        return self.answer


class Memory:
    """A profile of two lines and a block."""

    def __init__(self):
        self.blocks = self

    async def profile(self, **_ids):
        return {"results": [{"memory": "Ada is deaf."}, {"memory": "Ada lives in Bern."}]}

    async def list(self, **_ids):
        return {"results": [{"label": "plan", "description": "What to do next."}]}

    async def get(self, label, **_ids):
        if label != "plan":
            raise NotFoundError(f"there is no block {label!r}")
        return {"value": "1. Pack"}


@pytest.fixture
def make(tmp_path):
    """The desk of a caller, and the records so far."""
    audits = []

    def start(*, administers, folder=tmp_path):
        audits.append(Audit(folder / "audit.jsonl"))
        grant = Grant(Owner("acme"), who="token op (1)", administers=administers)
        caller = ApiRequest(Values(IDS), None, grant, SimpleNamespace(remote="::1"), {})
        tools = Tools()
        recorded = recorded_of(caller, audits[-1], start.totals)
        return OpenDesk(Memory(), IDS, tools, recorded), tools

    start.totals = Totals()
    yield start
    for audit in audits:
        audit.close()


def records(folder):
    path = folder / "audit.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


async def test_an_operators_calls_are_on_record(make, tmp_path):
    """Tool, scope and result; of what was said nothing."""
    desk, inner = make(administers=True)
    await desk.call("fact_search", {"query": "secret"})
    inner.answer = ToolAnswer({}, "no")
    await desk.call("fact_forget", {"id": "x"})
    found = {each["uri"]: each for each in await desk.readings()}
    assert list(found) == [PROFILE_URI, PLAN]
    assert found[PLAN]["description"] == "What to do next."
    assert await desk.read(PLAN) == "1. Pack"
    found = records(tmp_path)
    assert [(each["operation"], each["status"], each["user_id"]) for each in found] == [
        ("mcp tool fact_search", 200, "ada"),
        ("mcp tool fact_forget", 400, "ada"),
        ("mcp list of resources", 200, "ada"),
        ("mcp read resource", 200, "ada"),
    ]
    assert "secret" not in json.dumps(found)


async def test_calls_are_counted(make):
    """Whoever makes them, by tool and outcome: as operations of the memory API are."""
    desk, inner = make(administers=False)
    await desk.call("fact_search", {"query": "secret"})
    inner.answer = ToolAnswer({}, "no")
    await desk.call("fact_search", {})
    with pytest.raises(NotFoundError):
        await desk.read("recollect://blocks/none")
    [found] = [each.values for each in make.totals.families() if each.metric == API_CALLS]
    assert found == {
        ("mcp tool fact_search", "ok"): 1,
        ("mcp tool fact_search", "refused"): 1,
        ("mcp read resource", "refused"): 1,
    }


async def test_without_a_record_nothing_is_done(make, tmp_path):
    """The answer says why."""
    (tmp_path / "audit.jsonl").mkdir()
    desk, inner = make(administers=True)
    answer = await desk.call("fact_search", {})
    assert "audit log" in answer.error
    assert inner.payer is None
    with pytest.raises(StateError, match="audit log"):
        await desk.read(PLAN)
