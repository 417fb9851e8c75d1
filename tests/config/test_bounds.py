"""Bounds of what one tenant may hold."""

import pytest
from pydantic import ValidationError

from recollect.config.bounds import SpoolOptions, StreamOptions


def test_a_user_has_less_than_a_tenant_and_a_tenant_less_than_all():
    """The defaults leave room for others, whoever takes a whole share."""
    streams, spool = StreamOptions(), SpoolOptions()
    assert streams.per_user < streams.per_tenant < 256
    assert streams.exports_per_user < streams.exports_per_tenant < 16
    assert spool.per_tenant_bytes < spool.total_bytes


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (StreamOptions, {"write_seconds": 0}),
        (StreamOptions, {"per_user": 0}),
        (StreamOptions, {"exports_per_tenant": 0}),
        (SpoolOptions, {"per_tenant_bytes": 0}),
        (SpoolOptions, {"reserve_bytes": -1}),
        (SpoolOptions, {"failed_hours": -1}),
    ],
)
def test_what_would_stop_everything_is_refused(options, wrong):
    """No bound can be set so that nobody is served, or for ever."""
    with pytest.raises(ValidationError):
        options(**wrong)
