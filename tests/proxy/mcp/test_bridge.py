"""A request of aiohttp through an ASGI application."""

from __future__ import annotations

from aiohttp import web

from recollect.proxy.mcp.bridge import exchange


async def test_the_application_gets_what_the_client_sent(aiohttp_client):
    """Method, path, query, headers and body; its answer is whole, with its status and headers."""
    seen = []

    async def app(scope, receive, send):
        seen.append((scope, await receive()))
        await send({"type": "http.response.start", "status": 418, "headers": [(b"x-a", b"1")]})
        await send({"type": "http.response.body", "body": b"short ", "more_body": True})
        await send({"type": "http.response.body", "body": b"stout"})
        await send({"type": "other"})

    async def handle(request):
        answer = await exchange(app, request, await request.read(), {"more": 1})
        return web.Response(
            status=answer.status, headers=dict(answer.headers), body=bytes(answer.body)
        )

    server = web.Application()
    server.router.add_post("/mcp", handle)
    client = await aiohttp_client(server)
    answer = await client.post("/mcp?user_id=%C3%A4", data=b"{}", headers={"X-B": "2"})
    assert (answer.status, answer.headers["x-a"], await answer.text()) == (418, "1", "short stout")
    [(scope, message)] = seen
    assert (scope["type"], scope["method"], scope["path"]) == ("http", "POST", "/mcp")
    assert scope["query_string"] == b"user_id=%C3%A4"
    assert (b"x-b", b"2") in scope["headers"]
    assert scope["more"] == 1
    assert message == {"type": "http.request", "body": b"{}", "more_body": False}
