"""The document says what the handlers do: the same routes, the same fields, the same answers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from urllib.parse import urlencode

import jsonschema
import pytest

from recollect.config import load_settings
from recollect.memory.operations.fields import is_idle
from recollect.proxy.access.reserved_paths import MEMORY_API, own_prefix
from recollect.proxy.access.rights import Right
from recollect.proxy.api import dispatch
from recollect.proxy.api.openapi import document
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.api.request import Values
from recollect.proxy.api.tables import ALL
from recollect.proxy.app import DIALECTS, build_app
from recollect.proxy.transport.paths import spellings
from tests.hostile.facing import IN_MEMORY
from tests.proxy.wire import request
from tests.support.folding import rows
from tests.support.tool_calls import bodies

from .calling import Calling
from .serving import url_of

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


def test_every_field_is_described(described):
    """Name, kind and bounds, in the query or in the body; and nothing else is."""
    for operation in ALL:
        details = described["paths"][operation.path][operation.method.lower()]
        queried = {p["name"]: p["schema"] for p in details["parameters"] if p["in"] == "query"}
        assert queried.keys() == operation.in_query.keys()
        in_path = [p["name"] for p in details["parameters"] if p["in"] == "path"]
        assert in_path == [*operation.parameters]
        assert ("requestBody" in details) == bool(operation.body or operation.streams_body)
        if operation.body:
            body = details["requestBody"]["content"]["application/json"]["schema"]
            needed = [name for name, one in operation.in_body.items() if one.is_required()]
            assert body["properties"].keys() == operation.in_body.keys()
            assert sorted(body.get("required", [])) == sorted(needed)
            assert body["additionalProperties"] is False


class Noting(Values):
    """Notes which fields a handler looks at."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.read = set()

    def __getitem__(self, name):
        self.read.add(name)
        return super().__getitem__(name)

    def get(self, name, default=None):
        return self[name] if name in self else default  # noqa: SIM401 - noted as read

    def items(self):
        return ((name, self[name]) for name in self)


FORGETTING = (
    {"ids": ["x"]},
    {"query": "tea", "user_id": "alice"},
    {"confirm": "a.b", "user_id": "alice"},
    {"all": True, "user_id": "nobody"},
)


SOMETHING = ({"messages": "x", "user_id": "a", "text": "x", "query": "x"}, {"user_id": "a"})
"""Two, since what is asked for decides which other fields count."""
NAMED = {"entity_type": "user", "organization": "local", "project": "local"}
MEMORIES = {"memories": [{"memory_id": "x"}]}
BODIES = {
    **bodies("x"),
    "search_deeply": {"question": "x"},
    "whatif": {"messages": [{"role": "user"}], "model": "m", "max_calls": 2},
    "merge_entities": {"entity": "x", "same_as": "y"},
    "feedback": {"feedback": "positive"},
    "give_feedback": {"memory_id": "x"},
    "batch_update": MEMORIES,
    "batch_delete": MEMORIES,
    "create_export": {"schema": {}},
    "generate_profiles": {"operation": "trigger", "entity_id": "a"},
    "start_task": {"kind": "export"},
    "add_batch": {"requests": []},
    "add_procedure": {"messages": []},
    "report_outcome": {"outcome": "success"},
    "answer": {"question": "x"},
    "define_block": {"label": "x"},
    "append_to_block": {"text": "x"},
    "replace_in_block": {"old": "x", "new": "y"},
    "rewrite_block": {"value": "x"},
    "attach_block": {"to": {"user_id": "b"}},
    "share": {"to": {"user_id": "b"}},
    "detach_block": {"to": {"user_id": "b"}},
    "run_upkeep": {"kind": "judge", "wait": 0},
    "consolidate": {"wait": 0},
    "abstract": {"topic": "x", "wait": 0},
    "dedupe": {"wait": 0},
}
"""What an operation needs besides."""
NOT_NEEDED = {"generate_profiles": {"limit"}, "set_profile_settings": {"entities"}}
"""What counts for a sample only, and what is judged while it is read."""
FINITE = [each for each in ALL if not each.endless and each.right is not Right.NONE]
"""The document and the page are looked at by `test_describing`."""


async def test_handlers_read_what_is_described(monkeypatch):
    """Each field of an operation is looked at by its handler, and there is no other to look at."""
    noted: dict[str, set[str]] = {}
    read = dispatch.read

    def noting(operation, *arguments):
        asked = Noting(read(operation, *arguments))
        asked.read = noted.setdefault(operation.id, set())
        return asked

    monkeypatch.setattr(dispatch, "read", noting)
    async with Calling() as api:
        for operation in FINITE:
            forgets = operation.path == f"{PREFIX}/forget"
            for body in FORGETTING if forgets else SOMETHING:
                fields = operation.in_body.keys()
                sent = {name: value for name, value in body.items() if name in fields}
                sent |= BODIES.get(operation.id, {})
                asked = {"user_id": "a", "q": "x"}
                queried = operation.in_query.keys() - fields
                query = urlencode({name: asked[name] for name in queried & asked.keys()})
                query = f"?{query}" if query else ""
                path = url_of(operation, **NAMED)
                await api.ask(request(operation.method, path + query, json.dumps(sent).encode()))
    for operation in FINITE:
        known = {*operation.fields, *operation.parameters}
        # `query` is `q` by another name, and looked at only without it.
        skipped = {"query"} if "q" in operation.fields else set()
        # What other servers' clients send and what chooses nothing here.
        skipped |= {name for name, field in operation.fields.items() if is_idle(field)}
        skipped |= known if operation.any_fields else NOT_NEEDED.get(operation.id, set())
        assert noted[operation.id] >= known - skipped, operation.path
        assert noted[operation.id] <= known


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


def test_it_is_a_document(described):
    """JSON, with every reference leading somewhere and no two operations of one name."""
    text = json.dumps(described)
    names = [details["operationId"] for _, _, details in operations(described)]
    assert len(names) == len(set(names)) == len(ALL)
    for part in text.split('"$ref": "#/components/schemas/')[1:]:
        assert part.split('"')[0] in described["components"]["schemas"]
    for schema in described["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_streamed_answers_are_described(described):
    """A client that asks for progress finds the content type it gets."""
    done = described["paths"][f"{PREFIX}/flush"]["post"]["responses"]["200"]
    assert {*done["content"]} == {
        "application/json",
        "application/x-ndjson",
        "text/event-stream",
    }


def test_a_status_and_a_content_type_of_its_own():
    """Are those of the answer of success; the refusals are as everywhere."""
    [add] = [each for each in ALL if each.id == "add"]
    operation = replace(add, status=202, content_type="text/csv", answer=str)
    answers = document([operation])["paths"][PREFIX]["post"]["responses"]
    assert answers["202"]["content"] == {"text/csv": {"schema": {"type": "string"}}}
    assert "200" not in answers
    assert {"400", "401", "403", "429"} <= set(answers)
    assert "Retry-After" in answers["429"]["headers"]


@rows("changed", [{"path": "/x"}, {"name": "other"}])
def test_two_of_a_kind_are_noticed(changed):
    """When the application is put together, not by a client."""
    with pytest.raises(ValueError, match="there twice"):
        document([ALL[0], replace(ALL[0], **changed)])
