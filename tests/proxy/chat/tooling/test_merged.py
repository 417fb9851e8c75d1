"""One answer made of several, as what relays answers takes it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from recollect.proxy.chat.tooling.merged import MergedAnswer


def upstream(*headers: tuple[bytes, bytes]) -> Any:
    """An answer of the upstream."""
    closed: list[bool] = []
    return SimpleNamespace(
        status=200, reason="OK", headers={}, content_type="application/json",
        raw_headers=headers, closed=closed, close=lambda: closed.append(True),
    )  # fmt: skip


async def test_headers_about_the_bytes_are_those_of_the_new_body() -> None:
    """All others stay in their order and spelling."""
    given = ((b"X-Request-Id", b"1"), (b"Content-Length", b"999"), (b"ETag", b'"a"'),
             (b"Content-Encoding", b"gzip"))  # fmt: skip
    answer = upstream(*given)
    made = MergedAnswer.of_bytes(answer, b"{}", edited=True)
    assert made.raw_headers == ((b"X-Request-Id", b"1"), (b"Content-Length", b"2"))
    assert (made.content_length, made.status) == (2, 200)
    assert [chunk async for chunk in made.content.iter_any()] == [b"{}"]
    kept = MergedAnswer.of_bytes(answer, b"\x1f\x8b")
    assert (b"Content-Encoding", b"gzip") in kept.raw_headers
    made.close()
    assert answer.closed
