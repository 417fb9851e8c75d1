"""The file of the counts: what fails, what it says then, and what is written into it."""

from __future__ import annotations

from tests.support.folding import rows

from .counted import Counts
from .file import Reason, Written, differences, parse, render, table
from .measure import Cost
from .write import rewritten

PYTHON = "3.11"


def written(**kinds):
    return Written(PYTHON, {name: Cost("200", Counts(**counts)) for name, counts in kinds.items()})


def changed(old, new, **more):
    found = differences(old, new.costs, **({"python": PYTHON, "tolerance": 0.05} | more))
    return [(change.kind, change.count, change.old, change.new) for change in found]


@rows(
    "old, new, fails",
    [
        (100, 105, False),
        (100, 106, True),
        (100, 95, False),
        (100, 94, True),
        (2, 3, True),
        (1, 0, True),
        (0, 1, True),
        (0, 0, False),
    ],
)
def test_more_than_five_percent_fails_in_either_direction(old, new, fails):
    """A fall that is not written down would hide the next rise."""
    expected = [("ask", "statements", old, new)] if fails else []
    assert changed(written(ask={"statements": old}), written(ask={"statements": new})) == expected


def test_kinds_that_are_new_or_gone_fail():
    """No kind of request is counted without standing in the file, and none stands there uncounted."""
    assert changed(written(a={}, b={}), written(b={}, c={})) == [
        ("a", "kind", "counted", "none"),
        ("c", "kind", "none", "counted"),
    ]


def test_another_outcome_fails():
    """A skip that becomes a recall is told even if it costs the same."""
    old, new = written(ask={}), Written(PYTHON, {"ask": Cost("200 injected", Counts())})
    assert changed(old, new) == [("ask", "outcome", "200", "200 injected")]


def test_a_failure_says_what_rose_and_what_to_do():
    """Old, new, percent, and the command."""
    old, new = written(ask={"functions": 1000}), written(ask={"functions": 1100})
    said = table(differences(old, new.costs, python=PYTHON))
    row = next(line for line in said.splitlines() if line.startswith("ask"))
    assert row.split() == ["ask", "functions", "1000", "1100", "+10.0", "%"]
    assert "python -m tests.cost.write --reason" in said


def test_what_is_written_can_be_read():
    """Every kind with its counts, and the reasons, with any characters."""
    costs = {'a "kind", named': Cost("200 skipped", Counts(*range(len(Counts.names()))))}
    whole = Written(PYTHON, costs, [Reason('because "é"\\', ("one: texts 1 -> 2 (+100.0 %)",))])
    assert parse(render(whole)) == whole


def test_only_what_changed_is_written():
    """Small rises do not add up unseen; the reason names the others."""
    old = written(ask={"functions": 1000, "texts": 1})
    new = written(ask={"functions": 1040, "texts": 2})
    result = rewritten(old, new.costs, "It embeds the answer too.", python=PYTHON, tolerance=0.05)
    assert result.costs == written(ask={"functions": 1000, "texts": 2}).costs
    [reason] = result.reasons
    assert reason == Reason("It embeds the answer too.", ("ask: texts 1 -> 2 (+100.0 %)",))


def test_nothing_is_written_if_nothing_changed():
    """A reason without a change would say nothing."""
    old = written(ask={"functions": 1000})
    same = written(ask={"functions": 1001})
    assert rewritten(old, same.costs, "None.", python=PYTHON, tolerance=0.05) is old
