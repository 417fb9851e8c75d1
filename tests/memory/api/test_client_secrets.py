"""AsyncMemory: metadata is kept without secrets, as texts are."""

import pytest

from tests.memory.api.client_parts import build, texts
from tests.memory.learn.doubles import Says
from tests.support.folding import rows
from tests.support.scripted import facts

SECRET = {"password": "hunter2", "note": "my pin is 4711", "thread_id": "aB3xK9pQ7zL2mN8vR4tY6wE1"}
CLEAN = {**SECRET, "password": "[password removed]", "note": "my pin is [code removed]"}


@rows("infer", [False, True])
async def test_metadata_is_redacted_when_a_memory_is_added(infer):
    """Given or extracted; what names something stays."""
    async with build(Says(facts("User likes tea"))) as memory:
        added = await memory.add("I like tea", user_id="alice", infer=infer, metadata=SECRET)
        [event] = added["results"]
        assert (await memory.get(event["id"]))["metadata"] == CLEAN


async def test_metadata_is_redacted_when_a_memory_is_changed():
    """Also without a text; a key is still removed by None."""
    async with build() as memory:
        [event] = (await memory.add("tea", user_id="alice", infer=False))["results"]
        changed = await memory.update(event["id"], metadata=SECRET)
        assert changed["metadata"] == CLEAN
        changed = await memory.update(event["id"], metadata={"password": None, "note": "x"})
        assert changed["metadata"] == {"note": "x", "thread_id": SECRET["thread_id"]}


async def test_the_same_with_the_same_secret_is_known():
    """What is compared is what is kept."""
    async with build() as memory:
        for added in ("results", "skipped"):
            got = await memory.add("tea", user_id="alice", infer=False, metadata=SECRET)
            assert len(got[added]) == 1


@rows("infer", [False, True])
async def test_what_cannot_be_redacted_is_neither_told_nor_kept(infer, monkeypatch):
    """A defect in the redaction ends the addition before a model or a file has its text."""

    def breaks(_text):
        raise ZeroDivisionError

    model = Says(facts("User likes tea"))
    async with build(model) as memory:
        monkeypatch.setattr(memory._engine, "redact", breaks)
        with pytest.raises(ZeroDivisionError):
            await memory.add("my pin is 4711", user_id="alice", infer=infer)
        assert (model.requests, await texts(memory)) == ([], [])
