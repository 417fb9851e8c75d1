"""What tests of the memory API share: adding a memory, and reading a refusal."""


def url_of(operation, **ids):
    """The path of an operation, with these ids; every other id is `x`."""
    return operation.path.format(**(dict.fromkeys(operation.parameters, "x") | ids))


async def add(client, text, **scope):
    """Store a text as it is; its id."""
    body = {"messages": text, "infer": False, **(scope or {"user_id": "alice"})}
    answer = await client.post("/v1/memories/", json=body)
    assert answer.status == 200, await answer.text()
    added = await answer.json()
    return (added["results"] or added["skipped"])[0]["id"]


async def detail(answer):
    """An error's status and text; an error has that and nothing else."""
    body = await answer.json()
    assert list(body) == ["detail"]
    return answer.status, body["detail"]
