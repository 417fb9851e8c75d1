"""What was probably meant: paths with a slip, and fields that an operation does not have."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.model.scope import SCOPE_IDS
from recollect.proxy.api.suggestions import did_you_mean
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows

KNOWN = (*SCOPE_IDS, "limit", "status", "q", "query", "threshold")
PATHS = [operation.path for operation in ALL]


@rows(
    "asked, meant",
    [
        ("/v1/memories/serach", "/v1/memories/search"),
        ("/v1/memories/serach/", "/v1/memories/search"),
        ("/v1/memories/Search", "/v1/memories/search"),
        ("/v1/memories/forgt", "/v1/memories/forget"),
        ("/v1/memories/job", "/v1/memories/jobs"),
        ("/v1/memories/user", "/v1/memories/users"),
        ("/v1/memories/explian", "/v1/memories/explain"),
        ("/v1/memories/7d1f/histroy", "/v1/memories/{memory_id}/history"),
        ("/v1/memories/jobs/7d1f/retyr", "/v1/memories/jobs/{job_id}/retry"),
    ],
)
def test_a_slip_is_noticed(asked, meant):
    """One name with a letter too many, too few, swapped, or in capitals."""
    assert did_you_mean(PATHS, asked) == f"; did you mean {meant}?"


@rows("path", [*PATHS, "/v1/memories/abc", "/v1/x", ""])
def test_no_slip(path):
    """A path that is right, and one that is like none."""
    assert did_you_mean(PATHS, path) == ""


@given(st.uuids(), st.text(max_size=30))
def test_ids_are_no_slips(some: uuid.UUID, text: str):
    """An id is like no operation, and no text fails."""
    assert did_you_mean(PATHS, f"/v1/memories/{some}") == ""
    assert isinstance(did_you_mean(PATHS, text), str)


@rows(
    "method, path, status",
    [
        ("GET", "/v1/memories/serach/?q=tea&user_id=ada", 400),
        ("GET", "/v1/memories/serach?user_id=ada", 404),
        ("POST", "/v1/memories/serach", 405),
        ("GET", "/v1/memories/serach/x", 404),
    ],
)
async def test_the_refusal_names_the_path(client, method, path, status):
    """Whatever else is wrong with it, except where it is like no path."""
    answer = await client.request(method, path)
    said = (await answer.json())["detail"]
    assert answer.status == status
    assert ("did you mean /v1/memories/search?" in said) is ("/x" not in path)
