"""What the process counts as it happens."""

from recollect.filters import Outcome, Verdict
from recollect.proxy.telemetry import names
from recollect.proxy.telemetry.totals import MOST_WORDS, OTHER, Totals


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


def test_a_chat_without_recall_is_in_no_bar():
    """The time of recalls is not diluted by chats that had none."""
    totals = Totals()
    totals.chat(Verdict(Outcome.SKIPPED, "greeting"), None, 0.0)
    (bars,) = values(totals, names.RECALL_SECONDS).values()
    assert sum(bars.counts) == 0


def test_label_values_are_bounded():
    """A scrape stays small, whatever words occur; all chats are counted."""
    totals = Totals()
    for number in range(MOST_WORDS + 5):
        totals.chat(Verdict(Outcome.OFF, f"word{number}"), None, 0.0)
    chats = values(totals, names.CHATS)
    assert len(chats) == MOST_WORDS + 1
    assert chats[OTHER, OTHER] == 5
