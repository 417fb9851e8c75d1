"""Every field of the memory API, and of a chat, with texts that break programs (support/nasty.py)."""

from __future__ import annotations

import json
from urllib.parse import quote

from recollect.memory.model.inputs import MAX_TEXT_CHARS
from recollect.memory.model.types import Scope
from recollect.memory.operations.fields import is_idle
from recollect.proxy.api.answers import LINES
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.api.tables import ALL
from tests.isolation.requesting import asked
from tests.proxy.api.calling import COMPLETION
from tests.proxy.api.serving import url_of
from tests.proxy.wire import request
from tests.support.budget import FACTOR, WHOLE, paired
from tests.support.folding import rows
from tests.support.nasty import BODIES, ENCODED, TEXTS, VALUES, nested
from tests.support.scripted import ScriptedModel, facts
from tests.support.tool_calls import bodies

from .facing import Facing

BODY = {"messages": "I like tea", "user_id": "alice", "infer": False}
NO_SUCH = {"memory_id": "no-such-id", "job_id": "no-such-id"}
NO_SUCH |= {"conversation_id": "no-such-id"}
NO_SUCH |= {"organization": "local", "project": "local"}
SHORT = {name: text for name, text in TEXTS.items() if len(text) <= 5000}
"""Those that a URL may hold."""
BROKEN = {name for name, text in TEXTS.items() if text.encode("utf-8", "replace").decode() != text}
EMBEDDED = {"index__backend": "milvus", "database__url": "null"}
NAMES = {
    "confirm": ("confirm", "body"),
    "ids": ("ids", "body"),
    "query": ("query", "body"),
    "q": ("query",),
    "all": ("all", "body", "user_id"),
    "limit": ("limit", "body"),
    "operation": ("operation", "entity_id"),
    "entity_id": ("entity_id", "user_id"),
}
"""What a refusal names, where that is not the field itself, or not always."""


class Api(Facing):
    """Calls the memory API, and looks at the shape of every answer."""

    async def call(self, method, path, body=None):
        """Status and what the answer says; never 5xx, always JSON, and refusals have `detail`."""
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        seen = await self.ask(request(method, path, body).replace(b"proxy.test", b"127.0.0.1", 1))
        lines = seen.body.splitlines() if LINES in seen.head.values("content-type") else []
        said = [json.loads(line) for line in lines] or json.loads(seen.body)
        # The model server here answers nothing that is a chat, which a what-if says by 502.
        assert seen.status < 500 or path in ASKS_A_MODEL, (method, path, said)
        if seen.status >= 400:
            assert list(said) == ["detail"]
            assert isinstance(said["detail"], str)
        return seen.status, said

    async def kept(self, body):
        """Add this; the memory as it is read back, or None if it was refused by this name."""
        status, said = await self.call("POST", PREFIX, body)
        if status != 200 or not said["results"]:
            return status, said
        return await self.call("GET", f"{PREFIX}/{said['results'][0]['id']}")


def encoded(text):
    """A text as a URL holds it, lone surrogates as their bytes."""
    return quote(text, safe="", errors="surrogatepass")


def with_value(body, field, raw):
    """A body in which a field is what the JSON text says."""
    return json.dumps(body | {field: "@@"}).replace('"@@"', raw, 1).encode()


def is_named(detail, *names):
    return any(detail.startswith(name) for name in names)


EACH = 2
"""Fields in which each text is tried, and texts in each field; all pairs in `make soak`."""
OF_BODIES = [
    (operation, name)
    for operation in ALL
    for name, field in operation.in_body.items()
    if operation.path != f"{PREFIX}/flush"
    # Its answer is no JSON if it is true; tests/proxy/api/test_answering.py has the other values.
    and (operation.id, name) != ("answer", "stream")
    # What chooses nothing is read by one function everywhere.
    and (operation.path == PREFIX or not is_idle(field))
]
ASKS_A_MODEL = {
    f"{PREFIX}/whatif",
    f"{PREFIX}/tools/memory_answer",
    f"{PREFIX}/answer",
    f"{PREFIX}/graph/abstract",
}
"""Without a model these are 503."""
ALICE = Scope(tenant="local", user_id="alice")


def full(operation):
    """A body that is accepted, of an operation that needs one."""
    body = asked(operation, ALICE, "no-such-id")[1].get("json", {})
    return body | bodies(label="none").get(operation.id, {})


