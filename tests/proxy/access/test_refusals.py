"""The log of refused credentials."""

from recollect.proxy.access.refusals import QUIET_SECONDS, Refusals


def test_many_refusals_are_a_line_each_second(caplog):
    """The next line says how many it did not tell."""
    now = 0.0
    refusals = Refusals(lambda: now)
    for _ in range(100):
        refusals.note("refused", ValueError("expired"))
    now += QUIET_SECONDS
    refusals.note("refused", ValueError("tampered"))
    assert caplog.messages == [
        "refused: expired",
        "refused: tampered (99 more were refused before it)",
    ]
