"""The memory API describes itself: as an OpenAPI document for programs, as a page for people."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from aiohttp import web

from ..access.rights import Right
from .call import ApiCall
from .conditions import has_tag
from .docs_page import page
from .openapi import document
from .operations import PREFIX, Operation

JSON = "application/json"
HTML = "text/html"
DOCS = "/docs"
OPENAPI = "/openapi.json"
_CACHED = {"Cache-Control": "no-cache"}
"""A browser may keep it and asks whether it is current: it changes with the server's version."""
_SAFE = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


class ApiDocument:
    """The handlers of `DESCRIBING`. Both texts are made once, with the first request for one."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        """`operations` are all that the server has, those of `DESCRIBING` too."""
        self._operations = operations

    async def openapi(self, call: ApiCall) -> Any:
        return _kept(call, self._json, JSON)

    async def docs(self, call: ApiCall) -> Any:
        answer = _kept(call, self._page, HTML)
        answer.headers.update(_SAFE)
        return answer

    @cached_property
    def _document(self) -> dict[str, Any]:
        return document(self._operations)

    @cached_property
    def _json(self) -> bytes:
        return json.dumps(self._document, ensure_ascii=False, indent=1).encode()

    @cached_property
    def _page(self) -> bytes:
        return page(self._document).encode()


def _kept(call: ApiCall, body: bytes, kind: str) -> web.Response:
    """The body with its ETag; 304 if the client has it already."""
    tag = hashlib.sha256(body).hexdigest()[:32]
    if has_tag(call.request.headers, tag):
        answer = web.Response(status=304)
    else:
        charset = "utf-8" if kind == HTML else None
        answer = web.Response(body=body, content_type=kind, charset=charset)
    answer.headers.update({"ETag": f'"{tag}"', **_CACHED})
    return answer


_OPENAPI = Operation(
    method="GET",
    path=PREFIX + OPENAPI,
    handler=ApiDocument.openapi,
    right=Right.NONE,
    tag="this API",
    summary="This API as an OpenAPI 3.1 document",
    tagged=True,
    answer=dict[str, Any],
)
_DOCS = Operation(
    method="GET",
    path=PREFIX + DOCS,
    handler=ApiDocument.docs,
    right=Right.NONE,
    tag="this API",
    summary="The same as a page to read",
    content_type=HTML,
    tagged=True,
    answer=str,
)
DESCRIBING = (
    _OPENAPI,
    _DOCS,
    replace(_OPENAPI, path=OPENAPI, name="openapi_short", summary="The document, by a short path"),
    replace(_DOCS, path=DOCS, name="docs_short", summary="The page, by a short path"),
)
