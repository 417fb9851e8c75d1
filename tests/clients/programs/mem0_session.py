"""A whole session of the `mem0ai` client, synchronous and not; each step checks what it was told.

`MEM0_URL`, `MEM0_KEY` and `MEM0_NUMBER` say where, as whom, and what only the model extracts.
"""

import asyncio
import contextlib
import importlib.metadata
import inspect
import io
import json
import os
import re
import tempfile
import traceback
from pathlib import Path

os.environ["MEM0_TELEMETRY"] = "False"
os.environ["MEM0_DIR"] = tempfile.mkdtemp(prefix="mem0-")

from mem0 import AsyncMemoryClient, MemoryClient

VERSION = importlib.metadata.version("mem0ai")
NUMBERS = tuple(int(part) for part in VERSION.split("."))
URL, KEY, NUMBER = (os.environ[f"MEM0_{name}"] for name in ("URL", "KEY", "NUMBER"))
TOLD = f"Please note: my allotment has the number {NUMBER}, it is the one by the canal."
KINDS = {"sync": MemoryClient, "async": AsyncMemoryClient}
STEPS = []
USER = "ada"


class MissingError(Exception):
    """This version has no such method."""


def step(name):
    """A step, by the method that it is about."""

    def listed(function):
        STEPS.append((name, function))
        return function

    return listed


class Session:
    """The client, and what the steps have learned."""

    def __init__(self, kind):
        self.kind = kind
        self.client = KINDS[kind](api_key=KEY, host=URL)
        self.maps_errors = kind == "sync" or NUMBERS >= (2, 0, 8)
        self.known = ""

    async def do(self, name, /, *arguments, **named):
        """Call a method by its name."""
        target = self.client
        for part in name.split("."):
            target = getattr(target, part, None)
            if target is None:
                raise MissingError
        return await awaited(target(*arguments, **named))

    async def refused(self, error, words, name, /, *arguments, **named):
        """The same, of a call that must fail; the words are those that a user reads."""
        answer, raised = None, None
        try:
            answer = await self.do(name, *arguments, **named)
        except MissingError:
            raise
        except Exception as caught:  # noqa: BLE001 - whatever a client raises is looked at
            raised = caught
        assert raised is not None, f"was not refused: {answer}"
        told = str(raised)
        if not self.maps_errors:
            # These clients raise what their transport does, without the text of the answer.
            error, told = "HTTPStatusError", raised.response.text
        assert type(raised).__name__ == error, (type(raised).__name__, told)
        assert words in told, told
        return "refused"


async def awaited(value):
    return await value if inspect.isawaitable(value) else value


def texts(found):
    return [row["memory"] for row in found["results"]]


@step("add")
async def add(session):
    told = await session.do("add", TOLD, user_id=USER)
    assert [NUMBER in row["memory"] for row in told["results"]] == [True], told
    assert told["results"][0]["data"]["memory"] == told["results"][0]["memory"]
    assert told["status"] == "SUCCEEDED"


@step("add(infer=False)")
async def add_as_it_is(session):
    message = {"role": "user", "content": "I like green tea."}
    told = await session.do("add", [message], user_id=USER, metadata={"tag": "a"}, infer=False)
    [row] = told["results"]
    assert (row["event"], row["memory"]) == ("ADD", "I like green tea."), told
    session.known = row["id"]


@step("add(app_id=…)")
async def add_for_an_app(session):
    message = "Not for an app."
    return await session.refused(
        "ValidationError", "app_id", "add", message, user_id=USER, app_id="x"
    )


@step("search")
async def search(session):
    found = await session.do("search", "Which tea?", filters={"user_id": USER})
    assert "I like green tea." in texts(found), found
    assert all(0 <= row["score"] <= 1 for row in found["results"])
    tagged = {"AND": [{"user_id": USER}, {"metadata": {"tag": "a"}}]}
    assert texts(await session.do("search", "tea", filters=tagged, top_k=5)) == [
        "I like green tea."
    ]
    nobody = await session.do("search", "tea", filters={"user_id": "nobody"})
    assert texts(nobody) == []


@step("get_all")
async def get_all(session):
    found = await session.do("get_all", filters={"user_id": USER})
    assert (found["count"], len(found["results"])) == (2, 2), found
    page = await session.do("get_all", filters={"user_id": USER}, page=2, page_size=1)
    assert (page["count"], page["next"], len(page["results"])) == (2, None, 1), page
    assert page["previous"].startswith(URL)


