"""Ways by which what a policy keeps from a model reached it, or a rule came to mean nothing."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest

from tests.surfaces.place import a_place
from tests.surfaces.surface import Refused
from tests.surfaces.test_kept_from_models import (
    ALICE,
    ASKED,
    AWAY,
    CLOUD,
    COMMON,
    LOCAL,
    World,
)

BOB = {"user_id": "bob"}
NOTHING = [{"to": AWAY, "send": "none"}]
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}


@pytest.fixture(scope="module")
def ruled():
    """A place whose configuration keeps from the cloud what was told locally, and salaries."""
    rules = [{"to": AWAY, "not_from": ["*/local-*"], "not_topics": ["salary"]}]
    more = {**COMMON, "learn__vision__model": "scripted"}
    with a_place(trust__policy=rules, **more) as place:
        yield place


@pytest.fixture(scope="module")
def free():
    with a_place(**COMMON) as place:
        yield place


def remember(world: World, text: str, model: str) -> None:
    """A chat in which the model keeps a fact."""
    world.call = {"name": "fact_remember", "with": {"text": text}}
    world.chat("Remember it, please.", model=model, session="remembers")
    world.call = None


def seen(world: World, mark: str) -> bool:
    """Whether a chat with the cloud, or a tool of it, is given what has the mark."""
    world.place.model.requests.clear()
    world.chat(ASKED)
    world.tool("fact_search", query=ASKED, limit=50)
    world.tool("memory_answer", question=ASKED)
    return mark in world.sent(CLOUD, "scripted")


@pytest.mark.parametrize(("model", "goes"), [(LOCAL, False), (CLOUD, True)])
def test_what_a_model_wrote_down_was_told_to_it(ruled, model, goes):
    """A fact that a local model keeps by a tool is from there, as the turn that it was told in."""
    world = World(ruled, "kinds", 11)
    text = "User keeps a writtenmark in the zeppelin shed"
    remember(world, text, model)
    assert seen(world, "writtenmark") is goes


def test_a_fact_told_before_there_was_any_rule(free):
    """Whom it was told to is kept without a policy, too: a rule may come later."""
    world = World(free, "none", 12)
    text = "User keeps a writtenmark in the zeppelin shed"
    remember(world, text, LOCAL)
    assert seen(world, "writtenmark")
    world.rest.ask("set_policy", {"rules": [{"to": AWAY, "not_from": ["*/local-*"]}], **ALICE})
    assert not seen(world, "writtenmark")


def test_the_history_of_a_fact_has_no_earlier_text_that_is_withheld(ruled):
    """Each version is judged by itself: the fact as it is now may go, what it said may not."""
    world = World(ruled, "kinds", 13)
    said = "User earns a salary of earliermark in the zeppelin shed"
    [made] = world.rest.run("add", messages=said, infer=False, **ALICE)["results"]
    now = "User keeps a latermark in the zeppelin shed"
    world.rest.run("update", memory_id=made["id"], text=now, **ALICE)
    world.place.model.requests.clear()
    world.tool("fact_history", id=made["id"])
    told = world.sent(CLOUD).rpartition('"role": "tool"')[2]
    assert "latermark" in told
    assert "earliermark" not in world.sent(CLOUD)
    assert "earliermark" in json.dumps(world.rest.run("history", memory_id=made["id"], **ALICE))


@pytest.mark.parametrize("infer", [False, True])
def test_a_picture_that_may_show_anything_is_not_described(ruled, infer):
    """Neither one of a call nor one of a chat: no text tells whether it is a pay slip."""
    world = World(ruled, "kinds", 14)
    said = [{"role": "user", "content": [{"type": "text", "text": "My new one:"}, PICTURE]}]
    with suppress(Refused):
        world.rest.run("add", messages=said, infer=infer, **ALICE)
    assert "iVBORw0KGgo" not in world.sent("scripted")


def test_of_a_shared_memory_the_rules_of_both_count(free):
    """Its owner's, and those of whose chat it would be shown in."""
    world = World(free, "none", 15)
    said = "User keeps a sharedmark in the zeppelin shed"
    [made] = world.rest.run("add", messages=said, infer=False, **BOB)["results"]
    world.rest.run("shares.attach", memory_id=made["id"], to=ALICE, **BOB)
    assert seen(world, "sharedmark")
    for whose in (BOB, ALICE):
        world.rest.ask("set_policy", {"rules": NOTHING, **whose})
        assert not seen(world, "sharedmark")
        world.rest.ask("set_policy", {"rules": [], **whose})
        assert seen(world, "sharedmark")


def test_where_a_shared_memory_was_told_goes_with_it(free):
    """The evidence stays with its owner, and yet a rule about it counts."""
    world = World(free, "none", 16)
    text = "User keeps a sharedmark in the zeppelin shed"
    remember(world, text, LOCAL)
    [made] = [one for one in world.rest.run("get_all", limit=100, **ALICE)["results"]
              if "sharedmark" in one["memory"]]  # fmt: skip
    world.rest.run("shares.attach", memory_id=made["id"], to=BOB, **ALICE)
    rules = [{"to": AWAY, "not_from": ["*/local-*"]}]
    for own, kept in (([], False), (rules, True)):
        world.rest.ask("set_policy", {"rules": own, **BOB})
        found = world.rest.run("answer", question=ASKED, threshold=0, **BOB)
        assert ("sharedmark" not in json.dumps(found)) is kept


@pytest.mark.parametrize(
    ("rule", "field"),
    [
        ({"to": ["api.nobody.example"], "send": "none"}, "rules.0.to.0"),
        ({"to": ["gpt-*"], "send": "none"}, "rules.0.to.0"),
        ({"to": "cloud", "send": "none"}, "rules.0.to: expected a list"),
        ({"to": []}, "rules.0.to: expected at least 1"),
        ({"sent": "none"}, "rules.0.sent: unknown key; did you mean send?"),
        (7, "rules.0: expected keys below it"),
    ],
)
def test_a_rule_of_a_user_that_means_nothing_is_refused(free, rule, field):
    """As one of the configuration: it would keep nothing back, and say so to nobody."""
    world = World(free, "none", 17)
    with pytest.raises(Refused, match=field.replace(".", r"\.").replace("?", r"\?")):
        world.rest.ask("set_policy", {"rules": [rule], **ALICE})
    assert world.rest.ask("policy", dict(ALICE)) == {"results": []}


def test_an_agent_without_a_user_has_no_rules(free):
    """Two agents had one list, and the last one's were in force for both."""
    world = World(free, "none", 18)
    with pytest.raises(Refused, match="user_id"):
        world.rest.ask("set_policy", {"rules": NOTHING, "agent_id": "a"})
