"""Options of the proxy's own parts."""

import pytest
from pydantic import ValidationError

from recollect.config.server import ListenOptions, SpoolOptions, UpstreamOptions
from tests.support.folding import rows


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


@rows(
    "url",
    ["", "h/v1", "/v1", "http://", "ws://h", "http://h/v1#x", "http://u@h/v1", "http://h:99999"],
)
def test_what_is_no_base_url(url):
    """Relative, another scheme, credentials, a fragment, an impossible port."""
    with pytest.raises(ValidationError):
        UpstreamOptions(base_url=url)


@pytest.mark.parametrize("path", ["/chat/completions", "/v1/chat/completions/", "/v1/responses"])
def test_the_url_of_a_route_is_no_base_url(path):
    """A copied one would make every request a 404."""
    with pytest.raises(ValidationError, match="the base URL alone"):
        UpstreamOptions(base_url=f"https://h{path}")


def test_port_zero_takes_a_free_one():
    """Tests and several instances on one machine use it."""
    assert ListenOptions(port=0).port == 0


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


@pytest.mark.parametrize("bytes_", [0, -1])
def test_a_share_of_the_disk_that_serves_nobody_is_refused(bytes_):
    """No bound can be set so that no user can import anything."""
    with pytest.raises(ValidationError):
        SpoolOptions(per_tenant_bytes=bytes_)
