"""Which paths are ours, however they are written, and which are the upstream's."""

import pytest

from recollect.proxy.access.reserved_paths import MAX_SEGMENTS, MEMORY_API, OTHERS, own_prefix
from recollect.proxy.errors import ProxyError
from tests.support.folding import rows

OWN = (*MEMORY_API, *OTHERS)


@rows("path", OWN)
def test_a_path_of_ours_and_all_below_it(path):
    """Every listed path, with and without a trailing slash, a query, and more segments."""
    for below in ("", "/", "/x", "/x/y/", "?q=1", "/?q=/v1/models", "/%20"):
        assert own_prefix(path + below) == path


@rows("path", OWN)
def test_names_count_by_whole_segments(path):
    """A path that only begins like ours, or has ours further below, is the upstream's."""
    for other in (path + "x", path + "-x", path + ".x", path + "%41", "/x" + path, "/v4" + path):
        assert own_prefix(other) is None


@rows(
    "target",
    [
        "/v1/%6demories",
        "/v1/%6Demories/x",
        "/v1/%256demories",
        "/%76%31/%6d%65%6d%6f%72%69%65%73",
        "/v1%2fmemories",
        "/v1%2Fmemories%2Fx",
        "/v1%252fmemories",
        "/v1\\memories",
        "/v1%5cmemories",
        "//v1//memories",
        "/v1///memories//",
        "/v1/./memories",
        "/./v1/%2e/memories",
        "/v1/x/../memories",
        "/v1/x/%2e%2e/memories",
        "/v1/x/%252E%252e/memories",
        "/v1/models/..%2fmemories",
        "/x/../v1/memories",
        "/v1/a%2fb/../memories",
        "/v1/a%2fb/../../memories",
        "/v1//../memories",
        "/v1/memories/../models",
        "/v1/memories/../../v1/models",
        "/v1;a=b/memories",
        "/v1/memories;a=b/x",
        "/v1/;x/memories",
        "/v1/x/..;y/memories",
        "/v1/memories%3fq",
        "/v1/memories%23",
        "/v1/memories#x",
        "/v1/memories%00",
        "/v1/memories%20",
        "/V1/Memories",
        "/v1/MEMORIES/",
        "/v1/%4dEMORIES",
        "/v1/v1/memories",
        "/v1/v1/v1/memories/x",
        "http://evil.test/v1/memories",
        "HTTP://user@evil.test:1/v1/x/../%6demories?q",
    ],
)
def test_however_it_is_written(target):
    """What any server could read as a path of ours does not go to any server."""
    assert own_prefix(target) == "/v1/memories"


@rows(
    "target",
    [
        "/",
        "//",
        "/v1",
        "/v1/",
        "/v1/v1",
        "/v1/models",
        "/v1/batches",
        "/v1/batches/batch_1/cancel",
        "/v1/memoriesque",
        "/v1/files/memories",
        "/v1/files/a%2fmemories",
        "/v1/files/v1/memories",
        "/v1/eventsource",
        "/v1/evals",
        "/v2/tomorrow",
        "/v2/chat",
        "/v3",
        "/v1beta/memories",
        "/mcpx",
        "/api/v1/chat",
        "/api/v1",
        "/metrics2",
        "/docs.html",
        "/v1/x?path=/v1/memories",
        "/v1/x/../models",
        "/v1/memoriesque/../models",
        "http://memories.test/v1/models",
    ],
)
def test_the_rest_is_the_upstreams(target):
    """Names that resemble ours, ours in a query or deeper down, and other versions."""
    assert own_prefix(target) is None


@rows("target", ["*", "evil.test:443", ""])
def test_what_has_no_path_is_refused(target):
    """As it is before it is joined to the upstream's URL."""
    with pytest.raises(ProxyError) as caught:
        own_prefix(target)
    assert caught.value.status == 400


def test_a_path_that_costs_time_is_refused():
    """Many segments in a path with several readings; a plain one of that length passes."""
    for path in ("/a%2525;/.." * 5000, "%25252f" * 9000, "/" * 60_000 + "%"):
        with pytest.raises(ProxyError) as caught:
            own_prefix("/" + path)
        assert caught.value.code == "bad_path"
    assert own_prefix("/a" * 2 * MAX_SEGMENTS) is None
