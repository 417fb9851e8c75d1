"""The routes that mem0's clients call, over HTTP."""

import json
from base64 import urlsafe_b64encode

from recollect.config.server import IdentityOptions
from recollect.proxy.api.tables import MEM0
from tests.proxy.api.calling import Calling
from tests.proxy.api.serving import add, detail
from tests.support.folding import rows

ADA = {"user_id": "ada"}


async def ask(client, method, path, body=None, **params):
    """The answer of a request that succeeds; every answer has a body."""
    answer = await client.request(method, path, json=body, params=params)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def refusal(client, method, path, body=None, **params):
    return await detail(await client.request(method, path, json=body, params=params))


async def texts(client, **ids):
    listed = await ask(client, "POST", "/v3/memories/", {"filters": ids})
    return [row["memory"] for row in listed["results"]]


@rows("path", ["/v1/ping", "/v1/ping/"])
async def test_a_ping_tells_the_tenant(serve, path):
    """Both ids are texts that are not empty, which the constructors of all clients check."""
    client = await serve(identity=IdentityOptions(tenant="acme"))
    assert await ask(client, "GET", path) == {
        "status": "ok",
        "org_id": "acme",
        "project_id": "acme",
    }


async def test_a_bad_key_fails_at_the_ping(serve):
    """401 with a detail, which becomes the error of the constructor."""
    client = await serve(api={"token": "good"})
    for headers in ({}, {"Authorization": "Token bad"}):
        answer = await client.get("/v1/ping/", headers=headers)
        assert await detail(answer) == (401, "a valid API token is required")
    assert (await client.get("/v1/ping/", headers={"Authorization": "Token good"})).status == 200


async def test_an_addition_is_done_when_it_is_answered(client):
    """In both shapes; the event repeats what was answered, without texts."""
    body = {"messages": [{"role": "user", "content": "I like tea"}], "infer": False}
    for path, more in (
        ("/v3/memories/add/", {"filters": ADA}),
        ("/v1/memories/", {"user_id": "bob", "output_format": "v1.1", "async_mode": True}),
    ):
        told = await ask(client, "POST", path, body | more)
        [row] = told["results"]
        assert (row["event"], row["memory"], row["data"]) == (
            "ADD",
            "I like tea",
            {"memory": "I like tea"},
        )
        assert told["status"] == "SUCCEEDED"
        event = await ask(client, "GET", f"/v1/event/{told['event_id']}/")
        assert event["results"] == [{"id": row["id"], "event": "ADD"}]
    listed = await ask(client, "GET", "/v1/events/")
    assert [one["payload"] for one in listed["results"]] == [{"user_id": "bob"}, ADA]
    assert (await refusal(client, "GET", "/v1/event/nope/"))[0] == 404


async def test_an_addition_that_fails_is_an_error(client):
    """Not an empty success: the detail names the cause and the setting, and the event says so."""
    for path, more in (("/v3/memories/add/", {}), ("/v1/memories/", {"output_format": "v1.1"})):
        status, told = await refusal(
            client, "POST", path, {"messages": "I like tea", **ADA, **more}
        )
        assert status == 503
        assert "model_failed" in told
        assert "learn.llm" in told
    events = (await ask(client, "GET", "/v1/events"))["results"]
    assert [event["status"] for event in events] == ["FAILED", "FAILED"]


@rows("field, value", [("app_id", "x"), ("expiration_date", "2030-01-01"), ("immutable", True), ("includes", "x"),
     ("excludes", "x"), ("custom_instructions", "x"), ("filters", {"tag": "x", **ADA})])  # fmt: skip
async def test_what_would_be_stored_differently_is_refused(client, field, value):
    """By its name, and nothing is stored."""
    body = {"messages": "I like tea", "infer": False, **ADA, field: value}
    status, told = await refusal(client, "POST", "/v3/memories/add/", body)
    assert (status, told.split(":")[0]) == (400, field)
    assert await texts(client, **ADA) == []


