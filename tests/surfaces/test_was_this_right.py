"""A line that a chat was given is judged by what the header of its answer names."""

from __future__ import annotations

import http.client
import json
from contextlib import closing

from tests.support.waiting import HANG_SECONDS
from tests.surfaces.place import token_of
from tests.surfaces.rest import Rest

TEA = "User likes to cook with green tea"
ASKED, OTHER = "What should I cook tonight with tea?", "Do I like green tea?"


def test_by_the_ids_of_a_header(place):
    """Not now is for the question of that conversation; each answer holds from the next chat on."""
    rest = Rest(place, place.tenant())
    [tea] = rest.add(TEA)
    explained = chat(rest, ASKED)
    assert [one["id"] for one in explained["memories"] if one["reason"] == "chosen"] == [tea]
    given = rest.run(
        "feedback", memory_id=tea, feedback="not_now", conversation=explained["conversation"]
    )
    assert reason(chat(rest, ASKED), tea) == "not_now"
    assert reason(chat(rest, OTHER), tea) == "chosen"
    rest.run("undo_feedback", memory_id=tea, feedback_id=given["feedback_id"])
    assert reason(chat(rest, ASKED), tea) == "chosen"
    for word in ("wrong", "outdated"):
        given = rest.run("feedback", memory_id=tea, feedback=word)
        assert reason(chat(rest, OTHER), tea) is None
        rest.run("undo_feedback", memory_id=tea, feedback_id=given["feedback_id"])
        assert reason(chat(rest, OTHER), tea) == "chosen"


def test_not_now_is_for_the_question_that_was_asked(place):
    """Of two questions in one conversation that were given it, for that of the named turn alone."""
    rest = Rest(place, place.tenant())
    [tea] = rest.add(TEA)
    first = chat(rest, ASKED)
    second = chat(rest, ASKED, "I see.", OTHER)
    assert first["conversation"] == second["conversation"]
    assert reason(first, tea) == reason(second, tea) == "chosen"
    rest.run("feedback", memory_id=tea, feedback="not_now", conversation=first["turn"])
    assert reason(chat(rest, ASKED), tea) == "not_now"
    assert reason(chat(rest, OTHER), tea) == "chosen"


def reason(explained, memory_id):
    """What became of a memory; None if it was not compared."""
    found = {one["id"]: one["reason"] for one in explained.get("memories", [])}
    return found.get(memory_id)


def chat(rest, *texts):
    """What the header of the answer to a conversation says."""
    roles = ("user", "assistant")
    said = [{"role": roles[at % 2], "content": text} for at, text in enumerate(texts)]
    body = {"model": "m", "user": "alice", "messages": said}
    sent = {
        "Authorization": f"Bearer {token_of(rest.tenant)}",
        "Content-Type": "application/json",
        "x-recollect-debug": "explain",
    }
    with closing(
        http.client.HTTPConnection("127.0.0.1", rest.place.port, timeout=HANG_SECONDS)
    ) as connection:
        connection.request("POST", "/v1/chat/completions", json.dumps(body).encode(), sent)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        return json.loads(answer.headers["x-recollect-explain"])
