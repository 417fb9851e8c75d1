import threading
from datetime import UTC, datetime, timedelta, timezone

import pytest

from recollect.memory import (
    AsyncMemory,
    InvalidInputError,
    MemoryOptions,
    MemoryStatus,
    NotFoundError,
    ScopeError,
)
from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.model.errors import (
    EmbeddingError,
    ExtractionError,
    ModelError,
    StateError,
    StoreError,
)
from recollect.memory.model.inputs import DEFAULT_LIMIT, MAX_LIMIT, MAX_METADATA_BYTES
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.trust.redact.redactor import Redacted
from tests.memory.api.client_parts import build, keep, keep_each_status, texts
from tests.memory.learn.doubles import NOON, Angles, Breaks, Says
from tests.support.scripted import facts
from tests.support.state import InMemoryHistory

SCOPE_TEXT = "At least one of user_id, agent_id, or run_id must be provided"


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


class TestAdd:
    @pytest.mark.parametrize("infer", [True, False])
    async def test_texts_are_redacted_away_from_the_loop(self, infer):
        """However long they are, nobody else waits for it."""
        threads = []

        class Watching:
            def redact(self, text):
                threads.append(threading.current_thread())
                return Redacted(text)

        async with build(Says(facts())) as memory:
            memory._engine._redactor = Watching()
            await memory.add("My number is 4111", user_id="bob", infer=infer)
        assert threads
        assert threading.main_thread() not in threads

    async def test_a_given_text_is_not_looked_for_by_its_new_id(self, memory, monkeypatch):
        """Its id was made by this call: the store is not asked for it."""
        store, asked = memory._engine.parts.store, []

        async def get(tenant, ids, inner=store.get):
            asked.extend(ids)
            return await inner(tenant, ids)

        monkeypatch.setattr(store, "get", get)
        added = await memory.add("User likes tea", user_id="bob", infer=False)
        assert [each["event"] for each in added["results"]] == ["ADD"]
        assert asked == []

    async def test_too_many_messages_are_refused(self, memory):
        """The field is named, and nothing is stored."""
        many = [{"role": "user", "content": "tea"}] * (MAX_MESSAGES + 1)
        with pytest.raises(InvalidInputError, match="messages"):
            await memory.add(many, user_id="bob", infer=False)
        assert (await memory.get_all(user_id="bob"))["results"] == []

    async def test_facts_become_memories(self):
        """What the model extracts is stored, and each event tells what was done."""
        model = Says(facts("User is called Bob", "User likes tea"), '{"not_stated": []}')
        async with build(model) as memory:
            added = await memory.add(
                "I am called Bob, I like tea", user_id="bob", metadata={"tag": "a"}
            )
            assert set(added) == {"results"}
            assert [event["new_memory"] for event in added["results"]] == [
                "User is called Bob",
                "User likes tea",
            ]
            assert set(added["results"][0]) == {"event", "id", "type", "new_memory", "metadata"}
            shown = await memory.get(added["results"][0]["id"])
            assert set(shown) == {
                "id",
                "kind",
                "memory",
                "hash",
                "type",
                "status",
                "importance",
                "provenance",
                "valid_from",
                "metadata",
                "version",
                "created_at",
                "updated_at",
                "user_id",
            }
            assert (shown["memory"], shown["metadata"]) == (
                "User is called Bob",
                {"tag": "a"},
            )

    async def test_added_again_after_deletion(self):
        """A fact that was deleted and told again is a new memory."""
        async with build(Says(facts("User is Bob"))) as memory:
            [first] = (await memory.add("I am Bob", user_id="bob"))["results"]
            await memory.delete(first["id"])
            [again] = (await memory.add("I am Bob", user_id="bob"))["results"]
            assert (again["event"], again["id"] != first["id"]) == ("ADD", True)

    @pytest.mark.parametrize(
        ("line", "code"),
        [(ModelError("down"), "model_failed"), ("never any facts", "model_unreadable")],
    )
    async def test_a_failing_model(self, line, code):
        """It is an error that says why nothing was learned; nothing is stored."""
        async with build(Says(line)) as memory:
            with pytest.raises((ModelError, ExtractionError)) as failed:
                await memory.add("I am Bob", user_id="bob")
            assert failed.value.code == code
            assert code != "model_unreadable" or "learn.llm" in str(failed.value)
            assert await texts(memory, user_id="bob") == []

    @pytest.mark.parametrize(
        ("part", "method", "error"),
        [
            ("store", "put", StoreError),
            ("history", "append", StateError),
            ("embedder", "embed", EmbeddingError),
        ],
    )
    async def test_other_failures_are_raised(self, part, method, error):
        """If a part fails the caller is told, not given an empty result."""
        inner = {
            "store": InMemoryStore(dim=384),
            "history": InMemoryHistory(),
            "embedder": FakeEmbedder(),
        }
        broken = Breaks(inner[part], method, error("gone"), times=-1)
        async with build(Says(facts("User is Bob")), **{part: broken}) as memory:
            with pytest.raises(error):
                await memory.add("I am Bob", user_id="bob")

    async def test_an_update_by_the_model(self):
        """A changed fact is an UPDATE that names the old text, under the old id."""
        old, new = "User's rent is 900 EUR", "User's rent is now 950 EUR"
        answer = '{"decisions": [{"fact": 1, "event": "UPDATE", "known": 1}]}'
        stated = '{"not_stated": []}'
        model = Says(facts(old), stated, facts(new), stated, answer)
        angles = Angles({old: 0, new: 30})
        async with build(model, embedder=angles) as memory:
            [first] = (await memory.add("My rent is 900 EUR", user_id="bob"))["results"]
            [event] = (await memory.add("My rent is now 950 EUR", user_id="bob"))["results"]
            assert event == {
                "event": "UPDATE",
                "id": first["id"],
                "type": "semantic",
                "old_memory": old,
                "new_memory": new,
            }
            history = await memory.history(first["id"])
            assert [row["event"] for row in history] == ["ADD", "UPDATE"]

    @pytest.mark.parametrize(
        ("timestamp", "shown"),
        [
            (NOON, "2026-03-02T12:00:00.000+00:00"),
            (datetime(2026, 3, 2, 12, 0), "2026-03-02T12:00:00.000+00:00"),  # noqa: DTZ001 - naive is UTC
            (NOON.astimezone(timezone(timedelta(hours=5))), "2026-03-02T12:00:00.000+00:00"),
        ],
    )
    @pytest.mark.parametrize("infer", [True, False])
    async def test_backdating(self, timestamp, shown, infer):
        """`timestamp` is when it was said: on the memory, and for the model; history is of now."""
        model = Says(facts("User is Bob"))
        async with build(model) as memory:
            before = datetime.now(UTC) - timedelta(seconds=1)
            [event] = (
                await memory.add("I am Bob", user_id="bob", timestamp=timestamp, infer=infer)
            )["results"]
            item = await memory.get(event["id"])
            assert (item["created_at"], item["updated_at"]) == (shown, shown)
            if infer:
                assert "2026-03-02" in model.heard()
            [row] = await memory.history(event["id"])
            assert datetime.fromisoformat(row["timestamp"]) >= before

    @pytest.mark.parametrize(
        ("arguments", "field"),
        [
            ({"messages": 7}, "messages"),
            ({"messages": [{"role": "user"}, "x"]}, "messages[1]"),
            ({"metadata": []}, "metadata"),
            ({"metadata": {1: "a"}}, "metadata"),
            ({"metadata": {"a": object()}}, "metadata"),
            ({"metadata": {"a": float("nan")}}, "metadata"),
            ({"metadata": {"a": "\ud800"}}, "metadata"),
            ({"metadata": {"a": "x" * MAX_METADATA_BYTES}}, "metadata"),
            ({"timestamp": "2026-01-01"}, "timestamp"),
            ({"timestamp": 0}, "timestamp"),
            ({"timestamp": datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))}, "timestamp"),
            ({"user_id": ""}, "user_id"),
            ({"user_id": 7}, "user_id"),
            ({"user_id": "x" * 257}, "user_id"),
        ],
    )
    async def test_bad_arguments(self, arguments, field):
        """They are refused by name before any model is asked or anything is written."""
        model = Says(facts("User is Bob"))
        async with build(model) as memory:
            with pytest.raises(InvalidInputError) as caught:
                await memory.add(**({"messages": "hi", "user_id": "bob"} | arguments))
            assert caught.value.field == field
            assert model.requests == []
            assert await texts(memory, user_id="bob") == []