async def test_texts_in_every_field_of_every_body():
    """Accepted or refused by the field's name; nothing else."""
    async with Api() as api:
        for (name, text), (operation, field) in paired([*TEXTS.items()], OF_BODIES, EACH):
            body = full(operation) | {field: text}
            path = url_of(operation, **NO_SUCH)
            status, said = await api.call(operation.method, path, body)
            if status == 400:
                named = NAMES.get(field, (field, "At least one of user_id", "body"))
                assert is_named(said["detail"], *named), (name, field, said)
            if name in BROKEN:
                assert status == 400, (name, field, said)


@rows("options", [{}, EMBEDDED])
async def test_what_is_accepted_comes_back_as_it_was(options):
    """Text, ids, metadata: each to the letter, by its id, in a list, and to nobody else."""
    accepted = set()
    # The real store costs ten times as much.
    texts = [*TEXTS.items()][:: 3 if options and FACTOR < WHOLE else 1]
    async with Api(**options) as api:
        for name, text in texts:
            tries = (
                {"messages": text or "x", "user_id": text, "metadata": {text: [{text: text}]}},
                {"messages": text},
                {"messages": "x y", "user_id": text, "agent_id": text, "run_id": text},
                {"metadata": {"k": text}},
            )
            for change in tries:
                body = BODY | change
                status, kept = await api.kept(body)
                if status != 200 or "id" not in kept:
                    continue  # refused, or nothing was said
                accepted.add(name)
                # Of a text that is too long for one memory, the first has the beginning.
                fits = len(body["messages"]) <= MAX_TEXT_CHARS
                whole = body["messages"] if fits else body["messages"][: len(kept["memory"])]
                assert kept["memory"] == whole, name
                for field in ("user_id", "agent_id", "run_id", "metadata"):
                    assert kept.get(field, {}) == body.get(field, {}), (name, field)
                if options:
                    break  # the real store once for each text
            if name in SHORT and text.strip():
                status, said = await api.call("GET", f"{PREFIX}?user_id={encoded(text)}&limit=9")
                owners = {memory["user_id"] for memory in said.get("results", ())}
                assert owners <= {text}, name
        assert len(accepted) > len(texts) * 0.9
        # The store still answers, with what came before.
        status, said = await api.call("GET", f"{PREFIX}/search?q=tea&user_id=alice")
        assert (status, bool(said["results"])) == (200, True)


async def test_texts_in_every_parameter_and_path():
    """The same in URLs, as UTF-8 and as what is none."""
    paths = []
    for each in ALL:
        if each.endless or each.tag == "this API":
            continue  # without end, or no JSON
        scoped = "user_id" in each.in_query
        scope = "&user_id=alice" if scoped else ""
        for name in each.parameters:
            paths.append((each, url_of(each, **{name: "%s"})))
        for name, field in each.in_query.items():
            if is_idle(field) and each.path != PREFIX:
                continue  # all are read by one function
            at = "" if name == "user_id" else scope
            paths.append((each, f"{url_of(each)}?{name}=%s{at}"))
    async with Api() as api:
        texts = [*map(encoded, SHORT.values()), *ENCODED]
        for said, (operation, path) in paired(texts, paths, EACH):
            body = full(operation) if operation.body else None
            await api.call(operation.method, path.replace("%s", said), body)
        for said in texts:
            await api.call("GET", f"{PREFIX}?user_id=alice&{said[:9000]}=x")


async def test_an_id_is_what_stands_between_two_slashes():
    """An encoded slash is part of an id, and bytes that are no UTF-8 are no id."""
    async with Api() as api:
        status, said = await api.call("GET", f"{PREFIX}/a%2Fhistory")
        assert (status, said["detail"]) == (404, "there is no memory 'a/history'")
        for path in (f"{PREFIX}/%ff", f"{PREFIX}/%ed%a0%80/history", f"{PREFIX}?user_id=%c0%af"):
            status, said = await api.call("GET", path)
            assert status == 400
            assert "must be valid UTF-8" in said["detail"]
        status, said = await api.call("GET", f"{PREFIX}?user_id=a&user_id=b")
        assert (status, said["detail"]) == (400, "user_id: is given twice")


@rows("options", [{}, EMBEDDED])
async def test_ids_that_no_memory_has(options):
    """They are missing, and cost nothing that was asked beside them: no store is asked for them."""
    async with Api(**options) as api:
        _, kept = await api.kept(BODY)
        ids = [text for text in TEXTS.values() if text] + [kept["id"]]
        status, receipt = await api.call("POST", f"{PREFIX}/forget", {"ids": ids})
        assert (status, receipt["asked"], receipt["missing"]) == (200, len(ids), len(ids) - 1)
        for said in ("%00", "a%00b", "i" * 1000, "%F0%9F%91%A8" * 200):
            assert (await api.call("GET", f"{PREFIX}/{said}"))[0] == 404
            assert (await api.call("DELETE", f"{PREFIX}/{said}"))[0] == 404
            assert (await api.call("GET", f"{PREFIX}/{said}/history"))[0] == 404


