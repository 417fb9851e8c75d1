"""What a model does for memory, told once: facts, answers, deep recall and procedures."""

import json

from tests.memory.api.test_adding import GOOD, run
from tests.support.scripted import facts
from tests.surfaces.all import told_on

ALICE, AGENT = {"user_id": "alice"}, {"agent_id": "agent"}


@told_on("add", "get_all", "history")
def test_facts_are_learned(surface):
    """By default a model extracts them; each is a memory with a history."""
    surface.place.says(facts("User likes tea", "User lives in Oslo"))
    told = surface.run("add", messages="I like tea and live in Oslo", infer=True, **ALICE)
    assert [one["new_memory"] for one in told["results"]] == [
        "User likes tea",
        "User lives in Oslo",
    ]
    assert sorted(surface.texts()) == ["User likes tea", "User lives in Oslo"]
    rows = surface.run("history", memory_id=told["results"][0]["id"])
    assert [row["event"] for row in rows] == ["ADD"]


@told_on("add", "get_all")
def test_a_model_that_fails_is_an_error(surface):
    """Never an empty success: it says where the model is set, and nothing is stored."""
    for reply, word in ((500, "model_"), ("never any facts", "model_unreadable")):
        surface.place.says(reply)
        refused = surface.refused("add", messages="I like tea", infer=True, **ALICE)
        assert word in refused.kind + refused.text
    assert "learn.llm" in refused.text
    assert surface.texts() == []


@told_on("add", "answer", "get_all")
def test_an_answer_has_its_citations(surface):
    """It stands on memories; without any there is none, and no model is asked."""
    surface.place.says(json.dumps({"grounds": [1], "answer": "Your cat is called Mia."}))
    [cat] = surface.add("User has a cat called Mia")
    asked = {"question": "What is my cat called?", "threshold": 0}
    said = surface.run("answer", **asked, **ALICE)
    assert (said["answer"], said["abstained"]) == ("Your cat is called Mia.", False)
    assert [one["id"] for one in said["citations"]] == [cat]
    heard = len(surface.place.model.requests)
    nobody = {"answer": None, "citations": [], "abstained": True, "reason": "no_memories"}
    assert surface.run("answer", user_id="bob", **asked) == nobody
    assert len(surface.place.model.requests) == heard
    surface.place.says(json.dumps({"grounds": [], "answer": "Probably Mia."}))
    said = surface.run("answer", **asked, **ALICE)
    assert (said["answer"], said["reason"]) == (None, "not_supported")


@told_on("add", "deep_recall", "get_all")
def test_a_search_that_goes_on_until_it_is_enough(surface):
    """A simple look-up asks no model; a model's grade says what is missing; without one it abstains."""
    surface.add("Zoe lives in Bergen")
    grade = {"grounds": [1], "enough": False, "missing": "since when", "queries": []}
    surface.place.says(json.dumps(grade))
    hard = "Where does Zoe live? And since when?"
    found = surface.run("deep_recall", question=hard, **ALICE)
    assert (found["abstained"], found["reason"], found["missing"], found["calls"]) == (
        True,
        "nothing_new",
        "since when",
        1,
    )
    assert [one["memory"] for one in found["results"]] == ["Zoe lives in Bergen"]
    found = surface.run("deep_recall", question="Where does Zoe live?", **ALICE)
    assert (found["abstained"], found["calls"]) == (False, 0)
    surface.place.says(404)
    found = surface.run("deep_recall", question=hard, **ALICE)
    assert (found["abstained"], found["reason"][:6]) == (True, "model_")


PROCEDURES = ("add_procedure", "procedures.list", "procedures.get", "procedures.activate")


@told_on(*PROCEDURES, "procedures.outcome", "search", "add")
def test_from_a_run_of_an_agent_to_its_withdrawal(surface):
    """Kept with its record, found once activated, counted, and withdrawn when it fails."""
    surface.place.says(GOOD)
    taught = {"messages": run(), "success": "A number was answered.", **AGENT}
    [event] = surface.run("add_procedure", metadata={"tag": "travel"}, **taught)["results"]
    assert (event["event"], event["type"]) == ("QUARANTINE", "procedural")
    own = {"memory_id": event["id"], **AGENT}
    question = {"query": "How do I book a flight?", **AGENT}
    shown = surface.run("procedures.get", **own)
    assert (shown["memory"], shown["success"]) == (GOOD, "A number was answered.")
    assert (shown["metadata"]["tag"], shown["metadata"]["run"]["answer"]) == ("travel", "Booked.")
    [listed] = surface.run("procedures.list", query="book a flight", **AGENT)["results"]
    assert listed["id"] == event["id"]
    assert surface.run("procedures.list", statuses=["active"], **AGENT)["results"] == []
    assert surface.run("search", **question)["results"] == []
    assert surface.run("procedures.activate", **own)["status"] == "active"
    assert surface.refused("procedures.activate", **own).kind == "invalid_input"
    assert [one["id"] for one in surface.run("search", **question)["results"]] == [event["id"]]
    for status in ("active", "quarantined"):
        told = surface.run("procedures.outcome", outcome="failure", reason="no seats", **own)
        assert told["status"] == status
    told = surface.run("procedures.outcome", outcome="success", **own)
    assert told["outcomes"] == {"success": 1, "failure": 2}
    assert surface.run("search", **question)["results"] == []
    assert surface.refused("procedures.outcome", outcome="perhaps", **own).field == "outcome"
    fact = surface.add("likes tea")[0]
    for operation in PROCEDURES[2:]:
        assert surface.refused(operation, memory_id=fact).kind == "not_found"


