"""What of a next head came along is told exactly, or not at all."""

from recollect.proxy.transport.next_head import (
    CHUNKED,
    body_length,
    bytes_behind,
    bytes_behind_body,
)
from tests.support.folding import rows

GET = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\n"


@rows(
    "text, lengths, behind",
    [
        (GET, [0], 0),
        (GET + b"GET", [0], 3),
        (b"\r\n\r\n" + GET + b"GET", [0], 3),
        (GET + b"\r\n", [0], 0),
        (POST + b"abcd", [4], 0),
        (POST + b"abcd\r\n", [4], 0),
        (POST + b"abcdG", [4], 1),
        (POST + b"\r\n\r\nG", [4], 1),
        (GET + POST + b"abcd" + GET + b"GE", [0, 4, 0], 2),
        (b"\r\n\r\n", [0], 0),
        (b"t: h\r\n\r\nabcdGE", [4], 2),
        (GET + b"1\r\n", [CHUNKED], None),
        (GET + b"0\r\n\r\n", [CHUNKED], 0),
        (GET + b"0\r\n\r\n" + POST + b"abcd", [CHUNKED, 4], None),
        (b"", [4], None),
    ],
)
def test_behind_requests(text, lengths, behind):
    """Line breaks that some clients add are no head; behind chunks it cannot always be told."""
    assert bytes_behind(text, lengths) == behind


@rows(
    "data, length, behind",
    [
        (b"abcd", 4, 0),
        (b"abcd\r\n", 4, 0),
        (b"abcdGET", 4, 3),
        (b"0\r\n\r\n", CHUNKED, 0),
        (b"\n", CHUNKED, 0),
        (b"0\r\n\r\nG", CHUNKED, None),
    ],
)
def test_behind_a_body(data, length, behind):
    """The end of a body may come in pieces, too."""
    assert bytes_behind_body(data, length, (b"0\r\n\r" + data)[-4:]) == behind


def test_an_error_has_no_body():
    """What could not be parsed is no request."""
    assert body_length(object()) == 0