async def test_a_search_in_mem0s_words(client):
    """Ids beside the filters or within; top_k, threshold and fields; metadata as conditions."""
    for text, tag in (("I like green tea", "a"), ("I like black tea", "b")):
        body = {"messages": text, "infer": False, "metadata": {"tag": tag}, **ADA}
        await ask(client, "POST", "/v3/memories/add", body)
    await add(client, "I like tea with milk", user_id="bob")
    for version, wanted in (("v2", ADA), ("v3", {"filters": ADA})):
        path = f"/{version}/memories/search/"
        found = await ask(client, "POST", path, {"query": "tea", **wanted, "rerank": True})
        assert {row["user_id"] for row in found["results"]} == {"ada"}
        assert len(found["results"]) == 2
        assert {"score", "categories", "run_id", "created_at"} <= found["results"][0].keys()
        one = await ask(
            client, "POST", path, {"query": "tea", **wanted, "top_k": 1, "fields": ["memory"]}
        )
        assert [row.keys() for row in one["results"]] == [{"id", "memory"}]
        tagged = await ask(
            client, "POST", path, {"query": "tea", **wanted, "metadata": {"tag": "b"}}
        )
        assert [row["memory"] for row in tagged["results"]] == ["I like black tea"]
        none = await ask(client, "POST", path, {"query": "tea", **wanted, "threshold": 1})
        assert none == {"results": []}
    over = {"query": "tea", "filters": {"OR": [ADA, {"user_id": "bob"}]}}
    status, told = await refusal(client, "POST", "/v3/memories/search/", over)
    assert (status, told.startswith("At least one of user_id")) == (400, True)


async def test_a_list_has_pages(client):
    """With its count and its neighbours as URLs; in the query and in the body."""
    for number in range(5):
        await add(client, f"Fact number {number}", **ADA)
    first = await ask(client, "POST", "/v3/memories/", {"filters": ADA}, page="1", page_size="2")
    second = await ask(client, "POST", "/v2/memories/", {**ADA, "page": 2, "page_size": 2})
    assert (first["count"], first["previous"]) == (5, None)
    assert [row["memory"] for row in first["results"]] == ["Fact number 4", "Fact number 3"]
    assert [row["memory"] for row in second["results"]] == ["Fact number 2", "Fact number 1"]
    assert second["previous"].endswith("/v2/memories/?page=1&page_size=2")
    followed = await client.post(first["next"].partition("/v3")[2].join(["/v3", ""]), json=ADA)
    assert (await followed.json())["results"][0]["memory"] == "Fact number 2"
    dated = await ask(client, "POST", "/v3/memories", {**ADA, "end_date": "2020-01-01"})
    assert (dated["count"], dated["results"]) == (0, [])
    status, told = await refusal(
        client, "POST", "/v3/memories", {**ADA, "page": 100, "page_size": 1000}
    )
    assert (status, told.split(":")[0]) == (400, "page")


async def test_shared_routes_have_mem0s_names(client):
    """One memory, its history and its end, by a client that sends its project everywhere."""
    known = await add(client, "I like tea", **ADA)
    url, project = f"/v1/memories/{known}/", {"org_id": "local", "project_id": "local"}
    assert (await ask(client, "GET", url, **project))["memory"] == "I like tea"
    body = {"text": "I like coffee", "metadata": {"k": 1}}
    assert (await ask(client, "PUT", url, body, **project))["memory"] == "I like coffee"
    rows = await ask(client, "GET", f"{url}history/", **project)
    assert [(row["old_memory"], row["new_memory"]) for row in rows] == [
        (None, "I like tea"),
        ("I like tea", "I like coffee"),
    ]
    assert all(row["old_memory"] == row["old_value"] for row in rows)
    assert (await ask(client, "PUT", url, {"expiration_date": None}))["memory"] == "I like coffee"
    for late in ({"text": "x", "expiration_date": "2030-01-01"}, {"text": "x", "timestamp": 1}):
        assert (await refusal(client, "PUT", url, late))[0] == 400
    gone = await ask(client, "DELETE", url, delete_linked="true", **project)
    assert gone == {"deleted": 1, "message": "Memory deleted successfully!"}
    assert (await refusal(client, "GET", url))[0] == 404


