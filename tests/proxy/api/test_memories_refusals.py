"""The memory API does nothing that a request does not clearly ask for."""

from yarl import URL

from recollect.config.server import IdentityOptions
from recollect.proxy.api.tables import ALL
from tests.support.folding import rows

from .serving import add, detail, url_of


async def test_every_operation_refuses_what_it_does_not_know(client):
    """No operation reads past a parameter that it does not know, wherever it stands."""
    for operation in ALL:
        path = url_of(operation)
        if operation.any_fields:
            continue
        said = [{"params": {"some_thing": "1"}}, {"json": {"some_thing": 1}}]
        for asked in said[:1] if operation.streams_body else said:
            answer = await client.request(operation.method, path, **asked)
            status, text = await detail(answer)
            assert (status, text.split(":")[0]) == (400, "some_thing"), (operation, asked)


@rows("method", ["GET", "PUT", "DELETE"])
async def test_an_empty_id_is_no_scope(client, method):
    """A client that fills in an empty id does not mean all memories of the user."""
    await add(client, "green tea")
    body = {"text": "x"} if method == "PUT" else None
    answer = await client.request(method, "/v1/memories//?user_id=alice", json=body)
    assert answer.status in {404, 405}
    kept = await client.get("/v1/memories/", params={"user_id": "alice"})
    assert len((await kept.json())["results"]) == 1


@rows(
    "query, body",
    [
        ("", None),
        ("", {}),
        ("?confirm=", None),
        ("?confirm=yes", None),
        ("?confirm=true", None),
        ("?confirm=LOCAL", None),
        ("", {"confirm": None}),
        ("", {"confirm": "emca"}),
        ("", {"confirm": True}),
    ],
)
async def test_a_reset_must_be_confirmed(client, query, body):
    """Without the tenant's name nothing is removed, on loopback too; the answer says what to send."""
    known = await add(client, "green tea")
    status, text = await detail(await client.post(f"/v1/reset{query}", json=body))
    assert (status, text.split(":")[0]) == (400, "confirm")
    if body != {"confirm": True}:
        assert "?confirm=local" in text
        assert '{"confirm": "local"}' in text
    assert (await client.get(f"/v1/memories/{known}")).status == 200


async def test_what_the_refusal_of_a_reset_says_can_be_sent(serve):
    """For a tenant whose name has characters that a URL or a JSON text escapes."""
    client = await serve(identity=IdentityOptions(tenant='a&b "c" d\u00e9'))
    for form in ("query", "body"):
        known = await add(client, "green tea")
        _, text = await detail(await client.post("/v1/reset"))
        query, _, body = text.partition("send ")[2].partition(" or ")
        if form == "query":
            answer = await client.post(URL(f"/v1/reset{query}", encoded=True))
        else:
            answer = await client.post("/v1/reset", data=body)
        assert answer.status == 200
        assert (await client.get(f"/v1/memories/{known}")).status == 404


@rows("raw", [b"x", b"[]", b"user_id=bob", b'"x"', b"null"])
@rows("method", ["GET", "DELETE"])
async def test_a_body_where_none_is_read(client, method, raw):
    """It is refused: whatever it was to say, nobody would have heard it."""
    await add(client, "green tea")
    answer = await client.request(method, "/v1/memories/?user_id=alice", data=raw)
    assert await detail(answer) == (400, "body: expected a JSON object")
    empty = await client.request(method, "/v1/memories/?user_id=alice", data=b"{}")
    assert empty.status == 200
