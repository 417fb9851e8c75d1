"""Recollect as a product of OmniMemEval: the one file that its `scripts/client_factory` needs.

Written against commit 45bf103 of MemTensor/OmniMemEval: a client has `add`, `search` and
`delete_all`, is made without arguments, and reads the environment. It needs nothing of that
repository and no package, so that it can be tried alone.

    RECOLLECT_URL        where `recollect serve` listens (default http://127.0.0.1:8787)
    RECOLLECT_API_TOKEN  its `api.token`, if it has one
    RECOLLECT_BATCH      messages of one call (default 20)
    RECOLLECT_TIMEOUT    seconds for one call; adding waits for the extraction (default 600)
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from itertools import groupby
from typing import Any
from urllib.parse import urlencode

TRIES = 5
_LATER = frozenset({429, 502, 503, 504})


class RecollectClient:
    """Adds conversations, searches and forgets, by the REST API."""

    def __init__(self) -> None:
        self._url = os.environ.get("RECOLLECT_URL", "http://127.0.0.1:8787").rstrip("/")
        self._token = os.environ.get("RECOLLECT_API_TOKEN", "")
        self._batch = int(os.environ.get("RECOLLECT_BATCH", "20"))
        self._timeout = float(os.environ.get("RECOLLECT_TIMEOUT", "600"))

    def add(
        self, messages: list[dict[str, Any]], user_id: str, batch_size: int | None = None
    ) -> None:
        """Learn from a conversation. A message's `chat_time` is when it was said."""
        size = batch_size or self._batch
        for moment, said in groupby(messages, key=lambda message: message.get("chat_time")):
            rows = [{"role": m.get("role", "user"), "content": m["content"]} for m in said]
            for start in range(0, len(rows), size):
                body = {"messages": rows[start : start + size], "user_id": user_id}
                if moment:
                    body["timestamp"] = _iso(str(moment))
                self._call("POST", "/v1/memories/", body)

    def search(self, query: str, user_id: str, top_k: int) -> str:
        """The best memories as lines of text, with their dates."""
        found = self._call(
            "POST",
            "/v1/memories/search",
            {"query": query, "user_id": user_id, "limit": top_k, "threshold": 0},
        )
        return "\n".join(map(_line, found.get("results", [])))

    def delete_all(self, user_id: str) -> None:
        """Forget everything of this user."""
        self._call("DELETE", f"/v1/memories/?{urlencode({'user_id': user_id})}")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(self._url + path, data, headers, method=method)
        for tried in range(TRIES):
            try:
                with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                    found: dict[str, Any] = json.loads(answer.read() or b"{}")
                    return found
            except urllib.error.HTTPError as error:
                told = error.read().decode("utf-8", "replace")[:300]
                if error.code not in _LATER or tried == TRIES - 1:
                    raise RuntimeError(f"{method} {path}: HTTP {error.code}: {told}") from error
                time.sleep(min(float(error.headers.get("Retry-After") or 2**tried), 60))
        raise AssertionError("unreachable: the last try returns or raises")


def _iso(moment: str) -> str:
    """A time as the API takes it; the harness writes `2023-05-08 13:56:00`, or less, or more."""
    text = moment.strip().replace(" UTC", "+00:00")
    return text if "T" in text or len(text) <= len("2023-05-08") else text.replace(" ", "T", 1)


def _line(found: dict[str, Any]) -> str:
    day = str(found.get("valid_from") or found.get("created_at") or "")[:10]
    return f"[{day}] {found['memory']}" if day else str(found["memory"])
