"""Which headers pass."""

import pytest
from multidict import CIMultiDict

from recollect.proxy.transport.headers import (
    describe_edited_body,
    forwarded_request_headers,
    forwarded_response_headers,
    readable_encodings,
)
from tests.support.folding import rows

BOTH_WAYS = pytest.mark.parametrize(
    "forwarded", [forwarded_request_headers, forwarded_response_headers]
)


def headers(*pairs):
    return tuple((name.encode(), value.encode()) for name, value in pairs)


@BOTH_WAYS
def test_headers_named_by_connection_stay_here(forwarded):
    """Every name in every Connection line counts as hop-by-hop."""
    passed = forwarded(
        headers(
            ("Connection", "close, X-One"),
            ("X-One", "1"),
            ("connection", " x-two ,"),
            ("X-Two", "2"),
            ("X-Three", "3"),
        )
    )
    assert list(passed.items()) == [("X-Three", "3")]


@BOTH_WAYS
def test_order_case_and_repetition_are_kept(forwarded):
    """What passes passes as it came, repeated lines included."""
    pairs = [
        ("b-ETA", "1"),
        ("Set-Cookie", "a=1"),
        ("a", "2"),
        ("Set-Cookie", "b=2"),
        ("b-eta", ""),
    ]
    assert list(forwarded(headers(*pairs)).items()) == pairs


@BOTH_WAYS
def test_our_headers_never_pass(forwarded):
    """Names of users and sessions are no business of the upstream, its answers none of ours."""
    ours = [("x-recollect-user", "a"), ("X-Recollect-Anything-New", "b"), ("X-RECOLLECT-", "c")]
    assert not forwarded(headers(*ours))
    assert forwarded(headers(("x-recollection", "1")))


def test_an_edited_body_is_not_described_as_the_clients():
    """What was true of its bytes goes, everything else stays."""
    headers = CIMultiDict(
        [
            ("Content-Encoding", "gzip"),
            ("digest", "a"),
            ("Digest", "b"),
            ("Signature", "c"),
            ("X", "1"),
        ]
    )
    describe_edited_body(headers)
    assert list(headers.items()) == [("X", "1")]


@rows(
    "accept, kept",
    [
        ("gzip, deflate, br, zstd", "gzip, deflate"),
        ("br;q=1.0, GZIP;q=0.5", "GZIP;q=0.5"),
        ("br", "identity"),
        ("", "identity"),
        ("*", "identity"),
        ("identity", "identity"),
        ("br, identity;q=0", "identity;q=0"),
    ],
)
def test_codings_nobody_here_reads_are_not_asked_for(accept, kept):
    """Only codings that can be read stay, with their weights; none left means none wanted."""
    assert readable_encodings(accept, {"gzip", "deflate", "identity", ""}) == kept