@step("get")
async def get(session):
    assert (await session.do("get", session.known))["memory"] == "I like green tea."
    await session.refused("MemoryNotFoundError", "there is no memory", "get", "no-such-id")


@step("update")
async def update(session):
    told = await session.do("update", session.known, text="I like black tea.", metadata={"k": 1})
    assert (told["memory"], told["metadata"]) == ("I like black tea.", {"tag": "a", "k": 1}), told


@step("update(expiration_date=None)")
async def clear(session):
    if NUMBERS < (2, 2):
        raise MissingError
    assert (await session.do("update", session.known, expiration_date=None))["id"] == session.known
    late = {"expiration_date": "2040-01-01"}
    await session.refused("ValidationError", "expiration_date", "update", session.known, **late)


@step("history")
async def history(session):
    rows = await session.do("history", session.known)
    assert [row["new_memory"] for row in rows] == ["I like green tea.", "I like black tea."], rows


@step("feedback")
async def feedback(session):
    try:
        told = await session.do(
            "feedback", session.known, feedback="positive", feedback_reason="so"
        )
        assert told["positive"] == 1, told
    except TypeError:
        # 1.0.11 fails in its own report of the call, after the request was answered.
        assert NUMBERS < (2,), NUMBERS
        return "sent"


@step("users")
async def users(session):
    found = await session.do("users")
    assert [(row["type"], row["name"], row["total_memories"]) for row in found["results"]] == [
        ("user", USER, 2)
    ], found


@step("batch_update")
async def batch_update(session):
    told = await session.do("batch_update", [{"memory_id": session.known, "text": "I like tea."}])
    assert told["succeeded"] == 1, told
    assert (await session.do("get", session.known))["memory"] == "I like tea."


@step("create_memory_export")
async def create_export(session):
    told = await session.do("create_memory_export", schema={}, filters={"user_id": USER})
    found = await session.do("get_memory_export", memory_export_id=told["id"])
    assert (found["count"], found["schema_filled"]) == (2, False), found


@step("get_memory_export")
async def get_export(session):
    assert "I like tea." in texts(await session.do("get_memory_export", user_id=USER))


@step("get_summary")
async def summary(session):
    told = await session.do("get_summary", filters={"user_id": USER})
    assert "I like tea." in told["summary"], told
    return await session.refused("ValidationError", "At least one of", "get_summary") and "ok"


@step("get_project")
async def get_project(session):
    told = await session.do("get_project", fields=["custom_instructions"])
    assert told == await session.do("project.get", fields=["custom_instructions"]), told
    assert (told["name"], told["custom_instructions"]) == (session.client.project_id, None), told


@step("update_project")
async def update_project(session):
    new = {"custom_instructions": "x"}
    await session.refused("ValidationError", "learn.templates", "update_project", **new)
    return await session.refused("ValidationError", "learn.templates", "project.update", **new)


@step("project.create, delete")
async def other_projects(session):
    await session.refused("ValidationError", "identity.tenants", "project.create", "new")
    return await session.refused("ValidationError", "/v1/reset", "project.delete")


@step("project.get_members")
async def members(session):
    assert await session.do("project.get_members") == []


@step("project.…_member")
async def change_members(session):
    for name in ("add_member", "remove_member"):
        await session.refused("ValidationError", "no accounts", f"project.{name}", "a@example.org")
    return "refused"


@step("get_webhooks")
async def webhooks(session):
    assert await session.do("get_webhooks", project_id=session.client.project_id) == []


@step("create_, update_, delete_webhook")
async def change_webhooks(session):
    project = session.client.project_id
    new = {"url": "http://x", "name": "n", "project_id": project, "event_types": ["memory_add"]}
    where = "events.webhook"
    await session.refused("ValidationError", where, "create_webhook", **new)
    await session.refused("ValidationError", where, "update_webhook", 7, name="n")
    return await session.refused("ValidationError", where, "delete_webhook", 7)


@step("get_profile")
async def profile(session):
    await session.do("add", "I am allergic to peanuts.", user_id=USER, infer=False)
    told = await session.do("get_profile", USER)
    assert told["profile"]["lines"][0]["memory"] == "I am allergic to peanuts.", told