@told_on(*PROCEDURES, "procedures.check")
def test_success_is_distilled_and_checked(surface):
    """From one run, without its values; of another one by words that stand in it, or not at all."""
    surface.place.says(f"{GOOD}\nDONE: The result of book_flight says that ZX-991 is booked.")
    [event] = surface.run("add_procedure", messages=run(), **AGENT)["results"]
    own = {"memory_id": event["id"], **AGENT}
    shown = surface.run("procedures.get", **own)
    criterion = "The result of book_flight says that <flight_id> is booked."
    assert (shown["memory"], shown["success"]) == (GOOD, criterion)
    again = {"messages": run(request="Book me a flight to Rome"), "report": True, **own}
    surface.place.says(json.dumps({"met": True, "quote": '"status": "booked"'}))
    told = surface.run("procedures.check", **again)
    assert (told["met"], told["why"], told["success"]) == (True, "shown", criterion)
    assert told["quote"] == '"status": "booked"'
    assert told["outcomes"] == {"success": 1, "failure": 0}
    assert "Rome" in str(surface.place.model.requests[-1])
    for said, why in (
        ({"met": True, "quote": "all good"}, "not_quoted"),
        ({"met": None}, "not_shown"),
    ):
        surface.place.says(json.dumps(said))
        told = surface.run("procedures.check", **again)
        assert (told["met"], told["why"], "quote" in told) == (None, why, False)
        assert told["outcomes"] == {"success": 1, "failure": 0}
    surface.place.says("never asked")
    failed = run(booked='{"error": "no seats"}')
    told = surface.run("procedures.check", **{**again, "messages": failed, "report": False})
    assert (told["met"], told["why"]) == (False, "failed")
    assert told["outcomes"] == {"success": 1, "failure": 0}
    assert surface.place.model.requests == []
    refused = surface.refused("procedures.check", **again)
    assert "model_unreadable" in refused.kind + refused.text
    assert surface.refused("procedures.check", **{**again, "messages": []}).field == "messages"


@told_on(*PROCEDURES)
def test_a_run_that_teaches_nothing(surface):
    """It says so, and no model was needed to see it; a model that fails is an error."""
    short = surface.run("add_procedure", messages=run()[:4], **AGENT)
    assert short == {"results": [], "rejected": {"no_procedure": 1}}
    assert surface.place.model.requests == []
    surface.place.says("I would rather not.")
    assert "learn.llm" in surface.refused("add_procedure", messages=run(), **AGENT).text
    assert surface.run("procedures.list", **AGENT)["results"] == []


@told_on("add_batch", "get_all")
def test_many_at_once_each_for_itself(surface):
    """In order; what is wrong with one is told by its field, and the others are stored."""
    one = {"messages": "likes tea", "infer": False, **ALICE}
    wrong = [
        ({"infr": False}, "infr"),
        ({"messages": 7}, "messages"),
        ({"importance": 7}, "importance"),
        ({"timestamp": "yesterday"}, "timestamp"),
        ({"user_id": 7}, "user_id"),
    ]
    asked = [one, {**one, "user_id": "bob"}, *({**one, **mistake} for mistake, _ in wrong)]
    done = surface.run("add_batch", requests=asked)
    assert (done["succeeded"], done["failed"]) == (2, len(wrong))
    assert [each["index"] for each in done["results"]] == [*range(len(asked))]
    for each, (_, field) in zip(done["results"][2:], wrong, strict=True):
        assert each["error"]["message"].startswith(f"{field}: "), each
    assert "did you mean" in done["results"][2]["error"]["message"]
    assert surface.texts() == surface.texts(user_id="bob") == ["likes tea"]