class TestScopes:
    @pytest.mark.parametrize(
        ("method", "arguments"),
        [("add", ["hi"]), ("search", ["hi"]), ("get_all", []), ("delete_all", [])],
    )
    async def test_a_scope_is_required(self, memory, method, arguments):
        """Without user, agent and run it is a ScopeError in the words of the API."""
        with pytest.raises(ScopeError) as caught:
            await getattr(memory, method)(*arguments)
        assert str(caught.value) == SCOPE_TEXT

    async def test_tenants_are_apart(self, memory):
        """Another tenant with the same user sees, changes and deletes nothing, even by id."""
        [name] = await keep(memory, "tea")
        other = memory.for_tenant("other")
        assert await other.get(name) is None
        assert await texts(other) == []
        assert (await other.search("tea", user_id="alice"))["results"] == []
        assert await other.history(name) == []
        for call in (other.update(name, "x"), other.delete(name)):
            with pytest.raises(NotFoundError):
                await call
        assert await other.delete_all(user_id="alice") == {"deleted": 0}
        await other.reset()
        assert await texts(memory) == ["tea"]
        assert len(await memory.history(name)) == 1

    async def test_a_tenants_own_model(self):
        """A tenant can bring its model; without one it is the shared one."""
        shared, own = Says(facts()), Says(facts())
        async with build(shared) as memory:
            await memory.for_tenant("a", own).add("hi", user_id="x")
            assert (len(shared.requests), len(own.requests)) == (0, 1)
            await memory.for_tenant("b").add("hi", user_id="x")
            assert len(shared.requests) == 1

    async def test_metadata_moves_nothing(self, memory):
        """Ids, tenant, status and type in metadata are just data."""
        metadata = {"user_id": "bob", "tenant": "other", "status": "quarantined", "id": "m"}
        await memory.add("tea", user_id="alice", infer=False, metadata=metadata)
        [item] = (await memory.get_all(user_id="alice"))["results"]
        assert (item["user_id"], item["status"]) == ("alice", "active")
        assert item["metadata"] == metadata
        assert await texts(memory, user_id="bob") == []
        assert await texts(memory.for_tenant("other")) == []

    @pytest.mark.parametrize(
        "name", ['x" || user_id != "y', "ünï/ço\\dé", "a" * 256, "%", "' OR 1"]
    )
    async def test_awkward_ids(self, memory, name):
        """Any printable id is an id like any other."""
        await keep(memory, "mine", user_id=name)
        await keep(memory, "tea", user_id="alice")
        assert await texts(memory, user_id=name) == ["mine"]


