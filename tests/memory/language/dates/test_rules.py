"""The table of rules is its own test: every rule reads its example, and gives its period."""

from datetime import UTC

from recollect.memory.language.dates import periods
from recollect.memory.language.dates.find import mentions, readings_of
from recollect.memory.language.dates.rules import EXAMPLES_AT, RULES
from tests.support.folding import rows


def as_in_the_table(period):
    """A period as the table writes it: days, with the hour where it is not midnight."""
    return "/".join(
        moment.strftime("%Y-%m-%d" if moment.hour == moment.minute == 0 else "%Y-%m-%dT%H:%M")
        for moment in (period.start, period.end)
    )


@rows("rule", RULES)
def test_a_rule_gives_the_period_of_its_example(rule):
    """Nothing, for a rule that is there for what only looks like a time."""
    found = periods(rule.example, EXAMPLES_AT.replace(tzinfo=UTC))
    assert [as_in_the_table(period) for period in found] == ([rule.period] if rule.period else [])


@rows("rule", [rule for rule in RULES if rule.period])
def test_a_rule_reads_its_example_itself(rule):
    """No rule before it does: an example that another rule reads shows nothing."""
    reading = next(readings_of(rule.example))
    assert [mention.rule for mention in mentions(reading, EXAMPLES_AT)] == [rule.name]
