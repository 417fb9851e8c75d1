"""OpenSearch as the wheel `osmem-server` has it, with its search for neighbours, which that lacks.

Mappings, bulks, refreshes and filters are those of somebody else's server. Searches by vector are
answered here, as documented: the filter is asked of that server, and the scores are (1 + cosine) / 2.
As Elasticsearch, vectors are mapped, asked for and told in its words. What is not documented is
refused. No package of a registry holds either server.
"""

from __future__ import annotations

import json
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import numpy as np
from osmem_server import OsmemServer

from tests.support.waiting import HANG_SECONDS

MOST = 10_000


class SearchServer:
    """Listens on `url` within its block."""

    def __init__(self, *, elastic: bool, key: str | None = None) -> None:
        self.elastic, self.key = elastic, key

    def __enter__(self) -> Self:
        self._inner = OsmemServer.start(japanese=False)
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _answer(self) -> None:
                length = int(self.headers.get("Content-Length") or 0)
                status, told = outer.answer(self, self.rfile.read(length))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

            do_GET = do_POST = do_PUT = do_DELETE = _answer  # noqa: N815 - the names of the class

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._inner.close()
        if (output := self._inner.process.stdout) is not None:
            output.close()

    def answer(self, request: BaseHTTPRequestHandler, body: bytes) -> tuple[int, bytes]:
        """Status and body."""
        if self.key is not None and request.headers.get("Authorization") != f"ApiKey {self.key}":
            return 401, b'{"error": {"type": "security_exception"}, "status": 401}'
        method, path = request.command, request.path
        if path == "/" and self.elastic:
            return 200, b'{"version": {"number": "9.1.0"}, "tagline": "You Know, for Search"}'
        if path.endswith("/_search"):
            return self._searched(path, json.loads(body))
        if method == "PUT" and self.elastic:
            body = _as_opensearch(body)
        status, told = self._inner_answer(method, path, body, request.headers["Content-Type"])
        if path.endswith("/_mapping") and self.elastic:
            told = told.replace(b'"dimension"', b'"dims"')
        return status, told

    def _searched(self, path: str, body: dict[str, Any]) -> tuple[int, bytes]:
        assert body.pop("_source") is False
        size = body.pop("size")
        if self.elastic:
            near = body.pop("knn")
            assert (near.pop("field"), body) == ("vector", {})
            assert size <= near["k"] <= near.pop("num_candidates") <= MOST
            sought = near.pop("query_vector")
        else:
            near = body.pop("query").pop("knn").pop("vector")
            assert body == {}
            sought = near.pop("vector")
        assert size <= near.pop("k") <= MOST
        asked = {"query": near.pop("filter"), "size": MOST, "_source": ["vector"]}
        assert near == {}
        status, told = self._inner_answer("POST", path, json.dumps(asked).encode())
        if status != 200:
            return status, told
        hits = json.loads(told)["hits"]["hits"]
        if hits:
            vectors = np.asarray([hit["_source"]["vector"] for hit in hits])
            scores = (1 + vectors @ np.asarray(sought) / np.linalg.norm(vectors, axis=1)) / 2
            best = np.argsort(-scores, kind="stable")[:size].tolist()
            hits = [{"_id": hits[at]["_id"], "_score": float(scores[at])} for at in best]
        return 200, json.dumps({"hits": {"hits": hits}}).encode()

    def _inner_answer(
        self, method: str, path: str, body: bytes, kind: str | None = "application/json"
    ) -> tuple[int, bytes]:
        headers = {"Content-Type": kind or "application/json"}
        asked = urllib.request.Request(
            self._inner.url + path, data=body or None, method=method, headers=headers
        )
        try:
            with urllib.request.urlopen(asked, timeout=HANG_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read()


def _as_opensearch(body: bytes) -> bytes:
    """A mapping of Elasticsearch in the words of the server behind."""
    told = json.loads(body)
    vector = told["mappings"]["properties"]["vector"]
    assert vector.pop("type") == "dense_vector"
    assert (vector.pop("index"), vector.pop("similarity")) == (True, "cosine")
    told["mappings"]["properties"]["vector"] = {
        "type": "knn_vector", "dimension": vector.pop("dims"),
    }  # fmt: skip
    assert (vector, told.keys()) == ({}, {"mappings"})
    return json.dumps(told).encode()
