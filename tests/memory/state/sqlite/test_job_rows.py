"""Jobs as rows."""

from dataclasses import fields, replace

from recollect.memory.model.types import Job, JobReport, JobState, Scope
from recollect.memory.state.sqlite.job_rows import JOB, REPORT, job_from, report_from, values_of
from tests.memory.state.contract import NOON, job

SCOPE = Scope(tenant="local", user_id="u", agent_id="a", run_id="r")
GIVEN = replace(
    job("j", scope=SCOPE), attempts=3, checkpoint="decisions", after_seq=0, cancelled=True
)
VALUES = values_of(GIVEN) | {"attempts": 3, "cancelled": 1, "checkpoint": "decisions"}


def test_a_job_comes_back() -> None:
    """Its row says the same, but for the lease."""
    assert job_from(tuple(VALUES[column] for column in JOB.split(", "))) == GIVEN


def test_a_report_shows_no_checkpoint() -> None:
    """Decisions are words of a conversation: an operator is not shown them."""
    shown = {"state": "dead", "queued_at": 1, "not_before": 0, "error": "e", "raw": "r"}
    report = report_from(tuple({**VALUES, **shown}[column] for column in REPORT.split(", ")))
    assert report.job == replace(GIVEN, checkpoint=None)
    assert (report.state, report.not_before) == (JobState.DEAD, None)
    assert (report.error, report.raw) == ("e", "r")
    assert report.queued_at < NOON


def test_every_field_has_its_column() -> None:
    """A field that is added to `Job` or `JobReport` is not forgotten here."""
    columns = set(REPORT.split(", ")) - {"tenant", "user_id", "agent_id", "run_id"}
    named = {field.name for kind in (Job, JobReport) for field in fields(kind)}
    assert named - {"job", "scope", "lease"} == columns
