"""Which headers pass."""

import pytest
from multidict import CIMultiDict

from recollect.proxy.transport import headers as module
from recollect.proxy.transport.headers import (
    describe_edited_body,
    forwarded_request_headers,
    forwarded_request_lines,
    forwarded_response_lines,
    lines_of,
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


SENT = headers(
    ("host", "h"),
    ("X-Kept", "1"),
    ("Connection", "close, X-Named"),
    ("x-named", "2"),
    ("connection", "Other"),
    ("OTHER", "3"),
    ("x-recollect-user", "a"),
    ("TE", "trailers"),
    ("content-length", "0"),
)


def test_lines_are_the_headers_as_they_came():
    """What `Connection` names goes, in any number of lines; order and case stay."""
    lines = forwarded_request_lines(SENT)
    assert lines.text == b"X-Kept: 1\r\ncontent-length: 0\r\n"
    assert (lines.states_length, lines.states_date) == (True, False)
    assert lines_of(forwarded_request_headers(SENT)) == lines
    assert forwarded_response_lines(SENT).text == b"host: h\r\n" + lines.text


def test_bytes_that_are_no_text_pass():
    """Values need not be UTF-8."""
    sent = ((b"X", b"\xff\xe9"), (b"date", "\u00e9".encode()))
    lines = forwarded_response_lines(sent)
    assert lines.text == b"X: \xff\xe9\r\ndate: \xc3\xa9\r\n"
    assert lines_of(forwarded_request_headers(sent)).text == lines.text


@rows("value", [b"a\r\nX: b", b"a\n", b"\x00", b"\x7f"])
def test_a_control_character_is_no_part_of_a_head(value):
    """The end of a line would be another header; only the tab is text."""
    with pytest.raises(ValueError, match="control character"):
        forwarded_request_lines(((b"X", value),)).head(b"GET / HTTP/1.1\r\n")
    lines = forwarded_request_lines(((b"X", b"a\tb"),))
    assert lines.head(b"S\r\n", b"Y: c\r\n") == b"S\r\nX: a\tb\r\nY: c\r\n\r\n"


def test_many_names_are_not_kept():
    """What a client makes up costs no memory, and changes nothing."""
    for number in range(3 * module._KNOWN_NAMES):
        assert forwarded_request_lines(((b"X-%d" % number, b"1"),)).number == 1
    assert len(module._UPSTREAM) <= module._KNOWN_NAMES
    assert forwarded_request_lines(SENT).number == 2