@rows(
    "filters",
    [
        "{'AND': [{'user_id': 'ada'}, {'tag': 'a'}]}",
        json.dumps({"user_id": "ada", "metadata": {"tag": "a"}}),
    ],
)
async def test_a_deletion_by_filters_is_no_larger(client, filters):
    """As JSON or as Python prints it; the rest stays."""
    for tag in "ab":
        body = {"messages": f"Tea {tag}", "infer": False, "metadata": {"tag": tag}, **ADA}
        await ask(client, "POST", "/v3/memories/add", body)
    gone = await ask(client, "DELETE", "/v1/memories/", filters=filters)
    assert gone["deleted"] == 1
    assert await texts(client, **ADA) == ["Tea b"]


@rows(
    "params, field",
    [
        ({}, "At least one of user_id"),
        ({"filters": "{}"}, "filters"),
        ({"user_id": "ada", "filters": "{}"}, "filters: must narrow"),
        ({"user_id": "ada", "metadata": "{}"}, "metadata: must narrow"),
        ({"user_id": "ada", "filters": '{"AND": [{}]}'}, "filters: must narrow"),
        ({"user_id": "ada", "filters": '{"OR": [{}, {"tag": "a"}]}'}, "filters: must narrow"),
        ({"user_id": "ada", "filters": '{"NOT": {}}'}, "filters: must narrow"),
        ({"user_id": "ada", "filters": '{"NOT": []}'}, "filters: expected a list of filters"),
        ({"user_id": "ada", "filters": '{"user_id": "*"}'}, "filters: must narrow"),
        ({"user_id": "ada", "filters": '{"keywords": {"contains": ""}}'}, "filters: must narrow"),
        ({"filters": '{"AND": [{"user_id": "ada"}, {}]}'}, "filters: must narrow"),
        ({"filters": '{"user_id": "ada", "metadata": {}}'}, "filters: must narrow"),
        ({"filters": "{'user_id': 'ada'"}, "filters"),
        ({"filters": "{'user_id': '*'}"}, "At least one of user_id"),
        ({"filters": "{'app_id': 'x', 'user_id': 'ada'}"}, "app_id"),
        ({"filters": "{'user_id': 'bob'}", "user_id": "ada"}, "user_id"),
        ({"user_id": "*"}, "user_id"),
        ({"user_id": "ada", "app_id": "x"}, "app_id"),
        ({"user_id": "ada", "project_id": "other"}, "project_id"),
        ({"user_id": "ada", "metadata": "x"}, "metadata"),
    ],
)
async def test_a_deletion_that_is_not_understood_deletes_nothing(client, params, field):
    """It is refused by the name of what is wrong."""
    await add(client, "I like tea", **ADA)
    status, told = await refusal(client, "DELETE", "/v1/memories/", **params)
    assert (status, told.startswith(field)) == (400, True), told
    assert await texts(client, **ADA) == ["I like tea"]


async def test_a_batch_is_each_by_itself(client):
    """What is unknown fails alone; if all are, the request fails."""
    known = await add(client, "I like tea", **ADA)
    items = [{"memory_id": known, "text": "I like coffee"}, {"memory_id": "nope", "text": "x"}]
    told = await ask(client, "PUT", "/v1/batch/", {"memories": items})
    assert [row["status"] for row in told["results"]] == ["updated", "failed"]
    assert (told["succeeded"], told["failed"], told["results"][1]["code"]) == (1, 1, "not_found")
    assert await texts(client, **ADA) == ["I like coffee"]
    ids = {"memories": [{"memory_id": known}]}
    assert (await ask(client, "DELETE", "/v1/batch/", ids))["succeeded"] == 1
    assert (await refusal(client, "DELETE", "/v1/batch/", ids))[0] == 404


async def test_an_export_holds_what_is_there(client):
    """By its id or by filters; it says that no schema is filled."""
    await add(client, "I like tea", **ADA)
    await add(client, "I like milk", user_id="bob")
    made = await ask(client, "POST", "/v1/exports/", {"schema": {"type": "object"}, "filters": ADA})
    for body in ({"memory_export_id": made["id"]}, {"filters": ADA}):
        found = await ask(client, "POST", "/v1/exports/get/", body)
        assert [row["memory"] for row in found["results"]] == ["I like tea"]
        assert (found["count"], found["complete"], found["schema_filled"]) == (1, True, False)
    assert (await refusal(client, "POST", "/v1/exports/get/", {"memory_export_id": "x"}))[0] == 404
    for path in ("/v1/exports/get/", "/v1/summary/"):
        status, told = await refusal(client, "POST", path, {})
        assert (status, told.startswith("At least one of user_id")) == (400, True)


