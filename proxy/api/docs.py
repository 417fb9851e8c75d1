"""The memory API describes itself: as an OpenAPI document for programs, as a page for people.

The page is Swagger UI, whose files the package `offapi` carries: nothing comes from elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import json
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from aiohttp import web

from recollect.memory import NotFoundError
from recollect.memory.operations.declaring import field

from ..access.rights import Right
from .conditions import has_tag
from .openapi import document
from .operations import PREFIX, Operation, handled_in, operation
from .request import Call

JSON, HTML = "application/json", "text/html"
DOCS, OPENAPI = "/docs", "/openapi.json"
FILES: Mapping[str, tuple[str, str]] = {
    "swagger-ui.css": ("swagger_style.css", "text/css"),
    "swagger-ui-bundle.js": ("swagger_bundle.js", "text/javascript"),
}
"""What the page loads: the names in the package, and the content types."""
_START = (
    f'SwaggerUIBundle({{url: "{PREFIX}{OPENAPI}", dom_id: "#page", deepLinking: true, '
    "validatorUrl: null})"
)
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1">'
    # Otherwise a browser asks for /favicon.ico, which is a path of the upstream.
    '<link rel="icon" href="data:,"><title>Recollect memory API</title>'
    f'<link rel="stylesheet" href="{DOCS}/swagger-ui.css"></head><body><div id="page"></div>'
    f'<script src="{DOCS}/swagger-ui-bundle.js"></script><script>{_START}</script></body></html>\n'
).encode()
_HASH = base64.b64encode(hashlib.sha256(_START.encode()).digest()).decode()
_CACHED = {"Cache-Control": "no-cache"}
"""A browser may keep it and asks whether it is current: it changes with the server's version."""
_SAFE = {
    "Content-Security-Policy": f"default-src 'none'; script-src 'self' 'sha256-{_HASH}'; "
    "style-src 'self' 'unsafe-inline'; img-src data:; connect-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}


_THIS: dict[str, Any] = {"tag": "this API", "tagged": True}
_DOCUMENT, _TEXT = {**_THIS, "answer": dict[str, Any]}, {**_THIS, "answer": str}


class ApiDocument:
    """The handlers of `DESCRIBING`. The document is made with the first request for it."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        """`operations` are all that the server has, those of `DESCRIBING` too."""
        self._operations = operations

    @operation(f"GET {PREFIX}{OPENAPI}", Right.NONE, id="openapi", **_DOCUMENT)
    @operation(
        f"GET {OPENAPI}",
        Right.NONE,
        id="openapi_short",
        summary="The document, by a short path",
        **_DOCUMENT,
    )
    async def openapi(self, call: Call) -> web.Response:
        """This API as an OpenAPI 3.1 document."""
        # Making it takes a sixth of a second, which would stall every stream.
        return _kept(call, await to_thread(lambda: self._json), JSON)

    @operation(f"GET {PREFIX}{DOCS}", Right.NONE, id="docs", **_TEXT, content_type=HTML)
    @operation(
        f"GET {DOCS}",
        Right.NONE,
        id="docs_short",
        summary="The page, by a short path",
        content_type=HTML,
        **_TEXT,
    )
    async def docs(self, call: Call) -> web.Response:
        """The same as a page to read."""
        return _kept(call, _PAGE, HTML)

    @operation(
        f"GET {DOCS}/{{file}}",
        Right.NONE,
        id="docs_file",
        file=True,
        streamed_as=("text/css", "text/javascript"),
        **_TEXT,
    )
    async def docs_file(
        self, call: Call, file: Annotated[str, field("The name of the file.")]
    ) -> web.Response:
        """A file of the page."""
        if file not in FILES:
            raise NotFoundError(f"there is no file {file[:60]!r}")
        inner, kind = FILES[file]
        return _kept(call, await to_thread((_package() / inner).read_bytes), kind)

    @cached_property
    def _json(self) -> bytes:
        return json.dumps(document(self._operations), ensure_ascii=False, indent=1).encode()


def _package() -> Path:
    """Where the files are. The package is not imported: it would read all of them."""
    spec = find_spec("offapi")
    if spec is None or not spec.submodule_search_locations:
        raise NotFoundError("the package offapi is not installed: the page has no files")
    return Path(spec.submodule_search_locations[0])


def _kept(call: Call, body: bytes, kind: str) -> web.Response:
    """The body with its ETag; 304 if the client has it already."""
    tag = hashlib.sha256(body).hexdigest()[:32]
    if has_tag(call.http.headers, tag):
        answer = web.Response(status=304)
    else:
        charset = "utf-8" if kind.startswith("text/") else None
        answer = web.Response(body=body, content_type=kind, charset=charset)
    answer.headers.update({"ETag": f'"{tag}"', **_CACHED, **(_SAFE if kind != JSON else {})})
    return answer


DESCRIBING = handled_in(ApiDocument)
