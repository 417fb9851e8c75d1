"""Which headers pass."""

from multidict import CIMultiDict

from recollect.proxy.transport.headers import (
    describe_edited_body,
    readable_encodings,
)
from tests.support.folding import rows


def headers(*pairs):
    return tuple((name.encode(), value.encode()) for name, value in pairs)


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
