"""The document says what the handlers do: the same routes, the same fields, the same answers."""

from __future__ import annotations

import re
from dataclasses import replace

import jsonschema
import pytest

from recollect.config import load_settings
from recollect.proxy.access.reserved_paths import MEMORY_API, own_prefix
from recollect.proxy.api.openapi import document
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.api.tables import ALL
from recollect.proxy.app import DIALECTS, build_app
from recollect.proxy.transport.paths import spellings
from tests.hostile.facing import IN_MEMORY
from tests.proxy.wire import request
from tests.support.folding import rows

from .calling import Calling

PROBES = {"/healthz", "/readyz"}
"""Ours, and no part of the memory API."""


@pytest.fixture(scope="module")
def described():
    return document(ALL)


def operations(described):
    return [
        (method.upper(), path, details)
        for path, methods in described["paths"].items()
        for method, details in methods.items()
    ]


def test_every_route_of_ours_is_described(tmp_path, described):
    """What the application answers itself is a chat, a probe, or below a path of the document."""
    environ = {"RECOLLECT_DATA_DIR": str(tmp_path), **IN_MEMORY}
    app = build_app(load_settings(environ=environ))
    paths = [resource.canonical for resource in app.router.resources()]
    known = {path for dialect in DIALECTS for path in spellings(dialect.path)} | PROBES
    known |= {"/dashboard", "/dashboard/{rest}", "/mcp", "/mcp/"}
    left = [path.rstrip("/") for path in paths if path not in known]
    assert left.pop() == "/{path}"  # everything else is the upstream's
    assert left.pop() == "//v1/ping"  # a ping with a slash too many
    assert set(left) == {path + below for path in MEMORY_API for below in ("", "/{rest}")}
    for path in described["paths"]:
        assert own_prefix(path) in MEMORY_API


ENDLESS = [operation.path for operation in ALL if operation.endless]
"""`test_following` reads their answers."""


async def test_every_described_route_is_answered(described):
    """And every other method of its path is refused, with the methods there are."""
    async with Calling() as api:
        for method, path, details in operations(described):
            if path in ENDLESS:
                continue
            url = re.sub(r"{\w+}", "x", path)
            seen = await api.ask(request(method, url, b"{}"))
            assert seen.status != 405, (method, path, seen.body)
            seen = await api.ask(request("PURGE", url))
            assert seen.status == 405
            assert method in seen.head.values("allow")[0].split(", ")
            assert details["summary"]


async def test_answers_are_as_described(described):
    """What the API says of a memory's life fits the schemas, and so do its refusals."""
    schemas = {
        (method, path, status): answer["content"]["application/json"]["schema"]
        for method, path, details in operations(described)
        for status, answer in details["responses"].items()
        if "application/json" in answer.get("content", {})
    }

    def fits(method, path, answer):
        status, said = answer
        schema = schemas[method, path, str(status)] | {"components": described["components"]}
        jsonschema.validate(said, schema)

    async with Calling() as api:
        known = (await api.remember("I like tea"))[0]
        for method, tail, body, path in (
            ("POST", "", {"messages": "I like tea", "user_id": "bob"}, PREFIX),
            ("POST", "", {"messages": "tea", "user_id": "bob", "infer": False}, PREFIX),
            ("POST", "", {}, PREFIX),
            ("GET", "?user_id=alice", None, PREFIX),
            ("GET", "search?user_id=alice&q=tea", None, f"{PREFIX}/search"),
            ("GET", "explain?user_id=alice&q=tea", None, f"{PREFIX}/explain"),
            ("GET", "usage", None, f"{PREFIX}/usage"),
            ("GET", "jobs", None, f"{PREFIX}/jobs"),
            ("POST", "flush", {}, f"{PREFIX}/flush"),
            ("GET", known, None, f"{PREFIX}/{{memory_id}}"),
            ("PUT", known, {"text": "I like coffee"}, f"{PREFIX}/{{memory_id}}"),
            ("GET", f"{known}/history", None, f"{PREFIX}/{{memory_id}}/history"),
            ("POST", f"{known}/validate", None, f"{PREFIX}/{{memory_id}}/validate"),
            ("POST", "forget", {"query": "coffee", "user_id": "alice"}, f"{PREFIX}/forget"),
            ("DELETE", known, None, f"{PREFIX}/{{memory_id}}"),
            ("DELETE", "?user_id=bob", None, PREFIX),
            ("GET", "none", None, f"{PREFIX}/{{memory_id}}"),
        ):
            fits(method, path, await api.call(method, tail, body))


@rows("changed", [{"path": "/x"}, {"name": "other"}])
def test_two_of_a_kind_are_noticed(changed):
    """When the application is put together, not by a client."""
    with pytest.raises(ValueError, match="there twice"):
        document([ALL[0], replace(ALL[0], **changed)])
