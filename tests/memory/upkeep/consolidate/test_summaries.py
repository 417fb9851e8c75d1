import pytest
from pydantic import ValidationError

from recollect.memory.upkeep.consolidate.summaries import SummaryOptions
from tests.support.folding import rows


@rows(
    "wrong",
    [{"min_sources": 1}, {"max_sources": 31}, {"min_age_days": -1}, {"max_tokens": 0}, {"more": 1}],
)
def test_what_makes_no_sense_is_refused(wrong):
    """A topic of one, an endless one, or a key that nobody knows."""
    with pytest.raises(ValidationError):
        SummaryOptions(**wrong)
