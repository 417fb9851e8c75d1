"""Requests that wait for a learning run."""

from recollect.proxy.telemetry.links import RequestLinks
from tests.support.clock import Clock


def test_a_run_has_the_requests_of_before_it():
    """Those that came while it ran belong to the next one."""
    clock = Clock()
    links = RequestLinks(clock_ns=clock)
    for clock.now in (1, 2, 3):
        links.note("c", clock.now)
    links.note("other", "x")
    assert links.take("c", before_ns=3, keep=False) == [1, 2]
    assert links.take("c", before_ns=9, keep=True) == [3]
    assert links.take("c", before_ns=9, keep=False) == [3]
    assert links.take("c", before_ns=9, keep=False) == []
    assert links.take("nobody", before_ns=9, keep=False) == []
