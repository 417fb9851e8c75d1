"""Chats with other services over REST: the file that a service sends, as a task."""

import io
import json
import zipfile

import pytest
from aiohttp import FormData

from recollect.memory.model.errors import StoreError
from recollect.memory.transfer import importing
from recollect.memory.transfer.imported_turns import record_turns
from recollect.proxy.api.tasks import task_runners
from tests.support.chat_exports import chatgpt, claude, gemini, of_years, talk, zipped

from .test_tasks import TASKS, ended, no_files, send, until

HERS = {"format": "chatgpt", "user_id": "alice"}
SAID = chatgpt(*talk("I keep six beehives in Harlow.", "Which race?", "Buckfast.", "Gentle ones."))
EACH = {
    "chatgpt": [SAID],
    "claude": [claude("I row on the Forth.", "Nice.")],
    "gemini": [gemini("Prompted My boat is called Petrel.", 1, "<p>Aye.</p>")],
}
KEPT = {"chatgpt": 2, "claude": 1, "gemini": 1}


def archive(tmp_path, *conversations):
    return zipped(tmp_path / "a.zip", **{"conversations.json": [*conversations]}).read_bytes()


async def kept(client, data, **query):
    """The counts of an import that is done."""
    task = await ended(client, await send(client, data, **{**HERS, **query}))
    assert task["state"] == "done", task
    return task["counts"]


async def said(client):
    answer = await client.get("/v1/memories/", params={"user_id": "alice", "kinds": "said"})
    return {each["memory"] for each in (await answer.json())["results"]}


@pytest.mark.parametrize("service", EACH)
async def test_each_service(client, service):
    """What was said is there at once; the result counts it, and the same file adds nothing."""
    data = json.dumps(EACH[service]).encode()
    counts = await kept(client, data, format=service)
    assert (counts["added"], counts["conversations"]) == (KEPT[service], 1)
    assert len(await said(client)) == KEPT[service]
    again = await kept(client, data, format=service)
    assert (again["added"], again["same"]) == (0, KEPT[service])


async def test_a_later_export_adds_what_is_new(client, serve, tmp_path):
    """From an archive, which is removed once it was read; what is left out is counted."""
    assert (await kept(client, archive(tmp_path, SAID)))["added"] == 2
    more = talk("I keep six beehives in Harlow.", "Which race?", "Buckfast.", "", "In oak.")
    later = chatgpt(*more)
    later["mapping"]["x"] = {"message": talk("Never mind.")[0], "parent": "root"}
    counts = await kept(client, archive(tmp_path, later))
    assert (counts["added"], counts["same"]) == (1, 2)
    assert counts["left_out"] == {"messages on branches that were left": 1}
    await until(lambda: no_files(serve.runners[0]))
    assert "In oak." in await said(client)


async def test_refusals_are_the_words_of_the_command(client, tmp_path):
    """Cut off, of a newer format, with paths outside, damaged: named, and nothing is kept."""
    whole = archive(tmp_path, SAID, SAID)
    outside = tmp_path / "b.zip"
    with zipfile.ZipFile(outside, "w") as file:
        file.writestr("../conversations.json", "[]")
    told = {
        json.dumps([SAID, SAID])[:-1].encode(): "ends after entry 2",
        json.dumps([{**SAID, "mapping": 7}]).encode(): "may be of a newer format",
        outside.read_bytes(): "leads outside of the archive",
        whole[: len(whole) // 2]: "not whole",
        b"[{": "not whole",
        json.dumps(EACH["claude"]).encode(): "this export is of claude",
    }
    for data, why in told.items():
        task = await ended(client, await send(client, data, **HERS))
        assert (task["state"], why in task["error"]) == ("failed", True), task
    assert await said(client) == set()


async def test_whose_it_is_must_be_said(client):
    """Another service's export names nobody here."""
    answer = await client.post("/v1/memories/import", data=b"[]", params={"format": "chatgpt"})
    assert answer.status in (400, 422)
    assert "user_id" in await answer.text()
    refused = {"format": "bard", "user_id": "alice"}
    answer = await client.post("/v1/memories/import", data=b"[]", params=refused)
    assert "format" in await answer.text()


async def test_a_form_is_no_export(client):
    """As `curl -F` sends it: refused with what to send, whatever the format, and no task is made."""
    for query in ({}, HERS):
        form = FormData({"file": io.BytesIO(json.dumps(EACH["chatgpt"]).encode())})
        answer = await client.post("/v1/memories/import", data=form, params=query)
        assert answer.status == 400
        assert "curl --data-binary @FILE" in (await answer.json())["detail"]
    assert (await (await client.get(TASKS)).json())["results"] == []


async def test_it_goes_on_where_it_stopped(client, monkeypatch, tmp_path):
    """One that failed half way is resumed behind what it kept."""
    taken = []

    async def record(ports, turns, *how):
        taken.append(turns)
        if len(taken) == 2:
            raise StoreError("down")
        return await record_turns(ports, turns, *how)

    monkeypatch.setattr(importing, "record_turns", record)
    monkeypatch.setattr(task_runners, "AT_A_TIME", 1)
    task = await ended(client, await send(client, archive(tmp_path, *of_years(1200)), **HERS))
    assert (task["state"], task["counts"]["read"]) == ("failed", len(taken[0]))
    await client.post(f"{TASKS}/{task['id']}/resume")
    done = await ended(client, task)
    assert (done["state"], done["counts"]["read"], done["counts"]["added"]) == ("done", 600, 600)
    assert [len(each) for each in taken] == [len(taken[0]), *[600 - len(taken[0])] * 2]