class TestReading:
    async def test_search(self, memory):
        """Best first, with scores and everything a memory shows."""
        await keep(memory, "User likes green tea", "User has a cat", "User likes tea")
        found = (await memory.search("likes green tea", user_id="alice"))["results"]
        assert [item["memory"] for item in found][:2] == ["User likes green tea", "User likes tea"]
        scores = [item["score"] for item in found]
        assert scores == sorted(scores, reverse=True)
        assert len(found) == 3
        assert isinstance(scores[0], float)

    async def test_search_limit_and_threshold(self, memory):
        """`limit` bounds the number, `threshold` the score, inclusively."""
        await keep(memory, "User likes green tea", "User has a cat", "User likes tea")
        found = (await memory.search("green tea", user_id="alice"))["results"]
        limited = (await memory.search("green tea", user_id="alice", limit=2))["results"]
        assert limited == found[:2]
        passed = await memory.search("green tea", user_id="alice", threshold=found[1]["score"])
        assert passed["results"] == [m for m in found if m["score"] >= found[1]["score"]]
        assert len(passed["results"]) < len(found)
        assert (await memory.search("green tea", user_id="alice", threshold=1.0))["results"] == []

    async def test_get_all_is_newest_first(self, memory):
        """The newest `limit` memories come, newest first."""
        for day in (2, 3, 1):
            await memory.add(
                f"day {day}",
                user_id="alice",
                infer=False,
                timestamp=datetime(2026, 1, day, tzinfo=UTC),
            )
        assert await texts(memory) == ["day 3", "day 2", "day 1"]
        newest = await memory.get_all(user_id="alice", limit=1)
        assert [item["memory"] for item in newest["results"]] == ["day 3"]
        assert "score" not in newest["results"][0]

    async def test_default_limit(self, memory):
        """Without a limit there are at most a hundred."""
        await keep(memory, *[f"tea {n}" for n in range(DEFAULT_LIMIT + 5)])
        assert len(await texts(memory)) == DEFAULT_LIMIT
        assert len((await memory.search("tea", user_id="alice"))["results"]) == DEFAULT_LIMIT

    async def test_nothing_there(self, memory):
        """Unknown users and ids are empty answers, not errors."""
        assert await memory.get_all(user_id="nobody") == {"results": []}
        assert await memory.search("tea", user_id="nobody") == {"results": []}
        assert await memory.get("no-such-id") is None
        assert await memory.history("no-such-id") == []

    async def test_other_statuses_only_when_asked_for(self, memory):
        """Listings and searches show active memories unless another status is named."""
        await keep_each_status(memory)
        for status in (*MemoryStatus, "quarantined"):
            for found in (
                await memory.get_all(user_id="alice", status=status),
                await memory.search("tea", user_id="alice", status=status),
            ):
                assert [item["status"] for item in found["results"]] == [str(status)]
        assert [item["id"] for item in (await memory.get_all(user_id="alice"))["results"]] == [
            "active"
        ]
        assert (await memory.get("superseded"))["status"] == "superseded"

    @pytest.mark.parametrize("limit", [0, -1, MAX_LIMIT + 1, 2.0, "5", True])
    async def test_bad_limits(self, memory, limit):
        """A limit is a whole number within bounds, in searches and listings."""
        for call in (
            memory.search("tea", user_id="alice", limit=limit),
            memory.get_all(user_id="alice", limit=limit),
        ):
            with pytest.raises(InvalidInputError, match=f"from 1 to {MAX_LIMIT}"):
                await call

    @pytest.mark.parametrize(
        ("arguments", "field"),
        [
            ({"query": ""}, "query"),
            ({"query": "  "}, "query"),
            ({"query": None}, "query"),
            ({"query": 7}, "query"),
            ({"status": "deleted"}, "status"),
            ({"statuses": []}, "statuses"),
            ({"status": "active", "statuses": ["active"]}, "status"),
            ({"threshold": -0.1}, "threshold"),
            ({"threshold": "0.5"}, "threshold"),
            ({"threshold": 2}, "threshold"),
            ({"threshold": float("nan")}, "threshold"),
            ({"threshold": True}, "threshold"),
        ],
    )
    async def test_bad_searches(self, memory, arguments, field):
        """Each bad argument is refused by its name."""
        with pytest.raises(InvalidInputError) as caught:
            await memory.search(**({"query": "tea", "user_id": "alice"} | arguments))
        assert caught.value.field == field

    @pytest.mark.parametrize("name", ["", None, 7])
    async def test_bad_ids(self, memory, name):
        """An id is some text."""
        for call in (memory.get(name), memory.update(name, "x"), memory.delete(name)):
            with pytest.raises(InvalidInputError, match="memory_id"):
                await call


