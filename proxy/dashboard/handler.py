"""Serves the files of the dashboard. They hold no data, so they need no credential."""

from __future__ import annotations

import json
from collections.abc import Mapping

from aiohttp import web

from ..api.conditions import has_tag
from .files import ROOT, StaticFile, load

METHODS = ("GET", "HEAD")
SAFE = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
"""Headers of every answer: nothing from elsewhere is loaded, and nobody else may show the page."""
_LASTING = "public, max-age=31536000, immutable"
_CURRENT = "no-cache"
"""A browser may keep the page and asks each time whether it is current."""


class Dashboard:
    """The handler of `/dashboard` and everything below it."""

    def __init__(self, files: Mapping[str, StaticFile] | None = None) -> None:
        """Raises OSError if the files of the package cannot be read."""
        self._files = load() if files is None else files

    async def handle(self, request: web.Request) -> web.Response:
        """The file, 304 if the client has it, 404 for any other path, 405 for other methods."""
        found = self._files.get(request.rel_url.raw_path)
        if found is None:
            return _refused(404, f"the dashboard has no such file; open {ROOT}")
        if request.method not in METHODS:
            answer = _refused(405, f"{request.method} is not allowed here, only GET and HEAD")
            answer.headers["Allow"] = ", ".join(METHODS)
            return answer
        return _sent(request, found)


def _sent(request: web.Request, file: StaticFile) -> web.Response:
    if has_tag(request.headers, file.tag):
        answer = web.Response(status=304)
    else:
        answer = web.Response(body=file.body, content_type=file.kind, charset="utf-8")
    cached = _LASTING if file.lasting else _CURRENT
    answer.headers.update({"ETag": f'"{file.tag}"', "Cache-Control": cached, **SAFE})
    return answer


def _refused(status: int, why: str) -> web.Response:
    body = json.dumps({"detail": why}).encode()
    answer = web.Response(status=status, body=body, content_type="application/json")
    answer.headers.update({"Cache-Control": "no-store", **SAFE})
    return answer
