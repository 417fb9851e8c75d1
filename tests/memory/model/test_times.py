"""Times as every backend keeps them."""

from recollect.memory.model.times import from_ms, to_ms
from recollect.memory.model.types import utc_now


def test_times_keep_their_milliseconds() -> None:
    """What a table returns is the time that was put in."""
    now = utc_now()
    assert from_ms(to_ms(now)) == now