async def test_a_summary_is_the_profile_or_the_newest(client):
    """It names the memories that it stands on."""
    known = await add(client, "The train was late.", **ADA)
    told = await ask(client, "POST", "/v1/summary/", {"filters": ADA})
    assert (told["source"], told["summary"], told["ids"]) == (
        "memories",
        "The train was late.",
        [known],
    )
    known = await add(client, "I am allergic to peanuts.", **ADA)
    told = await ask(client, "POST", "/v1/summary/", {"filters": ADA})
    assert (told["source"], told["summary"], told["ids"]) == (
        "profile",
        "I am allergic to peanuts.",
        [known],
    )


PROJECT = "/api/v1/orgs/organizations/local/projects/local"
HOOKS = "/api/v1/webhooks"


@rows(
    "method, path, body, where",
    [
        ("PATCH", PROJECT, {"custom_instructions": "x"}, "learn.templates"),
        ("DELETE", PROJECT, None, "/v1/reset"),
        ("POST", PROJECT.removesuffix("/local"), {"name": "x"}, "identity.tenants"),
        ("POST", f"{PROJECT}/members", {"email": "a@b.c", "role": "READER"}, "identity.tenants"),
        ("PUT", f"{PROJECT}/members", {"email": "a@b.c", "role": "OWNER"}, "identity.tenants"),
        ("DELETE", f"{PROJECT}/members?email=a", None, "identity.tenants"),
        ("POST", f"{HOOKS}/projects/local", {"url": "http://x"}, "events.webhook"),
        ("PUT", f"{HOOKS}/7", {"name": "x"}, "events.webhook"),
        ("DELETE", f"{HOOKS}/7", None, "events.webhook"),
    ],
)
async def test_a_change_is_refused_with_where_it_is_set(client, method, path, body, where):
    """Never a success that did nothing."""
    await add(client, "I like tea", **ADA)
    status, told = await refusal(client, method, path, body)
    assert (status, where in told) == (400, True)
    assert await texts(client, **ADA) == ["I like tea"]


async def test_the_webhook_is_shown_without_secrets(serve):
    """No secret, and of its URL neither the query nor who logs in; without one, none."""
    assert await ask(await serve(), "GET", f"{HOOKS}/projects/local/") == []
    hook = {"url": "https://me:pass@example.org/hooks?key=abc", "secret": "s3cret"}
    [shown] = await ask(await serve(hook=hook), "GET", f"{HOOKS}/projects/local/")
    assert shown["url"] == "https://example.org/hooks"
    assert "s3cret" not in json.dumps(shown)


async def test_no_route_has_an_empty_answer(client):
    """Their clients read every body as JSON, also that of a deletion."""
    for operation in MEM0:
        path = operation.path.replace("{organization}", "local").replace("{project}", "local")
        answer = await client.request(operation.method, path, json={})
        assert isinstance(await answer.json(), (dict, list)), operation.path


async def test_a_forgotten_user_has_no_events():
    """Once all of a user is erased, nothing names that user; in the whole product."""
    async with Calling() as api:
        body = {"messages": "I like tea", "infer": False, "filters": ADA}
        assert (await api.ask_for("POST", "/v3/memories/add/", body))[0] == 200
        assert (await api.ask_for("GET", "/v1/events/"))[1]["count"] == 1
        await api.post("forget", {"all": True, **ADA})
        assert (await api.ask_for("GET", "/v1/events/"))[1]["count"] == 0


@rows(
    "asked",
    ["5", "[]", '{"user_id": 5}', '{"user_id": "ada", "filters": 5}', '{"user_id": "\\ud800"}'],
)
async def test_an_id_of_ones_own_making_gains_nothing(client, asked):
    """It says only what one may ask anyway; what nobody could have asked is refused."""
    made = f'["export", "local", null, {asked}]'.encode()
    body = {"memory_export_id": urlsafe_b64encode(made).decode().rstrip("=")}
    assert (await refusal(client, "POST", "/v1/exports/get/", body))[0] in {400, 404}
