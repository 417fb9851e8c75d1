"""Which record a request leads to."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from recollect.proxy.api.operations import PREFIX, Routes, allowed, bound, handled_in, operation
from recollect.proxy.api.request import Call
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows

ROUTES = Routes(ALL)


def found(method, tail):
    operation, _ = ROUTES.find(method, PREFIX + tail)
    return None if operation is None else operation.id


@rows(
    "method, tail, name",
    [
        ("POST", "", "add"),
        ("POST", "/", "add"),
        ("GET", "/search", "search"),
        ("GET", "/search/", "search"),
        ("GET", "/%73earch", "search"),
        ("POST", "/search", "search_posted"),
        ("PUT", "/search", None),
        ("POST", "/delete", "delete_by_query"),
        ("GET", "/flush", None),
        ("GET", "/x", "get"),
        ("GET", "/x%2Fhistory", "get"),
        ("GET", "/x/history/", "history"),
        ("GET", "/jobs/history", "history"),
        ("POST", "/jobs/x/retry", "retry_job"),
        ("POST", "/x/y/retry", None),
        ("GET", "//history", None),
        ("DELETE", "//", None),
        ("GET", "/search//", None),
        ("PATCH", "/x", None),
        ("GET", "/a/b/c", None),
    ],
)
def test_where_a_path_leads(method, tail, name):
    """A fixed name is no id, whatever the method; an encoded slash is part of one."""
    assert found(method, tail) == name


def test_a_path_knows_its_methods():
    """For the refusal of others."""
    _, methods = ROUTES.find("PATCH", f"{PREFIX}/x/")
    assert allowed(methods) == {"Allow": "DELETE, GET, PUT"}
    assert ROUTES.find("GET", "/v1/reset") == (None, {"POST"})
    assert ROUTES.find("GET", "/v1/else") == (None, frozenset())


class Handlers:
    """For the test below."""

    @operation("GET /a", id="one")
    @operation("POST /b", id="other", summary="Something else", status=202)
    async def one(self, call: Call, size: int = 3) -> dict[str, Any]:
        """What it does. Raises nothing.

        And why.
        """
        return {"by": self, "for": call, "size": size}


async def test_a_handler_is_declared_as_a_method_of_the_library_is():
    """It gets the request, and what its signature asks for."""
    handlers = Handlers()
    first, second = bound(handled_in(Handlers), handlers)
    assert (first.id, first.summary, first.needs_body) == ("one", "What it does", False)
    assert (second.id, second.summary, second.status) == ("other", "Something else", 202)
    request = SimpleNamespace(values={"size": 7})
    assert await second.handler(request) == {"by": handlers, "for": request, "size": 7}
