"""The memory API of the whole product, called as a client calls it."""

import json

from tests.hostile.facing import Facing
from tests.proxy.wire import request, response

COMPLETION = response(
    json.dumps(
        {
            "id": "c",
            "object": "chat.completion",
            "created": 0,
            "model": "m",
            "choices": [
                {
                    "index": 0,
                    "finish_reason": "stop",
                    "message": {"role": "assistant", "content": "I see."},
                }
            ],
        }
    ).encode(),
    "Content-Type: application/json",
)


QUIET = {"learn__drift": "false", "upkeep__kinds__episodes": "false"}
"""Nothing is learned but what a test asks for."""


class Calling(Facing):
    """`extractor` is the base URL of the model that learns."""

    def __init__(self, extractor=None, **options):
        learn = {"learn__llm__base_url": extractor}
        options = {"listen__allowed_hosts": '["proxy.test"]', **QUIET} | options
        super().__init__(COMPLETION, **options, **(learn if extractor else {}))

    async def call(self, method, path, body=None, *headers):
        """Status and body of the answer."""
        return await self.ask_for(method, f"/v1/memories/{path}", body, *headers)

    async def ask_for(self, method, path, body=None, *headers):
        """The same with the whole path."""
        data = None if body is None else json.dumps(body).encode()
        seen = await self.ask(request(method, path, data, *headers))
        return seen.status, json.loads(seen.body)

    async def get(self, path, *headers):
        status, said = await self.call("GET", path, None, *headers)
        assert status == 200, said
        return said

    async def post(self, path, body, *headers):
        status, said = await self.call("POST", path, body, *headers)
        assert status == 200, said
        return said

    async def remember(self, *texts, **scope):
        """Store texts as they are; their ids."""
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"messages": messages, "infer": False, **(scope or {"user_id": "alice"})}
        return [event["id"] for event in (await self.post("", body))["results"]]

    async def say(self, text, user="alice", *headers):
        """One chat."""
        body = json.dumps({"model": "m", "messages": [{"role": "user", "content": text}]})
        path = "/v1/chat/completions"
        seen = await self.ask(
            request("POST", path, body.encode(), f"x-recollect-user: {user}", *headers)
        )
        assert seen.status == 200

    async def texts(self, user="alice", status="active"):
        """What was learned; what was said is listed beside it."""
        found = await self.get(f"?user_id={user}&status={status}&kinds=memory")
        return [memory["memory"] for memory in found["results"]]
