"""What the process counts as it happens."""

from dataclasses import replace

from recollect.filters import Outcome, Verdict
from recollect.memory.jobs.runs import Run, RunOutcome
from recollect.memory.model.jobs import JobKind, Spent
from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.totals import (
    MODEL_CHARS,
    MOST_TENANTS,
    MOST_WORDS,
    OTHER,
    Totals,
)
from tests.memory.state.samples import job

LEARN = JobKind.LEARN


def values(totals, metric):
    (found,) = [family.values for family in totals.families() if family.metric == metric]
    return found


def test_a_failed_recall_counts_by_its_cause():
    """Fail-opens are by reason; a deadline and a refusal have a metric of their own too."""
    totals = Totals()
    for reason in ("deadline", "deadline", "store_unavailable", "refused_by_upstream"):
        totals.chat(Verdict(Outcome.DEGRADED, reason), None, 0.01)
    assert values(totals, names.FAIL_OPENS) == {
        ("deadline",): 2,
        ("store_unavailable",): 1,
        ("refused_by_upstream",): 1,
    }
    assert values(totals, names.DEADLINES) == {(): 2}
    assert values(totals, names.REFUSED) == {(): 1}


def test_calls_for_learning_count_by_tenant_and_model():
    """What a tenant's learning costs, by kind of token."""
    totals = Totals()
    for _ in range(2):
        totals.spent("acme", "m-1", LEARN, Spent(calls=1, prompt_tokens=10, completion_tokens=3))
    assert values(totals, names.EXTRACTION_CALLS) == {("acme", "m-1"): 2}
    assert values(totals, names.EXTRACTION_TOKENS) == {
        ("acme", "m-1", "input"): 20,
        ("acme", "m-1", "output"): 6,
    }


def test_tenants_and_models_are_bounded():
    """Anybody may name a model, and a gateway has any number of tenants; nothing is uncounted."""
    totals = Totals()
    for number in range(MOST_TENANTS + 5):
        totals.spent(f"tenant{number}", "m" * 1000, LEARN, Spent(calls=1))
    calls = values(totals, names.EXTRACTION_CALLS)
    assert len(calls) == MOST_TENANTS + 1
    assert calls[OTHER, OTHER] == 5
    assert len(values(totals, names.EXTRACTION_TOKENS)) == 2 * len(calls)
    assert max(len(model) for _, model in calls) == MODEL_CHARS


def test_upkeep_counts_by_kind():
    """Its runs and its tokens, and none of them as learning."""
    totals = Totals()
    episode = replace(job("j"), kind=JobKind.EPISODE)
    totals.learned(Run(episode, RunOutcome.LEARNED))
    totals.learned(Run(episode, RunOutcome.NOTHING, unasked=True))
    totals.learned(Run(episode, RunOutcome.DEAD))
    totals.learned(Run(job("k"), RunOutcome.NOTHING))
    totals.spent("acme", "m-1", JobKind.EPISODE, Spent(1, 10, 3))
    assert values(totals, names.UPKEEP_RUNS) == {
        ("episode", "changed"): 1,
        ("episode", "rested"): 1,
        ("episode", "dead"): 1,
    }
    assert values(totals, names.UPKEEP_TOKENS) == {
        ("episode", "input"): 10,
        ("episode", "output"): 3,
    }
    assert values(totals, names.RUNS) == {("nothing", ""): 1}
    assert values(totals, names.EXTRACTION_TOKENS) == {}


def test_label_values_are_bounded():
    """A scrape stays small, whatever words occur; all chats are counted."""
    totals = Totals()
    for number in range(MOST_WORDS + 5):
        totals.chat(Verdict(Outcome.OFF, f"word{number}"), None, 0.0)
    chats = values(totals, names.CHATS)
    assert len(chats) == MOST_WORDS + 1
    assert chats[OTHER, OTHER] == 5


def test_operations_count_by_name_and_outcome():
    """With a histogram of their time; too many names, as a client may invent tools, are one."""
    totals = Totals()
    for status, seconds in ((200, 0.002), (304, 0.2), (404, 0.002), (503, 9.0)):
        totals.operation("get", status, seconds)
    assert values(totals, names.API_CALLS) == {
        ("get", "ok"): 2,
        ("get", "refused"): 1,
        ("get", "failed"): 1,
    }
    bars = values(totals, names.API_SECONDS)[("get",)]
    assert (sum(bars.counts), bars.counts[-1]) == (4, 1)
    assert round(bars.total, 3) == 9.204
    for number in range(2 * MOST_WORDS):
        totals.operation(f"mcp tool {number}", 200, 0.1)
    assert len(values(totals, names.API_CALLS)) == MOST_WORDS + 1
    assert len(values(totals, names.API_SECONDS)) == MOST_WORDS + 1
