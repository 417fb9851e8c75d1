"""One answer made of several, as what relays answers takes it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Self

import aiohttp

from ...transport.upstream_answer import UpstreamAnswer

_ABOUT_BYTES = frozenset(
    b"content-length transfer-encoding content-md5 digest content-digest repr-digest etag".split()
)
"""Headers about the bytes of the upstream's answer."""
_CODING = b"content-encoding"


class MergedAnswer:
    """Status and headers of the upstream's answer, with another body."""

    def __init__(
        self,
        answer: UpstreamAnswer,
        chunks: AsyncIterator[bytes],
        *,
        length: int | None = None,
        edited: bool = False,
    ) -> None:
        """`edited`: the body is not encoded as the upstream's was."""
        self.status = answer.status
        self.reason = answer.reason
        self.headers = answer.headers
        self.content_type = answer.content_type
        self.content_length = length
        self.content = self
        self._chunks = chunks
        dropped = _ABOUT_BYTES | ({_CODING} if edited else set())
        kept = [each for each in answer.raw_headers if each[0].lower() not in dropped]
        if length is not None:
            kept.append((b"Content-Length", str(length).encode()))
        self.raw_headers = tuple(kept)
        self._answer = answer

    @classmethod
    def of_bytes(cls, answer: UpstreamAnswer, body: bytes, *, edited: bool = False) -> Self:
        """The same with a body in one piece."""
        return cls(answer, _once(body), length=len(body), edited=edited)

    def iter_any(self) -> AsyncIterator[bytes]:
        """The chunks of its body, once."""
        return self._chunks

    def close(self) -> None:
        """Close the upstream's answer; the last chunk has closed any later one."""
        self._answer.close()


async def _once(body: bytes) -> AsyncIterator[bytes]:
    if body:
        yield body


def broken_off() -> Exception:
    """What a reader of an answer gets that the upstream ends early."""
    return aiohttp.ClientPayloadError("the upstream broke off")