async def test_values_of_other_kinds():
    """Numbers without bounds, objects, nothing: read or refused by name, in every field."""
    # For mem0's clients an addition without a model is a 503.
    async with ScriptedModel(facts()) as model, Api(learn__llm__base_url=model.base_url) as api:
        for (name, value), (operation, field) in paired([*VALUES.items()], OF_BODIES, EACH):
            raw = value if isinstance(value, str) else json.dumps(value)
            body = with_value(full(operation), field, raw)
            status, said = await api.call(operation.method, url_of(operation, **NO_SUCH), body)
            if status == 400:
                named = NAMES.get(field, (field, "At least one of user_id", "body"))
                assert is_named(said["detail"], *named), (name, field, said)

        for value in VALUES.values():
            raw = value if isinstance(value, str) else json.dumps(value)
            status, kept = await api.kept(
                with_value(BODY | {"dedupe": False}, "metadata", f'{{"k": [{raw}]}}')
            )
            if status == 200:
                assert repr(kept["metadata"]) == repr({"k": [json.loads(raw)]})


@rows("options", [{}, EMBEDDED])
async def test_deep_metadata(options):
    """As deep as it may be it comes back; deeper it is refused, wherever a stack would end."""
    async with Api(**options) as api:
        for depth in (1, 31, 32, 33, 100, 500, 900, 950, 980, 1000, 5000):
            status, kept = await api.kept(with_value(BODY, "metadata", nested(depth)))
            if depth <= 32:
                assert kept["metadata"] == json.loads(nested(depth))
            else:
                assert status == 400
                assert is_named(kept["detail"], "metadata", "body")


async def test_bodies_that_are_no_objects():
    """Each is refused, also those that some readers of JSON take."""
    async with Api() as api:
        for name, body in BODIES.items():
            for path in (PREFIX, f"{PREFIX}/forget"):
                status, _ = await api.call("POST", path, body)
                assert status == 400, name
        for coding in ("utf-8-sig", "utf-16", "utf-32-le"):
            status, kept = await api.kept(json.dumps(BODY | {"dedupe": False}).encode(coding))
            assert (status, kept["memory"]) == (200, "I like tea")


def claims(body):
    """A model that makes facts of them, for some of which there is evidence."""
    told = body["messages"][-1]["content"]
    said = [text for text in TEXTS.values() if 0 < len(text) < 100 and text in told]
    return facts(*(f"User likes {text}" for text in said[-3:]))


async def test_a_chat_survives_them_all():
    """Whatever stands in it, the upstream gets the bytes and the client its answer; it is learned."""
    answered = COMPLETION.partition(b"\r\n\r\n")[2]
    async with (
        ScriptedModel(claims) as model,
        Api(COMPLETION, learn__llm__base_url=model.base_url) as api,
    ):
        for text, form in paired([*TEXTS.values()], range(3), 1):
            message = {"role": "user", "content": text}
            part = {"type": text, "text": text}
            metadata = {"user_id": text, "conversation_id": text, text: text}
            body = (
                {"model": text, "user": "alice", "messages": [message], "tools": [{"name": text}]},
                {"model": "m", "user": text, "metadata": metadata, "messages": [message] * 2},
                {"model": "m", "messages": [{"role": text, "content": [part]}]},
            )[form]
            raw = json.dumps(body).encode()
            chat = request("POST", "/v1/chat/completions", raw)
            seen = await api.ask(chat.replace(b"proxy.test", b"127.0.0.1", 1))
            assert (seen.status, seen.body) == (200, answered)
            memory, sent = seen.head.values("x-recollect-memory")[0], api.upstream.requests[-1].body
            assert memory != "degraded"
            if memory == "injected":  # what was said before stands in front
                assert json.loads(sent)["messages"][-1]["content"].endswith(text)
            else:
                assert sent == raw
        status, said = await api.call("POST", f"{PREFIX}/flush", {})
        assert (status, "learned" in said["jobs"]) == (200, True)
        # An episode waits until its conversation is over.
        assert set(said["jobs"]) <= {"learned", "nothing", "rejected", "waiting"}
