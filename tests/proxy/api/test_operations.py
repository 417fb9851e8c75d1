"""Which record a request leads to."""

from __future__ import annotations

from recollect.proxy.api.operations import PREFIX, Routes, allowed
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
