"""ETags and conditional requests on one memory."""

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory import InvalidInputError
from recollect.proxy.api.conditions import expected_version
from tests.support.folding import rows

from .serving import add, detail


@rows("said, version", [("3", "3"), ('"3"', "3"), (' "3-ab" ', "3-ab"), ("*", None), (None, None)])
def test_what_if_match_names(said, version):
    """An ETag, a bare version, or any."""
    headers = {} if said is None else {"If-Match": said}
    assert expected_version(headers, taken=True) == version


@rows("said", ["", "x", 'W/"3"', '"3", "4"', '"', '""', "-1", "3.0"])
def test_what_it_cannot_name(said):
    """A weak tag never matches a change, and of two versions the memory has one."""
    with pytest.raises(InvalidInputError, match="If-Match"):
        expected_version({"If-Match": said}, taken=True)


@given(st.text())
def test_any_header_is_read_or_refused(said):
    """Nothing else is raised."""
    with contextlib.suppress(InvalidInputError):
        expected_version({"If-Match": said}, taken=True)


def test_a_condition_that_would_be_ignored():
    """Is refused: whoever sent it does not want the change without it."""
    with pytest.raises(InvalidInputError):
        expected_version({"If-Match": "1"}, taken=False)


async def test_many_at_once_are_a_chain(client):
    """Each of N concurrent PUTs supersedes the one before; none is lost, and one is current."""
    known = await add(client, "text 0")
    url = f"/v1/memories/{known}"
    texts = [f"text {number}" for number in range(1, 13)]
    answers = await asyncio.gather(*(client.put(url, json={"text": text}) for text in texts))
    assert [answer.status for answer in answers] == [200] * 12
    shown = [await answer.json() for answer in answers]
    order = [memory["memory"] for memory in sorted(shown, key=lambda one: one["version"])]
    assert [memory["version"] for memory in sorted(shown, key=lambda m: m["version"])] == [
        *range(2, 14)
    ]
    history = await (await client.get(f"{url}/history")).json()
    assert [row["new_value"] for row in history] == ["text 0", *order]
    assert [row["old_value"] for row in history] == [None, "text 0", *order[:-1]]
    listed = await client.get("/v1/memories/?user_id=alice")
    assert [memory["memory"] for memory in (await listed.json())["results"]] == [order[-1]]
    listed = await client.get("/v1/memories/?user_id=alice&status=superseded")
    past = {memory["version"]: memory["memory"] for memory in (await listed.json())["results"]}
    assert past == dict(enumerate(["text 0", *order[:-1]], 1))


async def test_of_many_with_one_condition_one_succeeds(client):
    """The others are 412."""
    known = await add(client, "text 0")
    url = f"/v1/memories/{known}"
    answers = await asyncio.gather(
        *(
            client.put(url, json={"text": f"text {number}"}, headers={"If-Match": "1"})
            for number in range(8)
        )
    )
    assert sorted(answer.status for answer in answers) == [200, *[412] * 7]


async def test_reading_says_the_version(client):
    """Number and ETag change with each change; whoever has this state is told so."""
    known = await add(client, "green tea")
    url = f"/v1/memories/{known}"
    first = await client.get(url)
    assert (await first.json())["version"] == 1
    again = await client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status, await again.read()) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    changed = await client.put(url, json={"text": "black tea"})
    assert (await changed.json())["version"] == 2
    assert changed.headers["ETag"] != first.headers["ETag"]
    later = await client.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (later.status, later.headers["ETag"]) == (200, changed.headers["ETag"])


@rows("tag", ["etag", "number"])
async def test_changes_of_one_version(client, tag):
    """The first succeeds; those that are about what was there before are 412 and do nothing."""
    known = await add(client, "green tea")
    url = f"/v1/memories/{known}"
    old = (await client.get(url)).headers["ETag"] if tag == "etag" else "1"
    condition = {"If-Match": old}
    assert (await client.put(url, json={"text": "tea"}, headers=condition)).status == 200
    late = await client.put(url, json={"text": "late"}, headers=condition)
    assert (await detail(late))[0] == 412
    assert (await detail(await client.delete(url, headers=condition)))[0] == 412
    now = await client.get(url)
    assert (await now.json())["memory"] == "tea"
    history = await (await client.get(f"{url}/history")).json()
    assert [row["event"] for row in history] == ["ADD", "UPDATE"]
    condition = {"If-Match": now.headers["ETag"]}
    assert (await client.delete(url, headers=condition)).status == 200
    assert (await client.delete(url, headers=condition)).status == 404