@told_on("add", "shares.attach", "shares.of", "shares.list", "shares.detach", "search", "get")
def test_a_memory_is_shared_and_shared_no_more(surface):
    """Listed for both, found by whoever was given it and not by others, gone once detached."""
    [name] = surface.add("The deploy script is called ship.sh.")
    bob, query = {"user_id": "bob"}, {"query": "deploy script"}
    shared = surface.run("shares.attach", memory_id=name, to=bob, **ALICE)
    assert (shared["to"], shared["rights"], shared["given"]) == (bob, "read", True)
    assert surface.run("shares.of", memory_id=name)["results"] == [shared]
    [given] = surface.run("shares.list", **bob)["results"]
    assert (given["memory_id"], given["given"]) == (name, False)
    [found] = surface.run("search", **query, **bob)["results"]
    assert (found["id"], found["user_id"]) == (name, "bob")
    assert surface.run("search", **query, user_id="eve")["results"] == []
    refused = surface.refused("update", memory_id=name, text="no", **bob)
    assert (refused.kind, "may only be read" in refused.text) == ("forbidden", True)
    surface.run("shares.detach", memory_id=name, to=bob)
    assert surface.run("search", **query, **bob)["results"] == []
    assert surface.refused("shares.detach", memory_id=name, to=bob).kind == "not_found"


LEFT = {
    "goal": "A flight to Porto.",
    "progress": "The flight ZX-991 is found.",
    "next_step": "Ask for another card, then book ZX-991.",
}
DECLINED = '{"error": "card declined"}'


@told_on(*PROCEDURES, "search")
def test_a_run_that_failed_leaves_what_to_go_on_from(surface):
    """Its goal, progress, errors and next step, held back like a procedure, with its record."""
    surface.place.says(json.dumps(LEFT))
    [event] = surface.run("add_procedure", messages=run(booked=DECLINED), **AGENT)["results"]
    assert (event["event"], event["type"]) == ("QUARANTINE", "procedural")
    own = {"memory_id": event["id"], **AGENT}
    shown = surface.run("procedures.get", **own)
    assert shown["unfinished"] is True
    assert shown["memory"] == (
        "Not finished: A flight to Porto. Done: The flight ZX-991 is found. "
        f"Failed: book_flight: {DECLINED} Next: Ask for another card, then book ZX-991."
    )
    record = shown["metadata"]["run"]
    assert (record["failed"], record["step_count"]) == (True, 2)
    assert record["errors"] == [f"book_flight: {DECLINED}"]
    question = {"query": "How far is the flight to Porto?", **AGENT}
    assert surface.run("search", **question)["results"] == []
    surface.run("procedures.activate", **own)
    assert [one["id"] for one in surface.run("search", **question)["results"]] == [event["id"]]


@told_on(*PROCEDURES)
def test_who_ran_it_says_how_it_went(surface):
    """Whatever the last result looks like; any other word is refused."""
    surface.place.says(json.dumps(LEFT))
    told = surface.run("add_procedure", messages=run(), outcome="failure", **AGENT)
    [listed] = surface.run("procedures.list", **AGENT)["results"]
    assert (listed["id"], listed["unfinished"]) == (told["results"][0]["id"], True)
    refused = surface.refused("add_procedure", messages=run(), outcome="maybe", **AGENT)
    assert refused.field == "outcome"


@told_on("add", "get_all", "add_batch")
def test_facts_of_a_domain(surface):
    """A template says which facts count; a name that is none is refused with those that are."""
    surface.place.says(facts("User has order 4711"))
    told = {"messages": "I have order 4711", "infer": True, **ALICE}
    surface.run("add", template="support", **told)
    asked = surface.place.model.requests[0]["messages"][0]["content"]
    assert "Keep only facts about this: who the customer is" in asked
    assert "Answer with one JSON object and nothing else" in asked
    refused = surface.refused("add", template="suport", **told)
    assert (refused.field, "coding, health, support" in refused.text) == ("template", True)


@told_on("add", "get_all", "add_batch")
def test_a_picture_is_stored_as_what_a_model_sees(surface):
    """Without extraction, too; by the built-in instructions."""
    surface.place.says("A red bicycle.")
    picture = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
    said = [{"role": "user", "content": [{"type": "text", "text": "My new one:"}, picture]}]
    surface.run("add", messages=said, infer=False, **ALICE)
    assert surface.texts() == ["My new one:\n[image: A red bicycle.]"]
    [asked] = surface.place.model.requests
    assert "Describe this picture" in str(asked["messages"])


@told_on("add", "get_all", "add_batch")
def test_a_picture_that_is_too_large(surface):
    """It is refused by its place and size, and nothing is stored."""
    url = f"data:image/png;base64,{'A' * 9_000_000}"
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": url}}]
    said = [{"role": "user", "content": parts}]
    for infer in (False, True):
        refused = surface.refused("add", messages=said, infer=infer, **ALICE)
        assert "messages[0].content[1]: the picture has 7 MB" in refused.text or (
            "the body exceeds" in refused.text  # over HTTP it does not even come in
        )
    assert surface.texts() == []
