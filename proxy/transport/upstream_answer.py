"""What is relayed: the upstream's answer, or one made of several."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Protocol

from .headers import RawHeaders


class AnswerBody(Protocol):
    """The body of an answer that is relayed."""

    def iter_any(self) -> AsyncIterator[bytes]:
        """Its chunks as they come, once."""


class UpstreamAnswer(Protocol):
    """An answer with an unread body."""

    @property
    def status(self) -> int: ...

    @property
    def reason(self) -> str | None: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def raw_headers(self) -> RawHeaders: ...

    @property
    def content_type(self) -> str: ...

    @property
    def content_length(self) -> int | None: ...

    @property
    def content(self) -> AnswerBody: ...

    def close(self) -> None: ...
