"""What the answers of one model teach about a place."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Place
from recollect.proxy.chat.placing.record import (
    FIRST_PAUSE,
    LONGEST_PAUSE,
    MOST_VAIN,
    Record,
    Trust,
    dumped,
    loaded,
)


def test_each_pause_is_longer_up_to_a_day():
    """A server that goes on refusing is asked less and less often."""
    record, now, pauses = Record(), 1000.0, []
    for _ in range(7):
        record = record.refused(400, now)
        pauses.append(record.until - now)
        assert record.is_left(now)
        assert not record.is_left(record.until)
        now = record.until
    assert pauses[0] == FIRST_PAUSE
    assert pauses == sorted(pauses)
    assert pauses[-1] == LONGEST_PAUSE


def test_single_requests_do_not_cost_a_place_that_was_taken():
    """With the memories one may be too long; only many in a row count against the place."""
    trust = Trust(accepted=True)
    for _ in range(MOST_VAIN - 1):
        trust = trust.refused()
        assert not trust.is_lost
    assert trust.refused().is_lost
    assert Trust().refused().is_lost


RECORDS = st.dictionaries(
    st.sampled_from(Place),
    st.builds(
        Record,
        st.integers(0, 99),
        st.integers(400, 500),
        st.floats(0, 1e10),
        st.floats(0, 1e10),
    ),
)


@given(RECORDS)
def test_records_are_the_same_after_a_restart(records):
    """What is written is what is read."""
    assert loaded(dumped(records)) == records
