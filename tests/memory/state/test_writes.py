"""Refused writes are counted, and a probe ends the refusal."""

import pytest

from recollect.memory.model.errors import StateError, StateUnwritableError
from recollect.memory.state.writes import Writes


def test_refusals_are_counted_until_a_probe_is_written():
    """Probes do not count, other failures of a probe change nothing."""
    writes = Writes()
    assert (writes.refused, writes.why) == (0, None)
    full = StateUnwritableError("full", "make room")
    for _ in range(2):
        writes.refuse(full)

    def probe(error: StateError) -> None:
        with writes.probing():
            if error is full:
                writes.refuse(full)
            raise error

    for error in (full, StateError("away")):
        with pytest.raises(StateError):
            probe(error)
    assert (writes.refused, writes.why) == (2, full)
    with writes.probing():
        pass
    assert (writes.refused, writes.why) == (2, None)
