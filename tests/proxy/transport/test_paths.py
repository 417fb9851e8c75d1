"""Request targets: which paths lead out of the base URL, for any server that resolves them."""

import pytest

from recollect.proxy.errors import ProxyError
from recollect.proxy.transport.paths import leaves_base, origin_form
from tests.support.folding import rows


@rows(
    "path",
    [
        "/v1/..",
        "/v1/../",
        "/v1/../admin",
        "/v1/../v1/x",
        "/v1/%2e%2e/admin",
        "/v1/%2E./admin",
        "/v1/.%2e/admin",
        "/v1/%2e%2E?x=1",
        "/v1/x/../../admin",
        "/v1/./../admin",
        "/v1//../admin",
        "/v1/x//../../admin",
        "/v1/..;a=b/admin",
        "/v1/..%2fadmin",
        "/v1/..%2Fadmin",
        "/v1/..%5cadmin",
        "/v1/..\\admin",
        "/v1\\..\\..\\x",
        "/v1/a%2f..%2f..",
        "/v1/%2e%2e%2f%2e%2e/",
        "/v1/..#x",
        "/..",
        "/../etc/passwd",
        "//..",
        "/x/../..",
    ],
)
def test_what_leads_out(path):
    """Plain or encoded, in any case, behind empty segments, parameters and other slashes."""
    assert leaves_base(path)


@rows(
    "path",
    [
        "/",
        "/v1",
        "/v1/",
        "/v1/models/gpt-4.1",
        "/v1/files/a..b",
        "/v1/files/...",
        "/v1/files/..a/b",
        "/v1/./x",
        "/v1/%2e/x",
        "/v1/x/../y",
        "/v1/x/%2e%2e/memories/",
        "/v1/a/b/../../c",
        "/v1../x",
        "/v1/v1/x",
        "/v1//x//",
        "/v1/files/a%2fb",
        "/v1/%252e%252e/x",
        "/v1/x?y=../../../z",
        "/v1/x?y=%2e%2e/%2e%2e",
        "/v1/x#/../../..",
        "/v1;x/y",
    ],
)
def test_what_stays(path):
    """Dots in names, in queries, and segments that lead back to no higher than the base."""
    assert not leaves_base(path)


@rows("target", ["*", "evil.test:443", "http://[::1/x", "x/y", ""])
def test_what_has_no_path(target):
    """Joined to a base URL it could become a part of the host."""
    with pytest.raises(ProxyError) as caught:
        origin_form(target)
    assert (caught.value.status, caught.value.code) == (400, "bad_path")