class TestLife:
    async def test_open_builds_what_the_options_name(self):
        """`open` needs nothing but options."""
        options = MemoryOptions(embedder=FakeEmbedderOptions(dim=64))
        async with await AsyncMemory.open(options, tenant="t") as memory:
            [name] = await keep(memory, "tea")
            assert (await memory.get(name))["memory"] == "tea"
            assert memory.tenant == "t"

    async def test_after_close(self):
        """A closed memory and its views say so, and closing again is no error."""
        memory = await AsyncMemory.open(MemoryOptions(embedder=FakeEmbedderOptions()))
        view = memory.for_tenant("other")
        await memory.close()
        await memory.close()
        for closed in (memory, view):
            for call in (
                closed.search("tea", user_id="alice"),
                closed.get("m"),
                closed.users(),
                closed.reset(),
                closed.forget_all(user_id="alice"),
            ):
                with pytest.raises(RuntimeError, match="memory is closed"):
                    await call

    async def test_a_view_closes_nothing(self, memory):
        """Whoever opened the engine closes it."""
        await memory.for_tenant("other").close()
        assert await keep(memory, "tea")

    async def test_extraction_error_raised_by_a_model(self):
        """A model wrapper that raises it itself is treated like any failing model."""
        async with build(Says(ExtractionError("odd"))) as memory:
            with pytest.raises(ExtractionError, match=r"odd.*learn\.llm"):
                await memory.add("x", user_id="a")
