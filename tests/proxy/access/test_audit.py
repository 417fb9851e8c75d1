"""What is on record, what a record has, and that nothing is done without one."""

import asyncio
import json

import pytest

from recollect.memory.model.owner import Owner
from recollect.proxy.access.audit import MAX_CHARS, Audit, AuditError, is_audited, record_of
from recollect.proxy.access.rights import Grant, Right
from tests.support.folding import rows


@pytest.fixture
def audit(tmp_path):
    audit = Audit(tmp_path / "audit.jsonl")
    yield audit
    audit.close()


def records(tmp_path):
    return [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]


@rows("right", Right)
def test_what_is_on_record(right):
    """What acts on a tenant, by anybody; and everything of an operator that needs a credential."""
    assert is_audited(right, Grant(Owner("acme"))) == (right is Right.ADMIN)
    operator = Grant(Owner("acme"), administers=True)
    assert is_audited(right, operator) == (right is not Right.NONE)


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
    assert records(tmp_path) == [{"operation": "reset", "status": None}]


async def test_what_may_never_end_is_on_record_at_once(audit, tmp_path):
    """And once only."""
    async with audit.about({"operation": "events"}, at_once=True):
        assert records(tmp_path) == [{"operation": "events"}]
    assert records(tmp_path) == [{"operation": "events"}]


@pytest.mark.parametrize("at_once", [False, True])
async def test_without_a_record_nothing_is_done(audit, tmp_path, caplog, at_once):
    """The log names the setting; once the file can be written, everything goes on."""
    (tmp_path / "audit.jsonl").mkdir()
    for _ in range(2):
        with pytest.raises(AuditError):
            async with audit.about({"operation": "reset"}, at_once=at_once):
                raise AssertionError("this was done without a record")
    assert "api.audit_log" in caplog.text
    (tmp_path / "audit.jsonl").rmdir()
    async with audit.about({"operation": "again"}, at_once=at_once):
        pass
    assert records(tmp_path) == [{"operation": "again"}]


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
