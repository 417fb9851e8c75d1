"""The table of changes is its own test: every one changes its example to its period."""

from datetime import UTC

from recollect.memory.language.dates import beside, periods
from recollect.memory.language.dates.beside import CHANGES
from recollect.memory.language.dates.rules import EXAMPLES_AT
from tests.memory.language.dates.test_rules import as_in_the_table
from tests.support.folding import rows

NOW = EXAMPLES_AT.replace(tzinfo=UTC)


@rows("change", CHANGES)
def test_a_change_gives_the_period_of_its_example(change):
    """Before or behind the time."""
    assert [as_in_the_table(period) for period in periods(change.example, NOW)] == [change.period]


@rows("change", CHANGES)
def test_the_example_needs_the_change(change):
    """Without it the time is another one."""
    kept = beside._COMPILED
    beside._COMPILED = tuple(row for row in kept if row[2] is not change.change)
    try:
        assert [as_in_the_table(period) for period in periods(change.example, NOW)] != [change.period]
    finally:
        beside._COMPILED = kept