@step("generate_profile, get_profile_job")
async def generate(session):
    job = await session.do("generate_profile", USER)
    for named in (job["job_id"], job["status_url"]):
        assert (await session.do("get_profile_job", named))["job"]["status"] == "succeeded"


@step("sample_profiles")
async def sample(session):
    assert (await session.do("sample_profiles", limit=5))["entity_ids"] == [USER]


@step("get_, update_profile_settings")
async def settings(session):
    told = await session.do("get_profile_settings")
    assert await session.do("update_profile_settings", enabled=True) == told
    await session.refused("ValidationError", "entities", "update_profile_settings", schema={"a": 1})


@step("bad key")
async def bad_key(session):
    try:
        KINDS[session.kind](api_key="bad", host=URL)
    except ValueError as error:
        assert "a valid API token is required" in str(error), error  # noqa: PT017 - no pytest here
        return "refused"
    raise AssertionError("a bad key is accepted")


@step("delete")
async def delete(session):
    assert (await session.do("delete", session.known))["deleted"] == 1
    await session.refused("MemoryNotFoundError", "there is no memory", "get", session.known)


@step("batch_delete")
async def batch_delete(session):
    told = await session.do("add", "I like jazz.", user_id=USER, infer=False)
    [row] = told["results"]
    gone = await session.do("batch_delete", [{"memory_id": row["id"]}])
    assert gone["succeeded"] == 1, gone


@step("delete_all")
async def delete_all(session):
    await session.refused("ValidationError", "At least one of user_id", "delete_all")
    for user in (USER, "bob"):
        await session.do("add", "I like jazz.", user_id=user, infer=False)
    await session.do("delete_all", user_id=USER)
    assert (await session.do("get_all", filters={"user_id": USER}))["count"] == 0
    assert (await session.do("get_all", filters={"user_id": "bob"}))["count"] == 1


@step("delete_all(filters=…)")
async def delete_filtered(session):
    for tag in "ab":
        said = {"user_id": USER, "metadata": {"tag": tag}, "infer": False}
        await session.do("add", f"Number {tag}", **said)
    await session.do("delete_all", filters={"AND": [{"user_id": USER}, {"metadata": {"tag": "a"}}]})
    assert texts(await session.do("get_all", filters={"user_id": USER})) == ["Number b"]


@step("delete_users")
async def delete_users(session):
    await session.do("add", "The build is slow.", run_id="r 1", infer=False)
    await session.do("delete_users", run_id="r 1")
    assert {row["name"] for row in (await session.do("users"))["results"]} == {USER, "bob"}
    await session.refused("ValidationError", "no app level", "delete_users", app_id="x")


@step("reset")
async def reset(session):
    await session.do("reset")
    assert (await session.do("users"))["results"] == []


@step("the examples of the page")
async def examples(session):
    """As a reader of docs/migrating-from-mem0.md copies them, but for address and key."""
    page = Path(os.environ["MEM0_PAGE"]).read_text("utf-8")
    first, second = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    here = f'api_key="{KEY}", host="{URL}"'
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        copied(first.replace('api_key="any", host="http://127.0.0.1:8787"', here))
    assert printed.getvalue() == "I am allergic to peanuts.\n", printed.getvalue()
    moved = second.replace('api_key="any", host="http://127.0.0.1:8787"', here)
    copied(moved.replace('api_key="m0-your-key"', here))
    # From itself to itself: what is there already is not stored again.
    assert (await session.do("get_all", filters={"user_id": USER}))["count"] == 1
    await session.do("delete_all", user_id=USER)


def copied(code):
    assert URL in code
    assert "8787" not in code
    assert "m0-your-key" not in code
    exec(compile(code, "example", "exec"), {"__name__": "example"})  # noqa: S102 - our own page


def run():
    """All steps with both clients, in order; a line for each."""
    for kind in KINDS:
        asyncio.run(_run(kind))


async def _run(kind):
    session = Session(kind)
    for name, function in [("constructor", None), *STEPS]:
        try:
            seen = {"answer": (await function(session) if function else "") or "ok"}
        except MissingError:
            seen = {"answer": "no such method"}
        except Exception:  # noqa: BLE001 - whatever went wrong is reported
            seen = {"error": traceback.format_exc()}
        print("STEP", json.dumps({"step": name, "kind": kind, **seen}), flush=True)
