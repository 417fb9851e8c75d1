"""Options of the proxy's own parts."""

import pytest
from pydantic import ValidationError

from config.server import ListenOptions, UpstreamOptions


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("https://h/v1/", "https://h/v1"),
        ("http://h:8000", "http://h:8000"),
        ("http://[::1]:8000/v1", "http://[::1]:8000/v1"),
    ],
)
def test_the_base_url_has_no_last_slash(given, kept):
    """So that paths can be put behind it."""
    assert UpstreamOptions(base_url=given).base_url == kept


@pytest.mark.parametrize(
    "url",
    ["", "h/v1", "/v1", "http://", "ws://h", "http://h/v1#x", "http://u@h/v1", "http://h:99999"],
)
def test_what_is_no_base_url(url):
    """Relative, another scheme, credentials, a fragment, an impossible port."""
    with pytest.raises(ValidationError):
        UpstreamOptions(base_url=url)


def test_port_zero_takes_a_free_one():
    """Tests and several instances on one machine use it."""
    assert ListenOptions(port=0).port == 0
