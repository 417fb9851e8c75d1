"""Options of the proxy's own parts."""

import pytest
from pydantic import ValidationError

from recollect.config.server import ListenOptions, UpstreamOptions
from tests.support.folding import rows


def test_the_base_url():
    """Paths are put behind it, so it has no last slash.

    Refused: relative, another scheme, credentials, a fragment, an impossible port, and the URL of
    a route, which would make every request a 404.
    """
    for given in ("https://h/v1/", "http://h:8000", "http://[::1]:8000/v1"):
        assert UpstreamOptions(base_url=given).base_url == given.removesuffix("/")
    bad = ("", "h/v1", "/v1", "http://", "ws://h", "http://h/v1#x", "http://u@h/v1")
    for wrong in (*bad, "http://h:99999", "http://h:port/v1", "https://h/v1?k=1"):
        with pytest.raises(ValidationError):
            UpstreamOptions(base_url=wrong)
    for route in ("/chat/completions", "/v1/chat/completions/", "/v1/responses"):
        with pytest.raises(ValidationError, match="the base URL alone"):
            UpstreamOptions(base_url=f"https://h{route}")


@rows(
    "origin",
    ["*", "null", "", "127.0.0.1:3000", "http://h/", "http://h/x", "http://u@h", "http://*.h"],
)
def test_what_is_no_exact_origin(origin):
    """Browsers send scheme, host and port and nothing else; a pattern would match nothing."""
    with pytest.raises(ValidationError, match="exact web origins"):
        ListenOptions(allowed_origins=(origin,))


def test_origins_are_compared_as_browsers_send_them():
    """In lower case, whatever the file says."""
    options = ListenOptions(allowed_origins=("HTTP://Box:3000", "https://app.test"))
    assert options.allowed_origins == ("http://box:3000", "https://app.test")


@rows(
    "host", ["*", "*.", "", "http://h", "h:80", "h/x", "a.*.b", "\u00fc.test", "a..b", "u@h", "-a"]
)
def test_what_is_no_host_name(host):
    """What no `Host` header can match is refused at the start, and so is a rule for all names."""
    with pytest.raises(ValidationError, match="expected host names"):
        ListenOptions(allowed_hosts=(host,))


def test_host_names_are_compared_as_browsers_send_them():
    """In lower case and without the dot of the root; addresses are allowed too."""
    given = ("Box.LAN", "memory.test.", "*.Example.org", "192.168.0.1", "[fe80::1]", "a_b")
    kept = ("box.lan", "memory.test", "*.example.org", "192.168.0.1", "[fe80::1]", "a_b")
    assert ListenOptions(allowed_hosts=given).allowed_hosts == kept
