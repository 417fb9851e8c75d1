"""Paths of ours in every spelling, with every method: none of them reaches the upstream.

`make soak` tries ten times as many.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.proxy.access.reserved_paths import MEMORY_API, OTHERS, own_prefix
from tests.proxy.tunnelling import WISH
from tests.proxy.wire import request
from tests.support.budget import examples

from .facing import Facing

REQUESTS = 40
"""Requests of one example, which share a product."""
METHODS = st.sampled_from(
    ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT", "TRACE")
)
NAMES = st.text("abcdefghijklmnopqrstuvwxyz0123456789-_.~", min_size=1, max_size=8).filter(
    lambda name: name.strip(".")
)
SLASHES = st.sampled_from(("/", "/", "/", "//", "/./", "%2f", "%2F", "%252f", "\\", "%5C", "/%2e/"))
ASIDE = st.sampled_from(
    ("", "", "", "{}/../", "{}/%2e%2E/", "{}%2f../", "{}/%252e%252e/", "{}/..;/")
)
ENDS = st.sampled_from(
    ("", "/", "//", "?", "?x=/v1/models", ";v=1", "#x", "%20", "%00", "/.", "%3f")
)
STARTS = st.sampled_from(("", "", "", "http://evil.test", "HTTP://u@evil.test:80"))
HEADERS = st.sampled_from(((), (), ("Authorization: Bearer sk",), WISH, ("Host: evil.test",)))


@st.composite
def spelled(draw, name):
    """One segment in another spelling: some letters encoded, some in upper case."""
    said = ""
    for char in name:
        how = draw(st.sampled_from(("", "", "", "", "upper", "%", "%25")))
        code = f"{ord(char):02x}"
        written = {"": char, "upper": char.upper(), "%": "%" + code, "%25": f"%25{code.upper()}"}
        said += written[how]
    return said + draw(st.sampled_from(("", "", "", ";a=b", ";")))


@st.composite
def targets(draw):
    """A path of ours, or one below it, as a request target."""
    path = draw(st.sampled_from((*MEMORY_API, *OTHERS)))
    if path.startswith("/v1/"):
        path = draw(st.sampled_from(("", "", "/v1"))) + path
    made = ""
    for name in path[1:].split("/"):
        made += draw(SLASHES) if made else "/"
        made += draw(ASIDE).format(draw(NAMES)) + draw(spelled(name))
    for name in draw(st.lists(NAMES, max_size=3)):
        made += "/" + name
    return draw(STARTS) + made + draw(ENDS)


@settings(max_examples=examples(25))
@given(
    st.lists(
        st.tuples(METHODS, targets(), HEADERS, st.booleans()),
        min_size=REQUESTS // 4,
        max_size=REQUESTS,
    ),
    st.booleans(),
)
async def test_no_path_of_ours_reaches_the_upstream(asked, api):
    """However it is written, with any method, body, host or upgrade, the API on or off."""
    async with Facing(api__enabled=api, api__token="secret") as facing:
        for method, target, headers, body in asked:
            async with facing.client() as client:
                data = request(method, target, b"{}" if body else None, *headers)
                await client.send(data)
                seen = await client.answer(head_only=method == "HEAD")
            assert facing.upstream.requests == [], (method, target)
            assert 200 <= seen.status < 500, (method, target, seen)


@settings(max_examples=examples(25))
@given(
    st.lists(
        st.tuples(METHODS, st.lists(st.text("abmv1%2f;.~-_", max_size=9), min_size=1, max_size=5)),
        min_size=1,
        max_size=REQUESTS,
    )
)
async def test_every_other_path_goes_up_as_it_is(asked):
    """The line that the upstream sees is the client's, or the path is refused and nothing is sent."""
    async with Facing() as facing:
        for method, segments in asked:
            target = "/x" + "/".join(segments)
            async with facing.client() as client:
                await client.send(request(method, target))
                seen = await client.answer(head_only=method == "HEAD")
            lines, facing.upstream.requests[:] = facing.lines, []
            assert own_prefix(target) is None or not lines
            assert lines == [f"{method} {target} HTTP/1.1"] or (seen.status, lines) == (400, [])
