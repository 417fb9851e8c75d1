"""What is on record, what a record has, and that nothing is done without one."""

import asyncio
import json

import pytest

from recollect.memory.model.owner import Owner
from recollect.proxy.access.audit import MAX_CHARS, Audit, AuditError, record_of
from recollect.proxy.access.rights import Grant


@pytest.fixture
def audit(tmp_path):
    audit = Audit(tmp_path / "audit.jsonl")
    yield audit
    audit.close()


def records(tmp_path):
    return [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]


def test_what_a_record_has():
    """Who, whose, what and where from; what is no id is not in it, and no id is longer than one."""
    grant = Grant(Owner("acme"), who="api.token")
    record = record_of(
        "get",
        grant,
        ids={"user_id": "alice", "agent_id": None, "run_id": {"text": "secret"}},
        target={"memory_id": "m" * 5000},
        remote="10.0.0.1",
    )
    assert record.pop("time").endswith("+00:00")
    assert record == {
        "who": "api.token",
        "tenant": "acme",
        "operation": "get",
        "user_id": "alice",
        "memory_id": "m" * MAX_CHARS,
        "status": None,
        "remote": "10.0.0.1",
    }


async def test_a_request_that_is_cancelled_is_on_record(audit, tmp_path):
    """Its status is unknown; what it did so far may be done."""
    begun = asyncio.Event()

    async def act():
        async with audit.about({"operation": "reset", "status": None}):
            begun.set()
            await asyncio.Event().wait()

    acting = asyncio.ensure_future(act())
    await begun.wait()
    acting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await acting
    audit.close()
    [record] = records(tmp_path)
    assert record.pop("ms") >= 0
    assert record == {"operation": "reset", "status": None}


async def test_a_record_that_fails_after_the_action_is_not_lost(audit, tmp_path):
    """It waits, and the next action has to wait for it."""
    path = tmp_path / "audit.jsonl"
    async with audit.about({"operation": "first"}):
        path.unlink()
        path.mkdir()
    with pytest.raises(AuditError):
        async with audit.about({"operation": "second"}):
            raise AssertionError("the first has no record yet")
    path.rmdir()
    async with audit.about({"operation": "third"}):
        assert [each["operation"] for each in records(tmp_path)] == ["first"]
    assert [each["operation"] for each in records(tmp_path)] == ["first", "third"]


async def test_what_is_lost_is_told(tmp_path, caplog):
    """When the process stops, records that could not be written are counted in its log."""
    path = tmp_path / "audit.jsonl"
    audit = Audit(path)
    async with audit.about({"operation": "first"}):
        path.unlink()
        path.mkdir()
    audit.close()
    assert "1 records of the audit log are lost" in caplog.text
