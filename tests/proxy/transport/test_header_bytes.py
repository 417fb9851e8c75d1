"""Header values leave as the bytes they came as."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from multidict import CIMultiDict

from recollect.proxy.transport.header_bytes import serialise
from tests.support.folding import rows

ALLOWED = [9, *range(32, 127), *range(128, 256)]
VALUES = st.lists(st.sampled_from(ALLOWED), max_size=20).map(bytes)


@given(st.lists(VALUES, max_size=4))
def test_every_byte_is_written(values):
    """UTF-8 or not, in their order."""
    headers = CIMultiDict([("X-A", value.decode("utf-8", "surrogateescape")) for value in values])
    head = b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-A: %s\r\n" % value for value in values) + b"\r\n"
    assert serialise("HTTP/1.1 200 OK", headers) == head


@rows("char", ["\r", "\n", "\0", "\x1f", "\x7f"])
@rows("before", ["caf", "caf\udce9"])
def test_no_line_is_ended_by_a_value(before, char):
    """Whoever writes a value cannot write a header."""
    with pytest.raises(ValueError, match="control character"):
        serialise("HTTP/1.1 200 OK", CIMultiDict({"X-A": f"{before}{char}X-B: 1"}))
