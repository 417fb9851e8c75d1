"""What indexes have in common that are asked over HTTP with JSON, without a client library."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

import httpx

from .blocking import BlockingIndex
from .options import OnServer

Options = TypeVar("Options", bound=OnServer)

_REFUSED = 400
_MOST_SHOWN = 300


class RestRefusedError(Exception):
    """A server answered with an error."""


class RestServer:
    """Asks one server. Its methods block, and raise `RestIndex.errors`."""

    def __init__(self, address: str, headers: dict[str, str], *, seconds: float) -> None:
        self._client = httpx.Client(base_url=address, headers=headers, timeout=seconds)
        self.about: Any = None
        """What it told of itself, if it was asked."""

    def ask(
        self, method: str, path: str, body: Any = None, *, missing: int | None = None, **more: Any
    ) -> Any:
        """The answer as a JSON value; None if its status is `missing`."""
        answer = self._client.request(method, path, json=body, **more)
        if answer.status_code == missing:
            return None
        if answer.status_code >= _REFUSED:
            raise RestRefusedError(f"{answer.status_code} {answer.text[:_MOST_SHOWN]}")
        return answer.json() if answer.content else {}

    def close(self) -> None:
        self._client.close()


class RestIndex(BlockingIndex[Options]):
    """`VectorIndex` in one collection of such a server."""

    errors = (httpx.HTTPError, httpx.InvalidURL, RestRefusedError, ValueError, LookupError)
    headers: ClassVar[dict[str, str]] = {}

    @classmethod
    def connected(cls, options: Options) -> RestServer:
        return RestServer(
            options.address, cls.headers | cls._credential(options), seconds=options.call_seconds
        )

    @classmethod
    def _credential(cls, options: Options) -> dict[str, str]:
        """The header of a key, if there is one."""
        del options
        return {}
